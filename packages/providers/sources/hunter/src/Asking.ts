/**
 * The one request of each question: its key, and what becomes of an answer that is no 200.
 */
import { Allowance, type Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Clock, Effect, Option } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Refusal from "./Refusal.ts"

const { source } = Refusal

export type Ask = (
  request: HttpClientRequest.HttpClientRequest,
  credential: Source.Credential
) => Effect.Effect<Option.Option<unknown>, SourceError.SourceError>

/** One request: the body of a 200, nothing for a miss, else the error that the answer stands for. */
export const asking = (client: HttpClient.HttpClient, baseUrl: string): Ask =>
  Effect.fnUntraced(function* (request, credential) {
    if (credential._tag !== "ApiKey") return yield* new SourceError.Unauthorized({ source })
    const answer = yield* request.pipe(
      HttpClientRequest.prependUrl(baseUrl),
      HttpClientRequest.bearerToken(credential.key),
      VendorHttp.json(source, credential),
      Effect.provideService(HttpClient.HttpClient, client)
    )
    if (answer.status === 200) return Option.some(answer.body)
    const refusal = Refusal.read({
      status: answer.status,
      body: answer.body,
      retryAfter: VendorHttp.retryAfter(answer.headers, yield* Clock.currentTimeMillis)
    })
    if (refusal._tag === "Miss") return Option.none()
    // Hunter's limit is of a second, and no header says so.
    if (refusal._tag === "RateLimited" && refusal.retryAfter === null) yield* Allowance.spent(1_000)
    return yield* refusal
  })
