/**
 * Snov.io as a source: companies by domain, persons by name and domain. A question is a task: it is started, and its result
 * is asked for until it is there. What is not there in time is `Pending`, with the hash of the task as its handle, and
 * `resume` asks for it later.
 *
 * A person is a task and a call: the finder's answer is the one that decides between hit, miss and error; the profile
 * behind the address adds to a hit. When the profile misses or fails, the hit stands without it, and the raw answer names
 * what went wrong.
 *
 * Gotchas
 * - Every request carries a token that was fetched for a client id and its secret (`Tokens.ts`). A token that is refused
 *   is replaced once: Snov.io may end it before its time.
 * - A call is many requests, while Snov.io allows 60 a minute of all kinds together; the limits count calls.
 * - A task belongs to the account that started it: a handle is of no use with another one's credential.
 */
import { Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Company from "./Company.ts"
import * as Person from "./Person.ts"
import * as Refusal from "./Refusal.ts"
import * as Task from "./Task.ts"
import * as Tokens from "./Tokens.ts"

const { source } = Refusal

/** Where Snov.io is; the paths begin with the version of each. */
export const defaultBaseUrl = "https://api.snov.io"

export interface Options {
  /** Scheme and host, without a path. */
  readonly baseUrl?: string
  /** How results are asked for; left out members are the defaults. */
  readonly pace?: Partial<Task.Pace>
}

/** A fifth of a request's usual 20 s, so that an order of several sources leaves room for it. */
const PACE: Task.Pace = { first: 1_000, every: 2_000, patience: 4_000 }

/** Milliseconds for the profile behind an address, and for a whole call. */
const TIME = { profile: 5_000, whole: 20_000 }

/** A request with a token: the body of a success, else the error that the answer stands for. */
type Ask = (
  request: HttpClientRequest.HttpClientRequest,
  credential: Source.Credential
) => Effect.Effect<unknown, SourceError.SourceError>

const isClient = (credential: Source.Credential): credential is Tokens.Client =>
  credential._tag === "Client" && Redacted.value(credential.id) !== "" && Redacted.value(credential.secret) !== ""

const asking = (http: HttpClient.HttpClient, baseUrl: string, tokens: Tokens.Tokens): Ask => {
  const send = (request: HttpClientRequest.HttpClientRequest, { value }: Tokens.Token) =>
    request.pipe(
      HttpClientRequest.prependUrl(baseUrl),
      HttpClientRequest.bearerToken(value),
      // Nothing else that is secret goes out, so that nothing else can come back.
      VendorHttp.json(source, { _tag: "ApiKey", key: value }),
      Effect.provideService(HttpClient.HttpClient, http)
    )
  return Effect.fnUntraced(function* (request, credential) {
    if (!isClient(credential)) return yield* new SourceError.Unauthorized({ source })
    const token = yield* tokens.get(credential)
    let answer = yield* send(request, token)
    if (answer.status === 401) {
      yield* tokens.drop(credential, token)
      answer = yield* send(request, yield* tokens.get(credential))
    }
    const { body, headers, status } = answer
    if (status >= 200 && status <= 202) {
      return Refusal.speaksOfCredits(body) ? yield* new SourceError.QuotaExhausted({ source }) : body
    }
    const retryAfter = VendorHttp.retryAfter(headers, yield* Clock.currentTimeMillis)
    return yield* Refusal.read({ status, body, retryAfter })
  })
}

/** How one operation starts its task, asks for the result, and reads it. */
interface Kind<Identity, Facts> {
  /** What is wrong with the identity; `null` where nothing is. */
  readonly objection: (identity: Identity) => string | null
  readonly start: (identity: Identity) => HttpClientRequest.HttpClientRequest
  readonly result: (hash: string) => HttpClientRequest.HttpClientRequest
  /** Of the result of a task that is done. */
  readonly read: (
    body: unknown,
    credential: Source.Credential
  ) => Effect.Effect<Source.Outcome<Facts>, SourceError.SourceError>
}

type Served<Identity, Facts> = Required<Pick<Source.SourceOperation<Identity, Facts>, "accepts" | "call" | "resume">>

const served = <Identity, Facts>(ask: Ask, pace: Task.Pace, kind: Kind<Identity, Facts>): Served<Identity, Facts> => ({
  accepts: (identity) => kind.objection(identity) === null,

  call: Effect.fnUntraced(function* (identity, credential): Effect.fn.Return<
    Source.Outcome<Facts>,
    SourceError.SourceError
  > {
    const problem = kind.objection(identity)
    if (problem !== null) return yield* new SourceError.InvalidInput({ source, problem })
    const began = yield* Clock.currentTimeMillis
    const hash = yield* Task.hashOf(yield* ask(kind.start(identity), credential))
    yield* Source.begun(hash)
    const left = began + pace.patience - (yield* Clock.currentTimeMillis)
    const body = yield* Task.result(ask(kind.result(hash), credential), pace, left)
    return Option.isNone(body) ? Source.pending(hash) : yield* kind.read(body.value, credential)
  }),

  resume: Effect.fnUntraced(function* (handle, credential): Effect.fn.Return<
    Source.Outcome<Facts>,
    SourceError.SourceError
  > {
    if (!Task.isHash(handle)) return yield* new SourceError.InvalidInput({ source, problem: "no handle of a task" })
    const body = yield* ask(kind.result(handle), credential)
    return (yield* Task.isDone(body)) ? yield* kind.read(body, credential) : Source.pending(handle)
  })
})

const said = (value: string | null): boolean => value !== null && value.trim() !== ""

const readCompany = VendorHttp.decode(source, Company.Company)
const readFound = VendorHttp.decode(source, Person.Found)
const readProfile = VendorHttp.decode(source, Person.Profile)

const companyOutcome = (body: unknown) =>
  Effect.map(readCompany(body), (company) => {
    const facts = Company.facts(company)
    return Company.saysSomething(facts) ? Source.hit(facts, body) : Source.miss
  })

const company: Kind<Source.Operations["company"]["identity"], Source.Operations["company"]["facts"]> = {
  objection: ({ domain }) => (said(domain) ? null : "no domain"),
  start: ({ domain }) =>
    HttpClientRequest.post("/v2/domain-search/start").pipe(HttpClientRequest.bodyUrlParams({ domain: domain ?? "" })),
  result: (hash) => HttpClientRequest.get(`/v2/domain-search/result/${hash}`),
  read: companyOutcome
}

/** What the second call of a person gave: a profile, nothing, or the error that a hit survives. */
interface Behind {
  readonly profile: Person.Profile | null
  readonly raw: unknown
  /** The tag of the error. */
  readonly problem: SourceError.SourceError["_tag"] | null
}

const behind = (ask: Ask, email: string, credential: Source.Credential): Effect.Effect<Behind> =>
  HttpClientRequest.post("/v1/get-profile-by-email").pipe(
    HttpClientRequest.bodyUrlParams({ email }),
    (request) => ask(request, credential),
    Effect.flatMap((raw) =>
      Effect.map(readProfile(raw), (read): Behind => {
        const profile = Person.somebody(read)
        return { profile, raw: profile === null ? null : raw, problem: null }
      })
    ),
    Effect.timeoutOrElse({ duration: TIME.profile, orElse: () => Effect.fail(new SourceError.TimedOut({ source })) }),
    Effect.catch(({ _tag }) => Effect.succeed<Behind>({ profile: null, raw: null, problem: _tag }))
  )

const person = (ask: Ask): Kind<Source.Operations["person"]["identity"], Source.Operations["person"]["facts"]> => ({
  objection: ({ domain, first_name, last_name }) =>
    said(domain) && said(first_name) && said(last_name) ? null : "no first name, last name or domain",
  start: ({ domain, first_name, last_name }) =>
    HttpClientRequest.post("/v2/emails-by-domain-by-name/start").pipe(
      HttpClientRequest.bodyJsonUnsafe({ rows: [{ first_name, last_name, domain }] })
    ),
  result: (task_hash) => HttpClientRequest.get("/v2/emails-by-domain-by-name/result", { urlParams: { task_hash } }),
  read: Effect.fnUntraced(function* (body, credential): Effect.fn.Return<
    Source.Outcome<Source.Operations["person"]["facts"]>,
    SourceError.SourceError
  > {
    const found = yield* readFound(body)
    if (Person.isHidden(found)) return yield* new SourceError.Suppressed({ source })
    const [first] = Person.emails(found)
    if (first === undefined) return Source.miss
    const { problem, profile, raw } = yield* behind(ask, first.email, credential)
    return Source.hit(Person.facts(found, profile), {
      emails_by_name: body,
      profile: raw,
      ...(problem === null ? {} : { profile_problem: problem })
    })
  })
})

/** The raw answer of a person: both bodies, the second where there was one. */
const PersonAnswer = Schema.Struct({ emails_by_name: Schema.Unknown, profile: Schema.optional(Schema.Unknown) })
const readPersonAnswer = VendorHttp.decode(source, PersonAnswer)

const personOutcome = Effect.fnUntraced(function* (raw: unknown) {
  const { emails_by_name, profile } = yield* readPersonAnswer(raw)
  const found = yield* readFound(emails_by_name)
  if (Person.isHidden(found) || Person.emails(found).length === 0) return Source.miss
  const read = profile === null || profile === undefined ? null : yield* readProfile(profile)
  return Source.hit(Person.facts(found, read), raw)
})

/** `GET /v1/get-balance`: that there is one. */
const Balance = Schema.Struct({ data: Schema.Struct({ balance: Schema.Union([Schema.String, Schema.Finite]) }) })
const readBalance = VendorHttp.decode(source, Balance)

/** With a token: one that was kept for a client that is refused by now is found out. */
const checkedBy = (ask: Ask): NonNullable<Source.Source["check"]>["call"] =>
  Effect.fnUntraced(function* (credential) {
    yield* readBalance(yield* ask(HttpClientRequest.get("/v1/get-balance"), credential))
  })

/** Snov.io over the `HttpClient` of the context. */
export const make = Effect.fnUntraced(function* (
  options?: Options
): Effect.fn.Return<Source.Source, never, HttpClient.HttpClient> {
  const http = yield* HttpClient.HttpClient
  const baseUrl = (options?.baseUrl ?? defaultBaseUrl).replace(/\/+$/, "")
  const ask = asking(http, baseUrl, yield* Tokens.make(http, baseUrl))
  const pace = { ...PACE, ...options?.pace }
  return {
    adapter: source,
    version: "1",
    credential: "Client",
    fixtures: { origin: "documented", date: "2026-09-16" },
    // 60 requests a minute; a call is some five: the start, two or three results, the profile.
    limits: { concurrency: 3, rate: { calls: 3, window: 15_000 }, timeout: TIME.whole },
    check: { question: "GET /v1/get-balance", call: checkedBy(ask) },
    company: {
      fields: Company.fields,
      cost: { kind: "per_hit", units: 1, unit: "credit" },
      // The same domain is not paid for twice.
      repeatable: true,
      ...served(ask, pace, company),
      decode: companyOutcome
    },
    person: {
      fields: Person.fields,
      // 1 for an address that was found, 1 for the profile behind it.
      cost: { kind: "per_hit", units: 2, unit: "credit" },
      // Each start may be paid for again.
      repeatable: false,
      ...served(ask, pace, person(ask)),
      decode: personOutcome
    }
  }
})
