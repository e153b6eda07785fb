/**
 * The slots of this installation: names on the wire (`provider_a`, …), each bound to a source or to none, with the
 * platform's credential where it has one.
 */
import { Context, Layer } from "effect"
import type { Credential, Source } from "./Source.ts"

export interface Slot {
  readonly name: string
  /** `null` while no adapter is bound: the waterfall skips the slot as `not_configured`. */
  readonly source: Source | null
  /** The platform's own credential; `null` where it has none. */
  readonly credential: Credential | null
  /** Works with the caller's own key only, whatever the platform has. */
  readonly byokOnly: boolean
  /** What one of the vendor's units is worth, in one currency for all slots; left out where nobody says. */
  readonly unitPrice?: number
}

export class Slots extends Context.Service<
  Slots,
  {
    readonly all: ReadonlyArray<Slot>
    /** Who is asked, and in which order, when the request names nobody. */
    readonly defaultOrder: ReadonlyArray<Slot>
    readonly byName: ReadonlyMap<string, Slot>
  }
>()("@lading/core/waterfall/Slots") {}

/** A slot that takes its source with the platform's credential. */
export const bound = (name: string, source: Source, credential: Credential = { _tag: "None" }): Slot => ({
  name,
  source,
  credential,
  byokOnly: false
})

/** `defaultOrder` names some of the slots; left out, all are asked as they come. */
export const layer = (slots: ReadonlyArray<Slot>, defaultOrder?: ReadonlyArray<string>): Layer.Layer<Slots> => {
  const byName = new Map(slots.map((slot) => [slot.name, slot]))
  return Layer.succeed(Slots, {
    all: slots,
    defaultOrder: defaultOrder === undefined ? slots : defaultOrder.flatMap((name) => byName.get(name) ?? []),
    byName
  })
}
