/** The table of rules in `docs/email.md` is that of the code, in its order; and so are its words for what is no address. */
import { assert, describe, it } from "vitest"
import * as Verdict from "../packages/core/src/email/Verdict.ts"
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

  it("tells what a weaker proof costs", () => {
    const { implicit, unprobed } = Verdict.deductions
    assert.include(
      page,
      `lose ${implicit} where the domain has no MX record of its own, and ${unprobed} where nobody asked`
    )
  })
})
