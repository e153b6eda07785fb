/**
 * API keys: `lad_live_` and 32 random characters. Bearers show the key itself; everything else knows its SHA-256 only.
 */
import { Effect, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const prefix = "lad_live_"

/** A new key with 192 bits of randomness. */
export const generate: Effect.Effect<Redacted.Redacted, never, SecureRandom.SecureRandom> = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* random.randomBytes(24)
  return Redacted.make(prefix + Base64Url.encode(bytes), { label: "api key" })
})

/** Lower-case hex SHA-256 of the key: what stores keep and look up. */
export const digest = Effect.fnUntraced(function* (key: Redacted.Redacted) {
  const digest = yield* Digest.Digest
  return yield* digest.digestHex(Digest.sha256, new TextEncoder().encode(Redacted.value(key)))
})
