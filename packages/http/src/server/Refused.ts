/**
 * What goes wrong in the house, in the words of the interface: each error of a use case becomes one refusal. Here every
 * tag is matched, so that a new error cannot be forgotten.
 */
import type { Vault, VendorKeys } from "@lading/core/account"
import { type Billing, Credits, type Ledger } from "@lading/core/billing"
import type { CompanyEnrichment, CompanySearch } from "@lading/core/company"
import type { ContactFinder, MatchedContacts, WebContacts } from "@lading/core/contact"
import type { EmailVerification } from "@lading/core/email"
import type { PersonEnrichment, PersonSearch } from "@lading/core/person"
import type { AgenticTasks } from "@lading/core/task"
import type { CustomsSearch, MarketAnalytics, TradeStore } from "@lading/core/trade"
import * as Refusal from "../api/Refusal.ts"
import type { AdministrationError } from "./admin/Administration.ts"
import type { LoadingError } from "./admin/Loading.ts"
import * as Details from "./Details.ts"

export type UseCaseError =
  | CompanyEnrichment.CompanyEnrichmentError
  | PersonEnrichment.PersonEnrichmentError
  | CompanySearch.CompanySearchError
  | PersonSearch.PersonSearchError
  | CompanyEnrichment.PendingCompanyError
  | PersonEnrichment.PendingPersonError
  | AdministrationError
  | LoadingError
  | CustomsSearch.SearchError
  | CustomsSearch.UnknownCompany
  | MarketAnalytics.MarketError
  | MatchedContacts.MatchedContactsError
  | WebContacts.WebContactsError
  | EmailVerification.VerificationError
  | AgenticTasks.OrderError
  | AgenticTasks.PlanError
  | AgenticTasks.ReadError
  | AgenticTasks.TaskEnded
  | VendorKeys.SavingError
  | Vault.VaultError
  | Billing.BillingError

const credits = (amount: Credits.Credits): number => Credits.toNumber(amount)

const conflictOf: Readonly<Record<Ledger.KeyConflict["reason"], string>> = {
  running: "A request under this Idempotency-Key is still running; its answer can be had later",
  other_request: "This Idempotency-Key belongs to another request",
  erased: "The answer under this Idempotency-Key was erased; another key asks afresh"
}

const fromKey = (request_id: string, { reason }: Ledger.KeyConflict) =>
  new Refusal.Conflict({ request_id, message: conflictOf[reason], retryable: reason === "running" })

type Poor = Ledger.InsufficientCredits | Billing.CeilingTooLow | Extract<UseCaseError, { readonly _tag: "Overdrawn" }>

const tooPoor = (error: Poor): string => {
  switch (error._tag) {
    case "InsufficientCredits":
      return `The request may cost ${credits(error.needed)} credits, ${credits(error.available)} are available`
    case "CeilingTooLow":
      return `The first step costs up to ${credits(error.needed)} credits, max_credits allows ${credits(error.ceiling)}`
    case "Overdrawn":
      return `${credits(error.needed)} credits would be taken, ${credits(error.available)} are available`
  }
}

const noRefund: Readonly<Record<Ledger.NothingToRefund["reason"], string>> = {
  not_charged: "Nothing is known that this account was charged under this request id",
  refunded: "All that the request was charged has been given back"
}

/** What there is nothing left of to give back. */
const fromRefund = (request_id: string, { reason }: Ledger.NothingToRefund) =>
  reason === "not_charged"
    ? new Refusal.NotFound({ request_id, message: noRefund[reason] })
    : new Refusal.Conflict({ request_id, code: "conflict", message: noRefund[reason] })

type CustomsError =
  | ContactFinder.ContactFinderUnavailable
  | CustomsSearch.UnknownCompany
  | TradeStore.QueryTooExpensive
  | TradeStore.TradeStoreAbsent

/** What goes wrong with questions about customs records alone. */
const fromCustoms = (request_id: string, error: CustomsError) => {
  switch (error._tag) {
    case "UnknownCompany":
      return new Refusal.NotFound({ request_id, message: "There is no company with this id" })
    case "ContactFinderUnavailable":
      return new Refusal.Unavailable({ request_id, message: "The pages of the company cannot be read now" })
    case "TradeStoreAbsent":
      // The same again will not do better: an operator has to do something.
      return new Refusal.Unavailable({ request_id, message: error.remedy, retryable: false })
    case "QueryTooExpensive": {
      // The question is what is wrong: asked again it would meet the same bound, whatever the server does meanwhile.
      const message = `The question takes more ${error.bound} than one may: ask for fewer months, or filter more`
      return new Refusal.InvalidRequest({ request_id, message, details: [{ path: "", message }] })
    }
  }
}

type UnknownError = Extract<
  UseCaseError,
  { readonly _tag: "Unknown" | "UnknownEnrichment" | "UnknownRun" | "UnknownEmailTask" | "UnknownTask" }
>

/** What there is not. */
const unknownOf = (error: UnknownError): string => {
  switch (error._tag) {
    case "Unknown":
      return `There is no such ${error.what}`
    case "UnknownEnrichment":
      return "There is no such enrichment: it was complete at once, is another account's, or is kept no longer"
    case "UnknownRun":
      return "There is no such run"
    case "UnknownEmailTask":
    case "UnknownTask":
      return "There is no such task: it is another account's, or is kept no longer"
  }
}

type EmailError =
  | Extract<EmailVerification.VerificationError, { readonly _tag: "EmailVerifierUnavailable" }>
  | EmailVerification.EmailTaskEnded

/** What goes wrong with the verification of addresses alone. */
const fromEmail = (request_id: string, error: EmailError) => {
  switch (error._tag) {
    case "EmailVerifierUnavailable":
      return new Refusal.Unavailable({
        request_id,
        message: `Addresses cannot be verified now: ${error.problem}`,
        retryable: error.retryable
      })
    case "EmailTaskEnded":
      return new Refusal.Conflict({ request_id, code: "conflict", message: `The task is ${error.state} already` })
  }
}

type KeyError = VendorKeys.VendorKeyUnchecked | Vault.VaultClosed | Vault.VaultUnreadable

/** What goes wrong with stored vendor keys alone. */
const fromVault = (request_id: string, error: KeyError) => {
  switch (error._tag) {
    case "VendorKeyUnchecked":
      return new Refusal.Unavailable({
        request_id,
        message: `The vendor of ${error.slot} does not say now whether the key is right (${error.reason}); nothing was stored`
      })
    case "VaultClosed":
      return new Refusal.Unavailable({ request_id, message: error.remedy, retryable: false })
    case "VaultUnreadable":
      return new Refusal.Unavailable({
        request_id,
        message: `The key that is stored for ${error.slot} cannot be opened here any more: store it again, or remove it`,
        retryable: false
      })
  }
}

const keyTags: ReadonlyArray<KeyError["_tag"]> = ["VendorKeyUnchecked", "VaultClosed", "VaultUnreadable"]

const isKey = (error: UseCaseError): error is KeyError => keyTags.some((tag) => tag === error._tag)

type StepError = Exclude<LoadingError, TradeStore.TradeStoreError>

const stepTags: ReadonlyArray<StepError["_tag"]> = [
  "LoadInProgress",
  "LeaseLost",
  "OtherPart",
  "BeingPublished",
  "NoSuchLoad"
]

const stepOf = (error: StepError): string => {
  switch (error._tag) {
    case "LoadInProgress":
      return `Load ${error.load} (${error.name}) is not finished: go on with it, or abandon it`
    case "LeaseLost":
      return `Load ${error.load} is not under this lease: it was begun again, or the server was started anew`
    case "OtherPart":
      return `The next part of load ${error.load} is ${error.next}`
    case "BeingPublished":
      return `Load ${error.load} is being published`
    case "NoSuchLoad":
      return `There is no load ${error.load} that is not finished`
  }
}

/** What goes wrong with a load that is written step by step. */
const fromLoading = (request_id: string, error: StepError) =>
  error._tag === "NoSuchLoad"
    ? new Refusal.NotFound({ request_id, message: stepOf(error) })
    : new Refusal.Conflict({ request_id, code: "conflict", message: stepOf(error) })

type TaskError = Extract<UseCaseError, { readonly _tag: "TaskEnded" | "PlannerUnavailable" | "Unplannable" }>

const taskTags: ReadonlyArray<TaskError["_tag"]> = ["TaskEnded", "PlannerUnavailable", "Unplannable"]

const isTask = (error: UseCaseError): error is TaskError => taskTags.some((tag) => tag === error._tag)

/** What goes wrong with agentic tasks alone. */
const fromTask = (request_id: string, error: TaskError) => {
  switch (error._tag) {
    case "TaskEnded":
      return new Refusal.Conflict({ request_id, code: "conflict", message: `The task is ${error.state} already` })
    case "PlannerUnavailable":
      return new Refusal.Unavailable({
        request_id,
        message: `Nobody can plan now: ${error.problem}`,
        retryable: error.retryable
      })
    case "Unplannable":
      return new Refusal.InvalidRequest({
        request_id,
        message: "No plan that can be run came of the prompt: say it otherwise, or give the steps",
        details: Details.bounded(error.details)
      })
  }
}

const isStep = (error: UseCaseError): error is StepError => stepTags.some((tag) => tag === error._tag)

/** A store does not answer, whichever. */
const stores = [
  "TradeStoreUnavailable",
  "TraderDomainsUnavailable",
  "AccountsUnavailable",
  "AnswerCacheUnavailable",
  "CompanyIndexUnavailable",
  "EmailTasksUnavailable",
  "EnrichmentStoreUnavailable",
  "ErasuresUnavailable",
  "KnownPeopleUnavailable",
  "RunLogUnavailable",
  "SuppressionUnavailable",
  "TaskStoreUnavailable",
  "VaultUnavailable",
  "WebhooksUnavailable",
  "LedgerUnavailable",
  "HoldEnded"
] as const

type Down = Extract<UseCaseError, { readonly _tag: (typeof stores)[number] }>

const isDown = (error: UseCaseError): error is Down => stores.some((tag) => tag === error._tag)

export const fromUseCase = (request_id: string) => (error: UseCaseError) => {
  if (isStep(error)) return fromLoading(request_id, error)
  if (isKey(error)) return fromVault(request_id, error)
  if (isTask(error)) return fromTask(request_id, error)
  if (isDown(error)) return new Refusal.Unavailable({ request_id, message: "A store does not answer" })
  switch (error._tag) {
    case "InvalidRequest":
      return new Refusal.InvalidRequest({
        request_id,
        message: "The request has wrong fields, see details",
        details: Details.bounded(error.details)
      })
    case "InsufficientCredits":
    case "CeilingTooLow":
    case "Overdrawn":
      return new Refusal.InsufficientCredits({ request_id, message: tooPoor(error) })
    case "NothingToRefund":
      return fromRefund(request_id, error)
    case "KeyConflict":
      return fromKey(request_id, error)
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
    case "UnknownEnrichment":
    case "UnknownRun":
    case "UnknownEmailTask":
    case "UnknownTask":
      return new Refusal.NotFound({ request_id, message: unknownOf(error) })
    case "UnknownCompany":
    case "TradeStoreAbsent":
    case "QueryTooExpensive":
    case "ContactFinderUnavailable":
      return fromCustoms(request_id, error)
    case "EmailVerifierUnavailable":
    case "EmailTaskEnded":
      return fromEmail(request_id, error)
  }
}
