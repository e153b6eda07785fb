/** The server itself with promises: whether it lives, whether it should be sent requests, its metrics. */
import type { NotReady, Ready } from "../api/LadingApi.ts"
import { type Client, type ReadOptions, run } from "./Call.ts"

export const connect = ({ system }: Client) => ({
  health: (options: ReadOptions = {}): Promise<{ readonly status: "ok" }> => run(system.health(), options),
  /** Each store and whether it answers; also where the server is not ready. */
  ready: (options: ReadOptions = {}): Promise<Ready | NotReady> => run(system.ready(), options),
  /** In Prometheus' text format. Where metrics have a key, the client has to be made with that one. */
  metrics: (options: ReadOptions = {}): Promise<string> => run(system.metrics(), options)
})
