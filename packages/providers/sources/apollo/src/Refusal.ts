/**
 * What an answer of Apollo's means that is not a 200: one table from status to error. A miss is no such answer: Apollo
 * says that it knows nothing with a 200 (`Found.ts`).
 *
 * Gotchas
 * - Bodies come as JSON, as JSON under another content type, or as a sentence (401): the status decides, and of the body
 *   only a code is told.
 * - Which status and which body stand for credits that are used up is documented nowhere. 402 does, and so does any
 *   refusal that speaks of credits, but that of a rate.
 * - 404 and 410 belong to the polling of results, which is not asked for: at a path of ours it is a wrong base URL.
 */
import { Said, SourceError } from "@lading/core/waterfall"
import { Option, Schema } from "effect"

/** The adapter's name in errors and attributions. */
export const source = "apollo"

/** Apollo's error bodies, of which each has some members. */
const Complaint = Schema.Struct({
  error: Said.said(Schema.String),
  error_code: Said.said(Schema.String),
  error_message: Said.said(Schema.String),
  message: Said.said(Schema.String)
})
const readComplaint = Schema.decodeUnknownOption(Complaint)

const words = (body: unknown): string =>
  Option.match(readComplaint(body), { onNone: () => "", onSome: (complaint) => Object.values(complaint).join(" ") })

/** Whether a body says in words that the credits are used up. */
export const speaksOfCredits = (body: unknown): boolean => /\bcredits?\b/i.test(words(body))

/** An answer that is no 200. */
export interface Refused {
  readonly status: number
  /** Decoded JSON, or anything else. */
  readonly body: unknown
  /** Milliseconds, where the answer says it. */
  readonly retryAfter: number | null
}

/** A code of Apollo's (`API_INACCESSIBLE`); never the text beside it, which may repeat what was asked. */
const named = (status: number, body: unknown): string => {
  const code = Option.getOrNull(readComplaint(body))?.error_code ?? ""
  return /^[A-Za-z_]{1,40}$/.test(code) ? `${status} ${code}` : `${status}`
}

/** A refusal as the error that it is. */
export const read = ({ body, retryAfter, status }: Refused): SourceError.SourceError => {
  const problem = named(status, body)
  if (status === 408 || status >= 500) return new SourceError.Unavailable({ source, problem })
  if (status === 429) return new SourceError.RateLimited({ source, retryAfter })
  if (status === 402 || (status >= 400 && speaksOfCredits(body))) return new SourceError.QuotaExhausted({ source })
  switch (status) {
    case 400:
    case 422:
      return new SourceError.InvalidInput({ source, problem })
    case 401:
    case 403:
      return new SourceError.Unauthorized({ source })
    default:
      return new SourceError.InvalidResponse({ source, problem })
  }
}
