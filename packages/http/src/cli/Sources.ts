/**
 * `lading sources`: what stands behind each slot. What its adapter serves, what that costs at the vendor and how often it is
 * asked, and what the adapter's reading of the vendor rests on. Asks no vendor.
 */
import type { Directory, Slots, Source } from "@lading/core/waterfall"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import * as Binding from "../server/Binding.ts"
import * as Asked from "./Asked.ts"
import * as Print from "./Print.ts"
import { configured } from "./Setting.ts"
import * as Table from "./Table.ts"

const Limits = Schema.Struct({
  concurrency: Schema.Int,
  calls: Schema.Int,
  window_ms: Schema.Int,
  timeout_ms: Schema.Int
})

const Operation = Schema.Struct({
  fields: Schema.Array(Schema.String),
  cost: Schema.Struct({
    kind: Schema.Literals(["per_call", "per_hit", "per_field_hit"]),
    units: Schema.Finite,
    unit: Schema.String
  }),
  repeatable: Schema.Boolean,
  limits: Limits
})
type Operation = typeof Operation.Type

const Search = Schema.Struct({
  filters: Schema.Record(Schema.String, Schema.Literals(["exact", "wide"])),
  /** `units` for so many hits, or, where `records` is null, for a page. */
  cost: Schema.Struct({ units: Schema.Finite, records: Schema.NullOr(Schema.Int), unit: Schema.String }),
  page_size: Schema.Int,
  limits: Limits
})
type Search = typeof Search.Type

const Bound = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  /** Whose key it works with; `none` where it needs none. */
  credential: Schema.Literals(["none", "platform", "caller"]),
  fixtures: Schema.NullOr(
    Schema.Struct({ origin: Schema.Literals(["documented", "recorded", "mixed"]), date: Schema.String })
  ),
  operations: Schema.Struct({
    company: Schema.NullOr(Operation),
    person: Schema.NullOr(Operation),
    company_search: Schema.NullOr(Search),
    person_search: Schema.NullOr(Search)
  })
})
type Bound = typeof Bound.Type

/** What is printed with `--json`. */
const Listing = Schema.Struct({
  sources: Schema.Array(Schema.Struct({ source: Schema.String, adapter: Schema.NullOr(Bound) }))
})
type Listing = typeof Listing.Type

const limitsOf = ({ concurrency, rate, timeout }: Source.Limits): typeof Limits.Type => ({
  concurrency,
  calls: rate.calls,
  window_ms: rate.window,
  timeout_ms: timeout
})

const operationOf = (
  serve: Pick<Source.SourceOperation<never, never>, "cost" | "repeatable"> & { readonly fields: ReadonlyArray<string> },
  { limits }: Source.Source
): Operation => ({
  fields: serve.fields,
  cost: serve.cost,
  repeatable: serve.repeatable,
  limits: limitsOf(limits)
})

const searchOf = ({
  cost,
  filters,
  limits,
  pageSize
}: {
  readonly cost: Directory.Cost
  readonly filters: Readonly<Record<string, Directory.Applied | undefined>>
  readonly limits: Source.Limits
  readonly pageSize: number
}): Search => ({
  filters: Object.fromEntries(
    Object.entries(filters).flatMap(([name, applied]) => (applied === undefined ? [] : [[name, applied] as const]))
  ),
  cost,
  page_size: pageSize,
  limits: limitsOf(limits)
})

const boundOf = (source: Source.Source, { credential }: Slots.Slot): Bound => ({
  name: source.adapter,
  version: source.version,
  credential: source.credential === "None" ? "none" : credential === null ? "caller" : "platform",
  fixtures: source.fixtures ?? null,
  operations: {
    company: source.company === undefined ? null : operationOf(source.company, source),
    person: source.person === undefined ? null : operationOf(source.person, source),
    company_search: source.companyDirectory === undefined ? null : searchOf(source.companyDirectory),
    person_search: source.personDirectory === undefined ? null : searchOf(source.personDirectory)
  }
})

const listing = (slots: ReadonlyArray<Slots.Slot>): Listing => ({
  sources: slots.map((slot) => ({
    source: slot.name,
    adapter: slot.source === null ? null : boundOf(slot.source, slot)
  }))
})

const seconds = (millis: number): string => `${Print.number(millis / 1000)} s`

const limited = ({ calls, concurrency, timeout_ms, window_ms }: typeof Limits.Type): string =>
  `${concurrency} at once, ${Print.number(calls)} in ${seconds(window_ms)}, ${seconds(timeout_ms)} each`

const priced = (units: number, unit: string, of: string): string =>
  units === 0 ? "free" : `${Print.number(units)} ${unit}${units === 1 ? "" : "s"} ${of}`

const kinds: Readonly<Record<Operation["cost"]["kind"], string>> = {
  per_call: "a call",
  per_hit: "a hit",
  per_field_hit: "a field"
}

const operationRow = (name: string, operation: Operation | null): ReadonlyArray<ReadonlyArray<string>> => {
  if (operation === null) return []
  const { cost, fields, limits } = operation
  return [[name, priced(cost.units, cost.unit, kinds[cost.kind]), limited(limits), fields.join(", ")]]
}

const blockOf = (records: number | null): string =>
  records === null ? "a page" : records === 1 ? "a hit" : `for ${records} hits`

const searchRow = (name: string, search: Search | null): ReadonlyArray<ReadonlyArray<string>> => {
  if (search === null) return []
  const { cost, filters, limits } = search
  const by = Object.entries(filters).map(([filter, applied]) => (applied === "wide" ? `${filter} (wide)` : filter))
  return [[name, priced(cost.units, cost.unit, blockOf(cost.records)), limited(limits), `by ${by.join(", ")}`]]
}

const keys: Readonly<Record<Bound["credential"], string>> = {
  none: "without a key",
  platform: "with the platform's key",
  caller: "with the caller's own key only"
}

const boundLines = (source: string, bound: Bound | null): ReadonlyArray<string> => {
  if (bound === null) return [`${source}: not configured`]
  const { credential, fixtures, name, operations, version } = bound
  const known = fixtures === null ? "" : `, fixtures ${fixtures.origin}, ${fixtures.date}`
  return [
    `${source}: ${name} ${version}, ${keys[credential]}${known}`,
    ...Table.columns(
      ["", "costs", "limits", "gives"],
      [
        ...operationRow("company", operations.company),
        ...operationRow("person", operations.person),
        ...searchRow("company search", operations.company_search),
        ...searchRow("person search", operations.person_search)
      ]
    ).map((line) => `  ${line}`)
  ]
}

const lines = ({ sources }: Listing): ReadonlyArray<string> =>
  sources.flatMap(({ adapter, source }, index) => [...(index === 0 ? [] : [""]), ...boundLines(source, adapter)])

export const command = Command.make("sources", { json: Asked.json }, ({ json }) =>
  configured(({ providers }) =>
    Effect.flatMap(Effect.forEach(providers, Binding.bind), (slots) =>
      Print.answer(Listing, listing(slots), json, lines)
    ).pipe(Effect.provide(FetchHttpClient.layer))
  )
).pipe(
  Command.withDescription(
    "Print what stands behind each slot: adapter and version, operations and fields, costs at the vendor, limits, and what its fixtures are from. Asks no vendor"
  ),
  Command.withShortDescription("Print what stands behind each slot")
)
