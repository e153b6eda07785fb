/**
 * The key of a sandbox, kept in the data folder so that pasted `curl` lines go on working after a restart. A server
 * keeps no key; a sandbox has nothing to lose but synthetic data.
 */
import { ApiKey } from "@lading/core/account"
import { Effect, Redacted } from "effect"
import * as fs from "node:fs/promises"
import { join, resolve } from "node:path"
import { CannotStart } from "../server/CannotStart.ts"
import { isApiKey, stores } from "../server/Variables.ts"

const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "unknown")

const attempt = <A>(file: string, run: () => Promise<A>): Effect.Effect<A, CannotStart> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new CannotStart({ variable: stores.dataDir.name, problem: `${file} cannot be used: ${codeOf(cause)}` })
  })

const readIfThere = (file: string): Promise<string | null> =>
  fs.readFile(file, "utf8").catch((cause) => (codeOf(cause) === "ENOENT" ? null : Promise.reject(cause)))

/** The key that an earlier start left behind, or a random one, which is left behind for the next. */
export const readOrCreate = Effect.fnUntraced(function* (dataDir: string) {
  const folder = resolve(dataDir)
  const file = join(folder, "sandbox-key")
  const kept = yield* attempt(file, () => readIfThere(file))
  if (kept !== null && isApiKey(kept.trim())) return Redacted.make(kept.trim())
  const key = yield* ApiKey.generate
  yield* attempt(file, () => fs.mkdir(folder, { recursive: true, mode: 0o700 }))
  yield* attempt(file, () => fs.writeFile(file, `${Redacted.value(key)}\n`, { mode: 0o600 }))
  return key
})
