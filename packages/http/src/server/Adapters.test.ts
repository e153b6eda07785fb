import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Adapters from "./Adapters.ts"

const run = promisify(execFile)

/** What a process has loaded of the vendors after it asked for these adapters. */
const loadedBy = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const adapters = new URL("./Adapters.ts", import.meta.url).href
    const program = `
      import { registerHooks } from "node:module"
      const loaded = new Set()
      registerHooks({ load(url, context, next) {
        const vendor = /packages\\/(providers\\/sources\\/[^/]+|testing)\\//.exec(url)
        if (vendor !== null) loaded.add(vendor[1].split("/").at(-1))
        return next(url, context)
      } })
      const Adapters = await import(${JSON.stringify(adapters)})
      const { Effect } = await import("effect")
      for (const name of ${JSON.stringify(names)}) await Effect.runPromise(Adapters.load(name))
      process.stdout.write(JSON.stringify([...loaded].sort()))`
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: fileURLToPath(new URL(".", import.meta.url))
    })
    return JSON.parse(stdout)
  })

describe("Adapters", () => {
  it.live("loads the adapter that is asked for and no other", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* loadedBy([]), [])
      assert.deepStrictEqual(yield* loadedBy(["hunter"]), ["hunter"])
      assert.deepStrictEqual(yield* loadedBy(["peopledatalabs", "plain"]), ["peopledatalabs", "testing"])
    })
  )

  for (const name of Adapters.names) {
    it.effect(`makes ${name}`, () =>
      Effect.gen(function* () {
        const make = yield* Adapters.load(name)
        const source = yield* make({ baseUrl: "http://127.0.0.1:1" })
        assert.strictEqual(source.adapter, name)
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  }

  it.effect("names the adapters there are when there is none of that name", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(Adapters.load("constructor"))
      assert.strictEqual(message, `there is no adapter "constructor", only ${Adapters.names.join(", ")}`)
    })
  )
})
