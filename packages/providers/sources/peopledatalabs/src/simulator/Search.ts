/**
 * The vendor's two searches over the synthetic population: as much of Elasticsearch's query language as questions need,
 * run on lower-case records.
 *
 * Gotcha: a clause that is not known here is refused, so that no adapter passes by asking for something else.
 */
import { Population, type Simulator } from "@lading/testing"
import { Schema } from "effect"
import * as Records from "./Records.ts"

type Json = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** A query that this vendor does not run. */
class Refused extends Schema.TaggedError<Refused>()("Refused", { message: Schema.String }) {}

const only = (value: unknown): readonly [name: string, value: unknown] => {
  const [entry, ...others] = isRecord(value) ? Object.entries(value) : []
  if (entry === undefined || others.length > 0) throw new Refused({ message: "one clause expected" })
  return entry
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

/** The values of a field, a path with dots; `name.text` is `name` cut into words. */
const valuesAt = (record: unknown, field: string): ReadonlyArray<unknown> =>
  list(
    field
      .replace(/\.text$/, "")
      .split(".")
      .reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), record)
  )

const wordsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string" ? (value.match(/[\p{L}\p{N}]+/gu) ?? []) : []

const isText = (field: string): boolean => field.endsWith(".text") || field === "job_title"

const follows = (words: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  ` ${words.join(" ")} `.includes(` ${wanted.join(" ")} `)

const inRange = (value: unknown, range: unknown): boolean => {
  if (!isRecord(range) || typeof value !== "number") return false
  return value >= Number(range["gte"] ?? Number.NEGATIVE_INFINITY) && value <= Number(range["lte"] ?? Infinity)
}

const allOf = (queries: unknown, record: unknown): boolean => list(queries).every((one) => holds(one, record))

const clauses: Readonly<Record<string, (said: unknown, record: unknown) => boolean>> = {
  bool: (said, record) => {
    if (!isRecord(said)) throw new Refused({ message: "bool of what" })
    const { must = [], should, ...others } = said
    if (Object.keys(others).length > 0) throw new Refused({ message: "an unknown part of bool" })
    return allOf(must, record) && (should === undefined || list(should).some((one) => holds(one, record)))
  },
  terms: (said, record) => {
    const [field, wanted] = only(said)
    return valuesAt(record, field).some((value) => list(wanted).includes(value))
  },
  match: (said, record) => {
    const [field, wanted] = only(said)
    if (!isText(field)) return valuesAt(record, field).includes(wanted)
    return valuesAt(record, field).some((value) => wordsOf(wanted).some((word) => wordsOf(value).includes(word)))
  },
  match_phrase: (said, record) => {
    const [field, wanted] = only(said)
    return valuesAt(record, field).some((value) => follows(wordsOf(value), wordsOf(wanted)))
  },
  range: (said, record) => {
    const [field, range] = only(said)
    return valuesAt(record, field).some((value) => inRange(value, range))
  }
}

const holds = (query: unknown, record: unknown): boolean => {
  const [name, said] = only(query)
  const clause = clauses[name]
  if (clause === undefined) throw new Refused({ message: `no clause ${name}` })
  return clause(said, record)
}

/** What is found on a page, or what is wrong with the question. */
export type Page =
  | { readonly _tag: "Refused"; readonly message: string }
  | { readonly _tag: "Found"; readonly data: ReadonlyArray<unknown>; readonly total: number; readonly next: string }

/** A record in the case that is searched, and as it is shown. */
interface Kept {
  readonly lower: unknown
  readonly shown: unknown
}

const search = (asked: Simulator.Asked, all: (spell: Records.Spell) => ReadonlyArray<Kept>): Page => {
  const { query, scroll_token, size = 1, titlecase } = isRecord(asked.body) ? asked.body : {}
  if (!isRecord(query)) return { _tag: "Refused", message: "query or sql expected" }
  const from = Number(typeof scroll_token === "string" ? scroll_token.split("$")[0] : 0)
  if (!Number.isInteger(size) || Number(size) < 1 || Number(size) > 100 || !Number.isInteger(from)) {
    return { _tag: "Refused", message: "size or scroll_token is wrong" }
  }
  try {
    const kept = all(titlecase === true ? Records.titleCase : Records.lowerCase)
    const found = kept.filter(({ lower }) => holds(query, lower))
    const to = from + Number(size)
    return {
      _tag: "Found",
      data: found.slice(from, to).map(({ shown }) => shown),
      total: found.length,
      next: `${to}$12.176522`
    }
  } catch (error) {
    if (error instanceof Refused) return { _tag: "Refused", message: error.message }
    throw error
  }
}

const companiesOf = (people: Population.SyntheticPopulation) =>
  Array.from({ length: people.companies }, (_, index) => people.company(index))

/** What stands around a record of enrichment only. */
const bare = ({ likelihood: _likelihood, status: _status, ...record }: ReturnType<typeof Records.company>) => record

export const companies = (seed: number, people: Population.SyntheticPopulation, asked: Simulator.Asked): Page =>
  search(asked, (spell) =>
    companiesOf(people)
      .flatMap((company) => Population.viewCompany(seed, company) ?? [])
      .map((view) => ({
        lower: bare(Records.company(view, 0, Records.lowerCase)),
        shown: bare(Records.company(view, 0, spell))
      }))
  )

export const persons = (seed: number, people: Population.SyntheticPopulation, asked: Simulator.Asked): Page =>
  search(asked, (spell) =>
    companiesOf(people)
      .flatMap(people.peopleOf)
      .flatMap((one) => Population.viewPerson(seed, one) ?? [])
      .map((view) => ({
        lower: Records.person(view, 0, Records.lowerCase).data,
        shown: Records.person(view, 0, spell).data
      }))
  )
