/**
 * `/mcp`: the tools of this server over Streamable HTTP. The protocol is `McpServer`'s; what stands before it is here: the
 * API key (the same keys, limits and refusals as under `/api`), the origin, the size of the body, and whose session it is.
 *
 * Gotchas
 * - A request with an `Origin` comes from a web page. No page has a key, so whoever sends one is a page that was made to
 *   ask this server under another name (DNS rebinding), and is refused.
 * - A key finds its own sessions only; what is another's is not there.
 * - There is no stream from the server (GET): nothing is told unasked.
 */
import { Credits, type Ledger } from "@lading/core/billing"
import type { Operations } from "@lading/core/task"
import { ByteSize, Clock, Effect, Layer, Redacted } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import type { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpIncomingMessage, HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Principal } from "../../api/Authorization.ts"
import * as Refusal from "../../api/Refusal.ts"
import * as Answer from "../Answer.ts"
import { Entrance } from "../Authentication.ts"
import { Exchange } from "../Exchange.ts"
import { version } from "../Version.ts"
import type { Work } from "../Work.ts"
import { Calling } from "./Calling.ts"
import { capHeader, path } from "./Path.ts"
import * as Sessions from "./Sessions.ts"
import * as Tools from "./Tools.ts"

export interface Options {
  /** What a session may spend. */
  readonly cap: Credits.Credits
  /** The longest body in bytes. */
  readonly body: number
  /** How long beyond its own time-out a call may take, in milliseconds. */
  readonly grace: number
}

/** Revisions with sessions: without one there is nothing that a cap could be kept by. */
const protocols = [
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2024_11_05
] as const

const sessionHeader = "mcp-session-id"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The protocol alone, for whoever has been let in: on a router of its own, behind the route of this one. */
const protocol = Effect.fnUntraced(function* ({ grace }: Options) {
  const routes = McpServer.layerHttp({
    name: "lading",
    version,
    instructions: Tools.instructions,
    path,
    protocols,
    allowSessionTermination: true,
    registrations: Layer.effectDiscard(Tools.register(grace)).pipe(Layer.provide(Tools.visibility.layerGlobal))
  })
  const effect = yield* HttpRouter.toHttpEffect(Layer.orDie(routes)).pipe(
    // Else it would be the same router: layers are built once.
    Effect.provideService(Layer.CurrentMemoMap, Layer.makeMemoMapUnsafe())
  )
  // Its only errors are of requests that it does not route: those never come here.
  return { answer: Effect.orDie(effect) }
})

const keyOf = ({ headers }: Request): string => {
  const [, bearer] = /^bearer +(.*)$/i.exec(headers["authorization"] ?? "") ?? []
  return (bearer ?? headers["x-api-key"] ?? "").trim()
}

/** Credits as they are written in the header; `null` for what is none. */
const capOf = (text: string): Credits.Credits | null =>
  /^\d{1,9}(?:\.\d{1,6})?$/.test(text.trim()) ? Credits.fromNumber(Number(text)) : null

const refusedBefore = ({ headers }: Request, { body }: Options, request_id: string): Response | null => {
  if (headers["origin"] !== undefined) {
    const message = "MCP clients are no web pages: requests with an Origin are not answered"
    return Answer.refuse(new Refusal.Forbidden({ request_id, message }))
  }
  if (Number(headers["content-length"] ?? 0) > body) {
    return Answer.refuse(
      new Refusal.PayloadTooLarge({ request_id, message: `Expected a body of at most ${body} bytes` })
    )
  }
  const cap = headers[capHeader]
  if (cap === undefined || capOf(cap) !== null) return null
  const message = `Expected credits such as 2.5 in ${capHeader}`
  return Answer.refuse(new Refusal.InvalidRequest({ request_id, message, details: [{ path: capHeader, message }] }))
}

/** Asks the protocol to end a session, as its client would. */
const ended = (id: string): Request =>
  HttpServerRequest.fromWeb(
    new globalThis.Request(`http://lading${path}`, { method: "DELETE", headers: { [sessionHeader]: id } })
  )

const make = Effect.fnUntraced(function* (options: Options) {
  const { answer: inner } = yield* protocol(options)
  const sessions = Sessions.make(options.cap)

  const end = (id: string) =>
    inner.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, ended(id)),
      Effect.scoped,
      Effect.ignore,
      Effect.andThen(Effect.sync(() => sessions.end(id)))
    )

  /** Notes a session that the answer begins: its id is in the headers when they are sent, and not before. */
  const noting = (key: string, cap: Credits.Credits | null, now: number) =>
    HttpEffect.appendPreResponseHandler((_request, response) => {
      const id = response.headers[sessionHeader]
      if (id === undefined) return Effect.succeed(response)
      return Effect.as(Effect.forEach(sessions.begin(id, key, cap, now), end, { discard: true }), response)
    })

  return (request: Request) =>
    Effect.gen(function* () {
      const { request_id } = yield* Exchange
      const principal = yield* Principal
      const now = yield* Clock.currentTimeMillis
      const id = request.headers[sessionHeader]
      const budget = id === undefined ? null : sessions.find(id, principal.key, now)
      if (id !== undefined && budget === null) {
        return Answer.refuse(
          new Refusal.NotFound({ request_id, message: "There is no such session: initialize again" })
        )
      }
      const cap = capOf(request.headers[capHeader] ?? "")
      if (cap !== null) budget?.lower(cap)
      const response = yield* inner.pipe(
        Effect.provideService(Calling, { principal, budget }),
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(options.body))
      )
      if (id === undefined) yield* noting(principal.key, cap, now)
      else if (request.method === "DELETE" && response.status === 204) sessions.end(id)
      return response
    })
})

/** The route. */
export const layer = (
  options: Options
): Layer.Layer<
  never,
  never,
  HttpRouter.HttpRouter | Entrance | Operations.Operations | Ledger.Ledger | Work | SecureRandom.SecureRandom
> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const { enter } = yield* Entrance
      const answer = yield* make(options)
      const handle = Effect.fnUntraced(function* (request: Request) {
        const { request_id } = yield* Exchange
        const refused = refusedBefore(request, options, request_id)
        if (refused !== null) return refused
        return yield* enter(answer(request), Redacted.make(keyOf(request))).pipe(
          Effect.catchTag("Unauthenticated", (refusal) =>
            Effect.succeed(Answer.refuse(refusal, { "www-authenticate": "Bearer" }))
          )
        )
      })
      for (const method of ["POST", "DELETE"] as const) yield* router.add(method, path, handle)
    })
  )
