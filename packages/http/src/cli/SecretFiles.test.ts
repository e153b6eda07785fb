import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { read } from "../server/Configuration.ts"
import * as SecretFiles from "./SecretFiles.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lading-secrets-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

describe("SecretFiles", () => {
  it.effect("a secret is what its file holds, without the line end, and no warning is left", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "key")
      yield* Effect.promise(() => writeFile(file, "lad_live_key-of-a-file\n"))
      const resolved = yield* SecretFiles.resolve({ LADING_API_KEY_FILE: file, LADING_PORT: "1" })
      assert.deepStrictEqual(resolved, { LADING_API_KEY: "lad_live_key-of-a-file", LADING_PORT: "1" })
      assert.deepStrictEqual((yield* read(resolved)).warnings, [])
    })
  )

  it.effect(
    "both at once, and a file that cannot be read, are refused by the variable's name and without a value",
    () =>
      Effect.gen(function* () {
        const file = join(yield* folder, "none")
        const both = yield* Effect.flip(
          SecretFiles.resolve({ LADING_API_KEY_FILE: file, LADING_API_KEY: "lad_live_marker-of-a-key" })
        )
        assert.strictEqual(both.message, "LADING_API_KEY_FILE: LADING_API_KEY is set, too; leave one of them out")
        const missing = yield* Effect.flip(SecretFiles.resolve({ LADING_SEAL_KEY_FILE: file }))
        assert.strictEqual(missing.message, `LADING_SEAL_KEY_FILE: the file ${file} cannot be read (ENOENT)`)
        const empty = join(yield* folder, "empty")
        yield* Effect.promise(() => writeFile(empty, " \n"))
        const unfilled = yield* Effect.flip(SecretFiles.resolve({ LADING_DATABASE_URL_FILE: empty }))
        assert.strictEqual(unfilled.message, `LADING_DATABASE_URL_FILE: the file ${empty} is empty`)
      })
  )

  it.effect("what is no secret has no file: its name with the suffix is not known, and said so", () =>
    Effect.gen(function* () {
      const resolved = yield* SecretFiles.resolve({ LADING_PORT_FILE: "port" })
      assert.lengthOf((yield* read(resolved)).warnings, 1)
    })
  )
})
