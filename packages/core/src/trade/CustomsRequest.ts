/**
 * What requests about customs records are made of: the fields, under every name that they may have, and how the question
 * is read out of them.
 *
 * Gotchas
 * - Where a field has several names, any of them may be sent, also two that say the same; two that differ are refused.
 * - What is left out is no bound. A range of dates is judged where both ends are given.
 */
import { Schema } from "effect"
import { isDate } from "../value/CalendarDate.ts"
import * as Country from "../value/Country.ts"
import { Granularity } from "./Period.ts"
import * as TradeFilter from "./TradeFilter.ts"
import * as TradePlace from "./TradePlace.ts"
import { type Dates, type HsLevel, newest, type Sort } from "./TradeQuestion.ts"
import { firstDay, lastDay, Transport } from "./TradeRecord.ts"
import type { TradeRole } from "./TradeRole.ts"

/** The longest text that is looked for, in characters. */
const longest = 300

/** How many values a list of them may have. */
const most = 100

/** Words to look for, or a name. */
export const Words = Schema.String.check(
  Schema.isMaxLength(longest),
  Schema.makeFilter((text) => text.trim() !== "" || "Expected a text, got a blank one")
)

const CompanyId = Schema.String.check(
  Schema.makeFilter((text) => (text.trim() !== "" && text.length <= 100) || "Expected the id of a company")
).annotate({ description: "As `company_id` in the answers" })

const roleOfWord = {
  importer: "importer",
  exporter: "exporter",
  import: "importer",
  export: "exporter",
  buyer: "importer",
  seller: "exporter"
} as const

/** A side of a trade, in any of its words. */
const RoleWord = Schema.Literals(["importer", "exporter", "import", "export", "buyer", "seller"])
type RoleWord = typeof RoleWord.Type

const roleOf = (word: RoleWord): TradeRole => roleOfWord[word]

const isKept = (day: string): boolean => firstDay <= day && day <= lastDay

const Day = Schema.String.check(
  Schema.makeFilter((text) => isDate(text) || "Expected a date of the calendar as YYYY-MM-DD"),
  // No record is of another day: whoever asks beyond has mistyped, or means no bound, which is left out.
  Schema.makeFilter((text) => !isDate(text) || isKept(text) || `Expected a date from ${firstDay} to ${lastDay}`)
)

/** By name or ISO 3166-1 code. */
export const CountryName = Schema.String.check(
  Schema.makeFilter((text) => Country.code(text) !== null || "Expected a country, by name or ISO 3166-1 code")
)

export const list = <S extends Schema.Top>(of: S) => Schema.optional(Schema.Array(of).check(Schema.isMaxLength(most)))

/** With points, spaces or hyphens between the digits, or without. */
const digits = (code: string): string => code.replace(/[.\s-]/g, "")

const HsPrefix = Schema.String.check(
  Schema.makeFilter(
    (code) => (code.length <= 20 && /^\d{2,6}$/.test(digits(code))) || "Expected the first 2 to 6 digits of an HS code"
  )
)

const Bound = Schema.optional(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)))

export const Range = Schema.Struct({ min: Bound, max: Bound }).check(
  Schema.makeFilter(({ max, min }) => min === undefined || max === undefined || min <= max || "Expected min <= max")
)

/** The newest first, unless something else is said. */
const SortWord = Schema.Literals([
  "date",
  "date_desc",
  "date_asc",
  "amount",
  "amount_desc",
  "amount_asc",
  "weight",
  "weight_desc",
  "weight_asc"
])

/** Which company; one of the three names. */
export const companyFields = {
  company_id: Schema.optional(CompanyId),
  companyId: Schema.optional(CompanyId),
  id: Schema.optional(CompanyId)
}
const companyNames = ["company_id", "companyId", "id"] as const

/** On which side; one of the five names. */
export const roleFields = {
  role: Schema.optional(RoleWord),
  type: Schema.optional(RoleWord),
  tradeType: Schema.optional(RoleWord),
  trade_type: Schema.optional(RoleWord),
  company_role: Schema.optional(RoleWord)
}
const roleNames = ["role", "type", "tradeType", "trade_type", "company_role"] as const

export const dateFields = { start_time: Schema.optional(Day), end_time: Schema.optional(Day) }

/** Pages by number. */
export const pageFields = {
  page: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
}

export const cursorFields = {
  cursor: Schema.optional(
    Schema.String.check(Schema.isMaxLength(4000)).annotate({ description: "next_cursor of the page before" })
  )
}

/** A list without page numbers: whoever counts on would read the first page again, and pay for it. */
export const firstPageField = { page: Schema.optional(Schema.Literal(1)) }

/** Pages by number or by cursor. */
export const pagingFields = { ...pageFields, ...cursorFields }

/** Filters F. */
export const filterFields = {
  product: Schema.optional(Words),
  hs_code: Schema.optional(HsPrefix),
  flow: Schema.optional(Schema.Literals(["import", "export"])),
  importer: Schema.optional(Words),
  exporter: Schema.optional(Words),
  importer_id: Schema.optional(CompanyId),
  exporter_id: Schema.optional(CompanyId),
  origin_countries: list(CountryName),
  destination_countries: list(CountryName),
  ports: list(Words),
  transport: Schema.optional(Schema.Union([Transport, Schema.Array(Transport).check(Schema.isMaxLength(most))])),
  weight_range: Schema.optional(Range).annotate({ description: "Kilograms, both ends included" }),
  amount_range: Schema.optional(Range).annotate({ description: "US dollars, both ends included" }),
  ...dateFields
}

export const sortFields = { sort: Schema.optional(SortWord) }

export const granularityFields = { granularity: Schema.optional(Granularity) }

export const CountryField = Schema.optional(CountryName)

/** Two, four or six digits; six unless said otherwise. */
export const levelFields = { level: Schema.optional(Schema.Literals([2, 4, 6])) }

type Company = { readonly [Name in (typeof companyNames)[number]]?: string | undefined }
type Role = { readonly [Name in (typeof roleNames)[number]]?: RoleWord | undefined }
interface Days {
  readonly start_time?: string | undefined
  readonly end_time?: string | undefined
}

export const companyOf = ({ company_id, companyId, id }: Company): string | null =>
  company_id ?? companyId ?? id ?? null

export const roleIn = ({ company_role, role, tradeType, trade_type, type }: Role): TradeRole | null => {
  const word = role ?? type ?? tradeType ?? trade_type ?? company_role
  return word === undefined ? null : roleOf(word)
}

export const datesOf = ({ end_time, start_time }: Days): Dates => ({ from: start_time ?? null, to: end_time ?? null })

const issue = (path: string, message: string) => ({ path: [path], issue: message })

/** The first value, and where another one stands beside it. */
const disagreeing = (values: ReadonlyArray<readonly [name: string, value: unknown]>) => {
  const [first, ...others] = values.filter(([, value]) => value !== undefined)
  return others.flatMap(([name, value]) =>
    first === undefined || value === first[1]
      ? []
      : [issue(name, `Expected what ${first[0]} says, or only one of them`)]
  )
}

/** Ids that are sent under several names agree. */
const sameCompany = (request: Company) => disagreeing(companyNames.map((name) => [name, request[name]]))

const sameRole = (request: Role) =>
  disagreeing(
    roleNames.map((name) => {
      const word = request[name]
      return [name, word === undefined ? undefined : roleOf(word)]
    })
  )

/** The same day ten years later; a leap day counts as the day before. */
const tenYearsAfter = (date: string): string =>
  `${Number(date.slice(0, 4)) + 10}`.padStart(4, "0") + date.slice(4).replace("-02-29", "-02-28")

const orderedDates = ({ end_time, start_time }: Days) => {
  if (start_time === undefined || end_time === undefined) return []
  if (start_time > end_time) return [issue("end_time", "Expected a date that is not before start_time")]
  return end_time > tenYearsAfter(start_time) ? [issue("end_time", "Expected at most 10 years behind start_time")] : []
}

/** Where both are given, the number could only contradict the cursor. */
const oneWay = ({ cursor, page }: { readonly cursor?: string | undefined; readonly page?: number | undefined }) =>
  cursor === undefined || page === undefined ? [] : [issue("page", "Expected page or cursor, not both")]

type Anything = Company & Role & Days & { readonly cursor?: string | undefined; readonly page?: number | undefined }

/** What has to be said, by the name under which the endpoint documents it. */
export interface Needs {
  readonly company?: (typeof companyNames)[number]
  readonly role?: (typeof roleNames)[number]
}

/** The checks of a request as a whole; each names the field that it is about. */
export const whole = ({ company, role }: Needs = {}) =>
  Schema.makeFilter((request: Anything) => [
    ...(company !== undefined && companyOf(request) === null ? [issue(company, "Expected the id of a company")] : []),
    ...(role !== undefined && roleIn(request) === null ? [issue(role, "Expected importer or exporter")] : []),
    ...sameCompany(request),
    ...sameRole(request),
    ...orderedDates(request),
    ...oneWay(request)
  ])

/** Countries as codes. */
export const codes = (names: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  names.flatMap((name) => Country.code(name) ?? [])

/** Records write a port by its name or by its code: whichever is asked for, both are meant. */
const portNames = (names: ReadonlyArray<string> = []): ReadonlyArray<string> => [
  ...new Set(
    names.flatMap((name) => {
      const port = TradePlace.port(name)
      return port === null ? [name] : [name, port.locode, port.name]
    })
  )
]

type RangeField = typeof Range.Type | undefined

const spanOf = (range: RangeField): TradeFilter.Span | null =>
  range === undefined || (range.min === undefined && range.max === undefined)
    ? null
    : { least: range.min ?? null, most: range.max ?? null }

const Filters = Schema.Struct(filterFields)
type Filters = typeof Filters.Type

const transports = (transport: Filters["transport"]): ReadonlyArray<Transport> => {
  if (transport === undefined) return []
  return typeof transport === "string" ? [transport] : transport
}

/** Filters F as the store is asked. */
export const filterOf = (request: Filters): TradeFilter.TradeFilter => ({
  ...TradeFilter.all,
  product: request.product ?? null,
  hs_prefix: request.hs_code === undefined ? null : digits(request.hs_code),
  flow: request.flow ?? null,
  importer: request.importer ?? null,
  exporter: request.exporter ?? null,
  importer_ids: request.importer_id === undefined ? [] : [request.importer_id],
  exporter_ids: request.exporter_id === undefined ? [] : [request.exporter_id],
  origin_countries: codes(request.origin_countries),
  destination_countries: codes(request.destination_countries),
  ports: portNames(request.ports),
  transport: transports(request.transport),
  weight_kg: spanOf(request.weight_range),
  amount_usd: spanOf(request.amount_range),
  ...datesOf(request)
})

const sorts: Readonly<Record<typeof SortWord.Type, Sort>> = {
  date: newest,
  date_desc: newest,
  date_asc: { by: "date", order: "asc" },
  amount: { by: "amount", order: "desc" },
  amount_desc: { by: "amount", order: "desc" },
  amount_asc: { by: "amount", order: "asc" },
  weight: { by: "weight", order: "desc" },
  weight_desc: { by: "weight", order: "desc" },
  weight_asc: { by: "weight", order: "asc" }
}

export const sortOf = ({ sort }: { readonly sort?: typeof SortWord.Type | undefined }): Sort =>
  sort === undefined ? newest : sorts[sort]

export const levelOf = ({ level }: { readonly level?: HsLevel | undefined }): HsLevel => level ?? 6

export const hsPrefixOf = (hs_code: string | undefined): string | null =>
  hs_code === undefined ? null : digits(hs_code)

export const countryOf = (country: string | undefined): string | null =>
  country === undefined ? null : Country.code(country)
