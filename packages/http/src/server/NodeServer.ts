/**
 * The `HttpServer` on Node, with time-outs against clients that are slow on purpose.
 */
import { NodeHttpServer } from "@effect/platform-node"
import type { Layer } from "effect"
import type { HttpServer } from "effect/http"
import type { ServeError } from "effect/http/HttpServerError"
import * as Http from "node:http"
import { longest } from "./Work.ts"

export interface Options {
  readonly host: string
  /** 0 takes any free port; ask `HttpServer.HttpServer` for its address. */
  readonly port: number
  /** How long a client may take for its headers, in milliseconds; 10,000 unless said otherwise. */
  readonly headersTimeoutMs?: number
  /** How long a client may take for headers and body together, in milliseconds; 30,000 unless said otherwise. */
  readonly requestTimeoutMs?: number
}

/** Longer than the idle time-out of usual balancers (60 s), so that they never send into a connection that closes. */
const keepAlive = 65_000

/** The port is taken when the layer is built, before the first request is served. */
export const layer = ({
  host,
  port,
  headersTimeoutMs = 10_000,
  requestTimeoutMs = 30_000
}: Options): Layer.Layer<HttpServer.HttpServer, ServeError> =>
  NodeHttpServer.layerServer(
    () =>
      Http.createServer({
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: Math.min(5000, headersTimeoutMs),
        keepAliveTimeout: keepAlive
      }),
    { host, port, gracefulShutdownTimeout: longest() }
  )
