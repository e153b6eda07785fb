/** What an account has asked and paid, by the day on which it was asked, the API key and the operation. */
import { DateTime } from "effect"
import type { Credits } from "./Credits.ts"

export interface UsageQuery {
  readonly account: string
  /** Epoch milliseconds of the first midnight in UTC that counts, and of the first that does not. */
  readonly from: number
  readonly until: number
}

export interface Usage {
  /** In UTC, `YYYY-MM-DD`. */
  readonly day: string
  /** Id of the key that asked; `null` for embedders. */
  readonly api_key: string | null
  /** `company`, `person`, `customs.match`, … */
  readonly operation: string
  /** Requests that were answered and settled. What is free takes part only where it is repeatable. */
  readonly requests: number
  /** What they have cost, with what was charged after the answer. */
  readonly credits: Credits
}

/** The day of an instant. */
export const dayOf = (millis: number): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis))

const words = ({ api_key, day, operation }: Usage): ReadonlyArray<string> => [operation, api_key ?? "", day]

/** The newest day first, then by operation and key. */
export const inOrder = (a: Usage, b: Usage): number => {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1
  const [one, other] = [words(a), words(b)]
  const place = one.findIndex((word, index) => word !== other[index])
  return place === -1 ? 0 : (one[place] ?? "") < (other[place] ?? "") ? -1 : 1
}
