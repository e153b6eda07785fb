/** Holds the tables of `docs/search.md` to the schemas and the prices. */
import type { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { PriceBook } from "../packages/core/src/billing/index.ts"
import { CompanySearch } from "../packages/core/src/company/index.ts"
import { PersonSearch } from "../packages/core/src/person/index.ts"
import * as Markdown from "./fixtures/Markdown.ts"
import { names } from "./fixtures/SchemaNames.ts"

const page = Markdown.read("docs/search.md")

const cells = (heading: string, column = 0): ReadonlyArray<string> =>
  Markdown.rows(Markdown.section(page, heading)).map((row) => (row[column] ?? "").replaceAll("`", ""))

const unique = (all: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(all)].sort()

const told = (heading: string, real: ReadonlyArray<string>) =>
  assert.deepStrictEqual(unique(cells(heading)), unique(real))

/** What only groups others has no row. */
const groups = new Set(["data", "meta", "meta.billing", "meta.sources"])

const answer = (schema: Schema.Top) =>
  names(schema.ast).filter((name) => !groups.has(name) && !/^data\.(list\[\]|facets\.)/.test(name))

const listed = (schema: Schema.Top) =>
  names(schema.ast).flatMap((name) => (name.startsWith("data.list[].") ? [name.slice("data.list[].".length)] : []))

describe("docs/search.md", () => {
  it("has every field of company search", () => {
    told("### Request: company search", names(CompanySearch.CompanySearchRequest.ast))
    told("### Answer: company search", answer(CompanySearch.CompanySearchResult))
    told("### A company", listed(CompanySearch.CompanySearchResult))
  })

  it("has every field of contact search", () => {
    told("### Request: contact search", names(PersonSearch.PersonSearchRequest.ast))
    told("### A person", listed(PersonSearch.PersonSearchResult))
  })

  it("has the prices", () => {
    const { page, row } = PriceBook.standard.search
    assert.deepStrictEqual(cells("## Prices"), ["row", "page", "pages"])
    assert.deepStrictEqual(cells("## Prices", 1), [String(row), String(page), ""])
  })
})
