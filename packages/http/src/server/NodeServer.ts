/**
 * The `HttpServer` on Node, with time-outs against clients that are slow on purpose, writing or reading, and the error shape
 * for what is not even a request.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { HttpServer } from "effect/http"
import type { ServeError } from "effect/http/HttpServerError"
import * as Http from "node:http"
import type { Duplex } from "node:stream"
import * as Refusal from "../api/Refusal.ts"
import * as RequestId from "./RequestId.ts"
import * as SecurityHeaders from "./SecurityHeaders.ts"
import { longest } from "./Work.ts"

export interface Options {
  readonly host: string
  /** 0 takes any free port; ask `HttpServer.HttpServer` for its address. */
  readonly port: number
  /** How long a client may take for its headers, in milliseconds; 10,000 unless said otherwise. */
  readonly headersTimeoutMs?: number
  /** How long a client may take for headers and body together, in milliseconds; 30,000 unless said otherwise. */
  readonly requestTimeoutMs?: number
  /** How long a client may take to read an answer, in milliseconds; 120,000 unless said otherwise. */
  readonly answerTimeoutMs?: number
}

/** Longer than the idle time-out of usual balancers (60 s), so that they never send into a connection that closes. */
const keepAlive = 65_000

/** By the code of Node's error. */
const unreadable: Readonly<Record<string, { readonly status: string; readonly message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", message: "The request did not come in time" },
  HPE_HEADER_OVERFLOW: { status: "431 Request Header Fields Too Large", message: "The headers are too long" }
}

/** Refuses what the parser cannot read or does not wait for any longer. No handler sees it, so nothing else answers. */
const refuse = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const { status, message } = unreadable[error.code ?? ""] ?? {
    status: "400 Bad Request",
    message: "Expected an HTTP request"
  }
  const request_id = RequestId.fromBytes(SecureRandom.randomBytesUnsafe(RequestId.size))
  const refusal = Refusal.body(new Refusal.InvalidRequest({ request_id, message }))
  const body = new TextEncoder().encode(JSON.stringify(refusal))
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
    `x-request-id: ${request_id}`,
    ...Object.entries(SecurityHeaders.always).map(([name, value]) => `${name}: ${value}`),
    "connection: close"
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n`)
  socket.end(body)
}

/** Says that nobody serves yet. */
const tooEarly: Http.RequestListener = (_, response) => {
  const request_id = RequestId.fromBytes(SecureRandom.randomBytesUnsafe(RequestId.size))
  const refusal = Refusal.body(new Refusal.Unavailable({ request_id, message: "The server is starting" }))
  response.writeHead(503, {
    "content-type": "application/json",
    "x-request-id": request_id,
    ...SecurityHeaders.always,
    "retry-after": "1",
    connection: "close"
  })
  response.end(JSON.stringify(refusal))
}

/**
 * Answers whoever asks before anybody serves: Node would let them wait for ever. And closes at once then: a start that fails
 * would wait for whoever has connected meanwhile.
 */
const early = (server: Http.Server): Http.Server => {
  const before = server.listenerCount("request")
  const isServing = () => server.listenerCount("request") > before && !server.listeners("request").includes(tooEarly)
  server.on("request", tooEarly)
  server.on("newListener", (event, listener) => {
    if (event === "request" && listener !== tooEarly) server.off("request", tooEarly)
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    const closing = close(done)
    if (!isServing()) server.closeAllConnections()
    return closing
  }
  return server
}

/**
 * Breaks off with who does not read its answer in time: what is not read is kept in memory, and Node would keep it for as long
 * as the connection is open. The time counts from when the answer is complete.
 */
const impatient =
  (answerTimeoutMs: number): Http.RequestListener =>
  (_, response) => {
    response.once("prefinish", () => {
      // @effect-diagnostics-next-line globalTimers:off - one for each answer, beside every fibre
      const timer = setTimeout(() => response.destroy(), answerTimeoutMs).unref()
      response.once("close", () => clearTimeout(timer))
    })
  }

/** The port is taken when the layer is built; until the first request is served, all are answered with 503. */
export const layer = ({
  host,
  port,
  headersTimeoutMs = 10_000,
  requestTimeoutMs = 30_000,
  answerTimeoutMs = 120_000
}: Options): Layer.Layer<HttpServer.HttpServer, ServeError> =>
  NodeHttpServer.layerServer(
    () =>
      early(
        Http.createServer({
          headersTimeout: headersTimeoutMs,
          requestTimeout: requestTimeoutMs,
          connectionsCheckingInterval: Math.min(5000, headersTimeoutMs),
          keepAliveTimeout: keepAlive
        })
          .on("clientError", refuse)
          .prependListener("request", impatient(answerTimeoutMs))
      ),
    { host, port, gracefulShutdownTimeout: longest() }
  )
