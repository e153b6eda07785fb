import { assert, describe, it } from "@effect/vitest"
import { noFilter, type PersonFilter, type PersonHit, verdicts } from "./PersonDirectory.ts"

const mara: PersonHit = {
  source: "s",
  id: "1",
  raw: null,
  last_name_hint: null,
  seniority: "head",
  department: "Operations",
  facts: {
    first_name: "Mara",
    current_title: "Head of Procurement, Nordics",
    company_domain: "nordvik.example",
    location: { city: "Oslo", country: "Norway" }
  }
}

const judged = (filter: Partial<PersonFilter>, hit: PersonHit = mara) =>
  Object.fromEntries(verdicts({ ...noFilter, ...filter }, hit))

describe("what a person says to a filter", () => {
  it("is nothing to filters that ask for nothing", () => assert.deepStrictEqual(judged({}), {}))

  it("is nothing where nothing is said", () => {
    const unsaid = { ...mara, seniority: null, department: null, facts: {} }
    const filter = { company_domain: "nordvik.example", titles: ["a"], countries: ["NO"] }
    assert.deepStrictEqual(judged({ ...filter, seniorities: ["head"], departments: ["sales"] }, unsaid), {
      company_domain: null,
      titles: null,
      seniorities: null,
      departments: null,
      countries: null
    })
  })

  const agreeing: ReadonlyArray<Partial<PersonFilter>> = [
    { company_domain: "nordvik.example" },
    { company_domain: "people.nordvik.example" },
    { titles: ["buyer", "head of procurement"] },
    { titles: ["Procurement Nordics"] },
    { seniorities: ["manager", "head"] },
    { departments: ["operations"] },
    { countries: ["NO"] }
  ]
  for (const filter of agreeing) {
    it(`agrees with ${JSON.stringify(filter)}`, () => {
      for (const verdict of Object.values(judged(filter))) assert.isTrue(verdict)
    })
  }

  const contradicting: ReadonlyArray<Partial<PersonFilter>> = [
    { company_domain: "nordvik-robotics.example" },
    { titles: ["procure"] },
    { titles: ["Head Procurement"] },
    { seniorities: ["manager"] },
    { departments: ["sales"] },
    { countries: ["SE", "DK"] }
  ]
  for (const filter of contradicting) {
    it(`contradicts ${JSON.stringify(filter)}`, () => {
      for (const verdict of Object.values(judged(filter))) assert.isFalse(verdict)
    })
  }
})
