/**
 * Seals: what is kept of people is encrypted with a key that is not in the database (AES-256-GCM), so that a stolen
 * database or backup says nothing. A seal belongs to its place: moved to another row it does not open.
 *
 * Layout: one byte for the version, four bytes that name the key, the nonce, the tag, the text encrypted. It is not
 * compressed: the engine for that costs more to set up than the rest of a seal.
 *
 * What was sealed with a former key opens for as long as that key is given.
 *
 * Gotcha: nonces are random, which is safe for some four thousand million seals under one key (NIST SP 800-38D, 8.3).
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from "node:crypto"

const version = 1
const nonceSize = 12
const tagSize = 16
const head = 5

export class Seal extends Context.Service<
  Seal,
  {
    readonly seal: (text: string, place: string) => Uint8Array
    /** `null` for what was sealed with another key or at another place, or was changed since. */
    readonly open: (sealed: Uint8Array, place: string) => string | null
  }
>()("@lading/postgres/Seal") {}

/** Random bytes in advance: asking for twelve costs as much as asking for thousands. */
const makeNonces = () => {
  let [pool, used] = [randomBytes(nonceSize * 256), 0]
  return (): Uint8Array => {
    if (used === pool.length) [pool, used] = [randomBytes(nonceSize * 256), 0]
    used += nonceSize
    return pool.subarray(used - nonceSize, used)
  }
}

/** Four bytes that stand in every seal and say nothing of the key. */
const nameOfBytes = (bytes: Uint8Array): Buffer =>
  createHash("sha256").update("lading seal").update(bytes).digest().subarray(0, 4)

/** A key, and what its seals begin with. */
const known = (bytes: Uint8Array) => {
  const name = nameOfBytes(bytes)
  return { key: createSecretKey(bytes), header: Buffer.concat([Buffer.from([version]), name]) }
}

const make = (first: Uint8Array, former: ReadonlyArray<Uint8Array>): Seal["Service"] => {
  const nextNonce = makeNonces()
  const current = known(first)
  const all = [current, ...former.map(known)]

  const seal = (text: string, place: string): Uint8Array => {
    const { header, key } = current
    const nonce = nextNonce()
    const cipher = createCipheriv("aes-256-gcm", key, nonce)
    cipher.setAAD(Buffer.concat([header, Buffer.from(place)]))
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
    return Buffer.concat([header, nonce, cipher.getAuthTag(), body])
  }

  const open = (sealed: Uint8Array, place: string): string | null => {
    const begin = sealed.subarray(0, head)
    const found = all.find(({ header }) => header.equals(begin))
    if (found === undefined || sealed.length < head + nonceSize + tagSize) return null
    const { header, key } = found
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(head, head + nonceSize))
    decipher.setAAD(Buffer.concat([header, Buffer.from(place)]))
    decipher.setAuthTag(sealed.subarray(head + nonceSize, head + nonceSize + tagSize))
    try {
      const plain = [decipher.update(sealed.subarray(head + nonceSize + tagSize)), decipher.final()]
      return Buffer.concat(plain).toString("utf8")
    } catch {
      return null
    }
  }

  return { seal, open }
}

/** A new key: 32 random bytes in Base64. */
export const generateKey = Effect.sync(() => Redacted.make(randomBytes(32).toString("base64"), { label: "seal key" }))

/** Whether the text is 32 bytes in Base64, of either alphabet. */
export const isKey = (text: string): boolean => /^[A-Za-z0-9+/_-]{43}=?$/.test(text)

export interface Keys {
  /** 32 bytes in Base64, of either alphabet. Anything else is a defect: the configuration checks it. */
  readonly current: Redacted.Redacted
  readonly former?: ReadonlyArray<Redacted.Redacted>
}

const bytesOf = (key: Redacted.Redacted): Uint8Array => {
  const text = Redacted.value(key)
  if (!isKey(text)) throw new Error("a seal key has 32 bytes")
  return Buffer.from(text, "base64")
}

/** The name of a key, in hexadecimals, by which two installations can tell whether they have the same. */
export const nameOf = (key: Redacted.Redacted): string => nameOfBytes(bytesOf(key)).toString("hex")

export const layer = ({ current, former = [] }: Keys): Layer.Layer<Seal> =>
  Layer.sync(Seal, () => make(bytesOf(current), former.map(bytesOf)))

/** A random key, forgotten with the process: what it sealed nobody can open afterwards. For tests and trials. */
export const layerEphemeral: Layer.Layer<Seal> = Layer.unwrap(Effect.map(generateKey, (current) => layer({ current })))
