/**
 * The body of a part of a load: newline-delimited JSON, its head and then a row a line. Each line is checked as it comes
 * and kept as a row and nothing else; the first that is wrong ends it, with its place: `rows[17].record.date`.
 */
import type { TradeRow } from "@lading/core/trade"
import { Effect, Result, Schema, Stream } from "effect"
import { Ndjson } from "effect/encoding"
import type { HttpServerRequest } from "effect/http"
import * as Loads from "../../api/Loads.ts"
import * as Refusal from "../../api/Refusal.ts"
import * as Body from "../Body.ts"
import * as Details from "../Details.ts"

type Request = HttpServerRequest.HttpServerRequest

type Wrong = Refusal.InvalidRequest["details"]

const decodeHead = Schema.decodeUnknownResult(Loads.PartHead, { errors: "all" })
const decodeRow = Schema.decodeUnknownResult(Loads.Row, { errors: "all" })

/** What has come of it so far. */
interface Reading {
  head: Loads.PartHead | null
  readonly rows: Array<TradeRow.TradeRow>
}

const wrong = (request_id: string, details: Wrong) =>
  new Refusal.InvalidRequest({ request_id, message: "The part has wrong lines, see details", details })

const placeOf = ({ head, rows }: Reading): string => (head === null ? "head" : `rows[${rows.length}]`)

const within = (place: string, { issue }: Schema.SchemaError): Wrong =>
  Details.fromIssue(issue).map(({ message, path }) => ({ path: path === "" ? place : `${place}.${path}`, message }))

/** Takes the first line; gives what is wrong with it. */
const takeHead = (reading: Reading, line: unknown): Wrong | null => {
  const head = decodeHead(line)
  if (Result.isFailure(head)) return within(placeOf(reading), head.failure)
  reading.head = head.success
  return null
}

/** Takes the next line; gives what is wrong with it. */
const take = (reading: Reading, line: unknown): Wrong | null => {
  const { head, rows } = reading
  if (head === null) return takeHead(reading, line)
  if (rows.length >= head.rows)
    return [{ path: placeOf(reading), message: `Expected the end: the head says ${head.rows} rows` }]
  const row = decodeRow(line)
  if (Result.isFailure(row)) return within(placeOf(reading), row.failure)
  rows.push(row.success)
  return null
}

/** The lines, of so many bytes in all. */
const linesOf = (request: Request, request_id: string) => {
  const tooLarge = () =>
    new Refusal.PayloadTooLarge({ request_id, message: `Expected a part of at most ${Loads.partLimit} bytes` })
  const brokenOff = () => wrong(request_id, [{ path: "", message: "The body ended before it was complete" }])
  let bytes = 0
  return request.stream.pipe(
    Stream.mapError(brokenOff),
    Stream.mapArrayEffect((chunks) => {
      for (const chunk of chunks) bytes += chunk.length
      return bytes > Loads.partLimit ? Effect.fail(tooLarge()) : Effect.succeed(chunks)
    }),
    Stream.pipeThroughChannel(Ndjson.decode({ ignoreEmptyLines: true, maxLineBytes: Loads.lineLimit }))
  )
}

const expected = {
  InvalidJson: "Expected a line of JSON",
  InvalidUtf8: "Expected a line in UTF-8",
  LineTooLarge: `Expected a line of at most ${Loads.lineLimit} bytes`
}

/** Reads a part. */
export const read = Effect.fnUntraced(function* (request: Request, request_id: string) {
  if (Body.mediaType(request) !== "application/x-ndjson" || !Body.isPlain(request)) {
    const message = "Expected an uncompressed body of type application/x-ndjson"
    return yield* new Refusal.UnsupportedMediaType({ request_id, message })
  }
  const reading: Reading = { head: null, rows: [] }
  yield* linesOf(request, request_id).pipe(
    Stream.runForEachArray((lines) => {
      for (const line of lines) {
        const details = take(reading, line)
        if (details !== null) return Effect.fail(wrong(request_id, details))
      }
      return Effect.void
    }),
    Effect.catchTag("NdjsonError", ({ reason = "InvalidJson" }) =>
      Effect.fail(wrong(request_id, [{ path: placeOf(reading), message: expected[reason] }]))
    )
  )
  const { head, rows } = reading
  if (head === null) return yield* wrong(request_id, [{ path: "head", message: "Expected a value, got none" }])
  if (rows.length < head.rows) {
    const message = `Expected ${head.rows} rows, as the head says`
    return yield* wrong(request_id, [{ path: placeOf(reading), message }])
  }
  return { rows, rejected: head.rejected, position: head.position }
})
