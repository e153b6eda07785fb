/**
 * A pending enrichment: how each step has ended so far, which answers are still to come, and the money set aside for them.
 * All that is needed to make the answer as it is now, in any process; no credential is in it.
 *
 * Pure. An ending is kept as it was judged, so that neither a later version of an adapter nor a later price list changes
 * what was answered already.
 */
import { Option, Schema } from "effect"
import type * as Bill from "../billing/Bill.ts"
import * as Credits from "../billing/Credits.ts"
import { HoldId } from "../billing/Hold.ts"
import { PriceBook } from "../billing/PriceBook.ts"
import type { Ending } from "../waterfall/Ending.ts"
import { LoggedStep } from "../waterfall/LoggedRun.ts"
import { Mode } from "../waterfall/Plan.ts"
import { Ranked } from "../waterfall/Ranked.ts"
import * as MailAddress from "../value/MailAddress.ts"
import { FailureReason } from "../waterfall/SourceError.ts"
import { VerifiedEmail } from "../waterfall/VerifiedEmail.ts"

const Reading = Schema.Struct({
  key: Schema.String,
  variant: Schema.optionalKey(Schema.NullOr(Schema.String)),
  value: Schema.Unknown,
  raw: Schema.Unknown,
  valid: Schema.Boolean,
  estimated: Schema.Boolean
})

const Observation = Schema.Struct({
  field: Schema.String,
  position: Schema.Int,
  reading: Reading,
  origin: Schema.Struct({
    source: Schema.String,
    precedence: Schema.Literals(["request", "plan", "fallback"]),
    adapter: Schema.String,
    observed_at: Schema.NullOr(Schema.Finite),
    mismatch: Schema.Boolean
  })
})

const Verdict = Schema.Union([
  Schema.Struct({ _tag: Schema.Literals(["Hit", "Miss", "Mismatch", "Abandoned"]) }),
  Schema.Struct({ _tag: Schema.Literal("Pending"), handle: Schema.String, attempts: Schema.Int }),
  Schema.Struct({ _tag: Schema.Literal("Failed"), reason: FailureReason }),
  Schema.Struct({
    _tag: Schema.Literal("Skipped"),
    reason: Schema.Literals([
      "already_answered",
      "fields_filled",
      "circuit_open",
      "rate_limited",
      "budget_exhausted",
      "deadline_exceeded"
    ])
  })
])

/** `Ending.Ending`, as JSON. */
const KeptEnding = Schema.Struct({
  source: Schema.String,
  verdict: Verdict,
  cached: Schema.Boolean,
  credits: Credits.Credits,
  observations: Schema.Array(Observation),
  raw: Schema.optionalKey(Schema.Unknown),
  byok: Schema.Boolean,
  vendorUnits: Schema.Finite,
  logged: Schema.NullOr(LoggedStep)
})
type KeptEnding = typeof KeptEnding.Type

/** One subject that was asked about. */
const Asked = Schema.Struct({
  identity: Schema.Unknown,
  mode: Mode,
  order: Schema.Array(Schema.String),
  required: Schema.Array(Schema.String),
  /** Why the sources stand in this order; `null` where it was given. */
  ranking: Schema.NullOr(Schema.Array(Ranked)),
  /** Sources that were late, and who was asked beside them. */
  hedged: Schema.NullOr(Schema.Array(Schema.Struct({ source: Schema.String, by: Schema.String }))),
  /** Sources that were never to be asked. */
  skips: Schema.Array(Schema.Struct({ source: Schema.String, reason: Schema.String })),
  /** Of every step of the plan, in its order. */
  endings: Schema.Array(KeptEnding),
  /** What verifying the addresses came to with the request; left out where none was to be verified. */
  verified: Schema.optionalKey(Schema.Array(VerifiedEmail)),
  /** The same of those in answers that came later. */
  verified_later: Schema.optionalKey(Schema.Array(VerifiedEmail))
})
export type Asked = typeof Asked.Type

/** An answer that was still to come when the request was answered. */
const Waiting = Schema.Struct({
  /** Its place in `asked`. */
  subject: Schema.Int,
  source: Schema.String,
  /** The adapter that began it. */
  adapter: Schema.String,
  handle: Schema.String,
  /** How many calls began it. */
  attempts: Schema.Int,
  own_key: Schema.Boolean,
  /** The own key is the account's stored one: it is in the vault, for as long as the account leaves it there. */
  stored_key: Schema.optionalKey(Schema.Literal(true)),
  kind: Schema.Literals(["per_call", "per_hit", "per_field_hit"]),
  /** The most that it can cost. */
  worst: Credits.Credits,
  /** What is set aside for verifying the addresses in it; left out where none is to be verified. */
  checks: Schema.optionalKey(Credits.Credits)
})
export type Waiting = typeof Waiting.Type

const Line = Schema.Struct({
  payee: Schema.Union([
    Schema.Struct({ _tag: Schema.Literal("Platform") }),
    Schema.Struct({ _tag: Schema.Literal("Source"), source: Schema.String })
  ]),
  credits: Credits.Credits
})

export const PendingEnrichment = Schema.Struct({
  version: Schema.Literal(1),
  request_id: Schema.String,
  account: Schema.String,
  operation: Schema.Literals(["company", "person"]),
  /** The request as it stood in the body, without credentials. */
  request: Schema.Unknown,
  /** Epoch milliseconds. */
  received_at: Schema.Finite,
  /** When nothing is waited for any more, epoch milliseconds. */
  expires_at: Schema.Finite,
  /** Whether the request is known to have been settled: before, nobody has been answered. */
  answered: Schema.Boolean,
  /** When the last answer had come, epoch milliseconds; `null` before. */
  completed_at: Schema.NullOr(Schema.Finite),
  webhook_url: Schema.NullOr(Schema.String),
  prices: PriceBook,
  /** What was charged with the request. */
  bill: Schema.Struct({
    price_version: Schema.String,
    lines: Schema.Array(Line),
    memos: Schema.Array(Schema.Struct({ source: Schema.String, units: Schema.Finite }))
  }),
  /** The request's own hold, and the one for what is still to come. */
  parent: HoldId,
  hold: HoldId,
  asked: Schema.Array(Asked),
  waiting: Schema.Array(Waiting)
})
export type PendingEnrichment = typeof PendingEnrichment.Type

const json = Schema.fromJsonString(PendingEnrichment)
const decode = Schema.decodeOption(json)

/** The text, without running the schema: what goes in is ours. */
export const textOf = (enrichment: PendingEnrichment): string => JSON.stringify(enrichment)

/** `null` for a text that was kept in another shape. */
export const parse = (text: string): PendingEnrichment | null => Option.getOrNull(decode(text))

/** An ending with its raw answer in place. */
export const endingOf = (kept: KeptEnding): Ending => ({ ...kept, raw: kept.raw })

const endingFor = ({ asked }: PendingEnrichment, { source, subject }: Waiting): KeptEnding | undefined =>
  asked[subject]?.endings.find((ending) => ending.source === source)

/** Whether it has not come yet. */
const isOpen = (enrichment: PendingEnrichment, waiting: Waiting): boolean =>
  endingFor(enrichment, waiting)?.verdict._tag === "Pending"

export const open = (enrichment: PendingEnrichment): ReadonlyArray<Waiting> =>
  enrichment.waiting.filter((waiting) => isOpen(enrichment, waiting))

/** The same one as it is kept by now, while it has not come. */
export const openAt = (enrichment: PendingEnrichment, { source, subject }: Waiting): Waiting | undefined =>
  enrichment.waiting.find((known) => known.source === source && known.subject === subject && isOpen(enrichment, known))

/** As it is when its request has been settled. */
export const toBeShown = (enrichment: PendingEnrichment): PendingEnrichment =>
  enrichment.answered ? enrichment : { ...enrichment, answered: true }

/** With the handle that its vendor goes on under. */
export const renamed = (enrichment: PendingEnrichment, waiting: Waiting, handle: string): PendingEnrichment => ({
  ...enrichment,
  waiting: enrichment.waiting.map((known) =>
    known.subject === waiting.subject && known.source === waiting.source ? { ...known, handle } : known
  )
})

/** An answer that has come, and what the addresses in it came to. */
export interface Landing {
  readonly ending: KeptEnding
  readonly verified: ReadonlyArray<VerifiedEmail>
}

/** What is known of addresses, by their keys. */
export const known = ({ verified = [], verified_later = [] }: Asked): ReadonlyMap<string, VerifiedEmail> =>
  new Map([...verified, ...verified_later].map((one) => [MailAddress.key(one.email), one]))

/** With what is new of the addresses: one that another answer told meanwhile is not paid twice. */
const withVerified = (asked: Asked, verified: ReadonlyArray<VerifiedEmail>): Partial<Asked> => {
  if (asked.verified === undefined) return {}
  const before = known(asked)
  const fresh = verified.filter(({ email }) => !before.has(MailAddress.key(email)))
  return { verified_later: [...(asked.verified_later ?? []), ...fresh] }
}

/** With the ending of an answer that has come; one that came before stays. */
export const land = (
  enrichment: PendingEnrichment,
  waiting: Waiting,
  { ending, verified }: Landing
): PendingEnrichment =>
  isOpen(enrichment, waiting)
    ? {
        ...enrichment,
        asked: enrichment.asked.map((asked, subject) =>
          subject === waiting.subject
            ? {
                ...asked,
                ...withVerified(asked, verified),
                endings: asked.endings.map((known) => (known.source === waiting.source ? ending : known))
              }
            : asked
        )
      }
    : enrichment

/** What the answers that came later cost. */
export const laterBill = (enrichment: PendingEnrichment): Bill.Bill => {
  const landed = enrichment.waiting.flatMap((waiting) => endingFor(enrichment, waiting) ?? [])
  const verdicts = Credits.sum(
    enrichment.asked.flatMap(({ verified_later = [] }) =>
      verified_later.map(({ credits }) => Credits.fromNumber(credits))
    )
  )
  return {
    price_version: enrichment.bill.price_version,
    lines: [
      ...landed.flatMap(({ credits, source }) =>
        credits > 0 ? [{ payee: { _tag: "Source" as const, source }, credits }] : []
      ),
      ...(verdicts > 0 ? [{ payee: { _tag: "Platform" as const }, credits: verdicts }] : [])
    ],
    memos: landed.flatMap(({ byok, source, vendorUnits }) =>
      byok && vendorUnits > 0 ? [{ source, units: vendorUnits }] : []
    )
  }
}

/** As it is when the credits set aside are gone: the answers stay, and cost nothing. */
export const unbilled = (enrichment: PendingEnrichment): PendingEnrichment => ({
  ...enrichment,
  asked: enrichment.asked.map((asked, subject) => ({
    ...asked,
    ...(asked.verified_later === undefined
      ? {}
      : { verified_later: asked.verified_later.map((one) => ({ ...one, credits: 0 })) }),
    endings: asked.endings.map((ending) =>
      enrichment.waiting.some((waiting) => waiting.subject === subject && waiting.source === ending.source)
        ? { ...ending, credits: Credits.zero }
        : ending
    )
  }))
})
