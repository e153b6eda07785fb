/** The part `waterfall` of an enrichment request, and what it becomes. */
import { Effect, Schema } from "effect"
import * as Credits from "../billing/Credits.ts"
import { type Detail, InvalidRequest } from "../request/InvalidRequest.ts"
import { credentials, own } from "./Byok.ts"
import type { FieldTable } from "./Field.ts"
import * as Merge from "./Merge.ts"
import { Mode } from "./Plan.ts"
import type { Slot, Slots } from "./Slots.ts"
import type { Credential } from "./Source.ts"
import type { StoredKeys } from "./StoredKeys.ts"
import * as VerifiedEmail from "./VerifiedEmail.ts"

/** The longest and the usual time for a request, in milliseconds. */
export const timeout = { minimum: 100, maximum: 60_000, default: 20_000 } as const

/** `fields` are those that may be required. */
export const WaterfallOptions = <const Fields extends ReadonlyArray<string>>(fields: Fields) =>
  Schema.Struct({
    mode: Schema.optional(Mode),
    source_order: Schema.optional(
      Schema.Union([
        Schema.Literal("cheapest"),
        Schema.Array(Schema.String)
          .check(Schema.isMinLength(1))
          .annotate({ description: "Sources in the order in which they are asked, each once" })
      ]).annotate({ description: "cheapest orders the configured sources by what a hit of each is expected to cost" })
    ),
    required_fields: Schema.optional(
      Schema.Array(Schema.Literals(fields)).annotate({
        description: "What fill_missing goes on for and all_fields_filled looks at"
      })
    ),
    max_cache_age_s: Schema.optional(
      Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "Seconds; 0 asks afresh" })
    ),
    byok: own,
    max_credits: Schema.optional(
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })).annotate({
        description: "Ceiling of what this request may cost"
      })
    ),
    timeout_ms: Schema.optional(Schema.Int.check(Schema.isBetween(timeout))),
    hedge: Schema.optional(
      Schema.Boolean.annotate({
        description: "Asks the next source too where one is later than usual; both may be charged. Not in aggregate"
      })
    ),
    verify_emails: Schema.optional(
      Schema.Boolean.annotate({
        description: "Of people: verifies the addresses; one that takes no mail is left out, and fill_missing goes on"
      })
    )
  })

/** Its type, whichever fields may be required. */
export type WaterfallOptions = ReturnType<typeof WaterfallOptions<ReadonlyArray<string>>>["Type"]

/** What the options mean here: with the slots of this installation, and with every default in place. */
export interface Settings {
  readonly mode: Mode
  readonly order: ReadonlyArray<Slot>
  /** The order is not the one to ask in: the plan is put into the cheapest one, see `Ranking`. */
  readonly cheapest: boolean
  readonly required: ReadonlyArray<string>
  /** Milliseconds; `null` takes whatever the cache keeps. */
  readonly maxCacheAge: number | null
  readonly byok: ReadonlyMap<string, Credential>
  /** From the vault; see `StoredKeys.resolve`. */
  readonly stored: StoredKeys
  /** `null` where the request sets none. */
  readonly ceiling: Credits.Credits | null
  /** Milliseconds. */
  readonly timeout: number
  /** A source that is late is not waited for alone. */
  readonly hedge: boolean
  /** The addresses that sources give are verified. */
  readonly verifyEmails: boolean
}

/** What of an operation the options depend on. */
export interface Offered {
  /** The fields that are required when the request names none. */
  readonly required: ReadonlyArray<string>
  /** Whether its answers have addresses that can be verified. */
  readonly verifiable: boolean
}

export const offered = <Facts, Profile>(table: FieldTable<Facts, Profile>): Offered => ({
  required: Merge.requiredByDefault(table),
  verifiable: VerifiedEmail.isIn(table, Object.keys(table))
})

export const settings = (
  options: WaterfallOptions,
  slots: Slots["Service"],
  { required, verifiable }: Offered
): Effect.Effect<Settings, InvalidRequest> => {
  const byok = credentials(options.byok ?? {}, slots.all)
  const order = orderOf(options.source_order, slots)
  const problems = [
    ...order.problems,
    ...byok.problems,
    ...hedgeProblems(options),
    ...verifyProblems(options, verifiable)
  ]
  const [first, ...rest] = problems
  return first !== undefined
    ? Effect.fail(new InvalidRequest({ details: [first, ...rest] }))
    : Effect.succeed({
        mode: options.mode ?? "first_match",
        order: order.slots,
        cheapest: options.source_order === "cheapest",
        required: options.required_fields ?? required,
        maxCacheAge: options.max_cache_age_s === undefined ? null : options.max_cache_age_s * 1000,
        byok: byok.bySlot,
        stored: new Map(),
        ceiling: options.max_credits === undefined ? null : Credits.floor(options.max_credits),
        timeout: options.timeout_ms ?? timeout.default,
        hedge: options.hedge ?? false,
        verifyEmails: options.verify_emails ?? false
      })
}

const hedgeProblems = ({ hedge, mode }: WaterfallOptions): ReadonlyArray<Detail> =>
  hedge === true && mode === "aggregate"
    ? [{ path: "waterfall.hedge", message: "Expected false: aggregate asks all sources at once" }]
    : []

const verifyProblems = (options: WaterfallOptions, verifiable: boolean): ReadonlyArray<Detail> =>
  options.verify_emails === true && !verifiable
    ? [{ path: "waterfall.verify_emails", message: "Expected false: only addresses of people are verified" }]
    : []

const orderOf = (names: WaterfallOptions["source_order"], slots: Slots["Service"]) => {
  if (names === undefined || names === "cheapest") return { slots: slots.defaultOrder, problems: [] }
  const problems: Array<Detail> = []
  const found: Array<Slot> = []
  for (const [index, name] of names.entries()) {
    const path = `waterfall.source_order[${index}]`
    const slot = slots.byName.get(name)
    if (slot === undefined) {
      problems.push({ path, message: `Expected one of ${slots.all.map((known) => known.name).join(", ")}` })
    } else if (found.includes(slot)) problems.push({ path, message: "Expected each source once" })
    else found.push(slot)
  }
  return { slots: found, problems }
}
