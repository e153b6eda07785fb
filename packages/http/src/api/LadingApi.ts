/**
 * The HTTP interface as data: paths, schemas, refusals and security. Server, client and OpenAPI document all come from
 * this one value.
 */
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { account } from "./AccountGroup.ts"
import { admin } from "./AdminGroup.ts"
import { Authorization } from "./Authorization.ts"
import { customs } from "./CustomsGroup.ts"
import { email } from "./EmailGroup.ts"
import * as Document from "./Document.ts"
import * as Example from "./Example.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import { quotes } from "./Quotes.ts"
import { reference } from "./ReferenceGroup.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"
import * as SearchEndpoints from "./SearchEndpoints.ts"
import { tasks } from "./TasksGroup.ts"
import { webhooks } from "./WebhooksGroup.ts"

const requestHeaders = { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) }

const responseHeaders = { "x-request-id": RequestId, "idempotent-replayed": IdempotentReplayed }

/** The longest body of an operation in bytes; bulk operations of later versions may take more. */
export const bodyLimit = 1024 * 1024

/** Answers by name: a declaration can say an interface, where it would have to spell out how a schema was built. */
export interface CompanyAnswer extends CompanyEnrichment.CompanyEnrichmentResult {}
export interface PersonAnswer extends PersonEnrichment.PersonEnrichmentResult {}

const companyAnswer: Schema.Codec<CompanyAnswer> = CompanyEnrichment.CompanyEnrichmentResult
const personAnswer: Schema.Codec<PersonAnswer> = PersonEnrichment.PersonEnrichmentResult

/** The path of an answer that was not complete at once. */
const PendingPath = Schema.Struct({
  request_id: Schema.String.check(Schema.isMaxLength(128)).annotate({ description: "Of the request that was answered" })
})

const company = HttpApiGroup.make("company")
  .add(
    HttpApiEndpoint.post("enrich", "/api/company/enrich", {
      headers: requestHeaders,
      payload: Example.companyRequest,
      success: HttpApiSchema.WithHeaders(companyAnswer, responseHeaders),
      error: [...Refusal.common, ...Refusal.operation]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Enrich companies",
        description:
          "From domains or names to company profiles. Sources are asked in an order; every field of the answer names the source that supplied it. Needs the scope company, and customs where include_customs is true. While async_pending is true a source is still working on its answer: GET the rest by the request_id, or have it sent to webhook_url."
      })
    ),
    HttpApiEndpoint.get("find", "/api/company/enrich/:request_id", {
      params: PendingPath,
      success: HttpApiSchema.WithHeaders(companyAnswer, { "x-request-id": RequestId }),
      error: [...Refusal.common, ...Refusal.reading]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The answer to a pending request, as it is now",
        description:
          "For requests whose answer had async_pending: the same body, with what has come since. Kept for three days after the last source has answered. Free. Needs the scope company."
      })
    ),
    SearchEndpoints.company
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "Who is this company?" }))

const people = HttpApiGroup.make("people")
  .add(
    HttpApiEndpoint.post("enrich", "/api/people/enrich", {
      headers: requestHeaders,
      payload: Example.personRequest,
      success: HttpApiSchema.WithHeaders(personAnswer, responseHeaders),
      error: [...Refusal.common, ...Refusal.operation]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Enrich a person",
        description:
          "From a name and a company's domain to a person's profile, with the source and the price of every field. Needs the scope people. With status pending a source is still working on its answer: GET the rest by the request_id, or have it sent to webhook_url."
      })
    ),
    HttpApiEndpoint.get("find", "/api/people/enrich/:request_id", {
      params: PendingPath,
      success: HttpApiSchema.WithHeaders(personAnswer, { "x-request-id": RequestId }),
      error: [...Refusal.common, ...Refusal.reading]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The answer to a pending request, as it is now",
        description:
          "For requests whose answer had the status pending: the same body, with what has come since. Kept for three days after the last source has answered. Free. Needs the scope people."
      })
    ),
    SearchEndpoints.people
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "Who is this person?" }))

const Stores = Schema.Record(Schema.String, Schema.Literals(["ok", "unavailable"])).annotate({
  description: "Each store and whether it answers"
})

const Ready = Schema.Struct({ status: Schema.Literal("ok"), stores: Stores })
export type Ready = typeof Ready.Type

const NotReady = Schema.Struct({ status: Schema.Literals(["unavailable", "draining"]), stores: Stores }).annotate({
  description: "Not ready: a store does not answer, or the server stops"
})
export type NotReady = typeof NotReady.Type

/** Prometheus' own media type for its text format. */
const prometheus = "text/plain; version=0.0.4; charset=utf-8"

const system = HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health", {
      success: Schema.Struct({ status: Schema.Literal("ok") }),
      error: Refusal.always
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Whether the process lives",
        description: "For what restarts processes: it says nothing of stores."
      })
    ),
    HttpApiEndpoint.get("ready", "/ready", {
      success: [Ready, NotReady.pipe(HttpApiSchema.status(503))],
      error: Refusal.always
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Whether the process should be sent requests",
        description: "For balancers: every store, and whether it answers. 503 while one does not, or the server stops."
      })
    ),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: prometheus })),
      error: [Refusal.unauthenticated, ...Refusal.always]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Metrics in Prometheus' text format",
        description:
          "Where the server has a key for metrics, it is wanted as Authorization: Bearer; no API key opens them."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ description: "The server itself; needs no API key" }))

/** By the names of the groups: written out, the type of all endpoints is longer than a declaration may be. */
type Groups =
  | typeof company
  | typeof people
  | typeof customs
  | typeof email
  | typeof tasks
  | typeof quotes
  | typeof reference
  | typeof account
  | typeof webhooks
  | typeof admin
  | typeof system

export const LadingApi: HttpApi.HttpApi<"lading", Groups> = HttpApi.make("lading")
  .add(company, people, customs, email, tasks, quotes, reference, account, webhooks, admin, system)
  .annotateMerge(
    OpenApi.annotations({
      title: "Lading",
      version: "2.0",
      description: "Trade, company, contact and e-mail data with the source and the price of every field.",
      servers: Document.servers,
      transform: Document.transform,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" }
    })
  )
