/**
 * What the endpoints of customs records have in common on the way from a request to its use case, and the envelope of
 * their answers.
 */
import type { Scope } from "@lading/core/account"
import { TradeOperation } from "@lading/core/trade"
import { Clock, Effect, type Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { Principal } from "../../api/Authorization.ts"
import type { Body } from "../../api/CustomsBody.ts"
import { Exchange } from "../Exchange.ts"
import type * as Idempotent from "../Idempotent.ts"
import * as Metrics from "../Metrics.ts"
import * as Operation from "../Operation.ts"
import { fromUseCase, type UseCaseError } from "../Refused.ts"
import { Work } from "../Work.ts"

export interface CustomsOperation<Request, Encoded, Answer, E extends UseCaseError> {
  /** The label of metrics. */
  readonly name: string
  readonly request: Schema.Codec<Request, Encoded>
  readonly ask: TradeOperation.Ask<Request, Answer, E>
  /** How the interface spells the answer. */
  readonly show: (answer: Answer) => unknown
  readonly status?: number
  /** What the key must have beside `customs`. */
  readonly scopes?: ReadonlyArray<Scope.Scope>
  readonly headers?: Readonly<Record<string, string>>
}

export const bodyOf = (
  { answered_at, credits_charged, request_id }: Omit<TradeOperation.Charged<unknown>, "data">,
  data: unknown
): Body<unknown> => ({
  success: true,
  request_id,
  data: { code: 1, msg: "ok", time: String(Math.floor(answered_at / 1000)), data },
  meta: { billing: { credits_charged, byok_used: false } },
  error: null
})

const json = (body: Body<unknown>, options: { readonly status: number; readonly headers: Record<string, string> }) =>
  HttpServerResponse.text(JSON.stringify(body), { contentType: "application/json", ...options })

/** What the key must have. */
export const all = (scopes: ReadonlyArray<Scope.Scope> = []): ReadonlyArray<Scope.Scope> => ["customs", ...scopes]

/** The handler of such an endpoint. */
const handler = <Request, Encoded, Answer, E extends UseCaseError>(
  { ask, headers, name, request, scopes, show, status }: CustomsOperation<Request, Encoded, Answer, E>,
  limits: Operation.Limits
) => {
  const read = Operation.reader(request, limits)
  return Effect.fnUntraced(function* (raw: Idempotent.Raw) {
    const { received_at, request_id } = yield* Exchange
    const work = yield* Work
    yield* Operation.permit(all(scopes), yield* Principal, request_id)
    const { caller, request } = yield* read(raw)
    const { answer, replayed } = yield* work.wait(ask(request, caller).pipe(Effect.mapError(fromUseCase(request_id))), {
      request_id,
      deadline: received_at + TradeOperation.timeout + limits.grace,
      outlives: caller.idempotency !== null
    })
    if (!replayed) yield* Metrics.platformCredits(name, answer.credits_charged)
    return json(bodyOf(answer, show(answer.data)), {
      status: status ?? 200,
      headers: { ...headers, ...(replayed ? { "idempotent-replayed": "true" } : {}) }
    })
  })
}

/** The handlers of endpoints, all with these limits. */
export const handling =
  (limits: Operation.Limits) =>
  <Request, Encoded, Answer, E extends UseCaseError>(operation: CustomsOperation<Request, Encoded, Answer, E>) =>
    handler(operation, limits)

/** The handler of an endpoint without a body: free. */
export const reading = <Answer, E extends UseCaseError>(
  ask: (received_at: number) => Effect.Effect<Answer, E>,
  limits: Operation.Limits
) =>
  Effect.fnUntraced(function* () {
    const { received_at, request_id } = yield* Exchange
    const work = yield* Work
    yield* Operation.permit(all(), yield* Principal, request_id)
    const data = yield* work
      .wait(ask(received_at).pipe(Effect.mapError(fromUseCase(request_id))), {
        request_id,
        deadline: received_at + TradeOperation.timeout + limits.grace,
        outlives: false
      })
      // What takes nothing and has no key can be refused neither way.
      .pipe(Effect.catchTags({ InsufficientCredits: Effect.die, Conflict: Effect.die }))
    const answered_at = yield* Clock.currentTimeMillis
    return json(bodyOf({ request_id, answered_at, credits_charged: 0 }, data), { status: 200, headers: {} })
  })
