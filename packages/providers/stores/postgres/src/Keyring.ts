/**
 * A keyring seals what belongs to its place with one key, and opens what was sealed with that key or a former one
 * (AES-256-GCM of `effect/crypto`): so a key can be changed without losing what was sealed under the one before it.
 *
 * Layout: one byte for the version, four bytes that name the key, the nonce, the text encrypted with its tag behind it.
 * Version, key and place are authenticated: moved to another row it does not open.
 *
 * Gotchas
 * - Names are digests of keys, cut to four bytes: they tell the keys of one installation apart, and nothing of the key.
 * - Nonces are random, which is safe for some four thousand million seals under one key (NIST SP 800-38D, 8.3).
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { Aead, Digest, SecureRandom } from "effect/crypto"

/** There is no key to seal with. */
export interface Empty {
  readonly _tag: "Empty"
  /** What an operator has to do. */
  readonly remedy: string
}

/** The key that a seal was made with: the one in use, a former one that still opens, or one that is not here. */
export type Age = "current" | "former" | "unknown"

export class Keyring extends Context.Service<
  Keyring,
  {
    readonly ready: Effect.Effect<void, Empty>
    readonly seal: (text: string, place: string) => Effect.Effect<Uint8Array, Empty>
    /** `null` for what was sealed with a key that is not here or at another place, or was changed since. */
    readonly open: (sealed: Uint8Array, place: string) => Effect.Effect<string | null>
    readonly ageOf: (sealed: Uint8Array) => Age
  }
>()("@lading/postgres/Keyring") {}

export interface Keys {
  /** 32 bytes in Base64, of either alphabet. Anything else is a defect: the configuration checks it. */
  readonly current: Redacted.Redacted
  readonly former?: ReadonlyArray<Redacted.Redacted>
}

const version = 1
const head = 5
const nonceSize = 12
const tagSize = 16

interface Known {
  readonly key: Aead.Key<Aead.AesGcm>
  /** What a seal of it begins with. */
  readonly header: Uint8Array
}

const joined = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => new Uint8Array(Buffer.concat(parts))

const isOf = (sealed: Uint8Array, { header }: Known): boolean => header.every((byte, at) => sealed[at] === byte)

const knownOf = Effect.fnUntraced(function* (key: Redacted.Redacted) {
  const bytes = new Uint8Array(Buffer.from(Redacted.value(key), "base64"))
  const digest = yield* Digest.Digest
  const name = yield* digest.digest(Digest.sha256, joined(new TextEncoder().encode("lading vault"), bytes))
  const known: Known = {
    key: yield* Effect.orDie(Aead.key(Aead.aes256Gcm, bytes)),
    header: joined(Uint8Array.of(version), name.subarray(0, head - 1))
  }
  return known
})

const make = Effect.fnUntraced(function* ({ current: first, former = [] }: Keys) {
  const aead = yield* Aead.Aead
  const random = yield* SecureRandom.SecureRandom
  const current = yield* knownOf(first)
  const all = [current, ...(yield* Effect.forEach(former, knownOf))]
  const about = ({ header }: Known, place: string) => joined(header, new TextEncoder().encode(place))

  const seal = Effect.fnUntraced(function* (text: string, place: string) {
    const nonce = yield* random.randomBytes(nonceSize)
    const options = { nonce, aad: about(current, place) }
    const body = yield* Effect.orDie(aead.encrypt(current.key, new TextEncoder().encode(text), options))
    return joined(current.header, nonce, body)
  })

  const open = (sealed: Uint8Array, place: string): Effect.Effect<string | null> => {
    const known = all.find((one) => isOf(sealed, one))
    if (known === undefined || sealed.length < head + nonceSize + tagSize) return Effect.succeed(null)
    const options = { nonce: sealed.slice(head, head + nonceSize), aad: about(known, place) }
    return aead.decrypt(known.key, sealed.slice(head + nonceSize), options).pipe(
      Effect.map((text) => new TextDecoder().decode(text)),
      Effect.catchIf(
        ({ reason }) => reason._tag === "DecryptionFailed",
        () => Effect.succeed(null)
      ),
      Effect.orDie
    )
  }

  const ageOf = (sealed: Uint8Array): Age => {
    if (isOf(sealed, current)) return "current"
    return all.some((one) => isOf(sealed, one)) ? "former" : "unknown"
  }

  return Keyring.of({ ready: Effect.void, seal, open, ageOf })
})

/** The platform's own cryptography. */
const layerCrypto = Layer.mergeAll(
  Aead.layerWebCrypto.pipe(Layer.provideMerge(SecureRandom.layerWebCrypto)),
  Digest.layerWebCrypto
)

export const layer = (keys: Keys): Layer.Layer<Keyring> => Layer.provide(Layer.effect(Keyring, make(keys)), layerCrypto)

/** Seals nothing, and opens nothing. */
export const layerEmpty = (remedy: string): Layer.Layer<Keyring> => {
  const empty: Empty = { _tag: "Empty", remedy }
  return Layer.succeed(Keyring, {
    ready: Effect.fail(empty),
    seal: () => Effect.fail(empty),
    open: () => Effect.succeed(null),
    ageOf: () => "unknown"
  })
}
