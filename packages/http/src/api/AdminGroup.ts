/** The endpoints of administrators: `/api/admin/*`, for keys with the scope `admin`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema, OpenApi } from "effect/http-api"
import { Usage, UsageQuery } from "./Account.ts"
import * as Admin from "./Admin.ts"
import { Authorization, type Principal } from "./Authorization.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as LoadEndpoints from "./LoadEndpoints.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"
import * as SuccessBody from "./SuccessBody.ts"

/**
 * Lets only keys with the scope `admin` through, before anything of the request is read.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class AdminScope extends HttpApiMiddleware.Service<AdminScope, { requires: Principal }>()(
  "@lading/http/api/AdminScope",
  { error: Refusal.forbidden }
) {}

const requestHeaders = { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) }

/** What a POST answers: repeatable, and never for credits. */
const repeatable = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), {
    "x-request-id": RequestId,
    "idempotent-replayed": IdempotentReplayed
  })

const answered = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), { "x-request-id": RequestId })

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const post = [...Refusal.common, ...Refusal.operation]
const read = [...Refusal.common, ...Refusal.reading]

const accounts = HttpApiGroup.make("admin").add(
  HttpApiEndpoint.post("createAccount", "/api/admin/accounts", {
    headers: requestHeaders,
    payload: Admin.NewAccount,
    success: repeatable(Admin.Account),
    error: post
  }).annotateMerge(
    described("Create an account", "Gives the account of this name, which is created if it is missing.")
  ),
  HttpApiEndpoint.get("listAccounts", "/api/admin/accounts", {
    query: Admin.ListQuery,
    success: answered(Admin.AccountList),
    error: read
  }).annotateMerge(
    described(
      "List accounts",
      `Accounts in the order of their ids, each with its balance; ${Admin.accountsPerPage} on a page, or limit (1 to 100).`
    )
  ),
  HttpApiEndpoint.get("usage", "/api/admin/accounts/:account/usage", {
    params: Admin.AccountPath,
    query: UsageQuery,
    success: answered(Usage),
    error: read
  }).annotateMerge(
    described("What an account has used", "By day, key and operation, the newest day first; 30 days unless said.")
  ),
  HttpApiEndpoint.get("limits", "/api/admin/accounts/:account/limits", {
    params: Admin.AccountPath,
    success: answered(Admin.Limits),
    error: read
  }).annotateMerge(described("What an account may send", "null where it is what every account may.")),
  HttpApiEndpoint.put("setLimits", "/api/admin/accounts/:account/limits", {
    params: Admin.AccountPath,
    payload: Admin.NewLimits,
    success: answered(Admin.Limits),
    error: [...read, ...Refusal.bodied]
  }).annotateMerge(
    described(
      "Set what an account may send",
      "In place of what every account may. Other servers on the same database are told at once."
    )
  ),
  HttpApiEndpoint.post("grant", "/api/admin/accounts/:account/grants", {
    params: Admin.AccountPath,
    headers: requestHeaders,
    payload: Admin.Grant,
    success: repeatable(Admin.Balance),
    error: post
  }).annotateMerge(
    described(
      "Grant credits",
      "Gives credits to an account, for good or until an instant, and answers with its new balance. Under the same key it happens once."
    )
  ),
  HttpApiEndpoint.post("adjust", "/api/admin/accounts/:account/adjustments", {
    params: Admin.AccountPath,
    headers: requestHeaders,
    payload: Admin.Adjustment,
    success: repeatable(Admin.Balance),
    error: post
  }).annotateMerge(
    described(
      "Correct a balance",
      "Adds credits, or takes some: never more than are available (402). Answers with the new balance. Under the same key it happens once."
    )
  )
)

const keys = accounts.add(
  HttpApiEndpoint.post("refund", "/api/admin/accounts/:account/refunds", {
    params: Admin.AccountPath,
    headers: requestHeaders,
    payload: Admin.Refund,
    success: repeatable(Admin.Refunded),
    error: post
  }).annotateMerge(
    described(
      "Refund a request",
      "Gives back what a request was charged, or a part of it, from those who were paid; what comes back never expires. Under the same key it happens once."
    )
  ),
  HttpApiEndpoint.post("createKey", "/api/admin/accounts/:account/keys", {
    params: Admin.AccountPath,
    headers: requestHeaders,
    payload: Admin.NewKey,
    success: repeatable(Admin.MadeKey),
    error: post
  }).annotateMerge(
    described(
      "Make an API key",
      "The key is in this answer and nowhere else: a replay of the answer has null in its place."
    )
  ),
  HttpApiEndpoint.get("listKeys", "/api/admin/accounts/:account/keys", {
    params: Admin.AccountPath,
    success: answered(Admin.KeyList),
    error: read
  }).annotateMerge(described("List the API keys of an account", "Revoked and expired ones too, oldest first.")),
  HttpApiEndpoint.delete("revokeKey", "/api/admin/keys/:key", {
    params: Admin.KeyPath,
    success: answered(Admin.RevokedKey),
    error: read
  }).annotateMerge(
    described(
      "Revoke an API key",
      "By its id. Other servers on the same database are told at once; one that cannot be told notices within 5 seconds."
    )
  )
)

/** The whole group. */
export const admin = keys
  .add(
    HttpApiEndpoint.get("audit", "/api/admin/ledger/audit", {
      query: Admin.AuditQuery,
      success: answered(Admin.Audit),
      error: read
    }).annotateMerge(
      described(
        "Audit the ledger",
        "Checks every rule of the ledger on what is really stored, account by account, and names what breaks it: one account, or all of them page by page, limit (1 to 100, 100 by default) accounts on each."
      )
    ),
    HttpApiEndpoint.delete("erase", "/api/admin/subjects", {
      payload: Admin.Subject,
      success: answered(Admin.Proof),
      error: [...read, ...Refusal.bodied]
    }).annotateMerge(
      described(
        "Erase a subject",
        "Suppresses a person, a company or a page for good and erases what is kept of it. Answers with a proof that holds no personal data."
      )
    ),
    HttpApiEndpoint.get("replay", "/api/admin/runs/:request_id/replay", {
      params: Admin.RunPath,
      success: answered(Admin.ReplayReport),
      error: read
    }).annotateMerge(
      described(
        "Replay a request",
        "Decodes and merges the kept answers of a request again, without a vendor call, and shows what comes out otherwise."
      )
    )
  )
  .add(LoadEndpoints.list, LoadEndpoints.begin, LoadEndpoints.write, LoadEndpoints.publish, LoadEndpoints.abandon)
  .middleware(AdminScope)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      description: "Accounts, credits, keys, subjects and loads of customs records; needs the scope admin"
    })
  )
