/**
 * People Data Labs: companies by domain or name, persons by name and company, and search for both.
 * One request per question, answered at once.
 *
 * Gotchas: the key goes in a header, never in the query (the vendor takes both); the charge of a call is in the header
 * `x-call-credits-spent` and goes into the waterfall's span of the call, since the answer has no meter.
 */
import { Effect, Option, type Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { type Ask, asking } from "./Asking.ts"
import * as Company from "./Company.ts"
import * as Directories from "./Directories.ts"
import * as Person from "./Person.ts"
import { source } from "./Refusal.ts"

/** The vendor's address. */
export const defaultBaseUrl = "https://api.peopledatalabs.com"

/** The vendor's own sandbox: the same key, synthetic records, no charge. */
export const sandboxBaseUrl = "https://sandbox.api.peopledatalabs.com"

export interface Options {
  /** Scheme and host; default `defaultBaseUrl`. */
  readonly baseUrl?: string
}

/**
 * Whom there cannot be: the name is reserved (RFC 2606), and nothing less than certain would do. The vendor has no
 * question about a key; this one is a 404, which is free, or what it says of a wrong key.
 */
const NOBODY = { website: "lading-key-check.invalid", min_likelihood: "10" }

type Question = Readonly<Record<string, string>>

/** The operation's question, or the error that there is none to ask about this identity. */
const asked = <Identity>(
  identity: Identity,
  about: { readonly accepts: (identity: Identity) => boolean; readonly question: (identity: Identity) => Question }
): Effect.Effect<Question, SourceError.InvalidInput> =>
  about.accepts(identity)
    ? Effect.succeed(about.question(identity))
    : Effect.fail(new SourceError.InvalidInput({ source, problem: "too little to ask about" }))

/** Reads the body of a hit, now or later. */
const reading = <S extends Schema.ConstraintDecoder<unknown>, Facts>(
  record: S,
  facts: (record: S["Type"]) => Facts
) => {
  const read = VendorHttp.decode(source, record)
  return (body: unknown) => Effect.map(read(body), (value) => Source.hit(facts(value), body))
}

/** Asks the operation's one question about an identity; a hit is what `decode` reads from the vendor's record. */
const calling = <Identity, Facts>(
  ask: Ask,
  about: { readonly path: string } & Parameters<typeof asked<Identity>>[1],
  decode: (body: unknown) => Effect.Effect<Source.Outcome<Facts>, SourceError.InvalidResponse>
): Source.SourceOperation<Identity, Facts>["call"] =>
  Effect.fnUntraced(function* (identity, credential) {
    const urlParams = yield* asked(identity, about)
    const body = yield* ask(HttpClientRequest.get(about.path, { urlParams }), credential)
    return Option.isNone(body) ? Source.miss : yield* decode(body.value)
  })

const checkedBy = (ask: Ask): NonNullable<Source.Source["check"]>["call"] =>
  Effect.fnUntraced(function* (credential) {
    const body = yield* ask(HttpClientRequest.get("/v5/company/enrich", { urlParams: NOBODY }), credential)
    if (Option.isSome(body)) {
      return yield* new SourceError.InvalidResponse({ source, problem: "a record of a reserved name" })
    }
  })

/** The source, on the `HttpClient` of the context. */
export const make = (options: Options = {}): Effect.Effect<Source.Source, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client) => {
    const ask = asking(client, (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/, ""))
    const decodeCompany = reading(Company.Company, Company.facts)
    const decodePerson = reading(Person.Person, Person.facts)
    return {
      adapter: source,
      version: "1",
      credential: "ApiKey",
      fixtures: { origin: "documented", date: "2026-11-21" },
      limits: { concurrency: 8, rate: { calls: 100, window: 60_000 }, timeout: 20_000 },
      check: { question: "GET /v5/company/enrich", call: checkedBy(ask) },
      company: {
        fields: Company.fields,
        cost: { kind: "per_hit", units: 1, unit: "company enrichment credit" },
        repeatable: true,
        accepts: Company.accepts,
        decode: decodeCompany,
        call: calling(ask, Company, decodeCompany)
      },
      person: {
        fields: Person.fields,
        cost: { kind: "per_hit", units: 1, unit: "person enrichment credit" },
        repeatable: true,
        accepts: Person.accepts,
        decode: decodePerson,
        call: calling(ask, Person, decodePerson)
      },
      companyDirectory: Directories.companies(ask),
      personDirectory: Directories.people(ask)
    }
  })
