/**
 * What an answer of Snov.io's means that is no success: one table from status and body to error. A miss is no such
 * answer: Snov.io says that it knows nothing with a result that is empty.
 *
 * Gotchas
 * - Errors are hardly documented. `errors` is an object with a title at a path or record that is unknown, and a list of
 *   texts where an operation fails.
 * - Credits that are used up come as a 400, as a text with any other status, or as the status of a task (`Task.ts`).
 * - 404 is no miss: it is what an unknown path and a task that is forgotten have in common.
 */
import { Said, SourceError } from "@lading/core/waterfall"
import { Option, Schema } from "effect"

/** The adapter's name in errors and attributions. */
export const source = "snov"

const text = Said.said(Schema.String)

/** The bodies that speak of trouble, of which each has some members. */
const Complaint = Schema.Struct({
  message: text,
  error: text,
  error_description: text,
  errors: Said.said(Schema.Union([Schema.Array(Schema.Unknown), Schema.Struct({ title: text })]))
})
const readComplaint = Schema.decodeUnknownOption(Complaint)

const words = (body: unknown): string =>
  Option.match(readComplaint(body), {
    onNone: () => "",
    onSome: ({ error, error_description, errors, message }) => {
      const listed = errors !== null && errors !== undefined && "title" in errors ? [errors.title] : errors
      const more = Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : []
      return [message, error, error_description, ...more].join(" ")
    }
  })

/** Whether a body says in words that the credits are used up. */
export const speaksOfCredits = (body: unknown): boolean => /\bcredits?\b/i.test(words(body))

/** Whether a body says that the client is not known; OAuth allows a 400 for it (RFC 6749, 5.2). */
const speaksOfClient = (body: unknown): boolean => /\b(invalid|unauthorized)_(client|grant)\b/i.test(words(body))

/** An answer that is no success. */
export interface Refused {
  readonly status: number
  /** Decoded JSON, or anything else. */
  readonly body: unknown
  /** Milliseconds, where the answer says it. */
  readonly retryAfter: number | null
}

/** A refusal as the error that it is. */
export const read = ({ body, retryAfter, status }: Refused): SourceError.SourceError => {
  const problem = String(status)
  if (status === 408 || status >= 500) return new SourceError.Unavailable({ source, problem })
  if (status === 429) return new SourceError.RateLimited({ source, retryAfter })
  if (status === 402 || (status >= 400 && speaksOfCredits(body))) return new SourceError.QuotaExhausted({ source })
  if (status === 401 || status === 403) return new SourceError.Unauthorized({ source })
  if (status === 400 && speaksOfClient(body)) return new SourceError.Unauthorized({ source })
  if (status === 400 || status === 422) return new SourceError.InvalidInput({ source, problem })
  return new SourceError.InvalidResponse({ source, problem })
}
