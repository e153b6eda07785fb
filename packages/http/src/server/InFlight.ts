/**
 * How many requests are answered at once: what comes beyond is told to come again, so that a server that is behind answers
 * those it has begun instead of beginning ever more. Health, readiness and metrics are not counted.
 */
import type * as Routes from "./Routes.ts"

export interface InFlight {
  /** Lets a request in, unless there are too many. Whoever was let in leaves. */
  readonly enter: (route: Routes.Route) => boolean
  readonly leave: (route: Routes.Route) => void
}

/** Seconds after which it makes sense to ask again. */
export const retryAfter = 1

const isCounted = ({ template }: Routes.Route): boolean => template.startsWith("/api/")

/** At most so many at once. */
export const make = (most: number): InFlight => {
  let running = 0
  return {
    enter: (route) => {
      if (!isCounted(route)) return true
      if (running >= most) return false
      running++
      return true
    },
    leave: (route) => {
      if (isCounted(route)) running--
    }
  }
}
