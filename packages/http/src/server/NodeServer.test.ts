/** The port of a server before it serves. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { connect } from "node:net"
import * as NodeServer from "./NodeServer.ts"

it.live("who asks before anybody serves is told so, and answered after that", () =>
  Effect.gen(function* () {
    const server = yield* HttpServer.HttpServer
    const port = "port" in server.address ? server.address.port : 0
    const ask = Effect.promise(() => fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(10_000) }))
    const early = yield* ask
    assert.deepStrictEqual([early.status, early.headers.get("retry-after")], [503, "1"])
    assert.strictEqual(early.headers.get("x-content-type-options"), "nosniff")
    const body: unknown = yield* Effect.promise(() => early.json())
    assert.deepInclude(body, { success: false, request_id: early.headers.get("x-request-id"), data: null })
    yield* server.serve(Effect.succeed(HttpServerResponse.text("here")))
    const served = yield* ask
    assert.deepStrictEqual([served.status, yield* Effect.promise(() => served.text())], [200, "here"])
  }).pipe(Effect.scoped, Effect.provide(NodeServer.layer({ host: "127.0.0.1", port: 0 })))
)

it.live("a start that fails ends at once, whoever has connected meanwhile", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(NodeServer.layer({ host: "127.0.0.1", port: 0 }), scope)
    const { address } = yield* Effect.provide(HttpServer.HttpServer, context)
    const port = "port" in address ? address.port : 0
    assert.isAbove(port, 0)
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /ready HTTP/1.1\r\nhost: here\r\n"))
    socket.on("error", () => {})
    const gone = once(socket, "close")
    // Until what there is of the request is there: it never ends.
    yield* Effect.sleep("300 millis")
    yield* Scope.close(scope, Exit.void).pipe(Effect.timeout("20 seconds"))
    yield* Effect.promise(() => gone).pipe(Effect.timeout("20 seconds"))
  })
)

const large = "x".repeat(64 * 2 ** 20)

it.live("who does not read its answer is cut off, and holds no memory for ever", () =>
  Effect.gen(function* () {
    const server = yield* HttpServer.HttpServer
    const port = "port" in server.address ? server.address.port : 0
    yield* server.serve(Effect.sync(() => HttpServerResponse.text(large)))
    const socket = connect(port, "127.0.0.1")
    socket.pause()
    socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n")
    const gone = new Promise<string>((resolve) => {
      socket.on("error", (cause) => resolve("code" in cause ? String(cause.code) : "error"))
    })
    // Whoever writes to a connection that the other end has given up is told so. An empty line is no request.
    const knocking = setInterval(() => socket.write("\r\n"), 20)
    const code = yield* Effect.promise(() => gone).pipe(Effect.timeout("60 seconds"))
    clearInterval(knocking)
    assert.include(["ECONNRESET", "EPIPE"], code)
    let read = 0
    const closed = socket.closed ? Promise.resolve([]) : once(socket, "close")
    socket.on("data", (chunk) => (read += chunk.length)).resume()
    yield* Effect.promise(() => closed).pipe(Effect.timeout("60 seconds"))
    assert.isBelow(read, large.length)
  }).pipe(Effect.scoped, Effect.provide(NodeServer.layer({ host: "127.0.0.1", port: 0, answerTimeoutMs: 200 })))
)

it.live("who reads slowly and in time has all of it, and the connection afterwards", () =>
  Effect.gen(function* () {
    const server = yield* HttpServer.HttpServer
    const port = "port" in server.address ? server.address.port : 0
    yield* server.serve(Effect.sync(() => HttpServerResponse.text(large)))
    const socket = connect(port, "127.0.0.1")
    const ask = () => socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n")
    let read = 0
    const whole = Effect.callback<void>((resume) => {
      const until = read + large.length
      const take = (chunk: Uint8Array) => {
        read += chunk.length
        // The headers come on top.
        if (read >= until) {
          socket.off("data", take)
          resume(Effect.void)
        } else {
          socket.pause()
          setImmediate(() => socket.resume())
        }
      }
      socket.on("data", take)
      ask()
    })
    yield* whole.pipe(Effect.timeout("60 seconds"))
    yield* whole.pipe(Effect.timeout("60 seconds"))
    assert.isFalse(socket.destroyed)
    socket.destroy()
  }).pipe(Effect.scoped, Effect.provide(NodeServer.layer({ host: "127.0.0.1", port: 0, answerTimeoutMs: 60_000 })))
)
