/**
 * Load from many connections, 64 unless said otherwise, each of which sends its next request when it has its answer, as `autocannon` does it. Every
 * request is about another company. An answer that is no success, or has less than all that there is to say, ends the
 * benchmark: it would be a cheaper one.
 */
import autocannon from "autocannon"
import { performance } from "node:perf_hooks"
import * as Job from "./Job.ts"

/** Unless said otherwise. */
export const connections = 64

export interface Measured {
  readonly requests: number
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/** Of numbers in ascending order. */
export const quantile = (sorted: Float64Array, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const requestOf = ({ bodyFor }: Job.Job): autocannon.Request => ({
  method: "POST",
  path: Job.path,
  headers: Job.headers,
  setupRequest: (next) => ({ ...next, body: bodyFor(Job.nextDomain()) })
})

const failure = (problems: ReadonlyMap<string, number>, example = "none"): string =>
  `${[...problems].map(([problem, count]) => `${count} times ${problem}`).join(", ")}; the first such answer: ${example}`

/** For so many seconds, or for so many requests. */
export type Extent = { readonly seconds: number } | { readonly requests: number }

export interface Options {
  readonly callers?: number
  readonly job?: Job.Job
}

export const run = (
  url: string,
  extent: Extent,
  { callers = connections, job = Job.both }: Options = {}
): Promise<Measured> =>
  new Promise((resolve, reject) => {
    const latencies: Array<number> = []
    const problems = new Map<string, number>()
    let example: string | undefined
    const complain = (problem: string) => problems.set(problem, (problems.get(problem) ?? 0) + 1)
    const began = performance.now()
    let ended = began
    const instance = autocannon(
      {
        url,
        connections: callers,
        ...("seconds" in extent ? { duration: extent.seconds } : { amount: extent.requests }),
        // How often it looks whether the time is over, in milliseconds.
        sampleInt: 100,
        timeout: 30,
        requests: [requestOf(job)],
        verifyBody: (body) => job.isWhole(String(body))
      },
      (error) => {
        process.off("SIGINT", interrupt)
        if (error !== null) return reject(error)
        if (problems.size > 0) return reject(new Error(failure(problems, example)))
        const sorted = Float64Array.from(latencies).toSorted()
        resolve({
          requests: latencies.length,
          rate: latencies.length / ((ended - began) / 1000),
          p50: quantile(sorted, 0.5),
          p99: quantile(sorted, 0.99)
        })
      }
    )
    // Whoever waits for the load cleans up: stores are not to outlive the benchmark.
    const interrupt = () => {
      complain("interrupted")
      instance.stop()
    }
    process.once("SIGINT", interrupt)
    instance.on("response", (_, status, __, milliseconds) => {
      ended = performance.now()
      latencies.push(milliseconds)
      if (status !== 200) complain(`status ${status}`)
    })
    instance.on("reqError", (error) => complain(error.message))
    // The types know the event by an older argument list.
    instance.on("reqMismatch" as "done", (body: unknown) => {
      example ??= String(body).slice(0, 1000)
      complain("an answer without all there is to say")
    })
  })
