/**
 * The one request of each question: its key, what it cost, and what becomes of an answer that is no record.
 */
import { Clock, Effect, Option, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { Allowance, type Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { allowance } from "./Meter.ts"
import { isMiss, refusal, source } from "./Refusal.ts"

/** The key, if it can stand in a header at all. */
const keyOf = (credential: Source.Credential): string | null =>
  credential._tag === "ApiKey" && /^[\x21-\x7e]+$/.test(Redacted.value(credential.key))
    ? Redacted.value(credential.key)
    : null

export type Ask = (
  request: HttpClientRequest.HttpClientRequest,
  credential: Source.Credential
) => Effect.Effect<Option.Option<unknown>, SourceError.SourceError>

/** One request with the key: the body of a 200, nothing for a miss, else the error that the answer stands for. */
export const asking = (client: HttpClient.HttpClient, baseUrl: string): Ask =>
  Effect.fnUntraced(function* (request, credential) {
    const key = keyOf(credential)
    if (key === null) return yield* new SourceError.Unauthorized({ source })
    const answer = yield* request.pipe(
      HttpClientRequest.prependUrl(baseUrl),
      HttpClientRequest.setHeader("x-api-key", key),
      VendorHttp.json(source, credential),
      Effect.provideService(HttpClient.HttpClient, client)
    )
    const now = yield* Clock.currentTimeMillis
    const left = allowance(answer.headers, now)
    if (left !== null) yield* Allowance.tell(left)
    yield* Effect.annotateCurrentSpan("peopledatalabs.credits_spent", answer.headers["x-call-credits-spent"] ?? null)
    if (isMiss(answer)) return Option.none()
    if (answer.status !== 200) return yield* refusal(answer, now)
    return Option.some(answer.body)
  })
