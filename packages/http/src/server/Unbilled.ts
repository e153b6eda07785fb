/**
 * Endpoints that cost nothing and ask no vendor: what they have in common on the way from a request to a use case. One
 * with a body is repeatable under an `Idempotency-Key` wherever it declares that header.
 */
import type { Scope } from "@lading/core/account"
import type { Billing } from "@lading/core/billing"
import type { Caller } from "@lading/core/request"
import { WaterfallOptions } from "@lading/core/waterfall"
import { Effect, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { Principal } from "../api/Authorization.ts"
import * as SuccessBody from "../api/SuccessBody.ts"
import { Exchange } from "./Exchange.ts"
import * as Idempotent from "./Idempotent.ts"
import * as Operation from "./Operation.ts"
import { fromUseCase, type UseCaseError } from "./Refused.ts"
import { Work } from "./Work.ts"

/** How long such a request may take in milliseconds, unless it says otherwise: as long as any other may ask for. */
const usual = WaterfallOptions.timeout.maximum

interface Timed {
  readonly request_id: string
  readonly received_at: number
  /** Whether it goes on when its client hangs up. */
  readonly outlives: boolean
  /** Milliseconds. */
  readonly time: number
}

const inTime = Effect.fnUntraced(function* <A, E extends UseCaseError>(
  work: Effect.Effect<A, E>,
  { outlives, received_at, request_id, time }: Timed,
  { grace }: Operation.Limits
) {
  const { wait } = yield* Work
  const deadline = received_at + time + grace
  return yield* wait(Effect.mapError(work, fromUseCase(request_id)), { request_id, deadline, outlives })
})

/** The answer of an endpoint that keeps none, and may find that something else has happened meanwhile. */
export const step = Effect.fnUntraced(function* <Data, E extends UseCaseError>(
  work: Effect.Effect<Data, E>,
  limits: Operation.Limits,
  { outlives = false, time = usual }: Partial<Timed> = {}
) {
  const { received_at, request_id } = yield* Exchange
  const data = yield* inTime(work, { request_id, received_at, outlives, time }, limits).pipe(
    // What takes nothing cannot be refused that way.
    Effect.catchTag("InsufficientCredits", Effect.die)
  )
  return HttpApiSchema.withHeaders({ body: SuccessBody.make(request_id, data), headers: {} })
})

/** The answer of an endpoint that only reads, or may be asked at any time. */
export const read = <Data, E extends UseCaseError>(work: Effect.Effect<Data, E>, limits: Operation.Limits) =>
  // What has no key, and goes before nothing, has nothing to conflict with.
  Effect.catchTag(step(work, limits), "Conflict", Effect.die)

/** An endpoint with a body that is repeatable; `Raw` is what the router gives, with the parts of the path. */
export interface Unbilled<Request, Encoded, Raw, Data, Kept, E> {
  /** For usage by operation, e.g. `admin.grant`. */
  readonly name: string
  readonly request: Schema.Codec<Request, Encoded>
  /** What the key must have for this request; left out where that was judged before. */
  readonly scopes?: (request: Request) => ReadonlyArray<Scope.Scope>
  /** How long it may take in milliseconds, where that is not the usual. */
  readonly time?: number
  /** What is kept of the answer for a replay, and answered then. */
  readonly kept: Schema.Codec<Data, Kept>
  readonly run: (request: Request, raw: Raw, caller: Caller.Caller) => Effect.Effect<Data, E>
}

/** As it is: only so that its types are found. */
export const of = <Request, Encoded, Raw extends Idempotent.Raw, Data, Kept, E extends UseCaseError>(
  unbilled: Unbilled<Request, Encoded, Raw, Data, Kept, E>
) => unbilled

/** The handler of such an endpoint. */
export const handler = <Request, Encoded, Raw extends Idempotent.Raw, Data, Kept, E extends UseCaseError>(
  { kept, name, request, run, scopes, time = usual }: Unbilled<Request, Encoded, Raw, Data, Kept, E>,
  billing: Billing.Billing["Service"],
  limits: Operation.Limits
) => {
  const read = Operation.reader(request, limits)
  const codec = Schema.fromJsonString(SuccessBody.of(kept))
  return Effect.fnUntraced(function* (raw: Raw) {
    const { caller, request } = yield* read(raw)
    const { received_at, request_id } = caller
    yield* Operation.permit(scopes?.(request) ?? [], yield* Principal, request_id)
    const work = Effect.map(run(request, raw, caller), (data) => SuccessBody.make(request_id, data))
    const { answer, replayed } = yield* inTime(
      Idempotent.once(billing, { caller, codec, deadline: received_at + time, operation: name }, work),
      { request_id, received_at, time, outlives: caller.idempotency !== null },
      limits
    )
    return HttpApiSchema.withHeaders({
      body: answer,
      headers: replayed ? { "idempotent-replayed": "true" as const } : {}
    })
  })
}
