/**
 * Latencies: how long answers of each source take, in this process, and when one is late: later than 95 of 100 of its last
 * answers. Nothing is late before there are enough of them.
 *
 * Gotcha: a call that was given up because it was late counts with the time that it had had. Left out, the slow calls would
 * be missing, and ever earlier ones be called late.
 */
import { Clock, Effect, Exit } from "effect"

export interface Policy {
  /** Of how many of the last answers. */
  readonly window: number
  /** With fewer answers nobody is late. */
  readonly enough: number
}

export const defaults: Policy = { window: 200, enough: 20 }

const percentile = 0.95

export interface Latencies {
  /** Milliseconds after which an answer is late; `null` where too little is known. */
  readonly lateAfter: (name: string) => number | null
  /** Runs a call and takes its time. A failure says nothing about how long answers take. */
  readonly timed: <A, E, R>(name: string, call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const make = ({ enough, window }: Policy): Latencies => {
  const taken = new Map<string, Array<number>>()

  const lateAfter = (name: string): number | null => {
    const known = taken.get(name) ?? []
    if (known.length < enough) return null
    const sorted = known.toSorted((a, b) => a - b)
    return sorted[Math.ceil(percentile * sorted.length) - 1] ?? null
  }

  const add = (name: string, millis: number) => {
    const known = taken.get(name) ?? []
    if (known.length === 0) taken.set(name, known)
    known.push(millis)
    if (known.length > window) known.shift()
  }

  const note = <A, E>(name: string, millis: number, exit: Exit.Exit<A, E>) => {
    if (Exit.isSuccess(exit)) return add(name, millis)
    const late = Exit.hasInterrupts(exit) ? lateAfter(name) : null
    if (late !== null && millis > late) add(name, millis)
  }

  return {
    lateAfter,
    timed: (name, call) =>
      Effect.flatMap(Clock.currentTimeMillis, (started) =>
        Effect.onExit(call, (exit) => Effect.map(Clock.currentTimeMillis, (ended) => note(name, ended - started, exit)))
      )
  }
}
