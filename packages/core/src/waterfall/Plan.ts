/**
 * The plan: which sources will be asked in which order, and which are skipped and why. A pure function of the order,
 * the mode, the credentials and the ceiling.
 *
 * Reasons that no call can change come first (`unsupported_operation`, `not_configured`, `<source>_requires_byok`,
 * `suppressed`, `invalid_input`); reasons that depend on how the request goes are added while it runs.
 */
import { Schema } from "effect"
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import type { Ranked } from "./Ranked.ts"
import type { Slot } from "./Slots.ts"
import type { Credential, Operation, Operations, Source, SourceOperation } from "./Source.ts"
import type { StoredKeys } from "./StoredKeys.ts"
import type { Subject } from "./Subject.ts"
import * as VerifiedEmail from "./VerifiedEmail.ts"

export const Mode = Schema.Literals(["first_match", "aggregate", "fill_missing"])
export type Mode = typeof Mode.Type

/** Reasons that stand before the first call. */
export type StaticReason =
  | `${string}_requires_byok`
  | "unsupported_operation"
  | "not_configured"
  | "suppressed"
  | "invalid_input"

/** Reasons that arise on the way. */
export type DynamicReason =
  | "already_answered"
  | "fields_filled"
  | "circuit_open"
  | "rate_limited"
  | "budget_exhausted"
  | "deadline_exceeded"

export interface Skip {
  readonly source: string
  readonly reason: StaticReason | DynamicReason
}

/** A source that will be asked, unless something on the way speaks against it. */
export interface Step<Name extends Operation> {
  /** The slot's name. */
  readonly source: string
  readonly adapter: Source
  readonly serve: SourceOperation<Operations[Name]["identity"], Operations[Name]["facts"]>
  readonly credential: Credential
  readonly ownKey: boolean
  /** The own key is the account's stored one, so that another process has it too. */
  readonly storedKey?: true
  readonly price: PriceBook.Item
  /** The most it can cost. */
  readonly worst: Credits.Credits
  /** The most that verifying the addresses of its answer can cost; left out where they are not verified. */
  readonly checks?: Credits.Credits
  /** What one of the vendor's units is worth, where somebody says. */
  readonly unitPrice?: number
}

export interface Plan<Name extends Operation> {
  readonly mode: Mode
  /** Every source of the request, asked or not. */
  readonly order: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step<Name>>
  readonly skips: ReadonlyArray<Skip>
  readonly platformFee: Credits.Credits
  /** A step that is late is not waited for: the next one is asked beside it. */
  readonly hedge: boolean
  /** What a verdict on an address costs; `null` where none is to be verified. */
  readonly verdict: Credits.Credits | null
  /** Why the steps stand in this order; `null` where it was given. */
  readonly ranking: ReadonlyArray<Ranked> | null
}

export interface Input<Name extends Operation, Profile> {
  readonly subject: Subject<Name, Profile>
  readonly identity: Operations[Name]["identity"]
  readonly mode: Mode
  readonly order: ReadonlyArray<Slot>
  /** The caller's own credentials by slot name. */
  readonly byok: ReadonlyMap<string, Credential>
  /** The account's stored ones, where the request wants them. */
  readonly stored?: StoredKeys
  readonly suppressed: boolean
  readonly prices: PriceBook.PriceBook
  /** How often a repeatable call may be made in all. */
  readonly attempts: number
  /** Of modes that ask one source after the other; see `Hedging`. */
  readonly hedge?: boolean
  /** What a verdict on an address costs; left out or `null` where none is to be verified. */
  readonly verdict?: Credits.Credits | null
}

/** What a slot is asked with: `null` where there is nothing, or nothing that may be used. */
interface Chosen {
  readonly credential: Credential | null
  readonly from: "request" | "vault" | "platform"
}

const chosenFor = (slot: Slot, { byok, stored }: Pick<Input<Operation, unknown>, "byok" | "stored">): Chosen => {
  const brought = byok.get(slot.name)
  if (brought !== undefined) return { credential: brought, from: "request" }
  const kept = stored?.get(slot.name)
  if (kept !== undefined) return { credential: kept, from: "vault" }
  const platform = slot.source?.credential === "None" ? ({ _tag: "None" } as const) : slot.credential
  return { credential: slot.byokOnly ? null : platform, from: "platform" }
}

const step = <Name extends Operation, Profile>(slot: Slot, input: Input<Name, Profile>): Step<Name> | Skip => {
  const skip = (reason: StaticReason): Skip => ({ source: slot.name, reason })
  if (slot.source === null) return skip("not_configured")
  const serve = input.subject.serve(slot.source)
  if (serve === undefined) return skip("unsupported_operation")
  const { credential, from } = chosenFor(slot, input)
  if (credential === null) {
    return skip(slot.byokOnly || from === "vault" ? `${slot.name}_requires_byok` : "not_configured")
  }
  if (input.suppressed) return skip("suppressed")
  if (!serve.accepts(input.identity)) return skip("invalid_input")
  const price: PriceBook.Item = {
    operation: input.subject.operation,
    source: slot.name,
    kind: serve.cost.kind,
    ownKey: from !== "platform"
  }
  const attempts = serve.repeatable ? input.attempts : 1
  const verdict = input.verdict ?? null
  const checked = verdict !== null && VerifiedEmail.isIn(input.subject.table, serve.fields)
  return {
    source: slot.name,
    adapter: slot.source,
    serve,
    credential,
    ownKey: price.ownKey,
    ...(from === "vault" ? { storedKey: true as const } : {}),
    price,
    worst: PriceBook.worst(input.prices, price, serve.fields.length, attempts),
    ...(checked ? { checks: Credits.times(verdict, VerifiedEmail.mostOfAnswer) } : {}),
    ...(slot.unitPrice === undefined ? {} : { unitPrice: slot.unitPrice })
  }
}

export const make = <Name extends Operation, Profile>(input: Input<Name, Profile>): Plan<Name> => {
  const planned = input.order.map((slot) => step(slot, input))
  return {
    mode: input.mode,
    order: input.order.map((slot) => slot.name),
    steps: planned.filter((entry) => "serve" in entry),
    skips: planned.filter((entry) => "reason" in entry),
    platformFee: PriceBook.platformFee(input.prices, input.subject.operation),
    hedge: input.hedge === true && input.mode !== "aggregate",
    verdict: input.verdict ?? null,
    ranking: null
  }
}

/**
 * The most that the plan can cost: what is held before the first call. At most one source of a `first_match` hits at once,
 * so only the dearest of them is counted as one; the others may still charge for a miss. A hedge may hit beside it. A
 * source that may answer later is counted in full, since the next one is asked meanwhile. Only of a hit there are addresses
 * to verify.
 */
export const quote = <Name extends Operation>(plan: Plan<Name>, prices: PriceBook.PriceBook): Credits.Credits => {
  const worst = plan.steps.map((step) => step.worst)
  const checks = plan.steps.map((step) => step.checks ?? Credits.zero)
  if (plan.mode !== "first_match") return Credits.sum([plan.platformFee, ...worst, ...checks])
  const misses = plan.steps.map((step) =>
    step.price.kind === "per_call" ? step.worst : PriceBook.charge(prices, step.price, { _tag: "Miss", attempts: 1 })
  )
  const hits = plan.steps.map((step, index) => ({
    more: Math.max(0, (worst[index] ?? 0) - (misses[index] ?? 0)) + (checks[index] ?? 0),
    later: step.serve.resume !== undefined
  }))
  const later = hits.reduce((total, hit) => total + (hit.later ? hit.more : 0), 0)
  const atOnce = hits.flatMap((hit) => (hit.later ? [] : [hit.more])).toSorted((a, b) => b - a)
  const dearest = atOnce.slice(0, plan.hedge ? 2 : 1).reduce((sum, one) => sum + one, 0)
  return Credits.of(plan.platformFee + Credits.sum(misses) + later + dearest)
}

/** The least ceiling under which the plan can begin: the platform's fee and the first step. */
export const least = <Name extends Operation>(plan: Plan<Name>): Credits.Credits =>
  Credits.add(plan.platformFee, plan.steps[0]?.worst ?? Credits.zero)
