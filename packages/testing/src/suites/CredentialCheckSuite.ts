/** What the check of a credential must do, shown against the vendor's simulator over real HTTP. */
import { assert, describe, it } from "@effect/vitest"
import type { Source } from "@lading/core/waterfall"
import { Effect, Exit } from "effect"
import { FetchHttpClient } from "effect/http"
import { readFileSync } from "node:fs"
import { faultsOf, label, mentions, misspelt, secretsOf } from "./Faults.ts"
import type { SourceSuiteOptions } from "./SourceSuite.ts"
import { watched } from "./Watch.ts"

export interface CredentialCheckSuiteOptions extends Pick<SourceSuiteOptions<never>, "make" | "credential"> {
  /** Method and path of every request that it takes, none of which is paid for. */
  readonly requests: ReadonlyArray<string>
  /** The README that names them. */
  readonly readme: URL
}

/** Registers the suite. */
export const credentialCheckSuite = (
  name: string,
  { credential, make, readme, requests }: CredentialCheckSuiteOptions
): void => {
  const bound = Effect.gen(function* () {
    const { simulator, source } = yield* make
    assert(source.check !== undefined, `${source.adapter} checks no credential`)
    return { simulator, check: source.check }
  }).pipe(Effect.provide(FetchHttpClient.layer))

  describe(`${name}: credentials`, () => {
    it.live(`a right one passes after ${requests.join(", ")}`, () =>
      Effect.gen(function* () {
        const { check, simulator } = yield* bound
        yield* check.call(credential)
        const calls = yield* simulator.calls
        assert.isTrue(calls.every(({ authorized }) => authorized))
        assert.deepStrictEqual(
          calls.map(({ method, path }) => `${method} ${path}`),
          requests
        )
        assert.strictEqual(check.question, requests.at(-1))
        assert.include(readFileSync(readme, "utf8"), `\`${check.question}`)
      })
    )

    it.live("a wrong one is Unauthorized, after a right one too; of another shape it is, without a request", () =>
      Effect.gen(function* () {
        const { check, simulator } = yield* bound
        yield* check.call(credential)
        assert.strictEqual((yield* Effect.flip(check.call(misspelt(credential))))._tag, "Unauthorized")
        assert.isFalse((yield* simulator.calls).at(-1)?.authorized)
        yield* simulator.reset
        const other: Source.Credential = { _tag: "None" }
        assert.strictEqual((yield* Effect.flip(check.call(other)))._tag, "Unauthorized")
        assert.isEmpty(yield* simulator.calls)
      })
    )

    it.live("one that is refused by now is Unauthorized", () =>
      Effect.gen(function* () {
        const { check, simulator } = yield* bound
        yield* check.call(credential)
        yield* simulator.fail({ _tag: "WrongKey" })
        assert.strictEqual((yield* Effect.flip(check.call(credential)))._tag, "Unauthorized")
      })
    )

    for (const [fault, tag] of faultsOf(credential)) {
      it.live(`${label(fault)} is ${tag}, and shows no credential`, () =>
        Effect.gen(function* () {
          const { check, simulator } = yield* bound
          yield* simulator.fail(fault)
          const seen = yield* watched(check.call(credential))
          assert.strictEqual((yield* Effect.flip(check.call(credential)))._tag, tag)
          const told = [seen, Exit.isFailure(seen.exit) ? String(seen.exit.cause) : ""]
          for (const secret of secretsOf(credential)) assert.isFalse(mentions(told, secret))
        })
      )
    }
  })
}
