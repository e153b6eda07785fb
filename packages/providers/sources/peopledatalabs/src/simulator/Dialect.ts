/**
 * How People Data Labs speaks: where the key is, what a question needs, how it refuses, and the headers that come with
 * every answer.
 */
import { Population, type Simulator } from "@lading/testing"
import * as Records from "./Records.ts"
import * as Search from "./Search.ts"

/** Makes this vendor's part of the population, and its spelling, its own. */
const VENDOR_SEED = 4

/** How sure the vendor is of everything it finds. */
const LIKELIHOOD = 8

type Query = Simulator.Asked["query"]

/** The meter is a Python dictionary in single quotes, as the vendor sends it. */
const headers = (spent: number): Readonly<Record<string, string>> => ({
  "x-ratelimit-limit": "{'minute': 100}",
  "x-ratelimit-remaining": "{'minute': 99}",
  "x-call-credits-spent": String(spent)
})

const refusal = (status: number, type: string, message: string): Simulator.Reply => ({
  status,
  headers: headers(0),
  body: { status, error: { type, message } }
})

const notFound = refusal(404, "not_found", "No records were found matching your request")

const invalid = (message: string): Simulator.Reply => refusal(400, "invalid_request_error", message)

const present = (query: Query, ...names: ReadonlyArray<string>): boolean =>
  names.some((name) => (query[name] ?? "") !== "")

const found = (query: Query, body: unknown): Simulator.Reply =>
  Number(query["min_likelihood"] ?? 2) > LIKELIHOOD ? notFound : { status: 200, headers: headers(1), body }

const spelling = (query: Query): Records.Spell =>
  query["titlecase"] === "true" ? Records.titleCase : Records.lowerCase

const hostOf = (website: string): string =>
  website
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/.*$/, "")

const companyOf = (people: Population.SyntheticPopulation, website: string, name: string) =>
  people.companyByDomain(hostOf(website)) ?? (name === "" ? null : people.companyByName(name))

const enrichCompany = (people: Population.SyntheticPopulation, query: Query): Simulator.Reply => {
  if (!present(query, "pdl_id", "name", "profile", "ticker", "website"))
    return invalid("Nothing to look a company up by")
  const company = companyOf(people, query["website"] ?? "", query["name"] ?? "")
  const view = company === null ? null : Population.viewCompany(VENDOR_SEED, company)
  return view === null ? notFound : found(query, Records.company(view, LIKELIHOOD, spelling(query)))
}

const personOf = (people: Population.SyntheticPopulation, query: Query) => {
  if (present(query, "email")) return people.personByEmail(query["email"] ?? "")
  const company = companyOf(people, query["company"] ?? "", query["company"] ?? "")
  return company === null ? null : people.personBy(query["first_name"] ?? "", query["last_name"] ?? "", company.domain)
}

const enrichPerson = (people: Population.SyntheticPopulation, query: Query): Simulator.Reply => {
  const named = present(query, "name") || (present(query, "first_name") && present(query, "last_name"))
  const placed = present(query, "locality", "region", "company", "school", "location", "postal_code")
  if (!present(query, "profile", "email", "phone", "email_hash", "lid", "pdl_id") && !(named && placed)) {
    return invalid("Too little to look a person up by")
  }
  const person = personOf(people, query)
  const view = person === null ? null : Population.viewPerson(VENDOR_SEED, person)
  return view === null ? notFound : found(query, Records.person(view, LIKELIHOOD, spelling(query)))
}

/** A page of records, each of which is charged. */
const paged = (page: Search.Page): Simulator.Reply => {
  if (page._tag === "Refused") return invalid(page.message)
  if (page.data.length === 0) return notFound
  return {
    status: 200,
    headers: headers(page.data.length),
    body: { status: 200, data: page.data, scroll_token: page.next, total: page.total, dataset_version: "35.0" }
  }
}

interface Endpoint {
  readonly method: string
  readonly answer: (asked: Simulator.Asked) => Simulator.Reply
}

const endpoints = (people: Population.SyntheticPopulation): Readonly<Record<string, Endpoint>> => ({
  "/v5/company/enrich": { method: "GET", answer: ({ query }) => enrichCompany(people, query) },
  "/v5/person/enrich": { method: "GET", answer: ({ query }) => enrichPerson(people, query) },
  "/v5/company/search": { method: "POST", answer: (asked) => paged(Search.companies(VENDOR_SEED, people, asked)) },
  "/v5/person/search": { method: "POST", answer: (asked) => paged(Search.persons(VENDOR_SEED, people, asked)) }
})

/** How this vendor speaks of a population. */
export const make = (people: Population.SyntheticPopulation): Simulator.Dialect => ({
  vendor: "peopledatalabs",
  credential: (asked) => asked.headers["x-api-key"] ?? asked.query["api_key"] ?? null,
  answer: (asked) => {
    const endpoint = endpoints(people)[asked.path]
    if (endpoint === undefined) return { status: 404, body: "404 page not found" }
    if (asked.method !== endpoint.method) return refusal(405, "invalid_request_error", "Not a method of this endpoint")
    return endpoint.answer(asked)
  },
  miss: () => notFound,
  wrongKey: () => refusal(401, "authentication_error", "The API key is not valid"),
  quotaExhausted: () => {
    const reply = refusal(402, "payment_required", "The credits are used up")
    return { ...reply, headers: { ...reply.headers, "x-totallimit-remaining": "0" } }
  },
  // A time, not a number of seconds: reading the clock here is the vendor's own habit.
  rateLimited: (seconds) => ({
    status: 429,
    headers: {
      ...headers(0),
      "x-ratelimit-remaining": "{'minute': 0}",
      ...(seconds === null ? {} : { "x-ratelimit-reset": new Date(Date.now() + seconds * 1000).toISOString() })
    },
    body: { status: 429, error: { type: ["rate_limit_error"], message: "Too many requests in this minute" } }
  }),
  suppressed: null
})
