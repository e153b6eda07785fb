/** The columns of a result and what stands in them. */
import { assert, describe, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import * as Layout from "./Layout.ts"
import type { Outcome } from "./Outcome.ts"
import * as ProfileColumns from "./ProfileColumns.ts"

const outcome = (
  profile: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, string>> = {}
): Outcome => ({
  status: "ok",
  error: "",
  credits: Credits.fromNumber(1.1),
  request_id: "req_1",
  profile,
  sources,
  budget_exhausted: ["provider_c", "provider_d"],
  answer: null
})

/** The cells of a result by their columns. */
const cells = (layout: Layout.Layout<Outcome>, own: ReadonlyArray<string>, of: Outcome) => {
  const written = layout.cells({ line: 2, cells: own, object: null }, of)
  assert.strictEqual(written.length, layout.header.length)
  return Object.fromEntries(layout.header.map((name, index) => [name, written[index]]))
}

describe("the columns of a result", () => {
  it("begin with those of the input, and have each field with its source beside it", () => {
    const { header } = Layout.of(ProfileColumns.of.company, ["domain", "n"], false)
    assert.deepStrictEqual(header.slice(0, 4), ["domain", "n", "name", "name_source"])
    assert.deepStrictEqual(header.slice(-5), ["status", "error", "budget_exhausted", "credits", "request_id"])
    const at = header.indexOf("hq.city")
    assert.deepStrictEqual(header.slice(at - 1, at + 6), [
      "hq.full_address",
      "hq.city",
      "hq.state",
      "hq.postal_code",
      "hq.country",
      "hq.country_code",
      "hq_source"
    ])
    assert.include(Layout.of(ProfileColumns.of.person, [], false).header, "emails.status")
  })

  it("never have one name twice", () => {
    const { header } = Layout.of(ProfileColumns.of.company, ["name", "status", "lading.status"], false)
    assert.strictEqual(new Set(header).size, header.length)
    assert.includeMembers([...header], ["name", "lading.name", "lading.lading.status"])
  })

  it("join lists, and take groups and objects apart", () => {
    const company = cells(
      Layout.of(ProfileColumns.of.company, ["domain"], false),
      ["a.example"],
      outcome(
        { industries: ["a", "b"], hq: { city: "Oslo", state: null } },
        { industries: "provider_a", hq: "provider_b" }
      )
    )
    assert.deepInclude(company, {
      industries: "a; b",
      industries_source: "provider_a",
      "hq.city": "Oslo",
      "hq.state": "",
      hq_source: "provider_b",
      status: "ok",
      credits: "1.1"
    })
    const person = cells(
      Layout.of(ProfileColumns.of.person, [], false),
      [],
      outcome({
        emails: [
          { email: "a@b.example", status: "valid" },
          { email: "c@b.example", status: null }
        ]
      })
    )
    assert.deepInclude(person, {
      "emails.email": "a@b.example; c@b.example",
      "emails.status": "valid; ",
      "emails.type": ""
    })
  })
})

describe("a cell that begins like a formula", () => {
  const name = (text: string, raw = false) =>
    cells(Layout.of(ProfileColumns.of.company, ["own"], raw), ["=1+1"], outcome({ name: text }))

  it("is text with an apostrophe in front when it comes from a vendor", () => {
    for (const text of [
      "=1+1",
      '=HYPERLINK("http://x.test")',
      "+A1",
      "-B2",
      "@SUM(1)",
      "\t=1",
      "＝1",
      "-1+cmd|' /C x'!A0"
    ]) {
      assert.strictEqual(name(text)["name"], `'${text}`)
    }
  })

  it("stays as it is where it is a number or a phone number, comes from the input, or was asked for raw", () => {
    for (const text of ["+4722000000; +46 (0)8-123", "-12.5", "a=b", ""]) assert.strictEqual(name(text)["name"], text)
    assert.strictEqual(name("x")["own"], "=1+1")
    assert.strictEqual(name("=1+1", true)["name"], "=1+1")
  })
})
