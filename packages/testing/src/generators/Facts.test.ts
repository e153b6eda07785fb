import { assert, describe, it } from "@effect/vitest"
import { CompanyFacts } from "@lading/core/company"
import { PersonFacts } from "@lading/core/person"
import { Arbitrary, Effect, Schema } from "effect"
import * as Generators from "./index.ts"

describe("Generators", () => {
  it.prop("company facts have the shape of company facts", [Generators.companyFacts], ([facts]) =>
    assert.isTrue(Schema.is(CompanyFacts)(facts))
  )

  it.prop("person facts have the shape of person facts", [Generators.personFacts], ([facts]) =>
    assert.isTrue(Schema.is(PersonFacts)(facts))
  )

  it.effect("reach the hostile values: blanks, nulls, what is missing, foreign domains and long lists", () =>
    Effect.gen(function* () {
      const samples = yield* Arbitrary.sampleEffect(Generators.companyFacts, { count: 400, seed: 1 })
      const reached = (test: (facts: CompanyFacts) => boolean) => assert.isTrue(samples.some(test), test.toString())
      reached(({ name }) => name === "")
      reached(({ name }) => name === "\t\n")
      reached(({ name }) => name === null)
      reached(({ name }) => name === undefined)
      reached(({ name }) => name === "Nordvik Robotics")
      reached(({ primary_domain }) => primary_domain === "acme-robotics.example")
      reached(({ phones }) => (phones ?? []).length >= 200)
      reached(({ emails }) => (emails ?? []).length === 0)
      reached(({ estimated_employee_count }) => typeof estimated_employee_count === "object")
    })
  )
})
