/**
 * A directory: what a vendor gives that can be searched by filters. `CompanyDirectory` and `PersonDirectory` are the two
 * ports; here is what both share. Its properties are data, as those of a `Source` are; the one effect in it is `search`.
 *
 * Gotchas
 * - A filter that the vendor does not have is an `InvalidInput`, never an answer that is wider than the question without
 *   saying so. What the vendor applies more widely than it is meant is declared as `wide`.
 * - A page may be shorter than `limit` and still have a next one. Only `next` says whether it goes on.
 * - A cursor is of one vendor, one filter and one limit. Another one's is `InvalidInput`, and nobody is asked.
 * - A hit is one record of the vendor's, in its own spelling: nothing is normalised, merged or checked for suppression here.
 */
import { Effect, Hash, Option, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import type { Credential, Limits } from "./Source.ts"
import { InvalidInput, type SourceError } from "./SourceError.ts"

export interface Search<Filter> {
  readonly filter: Filter
  /** The most hits that the page may have, from 1. Beyond the vendor's own `pageSize` it counts as that. */
  readonly limit: number
  /** `next` of the page before, or `null` for the first page. */
  readonly cursor: string | null
}

export interface Hit<Facts> {
  /** The adapter's name. */
  readonly source: string
  /** The vendor's own name for the record, by which it can be asked for; `null` where it gives none. */
  readonly id: string | null
  readonly facts: Facts
  /** The record as the vendor sent it; never with a credential. */
  readonly raw: unknown
}

export interface Page<Found> {
  readonly hits: ReadonlyArray<Found>
  /** How many there are on all pages, where the vendor says it. */
  readonly total: number | null
  /** Where the next page begins; `null` on the last one. Opaque. */
  readonly next: string | null
}

/**
 * How the vendor applies a filter: as it is meant, or more widely (similar titles, coarser classes, former employers too), so
 * that there may be hits beyond it.
 */
export type Applied = "exact" | "wide"

/** What a page costs at the vendor, in its own units. */
export interface Cost {
  readonly units: number
  /** `units` are for so many hits, a block that was begun counting whole; `null`: for a page, whatever is on it. */
  readonly records: number | null
  /** What a unit is called at the vendor. */
  readonly unit: string
}

/** The units that a page of so many hits costs; with the limit of a search, the most that it can cost. */
export const price = ({ records, units }: Cost, hits: number): number =>
  records === null ? units : units * Math.ceil(hits / records)

export interface Directory<Filter, Found> {
  /** The filters that the vendor has. */
  readonly filters: { readonly [Name in keyof Filter]?: Applied }
  readonly cost: Cost
  /** Of the path that is searched; often narrower than those of enrichment. */
  readonly limits: Limits
  /** The most hits that the vendor puts on a page. */
  readonly pageSize: number
  /** Whether the same search may be made twice. */
  readonly repeatable: boolean
  /** Whether the vendor can work with this filter at all, its values included; asked before money is held. */
  readonly accepts: (filter: Filter) => boolean
  readonly search: (search: Search<Filter>, credential: Credential) => Effect.Effect<Page<Found>, SourceError>
}

/** A range with both ends included; `null` where it is open. */
export interface Span {
  readonly min: number | null
  readonly max: number | null
}

const isSet = (value: unknown): boolean => {
  if (value === null) return false
  if (typeof value === "string") return value.trim() !== ""
  return typeof value === "object" && Object.values(value).some((member) => member !== null)
}

/** The names of the filters that say something. */
export const asked = <Filter extends object>(filter: Filter): ReadonlyArray<keyof Filter & string> =>
  // `Object.keys` forgets that the keys are those of the filter.
  (Object.keys(filter) as Array<keyof Filter & string>).filter((name) => isSet(filter[name]))

/** Whether something is asked for, and nothing by a filter that the vendor does not have. */
export const covers = <Filter extends object>(
  filters: Directory<Filter, unknown>["filters"],
  filter: Filter
): boolean => {
  const names = asked(filter)
  return names.length > 0 && names.every((name) => filters[name] !== undefined)
}

/** How many hits a page of the vendor's is asked for. */
export const size = ({ limit }: Pick<Search<unknown>, "limit">, pageSize: number): number =>
  Math.max(1, Math.min(limit, pageSize))

/** Of a search, what a cursor goes with. */
type Continued = Pick<Search<unknown>, "filter" | "limit">

const fingerprint = (source: string, { filter, limit }: Continued): number =>
  Hash.string(JSON.stringify([source, filter, limit]))

const Content = Schema.fromJsonString(Schema.Tuple([Schema.Finite, Schema.String]))
const readContent = Schema.decodeUnknownOption(Content)

/** A cursor for the next page of this search; `position` is the vendor's own: a page, an offset, a token. */
export const cursor = (source: string, search: Continued, position: string | number): string =>
  Base64Url.encode(JSON.stringify([fingerprint(source, search), String(position)]))

/** The position that the search goes on from; `null` at the beginning. */
export const position = <Filter>(
  source: string,
  search: Search<Filter>
): Effect.Effect<string | null, InvalidInput> => {
  if (search.cursor === null) return Effect.succeed(null)
  const text = Result.getSuccess(Base64Url.decodeString(search.cursor))
  const content = Option.flatMap(text, readContent)
  return Option.isSome(content) && content.value[0] === fingerprint(source, search)
    ? Effect.succeed(content.value[1])
    : Effect.fail(new InvalidInput({ source, problem: "a cursor of another search" }))
}

/** A directory of these hits, in which a filter finds whatever `holds` for it. Asks nobody, and wants no credential. */
export const memory = <Filter extends object, Found>(
  source: string,
  filters: Directory<Filter, Found>["filters"],
  hits: ReadonlyArray<Found>,
  holds: (filter: Filter, hit: Found) => boolean
): Directory<Filter, Found> => ({
  filters,
  cost: { units: 0, records: null, unit: "nothing" },
  limits: { concurrency: 8, rate: { calls: 1_000, window: 1_000 }, timeout: 1_000 },
  pageSize: 100,
  repeatable: true,
  accepts: (filter) => covers(filters, filter),
  search: Effect.fnUntraced(function* (search) {
    if (!covers(filters, search.filter)) return yield* new InvalidInput({ source, problem: "nothing to search for" })
    const from = Number((yield* position(source, search)) ?? "0")
    const found = hits.filter((hit) => holds(search.filter, hit))
    const to = from + size(search, 100)
    return {
      hits: found.slice(from, to),
      total: found.length,
      next: to < found.length ? cursor(source, search, to) : null
    }
  })
})
