/** Request ids: `req_` and 24 url-safe random characters, enough to be unique for good. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

export const make: Effect.Effect<string, never, SecureRandom.SecureRandom> = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return `req_${Base64Url.encode(yield* random.randomBytes(18))}`
})
