/**
 * The HTTP interface as data: paths, schemas, refusals and security. Server, client and OpenAPI document all come from
 * this one value.
 */
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { admin } from "./AdminGroup.ts"
import { Authorization } from "./Authorization.ts"
import * as Example from "./Example.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"

const requestHeaders = { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) }

const responseHeaders = { "x-request-id": RequestId, "idempotent-replayed": IdempotentReplayed }

/** The longest body of an operation in bytes; bulk operations of later versions may take more. */
export const bodyLimit = 1024 * 1024

/** Answers by name: a declaration can say an interface, where it would have to spell out how a schema was built. */
export interface CompanyAnswer extends CompanyEnrichment.CompanyEnrichmentResult {}
export interface PersonAnswer extends PersonEnrichment.PersonEnrichmentResult {}

const companyAnswer: Schema.Codec<CompanyAnswer> = CompanyEnrichment.CompanyEnrichmentResult
const personAnswer: Schema.Codec<PersonAnswer> = PersonEnrichment.PersonEnrichmentResult

const company = HttpApiGroup.make("company")
  .add(
    HttpApiEndpoint.post("enrich", "/api/company/enrich", {
      headers: requestHeaders,
      payload: CompanyEnrichment.CompanyEnrichmentRequest.annotate({ examples: [Example.company] }),
      success: HttpApiSchema.WithHeaders(companyAnswer, responseHeaders),
      error: [...Refusal.common, ...Refusal.operation]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Enrich companies",
        description:
          "From domains or names to company profiles. Sources are asked in an order; every field of the answer names the source that supplied it. Needs the scope company, and customs where include_customs is true."
      })
    )
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "Who is this company?" }))

const people = HttpApiGroup.make("people")
  .add(
    HttpApiEndpoint.post("enrich", "/api/people/enrich", {
      headers: requestHeaders,
      payload: PersonEnrichment.PersonEnrichmentRequest.annotate({ examples: [Example.person] }),
      success: HttpApiSchema.WithHeaders(personAnswer, responseHeaders),
      error: [...Refusal.common, ...Refusal.operation]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Enrich a person",
        description:
          "From a name and a company's domain to a person's profile, with the source and the price of every field. Needs the scope people."
      })
    )
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
    HttpApiEndpoint.get("health", "/health", { success: Schema.Struct({ status: Schema.Literal("ok") }) }).annotate(
      OpenApi.Summary,
      "Whether the process lives"
    ),
    HttpApiEndpoint.get("ready", "/ready", {
      success: [Ready, NotReady.pipe(HttpApiSchema.status(503))]
    }).annotate(OpenApi.Summary, "Whether the process should be sent requests"),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: prometheus })),
      error: [Refusal.unauthenticated]
    }).annotate(OpenApi.Summary, "Metrics in Prometheus' text format")
  )
  .annotateMerge(OpenApi.annotations({ description: "The server itself; needs no API key" }))

/**
 * Unknown fields are ignored and new ones may come, on either side: what is generated from the document must not refuse
 * them.
 */
const open = (document: unknown): unknown => {
  if (Array.isArray(document)) return document.map(open)
  if (typeof document !== "object" || document === null) return document
  return Object.fromEntries(
    Object.entries(document).flatMap(([key, value]) =>
      key === "additionalProperties" && value === false ? [] : [[key, open(value)]]
    )
  )
}

export const LadingApi = HttpApi.make("lading")
  .add(company, people, admin, system)
  .annotateMerge(
    OpenApi.annotations({
      title: "Lading",
      version: "2.0",
      description: "Trade, company, contact and e-mail data with the source and the price of every field.",
      transform: (document) => Object.fromEntries(Object.entries(document).map(([key, value]) => [key, open(value)])),
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" }
    })
  )
