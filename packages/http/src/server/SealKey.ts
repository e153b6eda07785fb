/**
 * A key that something kept is sealed with: configured, or a random one that the data folder keeps. The file is its
 * owner's to read only, and appears whole, so that two servers that start at once have one key.
 */
import { Seal } from "@lading/postgres"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import { join, resolve } from "node:path"
import { CannotStart } from "./CannotStart.ts"
import { stores } from "./Variables.ts"

const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "unknown")

/** The key in the file; a new one where there is none. */
const readOrCreate = async (file: string, fresh: string): Promise<string> => {
  const draft = `${file}.${randomUUID()}`
  await fs.writeFile(draft, `${fresh}\n`, { mode: 0o600 })
  try {
    await fs.link(draft, file)
    return fresh
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause
    return (await fs.readFile(file, "utf8")).trim()
  } finally {
    await fs.unlink(draft)
  }
}

/** What a key is for: the file that keeps one, and the variable that is used in its place. */
interface Use {
  readonly file: string
  readonly variable: string
}

/** Kept answers, runs and webhooks. */
export const answers: Use = { file: "seal-key", variable: stores.sealKey.name }

/** Vendor keys of accounts. */
export const vendorKeys: Use = { file: "vault-key", variable: stores.vaultKey.name }

/** The configured key, or the folder's own; `null` where there is none yet, and none is made. */
export const peek = Effect.fnUntraced(function* (
  configured: Redacted.Redacted | null,
  dataDir: string,
  { file: name, variable }: Use
) {
  if (configured !== null) return configured
  const file = join(resolve(dataDir), name)
  const text = yield* Effect.tryPromise({
    try: () => fs.readFile(file, "utf8").catch((cause) => (codeOf(cause) === "ENOENT" ? null : Promise.reject(cause))),
    catch: (cause) =>
      new CannotStart({ variable, problem: `it is not set, and ${file} cannot be used: ${codeOf(cause)}` })
  })
  return text !== null && Seal.isKey(text.trim()) ? Redacted.make(text.trim(), { label: "seal key" }) : null
})

/** The configured key, or the folder's own. */
export const find = Effect.fnUntraced(function* (
  configured: Redacted.Redacted | null,
  dataDir: string,
  { file: name, variable }: Use
) {
  if (configured !== null) return configured
  const folder = resolve(dataDir)
  const file = join(folder, name)
  const fresh = yield* Seal.generateKey
  const key = yield* Effect.tryPromise({
    try: async () => {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      return await readOrCreate(file, Redacted.value(fresh))
    },
    catch: (cause) =>
      new CannotStart({ variable, problem: `it is not set, and ${file} cannot be used: ${codeOf(cause)}` })
  })
  if (!Seal.isKey(key)) return yield* new CannotStart({ variable, problem: `it is not set, and ${file} holds no key` })
  return Redacted.make(key, { label: "seal key" })
})
