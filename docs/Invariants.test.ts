/** Every test that `docs/invariants.md` names stands in the file that it names. */
import { assert, describe, it } from "vitest"
import * as Markdown from "./fixtures/Markdown.ts"

const page = Markdown.read("docs/invariants.md")

/** What is in a title's `${…}` is only known when the test runs. */
const pattern = (title: string): RegExp =>
  new RegExp(
    `^${title
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".+")}$`
  )

/** The titles of a file's tests; a title of nothing but a placeholder would fit everything. */
const titles = (path: string): ReadonlyArray<RegExp> =>
  Array.from(
    Markdown.read(path).matchAll(/\bit(?:\.\w+)*\(\s*(?:"([^"\n]+)"|`([^`\n]+)`)/g),
    ([, plain, template]) => plain ?? template ?? ""
  )
    .filter((title) => /\w{4}/.test(title.replace(/\$\{[^}]*\}/g, "")))
    .map(pattern)

const named = Markdown.rows(page).filter((row) => row.length === 3)

describe("docs/invariants.md", () => {
  it("names tests for each of the eight", () => {
    const sections = Array.from(page.matchAll(/^## (\d)\. .*$/gm), ([heading]) => heading)
    assert.lengthOf(sections, 8)
    for (const heading of sections) assert.isNotEmpty(Markdown.rows(Markdown.section(page, heading)), heading)
  })

  it("names tests for what comes with customs records, erasures and replays", () => {
    for (const heading of [
      "## Customs records are loaded whole, and once",
      "## Who is erased is gone",
      "## A run can be replayed"
    ])
      assert.isNotEmpty(Markdown.rows(Markdown.section(page, heading)), heading)
  })

  it.each(named.map(([, file = "", title = ""]) => ({ file: file.replaceAll("`", ""), title })))(
    "$file has the test: $title",
    ({ file, title }) => assert.isTrue(titles(file).some((known) => known.test(title)))
  )
})
