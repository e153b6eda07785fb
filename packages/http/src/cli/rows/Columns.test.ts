/** Which column says what. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Columns from "./Columns.ts"

const recognise = (header: ReadonlyArray<string>, named: Record<string, string> = {}, kind?: Columns.Kind) =>
  Columns.recognise(header, named, Option.fromUndefinedOr(kind))

const problem = (header: ReadonlyArray<string>, named: Record<string, string> = {}, kind?: Columns.Kind) =>
  Effect.map(Effect.flip(recognise(header, named, kind)), (error) => error.problem)

describe("the columns of a file", () => {
  it.effect("are known by several spellings, whatever the case and the punctuation", () =>
    Effect.gen(function* () {
      for (const domain of ["Domain", "company-domain", "companyDomain", " Website ", "Company URL", "HOMEPAGE"]) {
        assert.deepStrictEqual(yield* recognise(["id", domain]), { kind: "company", at: { domain: 1 } })
      }
      assert.deepStrictEqual(yield* recognise(["Vorname", "Surname", "E-Mail", "Domain"]), {
        kind: "person",
        at: { first_name: 0, last_name: 1, domain: 3 }
      })
    })
  )

  it.effect("are taken by their best spelling, and never two of one meaning", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* recognise(["url", "name", "company", "domain"])).at, { domain: 3, name: 2 })
      const named = yield* recognise(["domain", "old domain"], { domain: "old domain" })
      assert.deepStrictEqual(named.at, { domain: 1 })
    })
  )

  it.effect("are refused with what was found and what is expected", () =>
    Effect.gen(function* () {
      const nothing = yield* problem(["foo", "bar"])
      assert.include(nothing, 'found "foo", "bar"')
      assert.include(nothing, "expected domain or company for companies, or first_name, last_name and domain")
      assert.include(yield* problem(["first_name", "domain"]), "no column to ask by")
      assert.include(yield* problem(["full_name", "domain"], {}, "person"), "no column to ask by")
      assert.include(yield* problem(["a"], { domain: "Website" }), 'there is no column "Website"; found "a"')
      assert.include(yield* problem(["a"], { last_name: "a" }, "company"), "last_name is nothing that a company")
    })
  )
})

describe("--columns", () => {
  it.effect("takes quotes around a name, and commas inside them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Columns.mapping('domain=Website,name="Firm, full"'), {
        domain: "Website",
        name: "Firm, full"
      })
    })
  )

  it.effect("is refused where it cannot be read or names no field", () =>
    Effect.gen(function* () {
      for (const wrong of ["", "domain", 'domain=a;name=b"', "email=E-Mail", "domain=a,,"]) {
        assert.include((yield* Effect.flip(Columns.mapping(wrong))).problem, "--columns: expected", wrong)
      }
    })
  )
})
