/**
 * A typed client of the HTTP interface, for any runtime that has `fetch`.
 *
 * `make` is for programs in Effect: every endpoint by group and name, every refusal a typed error, answers with their
 * headers. `connect` is the same with promises and plain JSON values; it rejects with the refusal.
 */
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { Effect, type Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { type CompanyAnswer, LadingApi, type PersonAnswer } from "../api/LadingApi.ts"

export * as Refusal from "../api/Refusal.ts"

export interface Server {
  /** For example `http://127.0.0.1:8080`. */
  readonly baseUrl: string | URL
  readonly apiKey: string | Redacted.Redacted
}

export type Client = HttpApiClient.ForApi<typeof LadingApi>

/** The client over whichever `HttpClient` is provided, e.g. `FetchHttpClient.layer`. */
export const make = ({ baseUrl, apiKey }: Server): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  HttpApiClient.make(LadingApi, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(apiKey))
  })

export interface CallOptions {
  /** Makes the call repeatable: the same again gives the first answer and is charged once. */
  readonly idempotencyKey?: string
  /** Hangs up; without an idempotency key the server then gives up too. */
  readonly signal?: AbortSignal
}

const headers = ({ idempotencyKey }: CallOptions) =>
  idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }

const run = <A, E>(call: Effect.Effect<A, E>, { signal }: CallOptions): Promise<A> =>
  Effect.runPromise(call, signal === undefined ? {} : { signal })

/** The client with promises. */
export const connect = (server: Server) => {
  const client = Effect.runSync(make(server).pipe(Effect.provide(FetchHttpClient.layer)))
  return {
    company: {
      enrich: (
        request: typeof CompanyEnrichment.CompanyEnrichmentRequest.Encoded,
        options: CallOptions = {}
      ): Promise<CompanyAnswer> =>
        run(
          Schema.decodeEffect(CompanyEnrichment.CompanyEnrichmentRequest)(request).pipe(
            Effect.flatMap((payload) => client.company.enrich({ payload, headers: headers(options) })),
            Effect.map(({ body }) => body)
          ),
          options
        )
    },
    people: {
      enrich: (
        request: typeof PersonEnrichment.PersonEnrichmentRequest.Encoded,
        options: CallOptions = {}
      ): Promise<PersonAnswer> =>
        run(
          Schema.decodeEffect(PersonEnrichment.PersonEnrichmentRequest)(request).pipe(
            Effect.flatMap((payload) => client.people.enrich({ payload, headers: headers(options) })),
            Effect.map(({ body }) => body)
          ),
          options
        )
    }
  }
}
