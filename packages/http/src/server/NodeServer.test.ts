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
