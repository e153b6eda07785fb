/**
 * What the operations have in common on the way from a request to its use case: scope, body, caller, and the header of
 * a replayed answer. Each endpoint adds its schema and its use case, and nothing else.
 */
import type { Scope } from "@lading/core/account"
import type { Billing } from "@lading/core/billing"
import type { Caller } from "@lading/core/request"
import { WaterfallOptions } from "@lading/core/waterfall"
import { Effect, type Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { Principal } from "../api/Authorization.ts"
import * as Refusal from "../api/Refusal.ts"
import * as Body from "./Body.ts"
import { Exchange } from "./Exchange.ts"
import * as Idempotent from "./Idempotent.ts"
import * as Metrics from "./Metrics.ts"
import { fromUseCase, type UseCaseError } from "./Refused.ts"
import { Work } from "./Work.ts"

export interface Limits {
  /** The longest body in bytes. */
  readonly body: number
  /** How long beyond its own time-out a request may take, in milliseconds. */
  readonly grace: number
}

interface Answered {
  readonly meta: { readonly billing: { readonly platform_credits_charged: number } }
}

export interface Operation<Request, Encoded, Result extends Answered> {
  /** As core calls it: the label of metrics. */
  readonly name: string
  readonly request: Schema.Codec<Request, Encoded>
  /** What the key must have before the body is even read. */
  readonly scope: Scope.Scope
  /** What this request needs besides. */
  readonly scopes?: (request: Request) => ReadonlyArray<Scope.Scope>
  /** How long this request may take, in milliseconds; as long as all do where it does not say. */
  readonly timeout?: (request: Request) => number | undefined
  readonly enrich: (request: Request, caller: Caller.Caller) => Effect.Effect<Billing.Answered<Result>, UseCaseError>
}

/** Refuses who lacks one of the scopes. */
export const permit = (
  scopes: ReadonlyArray<Scope.Scope>,
  principal: Pick<Principal["Service"], "scopes">,
  request_id: string
) => {
  const missing = scopes.find((scope) => !principal.scopes.includes(scope))
  return missing === undefined
    ? Effect.void
    : new Refusal.Forbidden({ request_id, message: `The API key lacks the scope ${missing}` })
}

/** Body and caller: what every operation with a body begins with. Its decoder is made once. */
export const reader = <Request, Encoded>(schema: Schema.Codec<Request, Encoded>, limits: Limits) => {
  const decode = Body.decoder(schema)
  return Effect.fnUntraced(function* (raw: Idempotent.Raw) {
    const { received_at, request_id } = yield* Exchange
    const principal = yield* Principal
    const body = yield* Body.read(raw.request, { limit: limits.body }, request_id)
    const request = yield* decode(body, request_id)
    const caller: Caller.Caller = {
      account: principal.account,
      api_key: principal.key,
      request_id,
      received_at,
      idempotency: yield* Idempotent.of(raw, body)
    }
    return { request, caller }
  })
}

/** An answer is JSON as it is: its schema would only copy it. */
const json = (answer: unknown, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(JSON.stringify(answer), { contentType: "application/json", headers })

/** How an answer that was not complete at once is fetched. */
export interface Fetching<Result, E extends UseCaseError> {
  readonly scope: Scope.Scope
  readonly find: (request_id: string, account: string) => Effect.Effect<Result, E>
}

/** The handler of an answer that was not complete at once: free, and as it is now. */
export const fetcher = <Result, E extends UseCaseError>({ find, scope }: Fetching<Result, E>, { grace }: Limits) =>
  Effect.fnUntraced(function* ({ params }: { readonly params: { readonly request_id: string } }) {
    const { received_at, request_id } = yield* Exchange
    const principal = yield* Principal
    const work = yield* Work
    yield* permit([scope], principal, request_id)
    const answer = yield* work
      .wait(find(params.request_id, principal.account).pipe(Effect.mapError(fromUseCase(request_id))), {
        request_id,
        deadline: received_at + WaterfallOptions.timeout.maximum + grace,
        outlives: false
      })
      .pipe(Effect.catchTags({ InsufficientCredits: Effect.die, Conflict: Effect.die }))
    return json(answer)
  })

/** The handler of an operation: decode, ask the use case, answer. */
export const handler = <Request, Encoded, Result extends Answered>(
  operation: Operation<Request, Encoded, Result>,
  limits: Limits
) => {
  const read = reader(operation.request, limits)
  return Effect.fnUntraced(function* (raw: Idempotent.Raw) {
    const { request_id, received_at } = yield* Exchange
    const principal = yield* Principal
    const work = yield* Work
    yield* permit([operation.scope], principal, request_id)
    const { caller, request } = yield* read(raw)
    yield* permit(operation.scopes?.(request) ?? [], principal, request_id)
    const { answer, replayed } = yield* work.wait(
      operation.enrich(request, caller).pipe(Effect.mapError(fromUseCase(request_id))),
      {
        request_id,
        deadline: received_at + (operation.timeout?.(request) ?? WaterfallOptions.timeout.default) + limits.grace,
        outlives: caller.idempotency !== null
      }
    )
    if (!replayed) yield* Metrics.platformCredits(operation.name, answer.meta.billing.platform_credits_charged)
    return json(answer, replayed ? { "idempotent-replayed": "true" } : {})
  })
}
