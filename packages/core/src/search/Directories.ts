/** Vendors' directories as lists of a search: those that can be asked, and why the others cannot. */
import { Effect } from "effect"
import * as PriceBook from "../billing/PriceBook.ts"
import { failureReason } from "../waterfall/Asking.ts"
import type { Directory } from "../waterfall/Directory.ts"
import * as GuardedDirectory from "../waterfall/GuardedDirectory.ts"
import type * as Guard from "../waterfall/Guard.ts"
import type { Slot } from "../waterfall/Slots.ts"
import type { Operation, Source } from "../waterfall/Source.ts"
import type { List, Skip, Trouble } from "./SearchList.ts"
import { askable } from "./SearchSources.ts"

export interface Asked<Filter, Found, Row> {
  readonly guard: Guard.Guard
  readonly prices: PriceBook.PriceBook
  readonly operation: Operation
  readonly directoryOf: (source: Source) => Directory<Filter, Found> | undefined
  readonly filter: Filter
  /** Something is asked for that no vendor knows. */
  readonly refused: boolean
  /** Epoch milliseconds. */
  readonly deadline: number
  readonly hit: (found: Found) => Row
}

/** A wrong cursor is the caller's; anything else that a vendor cannot work with is its failure. */
const troubled = (trouble: Guard.Trouble, position: string | null): Trouble => {
  if (trouble._tag === "NotAsked") return { _tag: "Skipped", reason: trouble.reason }
  if (trouble._tag === "InvalidInput" && position !== null) return { _tag: "WrongPosition" }
  return { _tag: "Failed", reason: failureReason(trouble) }
}

const complain = (source: string, trouble: Trouble): Effect.Effect<void> =>
  trouble._tag === "Failed"
    ? Effect.annotateLogs(Effect.logWarning("directory failed"), { source, reason: trouble.reason })
    : Effect.void

const listOf = <Filter, Found, Row>(
  of: GuardedDirectory.Askable<Filter, Found>,
  { deadline, filter, guard, hit, prices }: Asked<Filter, Found, Row>
): List<Row> => ({
  source: of.source,
  price: PriceBook.pageFee(prices, of.source),
  ask: (limit, position) =>
    GuardedDirectory.search(guard, of, { filter, limit, cursor: position }, deadline).pipe(
      Effect.map(({ hits, next, total }) => ({ rows: hits.map(hit), total, next })),
      Effect.mapError((trouble) => troubled(trouble, position)),
      Effect.tapError((trouble) => complain(of.source, trouble))
    )
})

/** In the order of the slots. */
export const lists = <Filter, Found, Row>(slots: ReadonlyArray<Slot>, asked: Asked<Filter, Found, Row>) => {
  const [lists, skips]: [Array<List<Row>>, Array<Skip>] = [[], []]
  for (const slot of slots) {
    const found = askable(slot, asked.directoryOf)
    if ("reason" in found) skips.push(found)
    else if (asked.refused || !found.directory.accepts(asked.filter))
      skips.push({ source: slot.name, reason: "invalid_input" })
    else lists.push(listOf({ ...found, operation: asked.operation }, asked))
  }
  return { lists, skips }
}
