/**
 * What every status of People Data Labs other than 200 means.
 *
 * Gotchas
 * - 404 is a miss and free, but only with the vendor's own error in it: another 404 comes from a wrong base URL.
 * - `error.type` is a string or a list of strings and the message stands in `error` or beside it: the vendor's clients and
 *   its documents disagree. The status decides; the type is only reported.
 */
import { Option, Schema } from "effect"
import { SourceError, type VendorHttp } from "@lading/core/waterfall"
import { retryAfter } from "./RateReset.ts"

/** The adapter's name. */
export const source = "peopledatalabs"

const Type = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const Named = Schema.Struct({ error: Schema.Struct({ type: Type }) })

const ErrorBody = Schema.Union([Named, Schema.Struct({ message: Schema.String })])

const named = Schema.decodeUnknownOption(Named)

/** Whether the answer says, in the vendor's words, that there is no such record. */
export const isMiss = (answer: VendorHttp.Answer): boolean => answer.status === 404 && Schema.is(ErrorBody)(answer.body)

/** `status 400 invalid_request_error`: the type only where it is a plain word, never a sentence with somebody's data. */
const problem = (answer: VendorHttp.Answer): string => {
  const types = Option.match(named(answer.body), { onNone: () => [], onSome: ({ error }) => [error.type].flat() })
  return [`status ${answer.status}`, ...types.filter((type) => /^[a-z_]{1,40}$/.test(type))].join(" ")
}

/** The error that an answer which is neither a record nor a miss stands for; `now` in epoch milliseconds. */
export const refusal = (answer: VendorHttp.Answer, now: number): SourceError.SourceError => {
  switch (answer.status) {
    case 400:
    case 405:
      return new SourceError.InvalidInput({ source, problem: problem(answer) })
    case 401:
    case 403:
      return new SourceError.Unauthorized({ source })
    case 402:
      return new SourceError.QuotaExhausted({ source })
    case 429:
      return new SourceError.RateLimited({ source, retryAfter: retryAfter(answer.headers, now) })
    default:
      return answer.status >= 500
        ? new SourceError.Unavailable({ source, problem: problem(answer) })
        : new SourceError.InvalidResponse({ source, problem: problem(answer) })
  }
}
