/**
 * A given list of requests by a number of callers, each of whom sends the next one of the list when it has its answer.
 * `autocannon` (`../http/Load.ts`) does not say which answer belongs to which request, and composes more than it sends;
 * here both servers are to answer the same list, so it is a loop over connections of `undici`.
 */
import { performance } from "node:perf_hooks"
import { Pool } from "undici"
import * as Job from "../http/Job.ts"
import * as Load from "../http/Load.ts"

/** What was answered to the request at this place of the list. */
export type Heard = (index: number, status: number, body: string) => void

/** `heard` may throw: that ends the load. */
export const run = async (
  url: string,
  bodies: ReadonlyArray<string>,
  callers: number,
  heard: Heard
): Promise<Load.Measured> => {
  await using made = new AsyncDisposableStack()
  const pool = made.adopt(new Pool(url, { connections: callers, pipelining: 1, headersTimeout: 30_000 }), (one) =>
    one.destroy()
  )
  const latencies = new Float64Array(bodies.length)
  const queue = bodies.entries()
  const call = async () => {
    // One iterator for all callers: each request is taken once.
    for (const [index, text] of queue) {
      const began = performance.now()
      const { body, statusCode } = await pool.request({
        method: "POST",
        path: Job.path,
        headers: Job.headers,
        body: text
      })
      const answer = await body.text()
      latencies[index] = performance.now() - began
      heard(index, statusCode, answer)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: callers }, call))
  const seconds = (performance.now() - began) / 1000
  const sorted = latencies.toSorted()
  return {
    requests: bodies.length,
    rate: bodies.length / seconds,
    p50: Load.quantile(sorted, 0.5),
    p99: Load.quantile(sorted, 0.99)
  }
}
