import { globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Population } from "@lading/testing"
import * as Technologies from "./Technologies.ts"
import * as TechnologyNames from "./TechnologyNames.ts"

const nameOf = (text: string) => Technologies.find(text)?.name ?? null

/** What the fixtures of vendors have under names of this kind, however deep. */
const said = (value: unknown, key = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return key === "tech" || key === "technology_names" ? [value] : []
  if (Array.isArray(value)) return value.flatMap((one) => said(one, key))
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => said(inner, name))
    : []
}

/** The synthetic population that all simulators answer from. */
const { standard } = Population
const companies = Array.from({ length: standard.companies }, (_, index) => standard.company(index))

const providers = new URL("../../../providers/sources/", import.meta.url).pathname

const unknown = (names: ReadonlyArray<string>) => names.filter((name) => Technologies.find(name) === null)

describe("the table of technologies", () => {
  it("has 250 names and more, each once, by name", () => {
    const names = Technologies.all.map(({ name }) => name)
    assert.isAbove(names.length, 250)
    assert.strictEqual(new Set(names.map((name) => name.toLowerCase())).size, names.length)
    assert.deepStrictEqual(
      names,
      names.toSorted((a, b) => new Intl.Collator("en").compare(a, b))
    )
  })

  it("spells no two of them the same: every spelling leads to where it stands", () => {
    for (const line of TechnologyNames.table.split("\n")) {
      const [category = "", names = ""] = line.split(": ")
      for (const [, name = "", spellings] of names.matchAll(/(?:^|, )([^,(]+?)(?: \(([^)]+)\))?(?=, |$)/g)) {
        assert.deepStrictEqual(Technologies.find(name), { name, category })
        for (const spelling of spellings?.split("; ") ?? []) assert.strictEqual(nameOf(spelling), name, spelling)
      }
    }
  })
})

describe("Technologies.find", () => {
  it.each([
    ["NODE.JS", "Node.js"],
    ["node_js", "Node.js"],
    ["google_analytics", "Google Analytics"],
    ["nginx/1.25.3", "nginx"],
    ["jQuery 3.7.1", "jQuery"],
    ["Drupal v10", "Drupal"],
    ["Postgres", "PostgreSQL"],
    ["C", "C"],
    ["c++", "C++"],
    ["C#", "C#"],
    ["A stack of our own", null],
    ["7", null],
    ["", null],
    ["...", null]
  ])("%j is %j", (text, name) => assert.strictEqual(nameOf(text), name))

  it("maps what our vendors' fixtures, the population and our reader of websites name", () => {
    const files = globSync(`${providers}*/src/fixtures/*.json`)
    const fixtures = files.flatMap((file) => said(JSON.parse(readFileSync(file, "utf8"))))
    assert.isAbove(fixtures.length, 2)
    assert.deepStrictEqual(unknown(fixtures), [])
    const spellings = companies
      .flatMap(({ technologies }) => technologies)
      .flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()])
    assert.isAbove(spellings.length, 100)
    assert.deepStrictEqual(unknown(spellings), [])
    const fingerprints = readFileSync(`${providers}website/src/Fingerprints.ts`, "utf8")
    const shown = [...fingerprints.matchAll(/\bname: "([^"]+)"/g)].map(([, name = ""]) => name)
    assert.isAbove(shown.length, 60)
    assert.deepStrictEqual(unknown(shown), [])
  })
})

describe("Technologies.search", () => {
  const found = (query: string) => Technologies.search(query).map(({ name }) => name)

  it("finds by name, category and spelling, all words, whatever their case and accents", () => {
    assert.deepStrictEqual(found("postgres"), ["PostgreSQL"])
    assert.deepStrictEqual(found("DATABASES post"), ["PostgreSQL"])
    assert.deepStrictEqual(found("réact nat"), ["React Native"])
    assert.deepStrictEqual(found("c#"), ["C#"])
    assert.deepStrictEqual(found("react zzz"), [])
    assert.deepStrictEqual(Technologies.search(" "), Technologies.all)
  })
})
