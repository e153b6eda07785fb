/** `/api/account`: what an account is told of itself, by any of its keys; and the vendor keys that it stores. */
import type { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Account from "./Account.ts"
import { Authorization } from "./Authorization.ts"
import * as Refusal from "./Refusal.ts"
import { RequestId } from "./ResponseHeaders.ts"
import * as SuccessBody from "./SuccessBody.ts"

const answered = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), { "x-request-id": RequestId })

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

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
    ),
    HttpApiEndpoint.get("listVendorKeys", "/api/account/vendor-keys", {
      success: answered(Account.VendorKeyList),
      error: [...Refusal.common, ...Refusal.reading]
    }).annotateMerge(
      described(
        "List stored vendor keys",
        "Which slots the account has stored a key for, since when and by whom; never the keys. Needs the scopes company and people."
      )
    ),
    HttpApiEndpoint.put("saveVendorKey", "/api/account/vendor-keys/:slot", {
      params: Account.SlotPath,
      payload: Account.VendorKeyRequest,
      success: answered(Account.VendorKey),
      error: [...Refusal.common, ...Refusal.reading, ...Refusal.bodied]
    }).annotateMerge(
      described(
        "Store a vendor key",
        'Keeps the account\'s own key for a slot, encrypted, in place of the one before it. The vendor is asked first whether it takes the key, which costs nothing; one that it refuses is a 400. Enrichments use it with waterfall.byok: "stored". It is never shown again. Needs the scopes company and people.'
      )
    ),
    HttpApiEndpoint.delete("removeVendorKey", "/api/account/vendor-keys/:slot", {
      params: Account.SlotPath,
      success: answered(Account.RemovedVendorKey),
      error: [...Refusal.common, ...Refusal.reading]
    }).annotateMerge(
      described("Remove a stored vendor key", "It is used no more from now on. Needs the scopes company and people.")
    )
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "What is left, and where did it go?" }))
