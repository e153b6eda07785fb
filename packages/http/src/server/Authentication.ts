/**
 * Authentication: from an API key to its principal, before the body is read. Stores know digests only, and a digest is
 * looked up, so that no comparison tells how much of a key was right. A missing, an unknown, an expired and a revoked
 * key are all the same 401. A known key then takes a place among what its account has in flight, a token of its own
 * and one of its account's; the operator of the folder is not limited.
 *
 * Gotcha: after a failure with one credential `HttpApi` tries the other one. An outage and a rate limit are
 * therefore given as finished answers, or the missing second credential would turn them into a 401.
 */
import { Accounts, ApiKey } from "@lading/core/account"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Digest } from "effect/crypto"
import type { HttpServerResponse } from "effect/http"
import { Authorization, Principal } from "../api/Authorization.ts"
import * as Refusal from "../api/Refusal.ts"
import * as Answer from "./Answer.ts"
import { Exchange } from "./Exchange.ts"
import { InFlight, retryAfter } from "./InFlight.ts"
import { isOperator, Operator } from "./Operator.ts"
import { RateLimit, type Whose } from "./RateLimit.ts"

/** Longer than any key: what is longer is not worth a digest. */
const longest = 512

const principal = Effect.fnUntraced(function* (key: Redacted.Redacted) {
  const accounts = yield* Accounts.Accounts
  const operator = yield* Operator
  const { length } = Redacted.value(key)
  if (length === 0 || length > longest) return null
  const digest = yield* ApiKey.digest(key)
  return operator.recognise(digest) ?? (yield* accounts.authenticate(digest))
})

const tooOften: Readonly<Record<Whose, string>> = {
  key: "The key asks too often, see Retry-After",
  account: "The account asks too often with all of its keys, see Retry-After"
}

const limited = (request_id: string, message: string, retry_after: number) =>
  Answer.refuse(new Refusal.RateLimited({ request_id, message, retry_after }), { "retry-after": String(retry_after) })

/** Which of a key that is missing, unknown, expired or revoked it was is not said. */
const unauthenticated = (request_id: string): Refusal.Unauthenticated =>
  new Refusal.Unauthenticated({
    request_id,
    message: "Expected a valid API key as Authorization: Bearer or X-API-Key"
  })

type Services = Accounts.Accounts | Digest.Digest | Operator

/** Lets requests in by their keys. */
export class Entrance extends Context.Service<
  Entrance,
  {
    /** Goes on with the principal of the key, or answers why not. */
    readonly enter: <E, R>(
      inside: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      key: Redacted.Redacted
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E | Refusal.Unauthenticated, Exclude<R, Principal>>
  }
>()("@lading/http/server/Authentication/Entrance") {}

export const layerEntrance: Layer.Layer<Entrance, never, Services | RateLimit | InFlight> = Layer.effect(
  Entrance,
  Effect.gen(function* () {
    const rates = yield* RateLimit
    const inFlight = yield* InFlight
    const services = yield* Effect.context<Services>()

    const enter: Entrance["Service"]["enter"] = Effect.fnUntraced(function* (inside, key) {
      const exchange = yield* Exchange
      const found = yield* principal(key).pipe(Effect.provideContext(services), Effect.result)
      if (found._tag === "Failure") {
        yield* Effect.logError("accounts do not answer", { problem: found.failure.problem })
        return Answer.refuse(
          new Refusal.Unavailable({ request_id: exchange.request_id, message: "A store does not answer" })
        )
      }
      if (found.success === null) return yield* unauthenticated(exchange.request_id)
      exchange.key = found.success.key
      if (isOperator(found.success)) return yield* Effect.provideService(inside, Principal, found.success)
      const { account } = found.success
      // First what costs no token: who is refused here may ask as often afterwards.
      const crowded = inFlight.enter(found.success)
      if (crowded === "server") return Answer.crowded(exchange.request_id, retryAfter)
      if (crowded === "account") {
        return limited(exchange.request_id, "The account has too many requests at once", retryAfter)
      }
      exchange.leaveInside = () => inFlight.leave(account)
      exchange.leaveDoor()
      const { headers, refused } = yield* rates.take(found.success)
      exchange.headers = headers
      if (refused !== null) return limited(exchange.request_id, tooOften[refused.whose], refused.retry_after)
      return yield* Effect.provideService(inside, Principal, found.success)
    })

    return { enter }
  })
)

export const layer: Layer.Layer<Authorization, never, Entrance> = Layer.effect(
  Authorization,
  Effect.map(Entrance, ({ enter }) => {
    const authenticate: Authorization["Service"]["bearer"] = (endpoint, { credential }) => enter(endpoint, credential)
    return { bearer: authenticate, api_key: authenticate }
  })
)
