import { execFile } from "node:child_process"
import { appendFile, stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Trade } from "@lading/testing"
import { Effect } from "effect"
import { write } from "./fixtures/files.ts"

const run = promisify(execFile)
const canonical = fileURLToPath(new URL("./fixtures/canonical.yaml", import.meta.url))
const drain = fileURLToPath(new URL("./fixtures/drain.ts", import.meta.url))

const drained = (heap: number, ...args: ReadonlyArray<string>) =>
  Effect.promise(async (): Promise<{ readonly records: number; readonly rss: number }> => {
    const { stdout } = await run(process.execPath, [`--max-old-space-size=${heap}`, drain, ...args])
    return JSON.parse(stdout)
  })

describe("memory", () => {
  it.effect(
    "does not grow with the file: 200 MB are read with a heap of 64 MB",
    () =>
      Effect.gen(function* () {
        const trade = Trade.make({ records: 720_000 })
        const [file = ""] = yield* write({ "t.tsv": `${Trade.columns.join("\t")}\n` })
        for (const text of Trade.chunks(trade, Trade.tsv, { lines: 20_000 }))
          yield* Effect.promise(() => appendFile(file, text))
        const { size } = yield* Effect.promise(() => stat(file))
        assert.isTrue(size > 190_000_000)
        const { records, rss } = yield* drained(64, "file", canonical, file)
        assert.strictEqual(records, trade.records)
        assert.isTrue(rss < 400_000_000, `${rss} bytes`)
      }).pipe(Effect.scoped),
    240_000
  )
})
