/**
 * What a receiver gets, in the format of Standard Webhooks (https://www.standardwebhooks.com, specification 1.0.0): the
 * body `{ "type", "timestamp", "data" }`, and secrets `whsec_` with 24 to 64 random bytes in Base64.
 */
import { DateTime, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { Event } from "./Delivery.ts"

const prefix = "whsec_"

/** The bytes of a new secret: as many as the digest of the signature has. */
const secretSize = 32

/** A new secret with 256 bits of randomness. */
export const generateSecret = (): Redacted.Redacted =>
  Redacted.make(prefix + Base64.encode(SecureRandom.randomBytesUnsafe(secretSize)), { label: "webhook secret" })

/** The bytes of a secret's key; none of what is no secret. */
export const keyOf = (secret: Redacted.Redacted): Uint8Array =>
  Result.getOrElse(Base64.decode(Redacted.value(secret).slice(prefix.length)), () => new Uint8Array())

/** The body: written once, when the event is taken over, since the signature is over its bytes. `at` in epoch milliseconds. */
export const bodyOf = ({ data, type }: Event, at: number): string =>
  JSON.stringify({ type, timestamp: DateTime.formatIso(DateTime.makeUnsafe(at)), data: data ?? null })

/** How long an event is tried, and how long a secret signs beside the one that replaced it, in milliseconds: a day. */
export const patience = 24 * 60 * 60 * 1000

/** How long an event is kept for a replay, in milliseconds from when it was taken over: a week. */
export const keeping = 7 * patience

/** How long it is kept at least behind a replay, in milliseconds. */
export const replayKeeping = 2 * patience

/** How many secrets sign at once at most; of more rotations within a day the oldest are forgotten early. */
export const secretsAtOnce = 4
