/** `GET /api/account`: what an account is told of itself, by any of its keys. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Account from "./Account.ts"
import { Authorization } from "./Authorization.ts"
import * as Refusal from "./Refusal.ts"
import { RequestId } from "./ResponseHeaders.ts"
import * as SuccessBody from "./SuccessBody.ts"

export const account = HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("show", "/api/account", {
      query: Account.UsageQuery,
      success: HttpApiSchema.WithHeaders(SuccessBody.of(Account.OwnAccount), { "x-request-id": RequestId }),
      error: [...Refusal.common, ...Refusal.reading]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The account of the key",
        description:
          "Its credits, the key that asks, its limits, and what it has used by day, key and operation. Costs nothing, and every key may ask."
      })
    )
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "What is left, and where did it go?" }))
