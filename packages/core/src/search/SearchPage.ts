/**
 * Fills a page of a search from its lists, in their order: the first one to its end, then the next. What the page is made
 * of and what it costs is decided here, whatever is searched for.
 *
 * A list begins on a page where at least half of it is free, and keeps to the number of rows that it began with: a vendor's
 * cursor is of one such number. So a page may be short and still have a next one, and nothing is paid for twice.
 */
import { Effect, Hash, Option, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import type * as Credits from "../billing/Credits.ts"
import type { Tab } from "../billing/Tab.ts"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import type { List, Page, Skip, Trouble } from "./SearchList.ts"

/** Where a page begins. */
export interface Place {
  /** Its number, from 1. */
  readonly page: number
  /** The list, `null` for the first. */
  readonly source: string | null
  /** How many rows of it a page may have. */
  readonly limit: number
  readonly position: string | null
  /** Rows of the lists before, where all of them said how many. */
  readonly before: number | null
}

const Content = Schema.fromJsonString(
  Schema.Tuple([
    Schema.Int,
    Schema.Int.check(Schema.isGreaterThan(1)),
    Schema.String,
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
    Schema.NullOr(Schema.String),
    Schema.NullOr(Schema.Int)
  ])
)
const decode = Schema.decodeUnknownOption(Content)

const print = (question: unknown): number => Hash.string(JSON.stringify(question))

const cursorOf = (question: unknown, { before, limit, page, position, source }: Place): string =>
  Base64Url.encode(JSON.stringify([print(question), page, source, limit, position, before]))

const wrongCursor = (): InvalidRequest => at("cursor", "Expected next_cursor of the page before, of the same request")

/** The place of a cursor of this question; a page without a cursor is the first, or is counted by the first list. */
export const placeOf = (
  question: unknown,
  { cursor, limit, page }: { readonly cursor: string | undefined; readonly limit: number; readonly page: number }
): Effect.Effect<Place, InvalidRequest> => {
  if (cursor === undefined) return Effect.succeed({ page, source: null, limit, position: null, before: 0 })
  const content = Option.flatMap(Result.getSuccess(Base64Url.decodeString(cursor)), decode)
  if (Option.isNone(content) || content.value[0] !== print(question)) return Effect.fail(wrongCursor())
  const [, number, source, size, position, before] = content.value
  return Effect.succeed({ page: number, source, limit: size, position, before })
}

export interface Asking<Row, Shown> {
  /** What a cursor goes with: the filter, the sources and the limit. */
  readonly question: unknown
  readonly lists: ReadonlyArray<List<Row>>
  /** Rows of a page. */
  readonly limit: number
  readonly tab: Tab
  /** Puts rows of a source beside those that are on the page; rows that are there already are merged. */
  readonly add: (
    shown: ReadonlyArray<Shown>,
    rows: ReadonlyArray<Row>,
    source: string
  ) => Effect.Effect<ReadonlyArray<Shown>>
}

export interface Filled<Shown> {
  readonly shown: ReadonlyArray<Shown>
  readonly page: number
  /** Of the lists that were reached; `null` where one does not say. */
  readonly total: number | null
  readonly next_cursor: string | null
  readonly attempted: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<Skip>
  readonly failed: ReadonlyArray<Skip>
  /** What was paid for the pages of each source. */
  readonly paid: ReadonlyMap<string, Credits.Credits>
}

/** A page while it is filled. */
interface Growing<Shown> {
  shown: ReadonlyArray<Shown>
  total: number | null
  next: Place | null
  readonly attempted: Array<string>
  readonly skipped: Array<Skip>
  readonly failed: Array<Skip>
  readonly paid: Map<string, Credits.Credits>
}

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)

/** Reads a page of a list and pays for it; `null` where there is none. */
const read = Effect.fnUntraced(function* <Row, Shown>(
  { tab }: Asking<Row, Shown>,
  page: Growing<Shown>,
  { ask, price, source }: List<Row>,
  { limit, position }: Place
): Effect.fn.Return<Page<Row> | null, InvalidRequest> {
  if (!tab.reserve(price)) {
    page.skipped.push({ source, reason: "budget_exhausted" })
    return null
  }
  const found = yield* Effect.result(
    ask(limit, position).pipe(Effect.onInterrupt(() => Effect.sync(() => tab.free(price))))
  )
  if (Result.isFailure(found)) {
    tab.free(price)
    return yield* noted(page, source, found.failure)
  }
  page.attempted.push(source)
  if (found.success.rows.length === 0) tab.free(price)
  else {
    tab.charge(price, { payee: { _tag: "Source", source }, credits: price })
    if (price > 0) page.paid.set(source, price)
  }
  return found.success
})

const noted = (page: Growing<unknown>, source: string, trouble: Trouble): Effect.Effect<null, InvalidRequest> => {
  switch (trouble._tag) {
    case "WrongPosition":
      return Effect.fail(wrongCursor())
    case "Skipped":
      page.skipped.push({ source, reason: trouble.reason })
      return Effect.succeed(null)
    case "Failed":
      page.attempted.push(source)
      page.failed.push({ source, reason: trouble.reason })
      return Effect.succeed(null)
  }
}

/** Where the list begins: at the place, or at its own beginning with the rows that are left. */
const beginning = <Shown>(place: Place, source: string, page: Growing<Shown>, limit: number): Place => {
  const begun = place.source === source || (place.source === null && page.attempted.length + page.skipped.length === 0)
  return begun
    ? { ...place, source }
    : { page: place.page, source, limit: limit - page.shown.length, position: null, before: page.total }
}

/** The page that begins there. */
export const make = Effect.fnUntraced(function* <Row, Shown>(
  asking: Asking<Row, Shown>,
  place: Place
): Effect.fn.Return<Filled<Shown>, InvalidRequest> {
  const { limit, lists } = asking
  const from = place.source === null ? 0 : lists.findIndex(({ source }) => source === place.source)
  if (from === -1) return yield* wrongCursor()
  const page: Growing<Shown> = {
    shown: [],
    total: place.before,
    next: null,
    attempted: [],
    skipped: [],
    failed: [],
    paid: new Map()
  }
  for (const list of lists.slice(from)) {
    const begins = beginning(place, list.source, page, limit)
    if (page.shown.length > 0 && 2 * begins.limit < limit) {
      page.next = { ...begins, limit, page: place.page + 1 }
      break
    }
    const found = yield* read(asking, page, list, begins)
    if (found === null) continue
    page.shown = yield* asking.add(page.shown, found.rows, list.source)
    page.total = sum(begins.before, found.total)
    if (found.next !== null) {
      page.next = { ...begins, position: found.next, page: place.page + 1 }
      break
    }
  }
  const { next, ...rest } = page
  return { ...rest, page: place.page, next_cursor: next === null ? null : cursorOf(asking.question, next) }
})
