/** `POST /api/company/search` and `POST /api/people/search`: lists by filters, beside the enrichments of their groups. */
import { CompanySearch } from "@lading/core/company"
import { PersonSearch } from "@lading/core/person"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"

const headers = { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) }
const answered = { "x-request-id": RequestId, "idempotent-replayed": IdempotentReplayed }

/** By name: a declaration can say an interface, where it would have to spell out how a schema was built. */
export interface CompanySearchAnswer extends CompanySearch.CompanySearchResult {}
export interface PersonSearchAnswer extends PersonSearch.PersonSearchResult {}

const companies: Schema.Codec<CompanySearchAnswer> = CompanySearch.CompanySearchResult
const persons: Schema.Codec<PersonSearchAnswer> = PersonSearch.PersonSearchResult

export const company = HttpApiEndpoint.post("search", "/api/company/search", {
  headers,
  payload: CompanySearch.CompanySearchRequest.annotate({
    examples: [{ query: "acme rob", countries: ["NO"], employee_range: { min: 50 } }]
  }),
  success: HttpApiSchema.WithHeaders(companies, answered),
  error: [...Refusal.common, ...Refusal.operation]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Search companies",
    description:
      "Companies by filters, with facets on the first page: those that this installation knows, from customs records and from enrichments, and with sources from vendors' directories too, whose pages cost credits. A row costs one price, an empty answer nothing. Needs the scope company."
  })
)

export const people = HttpApiEndpoint.post("search", "/api/people/search", {
  headers,
  payload: PersonSearch.PersonSearchRequest.annotate({
    examples: [{ company_domain: "acme.example", seniorities: ["head", "director"] }]
  }),
  success: HttpApiSchema.WithHeaders(persons, answered),
  error: [...Refusal.common, ...Refusal.operation]
}).annotateMerge(
  OpenApi.annotations({
    summary: "Search people at a company",
    description:
      "People at a company by title, rank, department and country: those that enrichments have answered with here, and with sources from vendors' directories too, whose pages cost credits. A row costs one price, an empty answer nothing. Needs the scope people."
  })
)
