/** Refusals as answers, for those who stand outside the endpoints and their schemas. */
import { HttpServerResponse } from "effect/http"
import * as Refusal from "../api/Refusal.ts"

/** The same bytes that an endpoint's schema would give. */
export const refuse = (refusal: Refusal.Refusal, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(Refusal.body(refusal), { status: refusal.status, headers })
