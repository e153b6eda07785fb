/** `POST /api/quotes`: what an enrichment would cost, for a request that is not run. */
import { Quote } from "@lading/core/waterfall"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "./Authorization.ts"
import * as Example from "./Example.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"
import * as SuccessBody from "./SuccessBody.ts"

/** The body that the operation's own endpoint would be sent stands under `request`, as it is. */
export const QuoteRequest = Schema.Union([
  Schema.Struct({ operation: Schema.Literal("company"), request: Example.companyRequest }),
  Schema.Struct({ operation: Schema.Literal("person"), request: Example.personRequest })
]).annotate({ identifier: "QuoteRequest" })
export type QuoteRequest = typeof QuoteRequest.Type

/** By name, see `LadingApi`. */
export interface QuoteAnswer extends Quote.Quote {}

export const quoteAnswer: Schema.Codec<QuoteAnswer> = Quote.Quote

export const quotes = HttpApiGroup.make("quotes")
  .add(
    HttpApiEndpoint.post("quote", "/api/quotes", {
      headers: { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) },
      payload: QuoteRequest.annotate({ examples: [{ operation: "company", request: Example.company }] }),
      success: HttpApiSchema.WithHeaders(SuccessBody.of(quoteAnswer), {
        "x-request-id": RequestId,
        "idempotent-replayed": IdempotentReplayed
      }),
      error: [...Refusal.common, ...Refusal.operation]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Quote an enrichment",
        description:
          "The worst and the expected price of a request that is not run, source by source. Costs nothing, holds nothing and asks no vendor. Needs the scopes of the operation."
      })
    )
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "What would this cost?" }))
