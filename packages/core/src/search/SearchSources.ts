/** Which sources a search asks, as requests name them, and what the answer says of them. */
import { Effect, Schema } from "effect"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import type { Slot, Slots } from "../waterfall/Slots.ts"
import type { Source } from "../waterfall/Source.ts"
import { own, type Skip } from "./SearchList.ts"

/** Everything that can be searched. */
const all = "all"

export const sourceFields = {
  sources: Schema.optional(
    Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(50)).annotate({
      description: "own (what this installation knows, the default), vendors' directories by name, or all"
    })
  ),
  max_credits: Schema.optional(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })).annotate({
      description: "Ceiling of what this request may cost"
    })
  )
}

const Told = Schema.Array(Schema.Struct({ source: Schema.String, reason: Schema.String }))

export const SourcesMeta = Schema.Struct({
  attempted: Schema.Array(Schema.String),
  skipped: Told,
  failed: Told
}).annotate({ identifier: "SearchSources" })

export const BillingMeta = Schema.Struct({
  credits_charged: Schema.Finite,
  byok_used: Schema.Literal(false),
  platform_credits_charged: Schema.Finite,
  breakdown: Schema.Array(Schema.Struct({ source: Schema.String, credits: Schema.Finite }))
}).annotate({ identifier: "SearchBilling" })

export interface Chosen {
  /** Whether what this installation knows is searched; it comes first, wherever it stands. */
  readonly own: boolean
  /** In the order in which they are asked. */
  readonly slots: ReadonlyArray<Slot>
}

/** What the names mean here. */
export const chosen = (
  names: ReadonlyArray<string> | undefined,
  slots: Slots["Service"]
): Effect.Effect<Chosen, InvalidRequest> => {
  const found: Array<Slot> = []
  for (const [index, name] of (names ?? [own]).entries()) {
    if (name === own) continue
    const some = name === all ? slots.defaultOrder.filter(isDirectory) : slots.byName.get(name)
    if (some === undefined) {
      const known = [own, all, ...slots.all.map((slot) => slot.name)].join(", ")
      return Effect.fail(at(`sources[${index}]`, `Expected one of ${known}`))
    }
    for (const slot of Array.isArray(some) ? some : [some]) if (!found.includes(slot)) found.push(slot)
  }
  return Effect.succeed({ own: names === undefined || names.includes(own) || names.includes(all), slots: found })
}

/** `all` means what can be searched, not every slot there is. */
const isDirectory = ({ source }: Slot): boolean =>
  source?.companyDirectory !== undefined || source?.personDirectory !== undefined

/** A slot whose directory can be asked, with what it is asked with; else why it cannot. */
export const askable = <A>(slot: Slot, directoryOf: (source: Source) => A | undefined) => {
  const skip = (reason: string): Skip => ({ source: slot.name, reason })
  if (slot.source === null) return skip("not_configured")
  const directory = directoryOf(slot.source)
  if (directory === undefined) return skip("unsupported_operation")
  if (slot.byokOnly) return skip(`${slot.name}_requires_byok`)
  const credential = slot.source.credential === "None" ? ({ _tag: "None" } as const) : slot.credential
  return credential === null
    ? skip("not_configured")
    : { source: slot.name, adapter: slot.source, credential, directory }
}
