/**
 * What goes wrong in the house, in the words of the interface: each error of a use case becomes one refusal. Here every
 * tag is matched, so that a new error cannot be forgotten.
 */
import { type Billing, Credits, type Ledger } from "@lading/core/billing"
import type { CompanyEnrichment } from "@lading/core/company"
import type { PersonEnrichment } from "@lading/core/person"
import * as Refusal from "../api/Refusal.ts"
import type { AdministrationError } from "./admin/Administration.ts"
import * as Details from "./Details.ts"

export type UseCaseError =
  | CompanyEnrichment.CompanyEnrichmentError
  | PersonEnrichment.PersonEnrichmentError
  | AdministrationError
  | Billing.BillingError

const credits = (amount: Credits.Credits): number => Credits.toNumber(amount)

const conflictOf: Readonly<Record<Ledger.KeyConflict["reason"], string>> = {
  running: "A request under this Idempotency-Key is still running; its answer can be had later",
  other_request: "This Idempotency-Key belongs to another request",
  erased: "The answer under this Idempotency-Key was erased; another key asks afresh"
}

export const fromUseCase = (request_id: string) => (error: UseCaseError) => {
  switch (error._tag) {
    case "InvalidRequest":
      return new Refusal.InvalidRequest({
        request_id,
        message: "The request has wrong fields, see details",
        details: Details.bounded(error.details)
      })
    case "InsufficientCredits":
      return new Refusal.InsufficientCredits({
        request_id,
        message: `The request may cost ${credits(error.needed)} credits, ${credits(error.available)} are available`
      })
    case "CeilingTooLow":
      return new Refusal.InsufficientCredits({
        request_id,
        message: `The first step costs up to ${credits(error.needed)} credits, max_credits allows ${credits(error.ceiling)}`
      })
    case "KeyConflict":
      return new Refusal.Conflict({
        request_id,
        message: conflictOf[error.reason],
        retryable: error.reason === "running"
      })
    case "SourcesUnavailable":
      return new Refusal.Unavailable({
        request_id,
        message: `No source could answer: ${error.sources.map(({ source, reason }) => `${source} ${reason}`).join(", ")}`
      })
    case "DeadlineExceeded":
      return new Refusal.DeadlineExceeded({
        request_id,
        message: `Nothing was learnt within ${error.timeout_ms} milliseconds`
      })
    case "Unknown":
      return new Refusal.NotFound({ request_id, message: `There is no such ${error.what}` })
    case "UnknownRun":
      return new Refusal.NotFound({ request_id, message: "There is no such run" })
    case "Overdrawn":
      return new Refusal.InsufficientCredits({
        request_id,
        message: `${credits(error.needed)} credits would be taken, ${credits(error.available)} are available`
      })
    case "AccountsUnavailable":
    case "AnswerCacheUnavailable":
    case "ErasuresUnavailable":
    case "RunLogUnavailable":
    case "SuppressionUnavailable":
    case "LedgerUnavailable":
    case "HoldEnded":
      return new Refusal.Unavailable({ request_id, message: "A store does not answer" })
  }
}
