/**
 * The one request of each question: its key, and what becomes of an answer that is no 200.
 */
import { Allowance, type Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Clock, Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { isUnpaid, type Name } from "./Found.ts"
import { requestsLeft } from "./Meter.ts"
import * as Refusal from "./Refusal.ts"

const { source } = Refusal

/** The shortest of the vendor's windows, in milliseconds; after it the vendor is asked how things are. */
const WINDOW = 60_000

/** The key, if it can stand in a header at all. */
const keyOf = (credential: Source.Credential): string | null =>
  credential._tag === "ApiKey" && /^[\x21-\x7e]+$/.test(Redacted.value(credential.key))
    ? Redacted.value(credential.key)
    : null

export type Ask = (
  name: Name,
  request: HttpClientRequest.HttpClientRequest,
  credential: Source.Credential
) => Effect.Effect<unknown, SourceError.SourceError>

/**
 * One request with the key: the body of a 200, else the error that the answer stands for. `name` is what the answer holds
 * where there is one.
 */
export const asking = (client: HttpClient.HttpClient, baseUrl: string): Ask =>
  Effect.fnUntraced(function* (name, request, credential) {
    const key = keyOf(credential)
    if (key === null) return yield* new SourceError.Unauthorized({ source })
    const { body, headers, status } = yield* request.pipe(
      HttpClientRequest.prependUrl(baseUrl),
      HttpClientRequest.setHeaders({ "x-api-key": key, "cache-control": "no-cache" }),
      VendorHttp.json(source, credential),
      Effect.provideService(HttpClient.HttpClient, client)
    )
    const now = yield* Clock.currentTimeMillis
    const remaining = requestsLeft(headers)
    if (remaining !== null) yield* Allowance.tell({ remaining, resetAt: now + WINDOW })
    if (status === 200) {
      return isUnpaid(name, body) ? yield* new SourceError.QuotaExhausted({ source }) : body
    }
    return yield* Refusal.read({
      status,
      body,
      retryAfter: VendorHttp.retryAfter(headers, now)
    })
  })
