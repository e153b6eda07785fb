import { assert, describe, it } from "@effect/vitest"
import type { Scope } from "../account/Scope.ts"
import * as PlanCheck from "./PlanCheck.ts"
import type { Step, TaskPlan } from "./TaskPlan.ts"

const enrich = { name: "company.enrich", scopes: ["company"] as ReadonlyArray<Scope> }
const search = { name: "company.search", scopes: ["company"] as ReadonlyArray<Scope> }
const verify = { name: "email.verify", scopes: ["email"] as ReadonlyArray<Scope> }

const known: PlanCheck.Known = {
  operations: [enrich, search],
  all: [enrich, search, verify],
  columns: new Set(["domain"])
}

const step = (fields: Partial<Step>): Step => ({ id: "one", operation: "company.enrich", input: {}, ...fields })

const problems = (steps: readonly [Step, ...Array<Step>], outputs: TaskPlan["outputs"] = []) =>
  PlanCheck.problems({ steps, outputs }, known).map(({ message, path }) => `${path}: ${message}`)

describe("a plan", () => {
  it("is right where every name in it is known by then", () => {
    assert.deepStrictEqual(
      problems(
        [
          step({ id: "find", operation: "company.search", input: { domains: ["$input.domain"] } }),
          step({
            id: "all",
            for_each: "$find.data.list",
            as: "company",
            input: { identity: { domains: ["$company.domain"] } },
            unless: "$company.name"
          })
        ],
        [
          { name: "name", value: "$all.company.name" },
          { name: "price", value: "$$5" }
        ]
      ),
      []
    )
  })

  it("names an operation that there is not, and the scope that the key lacks", () => {
    assert.deepStrictEqual(problems([step({ operation: "company.delete" })]), [
      "steps[0].operation: Expected one of company.enrich, company.search"
    ])
    assert.deepStrictEqual(problems([step({ operation: "email.verify" })]), [
      "steps[0].operation: The API key lacks a scope of email.verify: email"
    ])
  })

  it("refers to what stands before it, by names that are given once", () => {
    assert.deepStrictEqual(
      problems([
        step({ id: "one", input: { a: "$two.x", b: ["$input.town", "$one"] } }),
        step({ id: "one", for_each: "$input", as: "input" }),
        step({ id: "two", as: "x", when: "$nobody" })
      ]),
      [
        "steps[0].input.a: There is no two before this step, only input",
        "steps[0].input.b[0]: No input has town, only domain",
        "steps[0].input.b[1]: There is no one before this step, only input",
        "steps[1].as: Expected a name that nothing else has, not input",
        "steps[1].id: Expected a name that nothing else has, not one",
        "steps[2].as: Expected for_each beside it",
        "steps[2].when: There is no nobody before this step, only input, one"
      ]
    )
  })

  it("has references that can be read, and each column once", () => {
    assert.deepStrictEqual(
      problems(
        [step({ input: { a: "$ 5" } })],
        [
          { name: "x", value: "$one.a" },
          { name: "x", value: { y: "$gone" } }
        ]
      ),
      [
        "steps[0].input.a: Expected a reference such as $input.domain; a text that begins with $ is written $$",
        "output_fields[1]: Expected each column once, x stands twice",
        "output_fields[1].y: There is no gone before this step, only input, one"
      ]
    )
  })
})
