/** What the command line says of a failure: one line, for people, without a stack and without a secret. */
import type { Accounts, Suppression } from "@lading/core/account"
import type { Billing, Ledger } from "@lading/core/billing"
import type { CompanyEnrichment } from "@lading/core/company"
import type { PersonEnrichment } from "@lading/core/person"
import type { Owner } from "@lading/postgres"
import { Schema } from "effect"
import type { CannotStart } from "../server/CannotStart.ts"

export type Failure =
  | CannotStart
  | Accounts.AccountsUnavailable
  | Suppression.SuppressionUnavailable
  | Ledger.LedgerUnavailable
  | Billing.BillingError
  | Owner.FolderUnusable
  | CompanyEnrichment.CompanyEnrichmentError
  | PersonEnrichment.PersonEnrichmentError

const sources = (all: ReadonlyArray<{ readonly source: string; readonly reason: string }>): string =>
  all.map(({ reason, source }) => `${source} (${reason})`).join(", ")

const sentence = (failure: Failure): string => {
  switch (failure._tag) {
    case "CannotStart":
      return failure.message
    case "AccountsUnavailable":
    case "SuppressionUnavailable":
    case "LedgerUnavailable":
      return `the database does not answer: ${failure.problem}`
    case "FolderUnusable":
      return `the folder ${failure.folder} cannot be used: ${failure.problem}`
    case "InvalidRequest":
      return failure.details.map(({ message, path }) => `${path}: ${message}`).join("; ")
    case "SourcesUnavailable":
      return failure.sources.length === 0
        ? "no source could be asked"
        : `no source answered: ${sources(failure.sources)}`
    case "DeadlineExceeded":
      return `nothing was learnt in ${failure.timeout_ms} ms`
    case "CeilingTooLow":
    case "InsufficientCredits":
      return "there are not enough credits"
    case "KeyConflict":
    case "HoldEnded":
      return "another request stood in the way, try again"
  }
}

/** A command has failed; the message is the line. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", { message: Schema.String }) {}

export const of = (failure: Failure): CommandFailed =>
  new CommandFailed({ message: sentence(failure).replaceAll(/\s+/g, " ") })
