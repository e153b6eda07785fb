/** Code that `docs/adapters.md` takes from a file stands in that file; `// …` may leave lines out. */
import { assert, describe, it } from "vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import * as Markdown from "./fixtures/Markdown.ts"

const trimmed = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The first line of an excerpt that is not where it should be; `null` when all are there, in order. */
const stray = (excerpt: string, source: string): string | null => {
  const lines = trimmed(source)
  let next = 0
  let anywhere = true
  for (const line of trimmed(excerpt)) {
    if (line === "// …") {
      anywhere = true
      continue
    }
    const found = anywhere ? lines.indexOf(line, next) : lines[next] === line ? next : -1
    if (found === -1) return line
    next = found + 1
    anywhere = false
  }
  return null
}

const excerpts = Markdown.blocks("docs/adapters.md").filter(({ info }) => info !== "")

describe("docs/adapters.md", () => {
  it("takes all of its TypeScript from files", () => {
    const blocks = Markdown.blocks("docs/adapters.md").filter(({ language }) => language === "ts")
    assert.isNotEmpty(blocks)
    for (const { at, info } of blocks) assert.match(info, /^packages\/\S+\.ts$/, at)
  })

  it.each(excerpts)("shows $info as it is at $at", ({ info, text }) => {
    // The first line may stand in several places; from one of them on all the others have to follow.
    const lines = Markdown.read(info).split("\n")
    const first = trimmed(text)[0]
    const starts = lines.flatMap((line, index) => (line.trim() === first ? [index] : []))
    assert.isNotEmpty(starts, `${info} has no line "${first}"`)
    const strays = starts.map((start) => stray(text, lines.slice(start).join("\n")))
    assert.include(strays, null, `not in ${info} as shown: ${strays.join(" | ")}`)
  })

  it("tells to copy a vendor that stands on nothing beside it", () => {
    const folder = resolve(Markdown.root, "packages/testing/src/plain")
    const files = globSync("**/*.ts", { cwd: folder })
    assert.isNotEmpty(files)
    for (const file of files) {
      const imports = readFileSync(resolve(folder, file), "utf8").matchAll(/from "(\.[^"]+)"/g)
      for (const [, specifier = ""] of imports) {
        const target = relative(folder, resolve(folder, dirname(file), specifier))
        assert.isFalse(target.startsWith(".."), `${file} imports ${specifier}`)
      }
    }
  })

  it("names every error that a source can have", () => {
    const errors = Array.from(
      Markdown.read("packages/core/src/waterfall/SourceError.ts").matchAll(/^export class (\w+)/gm),
      ([, name]) => name
    )
    const named = Markdown.rows(
      Markdown.section(Markdown.read("docs/adapters.md"), "## 3. From status to miss or error")
    )
    assert.deepStrictEqual(
      named.map(([cell]) => cell?.replaceAll("`", "")),
      errors
    )
  })
})
