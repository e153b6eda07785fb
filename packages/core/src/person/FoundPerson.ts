/** A person as a search shows them: whether a filter finds them, in which order, and who is the same. Pure. */
import { Schema } from "effect"
import * as DomainName from "../value/DomainName.ts"
import * as Page from "../value/Page.ts"
import * as Text from "../value/Text.ts"
import { type KnownPerson, nameOf } from "./KnownPeople.ts"
import type { PersonFilter, PersonHit } from "./PersonDirectory.ts"
import * as PersonSummary from "./PersonSummary.ts"
import * as TitleClass from "./TitleClass.ts"

export const FoundPerson = Schema.Struct({
  ...PersonSummary.fields,
  sources: Schema.Array(Schema.String).annotate({ description: "Who knows them: own, or vendors by name" }),
  credits: Schema.Finite
}).annotate({ identifier: "FoundPerson" })

/** Before it has a price. */
export type Item = Omit<typeof FoundPerson.Type, "credits">

const titled = (title: string | null, wanted: ReadonlyArray<string>): boolean => {
  const said = ` ${Text.words(title ?? "").join(" ")} `
  return wanted.length === 0 || wanted.some((one) => said.includes(` ${Text.words(one).join(" ")} `))
}

const among = <A>(said: ReadonlyArray<A>, wanted: ReadonlyArray<A>): boolean =>
  wanted.length === 0 || wanted.some((one) => said.includes(one))

/** Whether a filter finds somebody who is known; what is not known of them does not hold. */
export const matches = (filter: PersonFilter, { company_domain, country, current_title }: KnownPerson): boolean => {
  const rank = TitleClass.seniority(current_title)
  return (
    (filter.company_domain === null || DomainName.sameOwner(filter.company_domain, company_domain)) &&
    titled(current_title, filter.titles) &&
    among(rank === null ? [] : [rank], filter.seniorities) &&
    among(TitleClass.departments(current_title), filter.departments) &&
    among(country === null ? [] : [country], filter.countries)
  )
}

/** The rank, then the name: what known people are ordered by. */
export const Position = Schema.Tuple([Schema.Int, Schema.String])
type Position = typeof Position.Type

export const positionOf = (person: KnownPerson): Position => [
  TitleClass.rank(TitleClass.seniority(person.current_title)),
  nameOf({ first_name: person.last_name, last_name: person.first_name })
]

const order = ([rank, name]: Position, [others, another]: Position): number =>
  rank - others || (name < another ? -1 : name > another ? 1 : 0)

/** From the top, then by last name. */
export const compare = (a: KnownPerson, b: KnownPerson): number => order(positionOf(a), positionOf(b))
export const compareTo = (person: KnownPerson, position: Position): number => order(positionOf(person), position)

export const ofKnown = (person: KnownPerson): Item => ({
  ...person,
  last_name_hint: null,
  seniority: TitleClass.seniority(person.current_title),
  department: TitleClass.departments(person.current_title)[0] ?? null,
  sources: ["own"]
})

export const ofHit = (hit: PersonHit, source: string): Item => ({ ...PersonSummary.of(hit), sources: [source] })

/** By page, by address, or by both names at the same company. */
export const same = (a: Item, b: Item): boolean => {
  if (a.linkedin_url !== null && b.linkedin_url !== null) return Page.key(a.linkedin_url) === Page.key(b.linkedin_url)
  const addresses = new Set(a.emails.map(({ email }) => email.toLowerCase()))
  if (b.emails.some(({ email }) => addresses.has(email.toLowerCase()))) return true
  const [first, last] = [Text.bare(a.first_name ?? ""), Text.bare(a.last_name ?? "")]
  return first !== "" && last !== "" && first === Text.bare(b.first_name ?? "") && last === Text.bare(b.last_name ?? "")
}

const either = <A>(a: ReadonlyArray<A>, b: ReadonlyArray<A>): ReadonlyArray<A> => (a.length > 0 ? a : b)

/** One of two: what the first one does not know the second says. */
export const merged = (a: Item, b: Item): Item => ({
  first_name: a.first_name ?? b.first_name,
  last_name: a.last_name ?? b.last_name,
  last_name_hint: a.last_name === null && b.last_name === null ? (a.last_name_hint ?? b.last_name_hint) : null,
  current_title: a.current_title ?? b.current_title,
  company_name: a.company_name ?? b.company_name,
  company_domain: a.company_domain ?? b.company_domain,
  seniority: a.seniority ?? b.seniority,
  department: a.department ?? b.department,
  city: a.city ?? b.city,
  country: a.country ?? b.country,
  linkedin_url: a.linkedin_url ?? b.linkedin_url,
  emails: either(a.emails, b.emails),
  phones: either(a.phones, b.phones),
  sources: [...new Set([...a.sources, ...b.sources])]
})

/** The items with one more: merged with the one that is the same, else behind them. */
export const put = (items: ReadonlyArray<Item>, item: Item): ReadonlyArray<Item> => {
  const index = items.findIndex((one) => same(one, item))
  const before = items[index]
  return before === undefined ? [...items, item] : items.with(index, merged(before, item))
}
