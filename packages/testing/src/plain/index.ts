/**
 * A source of a vendor that does not exist: the shortest adapter that keeps the whole contract, to be read and copied.
 * `@lading/testing/plain/simulator` is the vendor.
 *
 * What it shows: the answer as a schema of the part that is read (`Company.ts`, `Person.ts`), a pure function to the
 * domain's words beside it, one table from status to error (`Refusal.ts`), and here the one effect that talks. It opens
 * no span, keeps no state and never retries: the waterfall does.
 */
import { Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Clock, Effect, Option, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Company from "./Company.ts"
import * as Person from "./Person.ts"
import * as Refusal from "./Refusal.ts"

export interface Options {
  /** Scheme and host, without a path. */
  readonly baseUrl: string
  /** The adapter's name in errors and logs; `plain` by default. */
  readonly name?: string
  /** By default a unit for every hit. */
  readonly cost?: Source.Cost
  readonly limits?: Partial<Source.Limits>
  readonly version?: string
}

const defaultCost: Source.Cost = { kind: "per_hit", units: 1, unit: "lookup" }

const defaultLimits: Source.Limits = { concurrency: 8, rate: { calls: 50, window: 1_000 }, timeout: 10_000 }

/** One GET with the key; the body of a 200, nothing for a miss. */
const asking = (client: HttpClient.HttpClient, source: string, baseUrl: string) =>
  Effect.fnUntraced(function* (
    path: string,
    params: Readonly<Record<string, string>>,
    credential: Source.Credential
  ): Effect.fn.Return<Option.Option<unknown>, SourceError.SourceError> {
    if (credential._tag !== "ApiKey") return yield* new SourceError.Unauthorized({ source })
    const answer = yield* HttpClientRequest.get(`${baseUrl}${path}`).pipe(
      HttpClientRequest.setUrlParams(params),
      HttpClientRequest.setHeader("x-api-key", Redacted.value(credential.key)),
      VendorHttp.json(source, credential),
      Effect.provideService(HttpClient.HttpClient, client)
    )
    if (answer.status === 200) return Option.some(answer.body)
    const retryAfter = VendorHttp.retryAfter(answer.headers, yield* Clock.currentTimeMillis)
    const refusal = Refusal.read(source, { status: answer.status, body: answer.body, retryAfter })
    return refusal._tag === "Miss" ? Option.none() : yield* refusal
  })

/** The vendor at `baseUrl`, over the `HttpClient` of the context. */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Source.Source, never, HttpClient.HttpClient> {
  const source = options.name ?? "plain"
  const ask = asking(yield* HttpClient.HttpClient, source, options.baseUrl.replace(/\/+$/, ""))
  const readCompany = VendorHttp.decode(source, Company.Company)
  const readPerson = VendorHttp.decode(source, Person.Person)
  const decodeCompany = (body: unknown) =>
    Effect.map(readCompany(body), (said) => Source.hit(Company.facts(said), body))
  const decodePerson = (body: unknown) => Effect.map(readPerson(body), (said) => Source.hit(Person.facts(said), body))
  const cost = options.cost ?? defaultCost
  return {
    adapter: source,
    version: options.version ?? "1",
    credential: "ApiKey",
    limits: { ...defaultLimits, ...options.limits },
    company: {
      fields: Company.fields,
      cost,
      repeatable: true,
      accepts: ({ domain, name }) => domain !== null || name !== null,
      call: Effect.fnUntraced(function* ({ domain, name }, credential) {
        const params = domain !== null ? { domain } : name !== null ? { name } : null
        if (params === null) return yield* new SourceError.InvalidInput({ source, problem: "no domain and no name" })
        const body = yield* ask("/v1/company", params, credential)
        return Option.isNone(body) ? Source.miss : yield* decodeCompany(body.value)
      }),
      decode: decodeCompany
    },
    person: {
      fields: Person.fields,
      cost,
      repeatable: true,
      accepts: ({ first_name, last_name, domain }) => first_name !== null && last_name !== null && domain !== null,
      call: Effect.fnUntraced(function* ({ first_name, last_name, domain }, credential) {
        if (first_name === null || last_name === null || domain === null) {
          return yield* new SourceError.InvalidInput({ source, problem: "no first name, last name or domain" })
        }
        const params = { firstName: first_name, lastName: last_name, domain }
        const body = yield* ask("/v1/person", params, credential)
        return Option.isNone(body) ? Source.miss : yield* decodePerson(body.value)
      }),
      decode: decodePerson
    }
  }
})
