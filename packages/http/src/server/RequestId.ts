/** Request ids: `req_` and 24 url-safe random characters, enough to be unique for good. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** How many random bytes an id is made of. */
export const size = 18

export const fromBytes = (bytes: Uint8Array): string => `req_${Base64Url.encode(bytes)}`

export const make: Effect.Effect<string, never, SecureRandom.SecureRandom> = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return fromBytes(yield* random.randomBytes(size))
})
