/** What the command line says of a failure: one line, for people, without a stack and without a secret. */
import type { Accounts, Suppression } from "@lading/core/account"
import type { Billing, Ledger } from "@lading/core/billing"
import type { CompanyEnrichment } from "@lading/core/company"
import type { PersonEnrichment } from "@lading/core/person"
import type { Owner } from "@lading/postgres"
import { Schema } from "effect"
import type { AdministrationError } from "../server/admin/Administration.ts"
import type { CannotStart } from "../server/CannotStart.ts"
import { fromUseCase } from "../server/Refused.ts"
import type { NothingThere } from "./Administration.ts"
import type { OwnerSilent, Refused } from "./Remote.ts"

export type Failure =
  | CannotStart
  | Accounts.AccountsUnavailable
  | Suppression.SuppressionUnavailable
  | Ledger.LedgerUnavailable
  | Billing.BillingError
  | Owner.FolderUnusable
  | CompanyEnrichment.CompanyEnrichmentError
  | PersonEnrichment.PersonEnrichmentError
  | AdministrationError
  | NothingThere
  | OwnerSilent
  | Refused

/** What a server says begins with a capital letter, what follows `lading: ` does not. */
const continued = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

const where = ({ folder, host, pid, url }: OwnerSilent): string =>
  `process ${pid} on ${host} owns ${folder} and does not ${url === null ? "listen" : `answer on ${url}`}; try again, or end it`

const sources = (all: ReadonlyArray<{ readonly source: string; readonly reason: string }>): string =>
  all.map(({ reason, source }) => `${source} (${reason})`).join(", ")

const sentence = (failure: Failure): string => {
  switch (failure._tag) {
    case "CannotStart":
      return failure.message
    case "AccountsUnavailable":
    case "AnswerCacheUnavailable":
    case "ErasuresUnavailable":
    case "RunLogUnavailable":
    case "SuppressionUnavailable":
    case "LedgerUnavailable":
      return `the database does not answer: ${failure.problem}`
    case "NothingThere":
      return `there is nothing in ${failure.folder} yet; lading account create begins`
    case "OwnerSilent":
      return where(failure)
    case "Refused":
      return continued(failure.message)
    case "Unknown":
    case "UnknownRun":
    case "Overdrawn":
      // The words of the interface, so that it makes no difference through whom a command asks.
      return continued(fromUseCase("")(failure).message)
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
