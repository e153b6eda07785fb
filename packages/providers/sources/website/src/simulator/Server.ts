/**
 * A web server on loopback that does to its visitors whatever it is told to, host by host: for what no dialect can say,
 * such as an answer that never ends. It takes requests in absolute form (as a relay does) and for itself.
 */
import { Effect, type Scope } from "effect"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

/** Answers one request. `url` is what was asked, as a whole. */
export type Handler = (response: Http.ServerResponse, url: URL) => void

export interface Server {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** What was asked, oldest first, each as `<method> <address>`. */
  readonly asked: Effect.Effect<ReadonlyArray<string>>
  /** How many connections are open. */
  readonly connections: Effect.Effect<number>
}

export interface Options {
  /** `127.0.0.1` by default. */
  readonly host?: string
}

/** Starts the server; it stops with its scope, with every connection. A host that is not named is 404. */
export const start = (
  sites: Readonly<Record<string, Handler>>,
  { host = "127.0.0.1" }: Options = {}
): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = Http.createServer((request, response) => {
      const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "nobody"}`)
      asked.push(`${request.method ?? ""} ${url.href}`)
      response.on("error", () => response.destroy())
      const handler = sites[url.host] ?? sites[url.hostname]
      if (handler === undefined) response.writeHead(404).end("no such host")
      else handler(response, url)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, host, () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    // A server that listens on a TCP port has an AddressInfo; Node's type also covers pipes.
    const { port } = server.address() as AddressInfo
    return {
      url: `http://${host}:${port}`,
      port,
      asked: Effect.sync(() => [...asked]),
      connections: Effect.callback<number>((resume) => {
        server.getConnections((_, count) => resume(Effect.succeed(count)))
      })
    }
  })
