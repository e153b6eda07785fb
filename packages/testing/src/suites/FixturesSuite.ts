/**
 * What fixtures must say of themselves: where their answers are from and when, and that adapter and README say the same. Whoever
 * reads the README, or asks the server, knows what an adapter's reading of its vendor rests on.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Source } from "@lading/core/waterfall"
import { Effect, Schema } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { readdirSync, readFileSync } from "node:fs"

export interface FixturesSuiteOptions {
  readonly make: Effect.Effect<Source.Source, never, HttpClient.HttpClient>
  /** Of the package: its `README.md` and `src/fixtures/*.json` are there. */
  readonly folder: URL
}

const Fixture = Schema.Struct({
  origin: Schema.Literals(["documented", "recorded"]),
  /** When the documentation was read, or the answer taken. */
  date: Schema.String.check(Schema.isPattern(/^20\d\d-[01]\d-[0-3]\d$/))
})
const read = Schema.decodeUnknownSync(Fixture)

/** Registers the suite. */
export const fixturesSuite = (name: string, { folder, make }: FixturesSuiteOptions): void => {
  describe(`${name}: fixtures`, () => {
    const text = (path: string) => readFileSync(new URL(path, folder), "utf8")
    const files = readdirSync(new URL("src/fixtures/", folder)).filter((file) => file.endsWith(".json"))

    it.effect("say where they are from and of when; adapter and README say the same of all of them", () =>
      Effect.gen(function* () {
        assert.isNotEmpty(files)
        const fixtures = files.map((file) => read(JSON.parse(text(`src/fixtures/${file}`))))
        const origins = new Set(fixtures.map(({ origin }) => origin))
        const [only = "mixed", ...others] = origins
        const origin = others.length > 0 ? "mixed" : only
        const date =
          fixtures
            .map(({ date }) => date)
            .toSorted()
            .at(-1) ?? ""
        assert.deepStrictEqual((yield* make).fixtures, { origin, date })
        assert.include(text("README.md"), `\n\`fixtures: ${origin}, ${date}\`\n`)
      }).pipe(Effect.provide(FetchHttpClient.layer))
    )
  })
}
