/**
 * People Data Labs: companies by domain or name, persons by name and company. One `GET` per question, answered at once.
 *
 * Gotchas: the key goes in a header, never in the query (the vendor takes both); the charge of a call is in the header
 * `x-call-credits-spent` and goes into the waterfall's span of the call, since the answer has no meter.
 */
import { Clock, Effect, Redacted, type Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import * as Company from "./Company.ts"
import * as Person from "./Person.ts"
import { isMiss, refusal, source } from "./Refusal.ts"

/** The vendor's address. */
export const defaultBaseUrl = "https://api.peopledatalabs.com"

/** The vendor's own sandbox: the same key, synthetic records, no charge. */
export const sandboxBaseUrl = "https://sandbox.api.peopledatalabs.com"

export interface Options {
  /** Scheme and host; default `defaultBaseUrl`. */
  readonly baseUrl?: string
}

type Question = Readonly<Record<string, string>>

/** The key, if it can stand in a header at all. */
const keyOf = (credential: Source.Credential): string | null =>
  credential._tag === "ApiKey" && /^[\x21-\x7e]+$/.test(Redacted.value(credential.key))
    ? Redacted.value(credential.key)
    : null

/** The operation's question, or the error that there is none to ask about this identity. */
const asked = <Identity>(
  identity: Identity,
  about: { readonly accepts: (identity: Identity) => boolean; readonly question: (identity: Identity) => Question }
): Effect.Effect<Question, SourceError.InvalidInput> =>
  about.accepts(identity)
    ? Effect.succeed(about.question(identity))
    : Effect.fail(new SourceError.InvalidInput({ source, problem: "too little to ask about" }))

/** Asks one question; a hit is what `decode` reads from the vendor's record. */
const asking = <Facts>(
  url: string,
  decode: (body: unknown) => Effect.Effect<Source.Outcome<Facts>, SourceError.InvalidResponse>
) =>
  Effect.fnUntraced(function* (
    question: Question,
    credential: Source.Credential
  ): Effect.fn.Return<Source.Outcome<Facts>, SourceError.SourceError, HttpClient.HttpClient> {
    const key = keyOf(credential)
    if (key === null) return yield* new SourceError.Unauthorized({ source })
    const answer = yield* HttpClientRequest.get(url).pipe(
      HttpClientRequest.setUrlParams(question),
      HttpClientRequest.setHeader("x-api-key", key),
      VendorHttp.json(source, credential)
    )
    yield* Effect.annotateCurrentSpan("peopledatalabs.credits_spent", answer.headers["x-call-credits-spent"] ?? null)
    if (isMiss(answer)) return Source.miss
    if (answer.status !== 200) return yield* refusal(answer, yield* Clock.currentTimeMillis)
    return yield* decode(answer.body)
  })

/** Reads the body of a hit, now or later. */
const reading = <S extends Schema.ConstraintDecoder<unknown>, Facts>(
  record: S,
  facts: (record: S["Type"]) => Facts
) => {
  const read = VendorHttp.decode(source, record)
  return (body: unknown) => Effect.map(read(body), (value) => Source.hit(facts(value), body))
}

/** The source, on the `HttpClient` of the context. */
export const make = (options: Options = {}): Effect.Effect<Source.Source, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client) => {
    const baseUrl = (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/, "")
    const decodeCompany = reading(Company.Company, Company.facts)
    const decodePerson = reading(Person.Person, Person.facts)
    const company = asking(baseUrl + Company.path, decodeCompany)
    const person = asking(baseUrl + Person.path, decodePerson)
    const withClient = Effect.provideService(HttpClient.HttpClient, client)
    return {
      adapter: source,
      version: "1",
      credential: "ApiKey",
      limits: { concurrency: 8, rate: { calls: 100, window: 60_000 }, timeout: 20_000 },
      company: {
        fields: Company.fields,
        cost: { kind: "per_hit", units: 1, unit: "company enrichment credit" },
        repeatable: true,
        accepts: Company.accepts,
        decode: decodeCompany,
        call: (identity, credential) =>
          Effect.flatMap(asked(identity, Company), (question) => withClient(company(question, credential)))
      },
      person: {
        fields: Person.fields,
        cost: { kind: "per_hit", units: 1, unit: "person enrichment credit" },
        repeatable: true,
        accepts: Person.accepts,
        decode: decodePerson,
        call: (identity, credential) =>
          Effect.flatMap(asked(identity, Person), (question) => withClient(person(question, credential)))
      }
    }
  })
