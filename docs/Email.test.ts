/** The table of rules in `docs/email.md` is that of the code, in its order; and so are its words for what is no address. */
import { assert, describe, it } from "vitest"
import * as Verdict from "../packages/core/src/email/Verdict.ts"
import { deliveryOf } from "../packages/core/src/waterfall/VerifiedEmail.ts"
import * as Markdown from "./fixtures/Markdown.ts"

const page = Markdown.read("docs/email.md")

describe("docs/email.md", () => {
  it("shows the rules of the verdict in their order", () => {
    const told = Markdown.rows(Markdown.section(page, "## 3. How an address is judged"))
    assert.deepStrictEqual(
      told.map(([reason, status, score]) => [reason, status, score]),
      Verdict.rules.map(({ reason, score, status }) => [`\`${reason}\``, `\`${status}\``, String(score)])
    )
  })

  it("says what each status means for an address of a person", () => {
    const told = Markdown.rows(Markdown.section(page, "## 8. Addresses of people"))
    assert.sameDeepMembers(
      told.map(([status, means]) => [status, means]),
      Object.entries(deliveryOf).map(([status, means]) => [`\`${status}\``, `\`${means}\``])
    )
  })

  it("tells what a weaker proof costs", () => {
    const { implicit, unprobed } = Verdict.deductions
    assert.include(
      page,
      `lose ${implicit} where the domain has no MX record of its own, and ${unprobed} where nobody asked`
    )
  })
})
