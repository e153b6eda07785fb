/**
 * A typed client of the HTTP interface, for any runtime that has `fetch`.
 *
 * `make` is for programs in Effect: every endpoint by group and name, every refusal a typed error, answers with their
 * headers. `connect` is the same with promises and plain JSON values; it rejects with the refusal, which `Refusal.is`
 * tells from other errors, and whose `code` tells it from other refusals.
 */
import { Effect, type Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { LadingApi } from "../api/LadingApi.ts"
import * as Account from "./Account.ts"
import * as Administration from "./Administration.ts"
import type { Client } from "./Call.ts"
import * as Customs from "./Customs.ts"
import * as Email from "./Email.ts"
import * as Enrichment from "./Enrichment.ts"
import * as Reference from "./Reference.ts"
import * as System from "./System.ts"
import * as Tasks from "./Tasks.ts"
import * as Webhooks from "./Webhooks.ts"

export * as Refusal from "../api/Refusal.ts"
export type { CallOptions, Client } from "./Call.ts"

export interface Server {
  /** For example `http://127.0.0.1:8080`. */
  readonly baseUrl: string | URL
  readonly apiKey: string | Redacted.Redacted
}

/** The client over whichever `HttpClient` is provided, e.g. `FetchHttpClient.layer`. */
export const make = ({ baseUrl, apiKey }: Server): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  HttpApiClient.make(LadingApi, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(apiKey))
  })

/** Every group and endpoint of the contract has its function: the compiler counts. */
type Complete = {
  readonly [Group in keyof Client]: {
    readonly [Endpoint in keyof Client[Group]]: (...given: ReadonlyArray<never>) => Promise<unknown>
  }
}

/** The client with promises. */
export const connect = (server: Server) => {
  const client = Effect.runSync(make(server).pipe(Effect.provide(FetchHttpClient.layer)))
  return {
    /** `/api/account`, for every key; its vendor keys for those that have `company` and `people`. */
    account: Account.connect(client),
    /** `/api/admin/*`, for keys with the scope `admin`. */
    admin: Administration.connect(client),
    company: Enrichment.company(client),
    /** `/api/customs/*`, for keys with the scope `customs`. */
    customs: Customs.connect(client),
    /** `/api/email/*`, for keys with the scope `email`. */
    email: Email.connect(client),
    people: Enrichment.people(client),
    quotes: Enrichment.quotes(client),
    /** `/api/reference/*`, for every key. */
    reference: Reference.connect(client),
    /** The server itself, for everybody. */
    system: System.connect(client),
    /** `/api/tasks`, for keys with the scope `tasks`. */
    tasks: Tasks.connect(client),
    /** `/api/webhooks/*`, for every key that does more than administer. */
    webhooks: Webhooks.connect(client)
  } satisfies Complete
}
