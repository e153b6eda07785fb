/** A wait without a fibre, for what is a machine of callbacks. */
import * as Timers from "node:timers"

/** Runs after so many milliseconds, unless it is called off. */
export const after = (millis: number, then: () => void): (() => void) => {
  // @effect-diagnostics-next-line globalTimers:off - a connection sets one for each reply; a fibre costs as much as the reply
  const timer = Timers.setTimeout(then, millis)
  return () => Timers.clearTimeout(timer)
}
