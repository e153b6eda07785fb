/** `POST /api/quotes`: asks the use case of the operation what its request would cost. */
import type { Scope } from "@lading/core/account"
import { Billing } from "@lading/core/billing"
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { InvalidRequest } from "@lading/core/request"
import { Array, Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { LadingApi } from "../api/LadingApi.ts"
import { quoteAnswer, QuoteRequest } from "../api/Quotes.ts"
import type * as Idempotent from "./Idempotent.ts"
import type * as Operation from "./Operation.ts"
import * as Unbilled from "./Unbilled.ts"

/** The operation is judged before the request: a wrong one is named, where a union would only say that nothing fits. */
const named = Schema.Struct({ operation: Schema.Literals(["company", "person"]), request: Schema.Unknown }).pipe(
  Schema.decodeTo(QuoteRequest, SchemaTransformation.passthrough({ strict: false }))
)

/** What the request itself would need. */
const scopes = (quoted: QuoteRequest): ReadonlyArray<Scope.Scope> => {
  if (quoted.operation === "person") {
    return quoted.request.waterfall?.verify_emails === true ? ["people", "email"] : ["people"]
  }
  return quoted.request.include_customs === true ? ["company", "customs"] : ["company"]
}

/** The use case names a field of its own request. */
const beneath = ({ details }: InvalidRequest.InvalidRequest) =>
  new InvalidRequest.InvalidRequest({
    details: Array.map(details, (detail) => ({ ...detail, path: `request.${detail.path}` }))
  })

export const layer = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "quotes",
    Effect.fnUntraced(function* (handlers) {
      const billing = yield* Billing.Billing
      const companies = yield* CompanyEnrichment.CompanyEnrichment
      const people = yield* PersonEnrichment.PersonEnrichment
      const quote = Unbilled.of({
        name: "quote",
        request: named,
        kept: quoteAnswer,
        scopes,
        run: (quoted, _: Idempotent.Raw, caller) =>
          (quoted.operation === "company"
            ? companies.quote(quoted.request, caller)
            : people.quote(quoted.request, caller)
          ).pipe(Effect.mapError((error) => (error._tag === "InvalidRequest" ? beneath(error) : error)))
      })
      return handlers.handleRaw("quote", Unbilled.handler(quote, billing, limits))
    })
  )
