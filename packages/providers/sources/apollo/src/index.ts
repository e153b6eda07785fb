/**
 * Apollo.io as a source: companies by domain, persons by name and domain. One request per question, answered at once.
 *
 * Gotchas
 * - `people/match` is a POST whose question stands in the query: a JSON body is said to be ignored, without an error.
 * - Nothing is revealed that costs more or comes later (`reveal_personal_emails`, `reveal_phone_number`, `run_waterfall_*`);
 *   the one that a default could turn on is sent as `false`.
 * - `request_id` goes beyond 2^53. `VendorHttp` keeps its digits, so that a result can be asked for with a raw answer's.
 */
import { Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Company from "./Company.ts"
import { type Ask, asking } from "./Asking.ts"
import * as Directories from "./Directories.ts"
import { found } from "./Found.ts"
import * as Person from "./Person.ts"
import * as Refusal from "./Refusal.ts"

const { source } = Refusal

/** Where Apollo is; the paths begin with `/api/v1`. */
export const defaultBaseUrl = "https://api.apollo.io"

export interface Options {
  /** Scheme and host, without a path. */
  readonly baseUrl?: string
}

const readCompany = VendorHttp.decode(source, Company.Company)
const readPerson = VendorHttp.decode(source, Person.Person)

const companyOutcome = Effect.fnUntraced(function* (body: unknown) {
  if (!(yield* found("organization", body))) return Source.miss
  const { organization } = yield* readCompany(body)
  return Source.hit(Company.facts(organization), body)
})

const personOutcome = Effect.fnUntraced(function* (body: unknown) {
  if (!(yield* found("person", body))) return Source.miss
  const person = yield* readPerson(body)
  return Person.isMatch(person) ? Source.hit(Person.facts(person), body) : Source.miss
})

/** `GET /api/v1/auth/health` is a 200 for every key: what it says is whether the key is one. */
const Health = Schema.Struct({ is_logged_in: Schema.Boolean })
const readHealth = VendorHttp.decode(source, Health)

const checkedBy = (ask: Ask): NonNullable<Source.Source["check"]>["call"] =>
  Effect.fnUntraced(function* (credential) {
    const body = yield* ask("is_logged_in", HttpClientRequest.get("/api/v1/auth/health"), credential)
    if (!(yield* readHealth(body)).is_logged_in) return yield* new SourceError.Unauthorized({ source })
  })

const said = (value: string | null): value is string => value !== null && value.trim() !== ""

const companyBy = (ask: Ask): NonNullable<Source.Source["company"]>["call"] =>
  Effect.fnUntraced(function* ({ domain }, credential) {
    if (!said(domain)) return yield* new SourceError.InvalidInput({ source, problem: "no domain" })
    const request = HttpClientRequest.get("/api/v1/organizations/enrich", { urlParams: { domain } })
    return yield* companyOutcome(yield* ask("organization", request, credential))
  })

const personBy = (ask: Ask): NonNullable<Source.Source["person"]>["call"] =>
  Effect.fnUntraced(function* ({ domain, first_name, last_name }, credential) {
    if (!said(domain) || !said(first_name) || !said(last_name)) {
      return yield* new SourceError.InvalidInput({ source, problem: "no first name, last name or domain" })
    }
    const request = HttpClientRequest.post("/api/v1/people/match", {
      urlParams: { first_name, last_name, domain, reveal_personal_emails: "false" }
    })
    return yield* personOutcome(yield* ask("person", request, credential))
  })

/** Apollo over the `HttpClient` of the context. */
export const make = Effect.fnUntraced(function* (
  options?: Options
): Effect.fn.Return<Source.Source, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const ask = asking(client, (options?.baseUrl ?? defaultBaseUrl).replace(/\/+$/, ""))
  return {
    adapter: source,
    version: "1",
    credential: "ApiKey",
    fixtures: { origin: "documented", date: "2026-08-13" },
    // Enrichment on a paid plan: 1,000 a minute for a team and a path. Free plans have 50.
    limits: { concurrency: 8, rate: { calls: 1_000, window: 60_000 }, timeout: 20_000 },
    check: { question: "GET /api/v1/auth/health", call: checkedBy(ask) },
    company: {
      fields: Company.fields,
      cost: { kind: "per_hit", units: 1, unit: "credit" },
      repeatable: true,
      accepts: ({ domain }) => said(domain),
      call: companyBy(ask),
      decode: companyOutcome
    },
    person: {
      fields: Person.fields,
      cost: { kind: "per_hit", units: 1, unit: "credit" },
      repeatable: true,
      accepts: ({ domain, first_name, last_name }) => said(domain) && said(first_name) && said(last_name),
      call: personBy(ask),
      decode: personOutcome
    },
    companyDirectory: Directories.companies(ask),
    personDirectory: Directories.people(ask)
  }
})
