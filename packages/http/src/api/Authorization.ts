/** Who may ask: an API key as `Authorization: Bearer` or as `X-API-Key`. What a key may do is its scopes. */
import type { Accounts } from "@lading/core/account"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import * as Refusal from "./Refusal.ts"

/** The account and the key behind the request at hand. */
export class Principal extends Context.Service<Principal, Accounts.Principal>()("@lading/http/api/Principal") {}

/**
 * The credentials; its methods are given the request by the router.
 *
 * @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Principal }>()(
  "@lading/http/api/Authorization",
  {
    error: Refusal.unauthenticated,
    security: {
      bearer: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "An API key, such as lad_live_…")
      ),
      api_key: HttpApiSecurity.apiKey({ in: "header", key: "X-API-Key" }).pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "The same API key in a header of its own")
      )
    }
  }
) {}
