import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Variables from "./Variables.ts"

const page = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8")

const cell = (text: string): string => text.replaceAll("|", "\\|")

const row = ({ initial, meaning, name }: Variables.Variable<unknown>): string =>
  `| \`${name}\` | ${initial === "" ? "" : `\`${initial}\``} | ${cell(meaning)} |`

const metricsIn = (file: string): ReadonlyArray<string> =>
  Array.from(
    readFileSync(new URL(file, import.meta.url), "utf8").matchAll(/"(lading_[a-z_]+)"/g),
    ([, name = ""]) => name
  )

describe("docs/operations.md", () => {
  for (const variable of Variables.all) {
    it(`lists ${variable.name} with its default and its meaning`, () => {
      assert.include(page, `${row(variable)}\n`)
    })
  }

  it("names no variable that there is not", () => {
    const named = new Set(page.match(/\bLADING_[A-Z_]*[A-Z]\b/g))
    const known = new Set(Variables.all.map(({ name }) => name))
    assert.deepStrictEqual(
      [...named].filter((name) => !known.has(name)),
      []
    )
  })

  it("names every metric", () => {
    const core = ["waterfall", "email"].map((folder) => `../../../core/src/${folder}/Metrics.ts`)
    const metrics = ["./Metrics.ts", ...core].flatMap(metricsIn)
    assert.isAbove(metrics.length, 5)
    for (const name of metrics) assert.include(page, `| \`${name}\` |`)
  })
})
