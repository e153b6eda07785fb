/** Refusals as answers, for those who stand outside the endpoints and their schemas. */
import { HttpServerResponse } from "effect/http"
import * as Refusal from "../api/Refusal.ts"

/** The same bytes that an endpoint's schema would give. */
export const refuse = (refusal: Refusal.Refusal, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(Refusal.body(refusal), { status: refusal.status, headers })

/** The server has enough to do; whoever asks may ask again after so many seconds. */
export const crowded = (request_id: string, retryAfter: number) => {
  const message = "The server has too many requests at once"
  return refuse(new Refusal.Unavailable({ request_id, message }), { "retry-after": String(retryAfter) })
}
