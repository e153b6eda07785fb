/** What became of a row, in the same words for companies and persons. */
import { Credits } from "@lading/core/billing"
import type { CompanyEnrichment } from "@lading/core/company"
import type { PersonEnrichment } from "@lading/core/person"
import type { InvalidRequest } from "@lading/core/request"
import type { WaterfallMeta } from "@lading/core/waterfall"
import { Schema } from "effect"

const statuses = ["ok", "nothing_found", "pending", "error"] as const

export const Outcome = Schema.Struct({
  status: Schema.Literals(statuses),
  /** What went wrong; empty unless the status is `error`. */
  error: Schema.String,
  /** What was charged for it; of a pending answer what is certain by now. */
  credits: Credits.Credits,
  /** Empty where nobody was asked. */
  request_id: Schema.String,
  /** `null` where there is no answer. */
  profile: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  sources: Schema.Record(Schema.String, Schema.String),
  /** Sources that were left out since what the row may cost had no room for them. */
  budget_exhausted: Schema.Array(Schema.String),
  /** The whole answer, as the interface gives it. */
  answer: Schema.Unknown
})
export type Outcome = typeof Outcome.Type

/** The skipped ones of this reason. */
const cutOff = ({ sources_skipped }: WaterfallMeta): ReadonlyArray<string> =>
  sources_skipped.flatMap(({ reason, source }) => (reason === "budget_exhausted" ? [source] : []))

/** Somebody knew something: what comes from the row itself does not count. */
const known = (sources: Readonly<Record<string, string>>): boolean =>
  Object.values(sources).some((source) => source !== "request")

export const ofCompany = (answer: CompanyEnrichment.CompanyEnrichmentResult): Outcome => {
  const { field_sources: sources, profile } = answer.company
  return {
    status: answer.meta.waterfall.async_pending ? "pending" : known(sources) ? "ok" : "nothing_found",
    error: "",
    credits: Credits.fromNumber(answer.meta.billing.credits_charged),
    request_id: answer.request_id,
    profile: { ...profile },
    sources,
    budget_exhausted: cutOff(answer.meta.waterfall),
    answer
  }
}

export const ofPerson = (answer: PersonEnrichment.PersonEnrichmentResult): Outcome => {
  const { field_sources: sources } = answer.meta
  return {
    status: answer.status === "pending" ? "pending" : known(sources) ? "ok" : "nothing_found",
    error: "",
    credits: Credits.fromNumber(answer.meta.billing.total_credits_charged),
    request_id: answer.request_id,
    profile: { ...answer.person },
    sources,
    budget_exhausted: cutOff(answer.meta.waterfall),
    answer
  }
}

/** Nothing was learnt, and nothing charged. */
export const failed = (error: string, request_id = ""): Outcome => ({
  status: "error",
  error: error.replaceAll(/\s+/g, " "),
  credits: Credits.zero,
  request_id,
  profile: null,
  sources: {},
  budget_exhausted: [],
  answer: null
})

/** A pending answer that will never come: what was known and charged by then stays. */
export const lost = (pending: Outcome): Outcome => ({
  ...pending,
  status: "error",
  error: "the rest of the answer is not kept any more"
})

export const details = (all: ReadonlyArray<InvalidRequest.Detail>): string =>
  all.map(({ message, path }) => `${path}: ${message}`).join("; ")

/** Wrong for every row alike: it is the options that are wrong, not the row. */
export const ofOptions = (all: ReadonlyArray<InvalidRequest.Detail>): boolean =>
  all.some(({ path }) => path.startsWith("waterfall"))
