/**
 * Hunter.io as a source: companies by domain, persons by name and domain.
 *
 * A person takes two calls. The finder's answer is the one that is paid for and that decides between hit, miss and
 * error; the enrichment behind it adds to a hit. When the enrichment misses or fails, the hit stands without it, and the
 * raw answer names what went wrong; only an objection (451) at either call ends in `Suppressed`.
 *
 * Gotchas
 * - The key goes into `Authorization`, never into the query, which ends up in logs.
 * - Each of the two calls has its own time, together less than the source's limit, so that a slow enrichment cannot take
 *   the finder's answer with it.
 */
import { Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Effect, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { type Ask, asking } from "./Asking.ts"
import * as Company from "./Company.ts"
import * as Directories from "./Directories.ts"
import * as Person from "./Person.ts"
import * as Refusal from "./Refusal.ts"

const { source } = Refusal

/** Where Hunter is; the paths begin with its version. */
export const defaultBaseUrl = "https://api.hunter.io"

export interface Options {
  /** Scheme and host, without a path. */
  readonly baseUrl?: string
}

/** Milliseconds that one call of a source may take, and its parts for a person. */
const TIME = { whole: 20_000, find: 14_000, enrich: 5_000 }

/** Seconds that Hunter may spend on finding an address; 3 to 20. */
const FINDER_SECONDS = "10"

const readCompany = VendorHttp.decode(source, Company.Company)
const readFound = VendorHttp.decode(source, Person.Found)
const readProfile = VendorHttp.decode(source, Person.Profile)

const within = (millis: number) =>
  Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.fail(new SourceError.TimedOut({ source })) })

const companyOutcome = (body: unknown) =>
  Effect.map(readCompany(body), (company) => {
    const facts = Company.facts(company)
    return Company.saysSomething(facts) ? Source.hit(facts, body) : Source.miss
  })

const companyBy = (ask: Ask): NonNullable<Source.Source["company"]>["call"] =>
  Effect.fnUntraced(function* ({ domain }, credential) {
    if (domain === null) return yield* new SourceError.InvalidInput({ source, problem: "no domain" })
    const body = yield* ask(HttpClientRequest.get("/v2/companies/find", { urlParams: { domain } }), credential)
    if (Option.isNone(body)) return Source.miss
    return yield* companyOutcome(body.value)
  })

/** What the second call of a person gave: a profile, nothing, or the error that a hit survives. */
interface Enrichment {
  readonly profile: Person.Profile | null
  readonly raw: unknown
  /** The tag of the error. */
  readonly problem: SourceError.SourceError["_tag"] | null
}

/** Errors of the second call that leave a hit standing: all but an objection. */
const isSurvived = (
  error: SourceError.SourceError
): error is Exclude<SourceError.SourceError, SourceError.Suppressed> => error._tag !== "Suppressed"

const enrichment = Effect.fnUntraced(
  function* (
    ask: Ask,
    email: string,
    credential: Source.Credential
  ): Effect.fn.Return<Enrichment, SourceError.SourceError> {
    const body = yield* ask(HttpClientRequest.get("/v2/people/find", { urlParams: { email } }), credential)
    if (Option.isNone(body)) return { profile: null, raw: null, problem: null }
    return { profile: yield* readProfile(body.value), raw: body.value, problem: null }
  },
  within(TIME.enrich),
  Effect.catchIf(isSurvived, ({ _tag }) => Effect.succeed<Enrichment>({ profile: null, raw: null, problem: _tag }))
)

const personBy = (ask: Ask): NonNullable<Source.Source["person"]>["call"] =>
  Effect.fnUntraced(function* ({ domain, first_name, last_name }, credential) {
    if (domain === null || first_name === null || last_name === null) {
      return yield* new SourceError.InvalidInput({ source, problem: "no first name, last name or domain" })
    }
    const request = HttpClientRequest.get("/v2/email-finder", {
      urlParams: { domain, first_name, last_name, max_duration: FINDER_SECONDS }
    })
    const body = yield* within(TIME.find)(ask(request, credential))
    if (Option.isNone(body)) return Source.miss
    const found = yield* readFound(body.value)
    const email = Person.addressOf(found)
    if (email === null) return Source.miss
    const { problem, profile, raw } = yield* enrichment(ask, email, credential)
    return Source.hit(Person.facts(found, email, profile), {
      email_finder: body.value,
      people_find: raw,
      ...(problem === null ? {} : { people_find_problem: problem })
    })
  })

/** The raw answer of a person: both bodies, the second where there was one. */
const PersonAnswer = Schema.Struct({ email_finder: Schema.Unknown, people_find: Schema.optional(Schema.Unknown) })
const readPersonAnswer = VendorHttp.decode(source, PersonAnswer)

const personOutcome = Effect.fnUntraced(function* (raw: unknown) {
  const { email_finder, people_find } = yield* readPersonAnswer(raw)
  const found = yield* readFound(email_finder)
  const email = Person.addressOf(found)
  if (email === null) return Source.miss
  const profile = people_find === null || people_find === undefined ? null : yield* readProfile(people_find)
  return Source.hit(Person.facts(found, email, profile), raw)
})

/** `GET /v2/account`: that there is one. Whose it is is not read. */
const readAccount = VendorHttp.decode(source, Schema.Struct({ data: Schema.Struct({ plan_name: Schema.String }) }))

const checkedBy = (ask: Ask): NonNullable<Source.Source["check"]>["call"] =>
  Effect.fnUntraced(function* (credential) {
    const body = yield* ask(HttpClientRequest.get("/v2/account"), credential)
    yield* readAccount(Option.getOrNull(body))
  })

const said = (value: string | null): boolean => value !== null && value.trim() !== ""

/** Hunter over the `HttpClient` of the context. */
export const make = Effect.fnUntraced(function* (
  options?: Options
): Effect.fn.Return<Source.Source, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const ask = asking(client, (options?.baseUrl ?? defaultBaseUrl).replace(/\/+$/, ""))
  return {
    adapter: source,
    version: "1",
    credential: "ApiKey",
    fixtures: { origin: "documented", date: "2026-08-04" },
    // Hunter allows 15 a second and 500 a minute for each path: a burst of 15, filled up again in as long as 500 allow.
    limits: { concurrency: 8, rate: { calls: 15, window: 1_800 }, timeout: TIME.whole },
    check: { question: "GET /v2/account", call: checkedBy(ask) },
    company: {
      fields: Company.fields,
      cost: { kind: "per_hit", units: 0.2, unit: "credit" },
      repeatable: true,
      accepts: ({ domain }) => said(domain),
      call: companyBy(ask),
      decode: companyOutcome
    },
    person: {
      fields: Person.fields,
      // 1 for an address that was found, 0.2 for the profile behind it.
      cost: { kind: "per_hit", units: 1.2, unit: "credit" },
      repeatable: true,
      accepts: ({ domain, first_name, last_name }) => said(domain) && said(first_name) && said(last_name),
      call: personBy(ask),
      decode: personOutcome
    },
    companyDirectory: Directories.companies(ask),
    personDirectory: Directories.people(ask)
  }
})
