/**
 * What is around every exchange, whatever route it takes: its id, its log line, its metrics, and the error shape for
 * everything that endpoints cannot refuse themselves (an unknown route, a wrong method, a wrong header, a defect).
 *
 * HEAD is answered wherever GET is; every other method that a path does not declare, OPTIONS included, is a 405 that
 * names the methods in `Allow`.
 */
import { Cause, Clock, Effect, Exit, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import * as Refusal from "../api/Refusal.ts"
import * as Answer from "./Answer.ts"
import * as Details from "./Details.ts"
import * as Exchange from "./Exchange.ts"
import * as InFlight from "./InFlight.ts"
import * as Metrics from "./Metrics.ts"
import { Readiness } from "./Readiness.ts"
import * as RequestId from "./RequestId.ts"
import * as Routes from "./Routes.ts"
import * as SecurityHeaders from "./SecurityHeaders.ts"
import * as Tracing from "./Tracing.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What proxies log for a client that did not wait. */
const clientClosed = 499

const unmatched: Routes.Route = { template: "unmatched", methods: [] }

/** A refusal that needs no endpoint, or `null` where the router has one. */
const astray = (route: Routes.Route, method: string, request_id: string): Response | null => {
  if (route === unmatched) return Answer.refuse(new Refusal.NotFound({ request_id, message: "There is no such route" }))
  if (route.methods.includes(method)) return null
  const allow = route.methods.join(", ")
  return Answer.refuse(new Refusal.MethodNotAllowed({ request_id, message: `This route takes ${allow}` }), { allow })
}

const hungUp = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

/** What `HttpApi` found wrong outside the body: a header, so far. */
const wrongPart = (cause: Cause.Cause<unknown>, request_id: string): Refusal.InvalidRequest | null => {
  for (const reason of cause.reasons) {
    if (reason._tag === "Die" && HttpApiError.HttpApiSchemaError.is(reason.defect)) {
      const { kind, cause: error } = reason.defect
      if (kind === "Body" || kind === "ResponseHeaders") continue
      const message = "The request has wrong fields, see details"
      return new Refusal.InvalidRequest({ request_id, message, details: Details.fromIssue(error.issue) })
    }
  }
  return null
}

/** An answer to a request whose handler gave none. Only the log learns why. */
const failed = (cause: Cause.Cause<unknown>, request_id: string): Effect.Effect<Response> => {
  const wrong = wrongPart(cause, request_id)
  if (wrong !== null) return Effect.succeed(Answer.refuse(wrong))
  if (Cause.hasInterruptsOnly(cause)) {
    return Effect.succeed(Answer.refuse(new Refusal.Unavailable({ request_id, message: "The server stops" })))
  }
  return Effect.as(
    Effect.logError("request failed", cause),
    Answer.refuse(new Refusal.Internal({ request_id, message: "The server failed; it has logged why" }))
  )
}

/** What is answered to a key is about people and paid for: nobody on the way keeps it. */
const unkept = { ...SecurityHeaders.always, "cache-control": "no-store" }

const headersOf = (route: Routes.Route, { headers }: Response): Readonly<Record<string, string>> =>
  Routes.isPaid(route) && headers["cache-control"] === undefined ? unkept : SecurityHeaders.always

/** One line for each exchange: no body, no address, no query, and the path only as it is declared. */
const log = (route: Routes.Route, method: string, status: number, ms: number, exchange: Exchange.Exchange) => {
  const line = Routes.isPaid(route) ? Effect.logInfo("request") : Effect.logDebug("request")
  const { request_id, key, trace_id } = exchange
  const about = { method, path: route.template, status, ms, request_id, key }
  return Effect.annotateLogs(line, trace_id === null ? about : { ...about, trace_id })
}

export interface Options {
  /** How many requests under `/api` are answered at once. */
  readonly inFlight: number
}

export const layer = (
  options: Options
): Layer.Layer<never, never, HttpRouter.HttpRouter | SecureRandom.SecureRandom | Readiness> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const readiness = yield* Readiness
      const router = yield* HttpRouter.HttpRouter
      const find = Routes.make()
      const door = InFlight.door(options.inFlight)
      const traced = yield* Tracing.Traced

      /** Clients that keep their connection are told to let go of a server that stops; so is one that sends too much. */
      const closing = (response: Response) =>
        Effect.map(readiness.draining, (draining) =>
          draining || response.status === Refusal.PayloadTooLarge.status
            ? HttpServerResponse.setHeader(response, "connection", "close")
            : response
        )

      yield* router.addGlobalMiddleware(
        Effect.fnUntraced(function* (routed) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { method, url } = request
          const received_at = yield* Clock.currentTimeMillis
          const request_id = yield* Effect.provideService(RequestId.make, SecureRandom.SecureRandom, random)
          const exchange = Exchange.open(request_id, received_at)
          const route = find(url) ?? unmatched
          yield* Metrics.begun
          const refused = astray(route, method, request_id)
          const leaveDoor = refused === null ? door.enter(route) : null
          exchange.leaveDoor = leaveDoor ?? exchange.leaveDoor
          const answering = (
            leaveDoor === null ? Effect.succeed(refused ?? Answer.crowded(request_id, InFlight.retryAfter)) : routed
          ).pipe(
            Effect.catchCauseIf(
              (cause) => !hungUp(cause),
              (cause) => failed(cause, request_id)
            ),
            Effect.provideService(Exchange.Exchange, exchange),
            // Whatever is logged on the way, and by what goes on after it.
            Effect.annotateLogs("request_id", request_id)
          )
          const exit = yield* Effect.exit(
            traced ? Tracing.request(answering, { request, route: route.template, exchange }) : answering
          )
          Exchange.leave(exchange)
          const status = Exit.isSuccess(exit) ? exit.value.status : clientClosed
          const ms = (yield* Clock.currentTimeMillis) - received_at
          yield* Metrics.ended(route.template, method, status, ms)
          yield* log(route, method, status, ms, exchange)
          const answer = yield* exit
          return yield* closing(
            HttpServerResponse.setHeaders(answer, {
              ...headersOf(route, answer),
              ...exchange.headers,
              "x-request-id": request_id
            })
          )
        })
      )
    })
  )
