import { globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Population } from "@lading/testing"
import * as Industries from "./Industries.ts"
import * as IndustryNumbers from "./IndustryNumbers.ts"
import * as IndustryWords from "./IndustryWords.ts"
import * as Isic from "./Isic.ts"

const codeOf = (text: string) => Industries.find(text)?.code ?? null

/** The columns of a table: code, name, other words. */
const columns = (table: string) =>
  table.split("\n").map((line) => {
    const [, code = "", name = "", words] = /^(\S+) (.+?)(?: = (.+))?$/.exec(line) ?? []
    return { code, name, words: words?.split("; ") ?? [] }
  })

/** What the fixtures of vendors have under names of this kind, however deep. */
const said = (value: unknown, key = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return /^(?:\w*industr(?:y|ies|y_v2|yGroup)|sector)$/i.test(key) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((one) => said(one, key))
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => said(inner, name))
    : []
}

/** The synthetic population that all simulators answer from. */
const { standard } = Population
const companies = Array.from({ length: standard.companies }, (_, index) => standard.company(index))

const providers = new URL("../../../providers/sources/", import.meta.url).pathname

describe("the table of industries", () => {
  it("has the 21 sections and 88 divisions of ISIC, each division in a section, and some 150 names of vendors", () => {
    const standard = Industries.all.filter(({ scheme }) => scheme === "isic4")
    const sections = standard.filter(({ parent }) => parent === null).map(({ code }) => code)
    assert.strictEqual(sections.join(""), "ABCDEFGHIJKLMNOPQRSTU")
    const divisions = standard.filter(({ parent }) => parent !== null)
    assert.lengthOf(divisions, 88)
    const ofSection = (section: string) => divisions.flatMap(({ code, parent }) => (parent === section ? [code] : []))
    assert.deepStrictEqual(ofSection("H"), ["49", "50", "51", "52", "53"])
    assert.deepStrictEqual([ofSection("C").at(0), ofSection("C").at(-1)], ["10", "33"])
    const numbers = divisions.map(({ code }) => code)
    assert.deepStrictEqual(numbers, numbers.toSorted())
    assert.isAbove(Industries.all.length - standard.length, 150)
  })

  it("has every code once, slugs of small letters, and under each slug a division", () => {
    const codes = Industries.all.map(({ code }) => code)
    assert.strictEqual(new Set(codes).size, codes.length)
    for (const industry of Industries.all.filter(({ scheme }) => scheme === "lading")) {
      assert.match(industry.code, /^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      assert.deepStrictEqual(
        Industries.above(industry).map(({ scheme }) => scheme),
        ["isic4", "isic4"],
        industry.name
      )
    }
  })

  it("says of no two industries the same: every word leads to where it stands", () => {
    const usual = new Set(columns(IndustryWords.table).map(({ name }) => codeOf(name)))
    for (const { name, words } of columns(IndustryWords.table)) {
      const code = codeOf(name)
      assert.strictEqual(Industries.all.find((one) => one.code === code)?.name, name)
      for (const word of words) assert.strictEqual(codeOf(word), code, word)
    }
    for (const { code, name, words } of columns(Isic.table)) {
      // A vendor's name comes first, of which the standard's is a wider one.
      if (!usual.has(codeOf(name))) assert.strictEqual(codeOf(name), code, name)
      for (const word of words) assert.strictEqual(codeOf(word), code, word)
    }
  })
})

describe("Industries.find", () => {
  it.each([
    ["computer software", "computer-software"],
    ["Logistics & Supply Chain", "logistics-and-supply-chain"],
    ["LOGISTICS AND SUPPLY CHAIN", "logistics-and-supply-chain"],
    ["  logistics   supply-chain ", "logistics-and-supply-chain"],
    ["logistics-and-supply-chain", "logistics-and-supply-chain"],
    ["Chemical", "chemicals"],
    ["chemical industry", "chemicals"],
    ["Textíles", "textiles"],
    ["28", "28"],
    ["c", "C"],
    ["ISIC 2811", "28"],
    ["isic4:C", "C"],
    ["NAICS 333", "28"],
    ["NAICS 333517", "28"],
    ["NAICS 33", "C"],
    ["SIC 3569", "28"],
    ["SIC 99", null],
    ["Blacksmithing of the third kind", null],
    ["", null],
    ["&", null],
    [`${"software ".repeat(40)}`, null]
  ])("%j is %j", (text, code) => assert.strictEqual(codeOf(text), code))

  it("maps every industry that our vendors' fixtures name", () => {
    const files = globSync(`${providers}*/src/fixtures/*.json`)
    const words = new Set(files.flatMap((file) => said(JSON.parse(readFileSync(file, "utf8")))))
    assert.isAbove(words.size, 7)
    assert.deepStrictEqual(
      [...words].filter((word) => Industries.find(word) === null),
      []
    )
  })

  it("maps every industry of the synthetic population, as each vendor spells it", () => {
    const words = new Set(companies.flatMap(({ industries }) => industries).flatMap((one) => [one, one.toLowerCase()]))
    assert.isAbove(words.size, 15)
    assert.deepStrictEqual(
      [...words].filter((word) => Industries.find(word)?.scheme !== "lading"),
      []
    )
  })

  it("knows a section or division for each number of the other classifications", () => {
    const codes = new Set(Industries.all.map(({ code }) => code))
    for (const pair of [...IndustryNumbers.naics.split(","), ...IndustryNumbers.sic.split(",")]) {
      assert.isTrue(codes.has(pair.split(" ")[1] ?? ""), pair)
    }
  })
})

describe("Industries.search", () => {
  const found = (query: string) => Industries.search(query).map(({ code }) => code)

  it("finds all words, whatever their case and accents, and what half a word begins", () => {
    assert.include(found("SOFTW"), "computer-software")
    assert.deepStrictEqual(found("chain supply"), ["logistics-and-supply-chain"])
    assert.deepStrictEqual(found("Sémicond"), ["semiconductors", "renewables-and-environment"].toSorted())
    assert.deepStrictEqual(found("software zzz"), [])
  })

  it("finds a division with the names that are under it, in the order of the table", () => {
    assert.deepStrictEqual(found("28"), ["28", "industrial-automation", "machinery", "robotics"])
    assert.deepStrictEqual(Industries.search(""), Industries.all)
  })
})
