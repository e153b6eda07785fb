/** What the command line says of a failure: in a line, for people, without a stack and without a secret. */
import type { Accounts, Suppression } from "@lading/core/account"
import type { Billing, Ledger } from "@lading/core/billing"
import type { CompanyEnrichment } from "@lading/core/company"
import type { PersonEnrichment } from "@lading/core/person"
import type { Database, ExportFile, Owner, Restore } from "@lading/postgres"
import { Runtime, Schema } from "effect"
import type { AdministrationError } from "../server/admin/Administration.ts"
import type { TradeImport } from "@lading/core/trade"
import type { ImportError } from "@lading/importers"
import type { CannotStart } from "../server/CannotStart.ts"
import type { NotAList } from "../server/HsList.ts"
import { fromUseCase } from "../server/Refused.ts"
import type { NothingThere } from "./Administration.ts"
import type { OwnerSilent, Refused } from "./Remote.ts"
import type { Interrupted } from "./Signals.ts"
import type { FolderServed } from "./transfer/Place.ts"
import type { CannotBegin, Paused, Stopped, Unreadable } from "./rows/Problem.ts"

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
  | CannotBegin
  | Paused
  | Stopped
  | Unreadable
  | ImportError
  | NotAList
  | TradeImport.ImportFailure
  | Interrupted
  | Database.DatabaseUnavailable
  | TransferFailure

/** What a server says begins with a capital letter, what follows `lading: ` does not. */
const continued = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

const where = ({ folder, host, pid, url }: OwnerSilent): string =>
  `process ${pid} on ${host} owns ${folder} and does not ${url === null ? "listen" : `answer on ${url}`}; try again, or end it`

const sources = (all: ReadonlyArray<{ readonly source: string; readonly reason: string }>): string =>
  all.length === 0
    ? "no source could be asked"
    : `no source answered: ${all.map(({ reason, source }) => `${source} (${reason})`).join(", ")}`

const customsSentence = (failure: TradeImport.ImportFailure): string => {
  switch (failure._tag) {
    case "LoadInProgress":
      return `load ${failure.load} (${failure.name}) is not finished: go on with it, or \`lading import abandon ${failure.load}\``
    case "NoSuchLoad":
      return `there is no load ${failure.load} that is not finished`
    case "TradeStoreUnavailable":
      return `the store of customs records does not answer: ${failure.problem}`
  }
}

type TransferFailure = ExportFile.ExportFileError | Restore.RestoreRefused | FolderServed

const fileSentence = (failure: TransferFailure | NotAList | Unreadable | Owner.FolderUnusable): string => {
  switch (failure._tag) {
    case "Unreadable":
      return `${failure.file}${failure.line === null ? "" : `, line ${failure.line}`}: ${failure.problem}`
    case "FolderUnusable":
      return `the folder ${failure.folder} cannot be used: ${failure.problem}`
    case "NotAList":
    case "ExportFileError":
      return `${failure.file}: ${failure.problem}`
    case "RestoreRefused":
      return `nothing was restored: ${failure.problem}`
    case "FolderServed":
      return `process ${failure.pid} on ${failure.host} serves from ${failure.folder}: stop it first; a copy of one moment cannot be had beside it`
  }
}

const unheld = ({
  _tag
}: Extract<
  Failure,
  { readonly _tag: "CeilingTooLow" | "InsufficientCredits" | "KeyConflict" | "HoldEnded" }
>): string =>
  _tag === "KeyConflict" || _tag === "HoldEnded"
    ? "another request stood in the way, try again"
    : "there are not enough credits"

const unanswered = (failure: Extract<Failure, { readonly _tag: "SourcesUnavailable" | "DeadlineExceeded" }>): string =>
  failure._tag === "DeadlineExceeded" ? `nothing was learnt in ${failure.timeout_ms} ms` : sources(failure.sources)

const databaseTags = [
  "AccountsUnavailable",
  "AnswerCacheUnavailable",
  "CompanyIndexUnavailable",
  "DatabaseUnavailable",
  "EmailTasksUnavailable",
  "EnrichmentStoreUnavailable",
  "ErasuresUnavailable",
  "KnownPeopleUnavailable",
  "LedgerUnavailable",
  "RunLogUnavailable",
  "SuppressionUnavailable",
  "TaskStoreUnavailable",
  "TraderDomainsUnavailable",
  "VaultUnavailable",
  "WebhooksUnavailable"
] as const

type DatabaseFailure = Extract<Failure, { readonly _tag: (typeof databaseTags)[number] }>

const isDatabase = (failure: Failure): failure is DatabaseFailure => databaseTags.some((tag) => tag === failure._tag)

const sentence = (failure: Failure): string => {
  if (isDatabase(failure)) return `the database does not answer: ${failure.problem}`
  switch (failure._tag) {
    case "CannotStart":
    case "ImportError":
      return failure.message
    case "Unreadable":
    case "NotAList":
    case "FolderUnusable":
    case "ExportFileError":
    case "RestoreRefused":
    case "FolderServed":
      return fileSentence(failure)
    case "NothingThere":
      return `there is nothing in ${failure.folder} yet; lading account create begins`
    case "OwnerSilent":
      return where(failure)
    case "CannotBegin":
    case "Paused":
    case "Stopped":
      return failure.problem
    case "LoadInProgress":
    case "NoSuchLoad":
    case "TradeStoreUnavailable":
      return customsSentence(failure)
    case "Interrupted":
      return "stopped; the same command goes on from here"
    case "Refused":
      return continued(failure.message)
    case "Unknown":
    case "UnknownRun":
    case "Overdrawn":
    case "NothingToRefund":
    case "VaultUnreadable":
      // The words of the interface, so that it makes no difference through whom a command asks.
      return continued(fromUseCase("")(failure).message)
    case "InvalidRequest":
      return failure.details.map(({ message, path }) => `${path}: ${message}`).join("; ")
    case "SourcesUnavailable":
    case "DeadlineExceeded":
      return unanswered(failure)
    case "CeilingTooLow":
    case "InsufficientCredits":
    case "KeyConflict":
    case "HoldEnded":
      return unheld(failure)
  }
}

/** A command has failed; the message is the line. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  /** Exit code: 1 where nothing else is said, 130 after a signal. */
  code: Schema.optional(Schema.Int)
}) {
  override readonly [Runtime.errorExitCode] = this.code ?? 1
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** One line; of a mapping file a line for each place that is wrong. */
const message = (failure: Failure): string => {
  if (failure._tag !== "ImportError" || failure.reason !== "mapping") return oneLine(sentence(failure))
  const [first = "", ...more] = failure.problem.split("\n").map(oneLine)
  return more.length === 0 ? `${failure.file}: ${first}` : [`${failure.file}:`, first, ...more].join("\n  ")
}

export const of = (failure: Failure): CommandFailed =>
  new CommandFailed({
    message: message(failure),
    ...(failure._tag === "Paused" && failure.signal ? { code: 130 } : {})
  })
