/**
 * What `Idempotency-Key` promises, in one place: `of` says what a request is known by, `once` runs what costs nothing
 * once under that name. Operations that spend credits have it from `Billing.charge`, which keeps their outcome in the
 * transaction that captures; what costs nothing is a charge of nothing, kept in the same ledger under the same rules.
 *
 * Gotcha: a client may write what it likes into the header, a person's address too. So the header's digest is the key,
 * and nobody after this file sees the header.
 */
import { type Billing, Credits } from "@lading/core/billing"
import type { Caller } from "@lading/core/request"
import { Effect, type Schema } from "effect"
import { Digest } from "effect/crypto"
import type { HttpServerRequest } from "effect/http"
import * as IdempotencyKey from "../api/IdempotencyKey.ts"

export interface Raw {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly headers?: { readonly [IdempotencyKey.name]?: string | undefined }
}

/** Method and path, and the body's bytes. */
const covered = ({ method, url }: Raw["request"], body: Uint8Array): Uint8Array => {
  const head = new TextEncoder().encode(`${method} ${url.split("?", 1)[0]}\n`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

/** What the request is repeatable by; `null` where its client sent no key. */
export const of = Effect.fnUntraced(function* (raw: Raw, body: Uint8Array) {
  const key = raw.headers?.[IdempotencyKey.name]
  if (key === undefined) return null
  const digest = yield* Digest.Digest
  return {
    key: yield* digest.digestHex(Digest.sha256, new TextEncoder().encode(key)),
    fingerprint: yield* digest.digestHex(Digest.sha256, covered(raw.request, body))
  }
})

export interface Once<A> {
  readonly caller: Caller.Caller
  /** For usage by operation, e.g. `admin.grant`. */
  readonly operation: string
  /** Epoch milliseconds when the work ends at the latest. */
  readonly deadline: number
  /** How the answer is kept for a replay. What must not be kept is not in what it encodes to. */
  readonly codec: Schema.Codec<A, string>
}

/** Runs the work, or replays its answer; without a key it just runs. */
export const once = <A, E>(
  { charge }: Billing.Billing["Service"],
  { caller, codec, deadline, operation }: Once<A>,
  work: Effect.Effect<A, E>
): Effect.Effect<Billing.Answered<A>, E | Billing.BillingError> =>
  caller.idempotency === null
    ? Effect.map(work, (answer) => ({ answer, replayed: false }))
    : charge({ caller, codec, deadline, operation, quote: Credits.zero, least: Credits.zero, ceiling: null }, () =>
        Effect.map(work, (answer) => ({ answer, deferred: null }))
      )
