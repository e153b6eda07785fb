/** What titles say of rank and department. */
import { assert, it } from "@effect/vitest"
import * as TitleClass from "./TitleClass.ts"

it("reads the rank of a title", () => {
  for (const [title, rank] of [
    ["Chief Executive Officer", "c_level"],
    ["CEO & Co-Founder", "founder"],
    ["Senior Vice President, Sales", "vp"],
    ["Vice President of Engineering", "vp"],
    ["Head of Procurement", "head"],
    ["Director of Logistics", "director"],
    ["Managing Director", "c_level"],
    ["Geschäftsführer", "c_level"],
    ["Leiterin Einkauf", "head"],
    ["Export Manager", "manager"],
    ["Assistant to the CEO", "junior"],
    ["Senior Software Engineer", "senior"],
    ["Jr. Buyer", "junior"],
    ["Marketing Intern", "intern"],
    ["Gerente de Compras", "manager"],
    ["Welder", null],
    ["", null],
    [null, null]
  ] as const) {
    assert.strictEqual(TitleClass.seniority(title), rank, String(title))
  }
})

it("reads the departments of a title", () => {
  for (const [title, departments] of [
    ["Chief Financial Officer", ["finance"]],
    ["CTO", ["engineering"]],
    ["Head of Procurement", ["operations"]],
    ["VP Sales & Marketing", ["sales", "marketing"]],
    ["Leiter Einkauf", ["operations"]],
    ["General Counsel", ["legal"]],
    ["Founder", ["executive"]],
    ["HR Business Partner", ["hr"]],
    ["Welder", []],
    [null, []]
  ] as const) {
    assert.deepStrictEqual(TitleClass.departments(title), [...departments], String(title))
  }
})

it("puts ranks into the order from the top", () => {
  assert.isBelow(TitleClass.rank("c_level"), TitleClass.rank("manager"))
  assert.isAbove(TitleClass.rank(null), TitleClass.rank("intern"))
})
