/**
 * Pages of a list, by number or by cursor. A cursor is opaque and belongs to its question and its limit: with another one
 * it is refused. It knows which page it begins, and in lists of records behind which record.
 */
import { Effect, Hash, Option, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import type { Page } from "./CustomsAnswer.ts"
import { Cursor, type Sort } from "./TradeQuestion.ts"

/** Entries of a page, where nobody says how many. */
const perPage = 20

/** As requests say it. */
export interface Paged {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface Position {
  readonly page: number
  readonly limit: number
  /** In lists of records: the last one that was read; `null` where pages are counted from the beginning. */
  readonly after: Cursor | null
}

const Content = Schema.fromJsonString(
  Schema.Tuple([Schema.Int, Schema.Int.check(Schema.isGreaterThan(1)), Schema.NullOr(Cursor)])
)
const decode = Schema.decodeUnknownOption(Content)

const print = (question: unknown, limit: number): number => Hash.string(JSON.stringify([question, limit]))

/** For the page `page` of this question. */
export const cursor = (question: unknown, limit: number, page: number, after: Cursor | null): string =>
  Base64Url.encode(JSON.stringify([print(question, limit), page, after]))

export const limitOf = ({ limit }: Paged): number => limit ?? perPage

const fits = (value: Cursor["value"], { by }: Sort): boolean =>
  value === null || typeof value === (by === "date" ? "string" : "number")

/** Where the page begins. `sort` is that of records, which a cursor has a value of. */
export const read = (
  question: unknown,
  request: Paged,
  sort: Sort | null = null
): Effect.Effect<Position, InvalidRequest> => {
  const limit = limitOf(request)
  if (request.cursor === undefined) return Effect.succeed({ page: request.page ?? 1, limit, after: null })
  const content = Option.flatMap(Result.getSuccess(Base64Url.decodeString(request.cursor)), decode)
  if (Option.isNone(content) || content.value[0] !== print(question, limit)) {
    return Effect.fail(at("cursor", "Expected next_cursor of the page before, of the same request"))
  }
  const [, page, after] = content.value
  return (sort === null) === (after === null) && (after === null || sort === null || fits(after.value, sort))
    ? Effect.succeed({ page, limit, after })
    : Effect.fail(at("cursor", "Expected next_cursor of the page before, as it was"))
}

/** The page of a list that is counted. */
export const page = <Row>(
  question: unknown,
  { limit, page }: Position,
  { list, total }: { readonly list: ReadonlyArray<Row>; readonly total: number }
): Page<Row> => ({
  list,
  total,
  current_page: page,
  next_cursor: page * limit < total ? cursor(question, limit, page + 1, null) : null
})

/** A list that is never long. */
export const all = <Row>(list: ReadonlyArray<Row>): Page<Row> => ({
  list,
  total: list.length,
  current_page: 1,
  next_cursor: null
})
