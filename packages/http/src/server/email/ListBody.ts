/**
 * A list of addresses as it is sent: CSV (one column, or a header that names one) or newline-delimited JSON (an address or
 * an object a line). Blank rows are left out; whatever else is no address is answered as what it is, like one in a list
 * that is sent as JSON.
 *
 * Gotcha: no message repeats what stands in the list.
 */
import { EmailRequest } from "@lading/core/email"
import { Effect, Stream } from "effect"
import { Csv } from "effect/encoding"
import * as Refusal from "../../api/Refusal.ts"
import * as Details from "../Details.ts"
import { delimiterOf } from "../Delimiter.ts"

export const types = ["text/csv", "application/x-ndjson"] as const

export interface Upload {
  readonly type: (typeof types)[number]
  readonly bytes: Uint8Array
  /** The column or key that was named; `null` where none was. */
  readonly column: string | null
}

/** One that may be no address: it is judged with all others. */
interface Cell {
  readonly line: number
  readonly text: string
}

interface Wrong {
  readonly path: string
  readonly message: string
}

const at = (line: number, message: string): Wrong => ({ path: `line ${line}`, message })

const spellings = new Set(["email", "emailaddress", "mail", "mailaddress"])

const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "")

const named = (column: string): Wrong => ({
  path: "column",
  message: `Expected a column of the list, there is no ${JSON.stringify(column.slice(0, 60))}`
})

/** Where the addresses stand in a row, and whether the first row is a header. */
const columnOf = (
  first: ReadonlyArray<string>,
  column: string | null
): { readonly place: number; readonly header: boolean } | Wrong => {
  if (column !== null) {
    const place = first.findIndex((name) => name.trim() === column.trim())
    return place === -1 ? named(column) : { place, header: true }
  }
  const addresses = first.flatMap((cell, place) => (cell.includes("@") ? [place] : []))
  const [place] = addresses
  if (place !== undefined && addresses.length === 1) return { place, header: false }
  const known = first.findIndex((name) => spellings.has(folded(name)))
  if (known !== -1) return { place: known, header: true }
  if (first.length === 1) return { place: 0, header: true }
  return at(1, "Expected one column, or a header that names one email; ?column= names another")
}

const breaks = (cells: ReadonlyArray<string>): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)

/** A body has room for millions of rows, so what is too long is read no further. */
const tooMany: Wrong = { path: "emails", message: `Expected ${EmailRequest.aList.expected}` }

/** Rows with the blank ones: as many as a sheet of the usual programs has, and its header. */
const mostRows = 1024 * 1024 + 1

/** The list as far as it was read, without blank ones; `false` where there is no room for one more. */
const addTo = (cells: Array<Cell>, cell: Cell): boolean =>
  cell.text.trim() === "" || (cells.length < EmailRequest.mostEmails && cells.push(cell) > 0)

const pieceSize = 64 * 1024
const longestRow = 1024 * 1024

const pieces = (text: string): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(text.length / pieceSize) }, (_, index) =>
    text.slice(index * pieceSize, (index + 1) * pieceSize)
  )

/** What reads a list row by row. */
const rowReader = (column: string | null, cells: Array<Cell>) => {
  let [line, rows] = [1, 0]
  let place: number | null = null
  return (row: ReadonlyArray<string>): Wrong | null => {
    const at = line
    line += 1 + breaks(row)
    rows += 1
    if (rows > mostRows) return tooMany
    if (place === null) {
      const found = columnOf(row, column)
      if ("path" in found) return found
      place = found.place
      if (found.header) return null
    }
    return addTo(cells, { line: at, text: row[place] ?? "" }) ? null : tooMany
  }
}

const firstOf = <A, B>(all: ReadonlyArray<A>, what: (one: A) => B | null): B | null => {
  for (const one of all) {
    const found = what(one)
    if (found !== null) return found
  }
  return null
}

const csv = Effect.fnUntraced(function* (text: string, column: string | null) {
  const cells: Array<Cell> = []
  const read = rowReader(column, cells)
  const delimiter = delimiterOf(text.slice(0, longestRow))
  // One by one, so that what is too long is found before all of it has become rows.
  yield* Stream.fromIterable(pieces(text), { chunkSize: 1 }).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter, maxRecordSize: longestRow })),
    Stream.mapError((error) => at(error.line ?? 1, "Expected rows of CSV; is a quote never closed?")),
    Stream.runForEachArray((rows) => {
      const wrong = firstOf(rows, read)
      return wrong === null ? Effect.void : Effect.fail(wrong)
    })
  )
  return cells
})

/** The address of a line of JSON; `null` where it holds none. */
const addressOf = (value: unknown, key: string): string | null => {
  if (typeof value === "string") return value
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1]
  return typeof found === "string" ? found : null
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Line by line: a body may be nothing but ends of lines. */
const linesOf = function* (text: string): Iterable<string> {
  for (let from = 0; from <= text.length;) {
    const end = text.indexOf("\n", from)
    yield text.slice(from, end === -1 ? text.length : end)
    if (end === -1) return
    from = end + 1
  }
}

const ndjson = (text: string, column: string | null): Effect.Effect<ReadonlyArray<Cell>, ReadonlyArray<Wrong>> => {
  const key = column ?? "email"
  const message = `Expected an address, or a JSON object with the key ${JSON.stringify(key.slice(0, 60))}`
  const cells: Array<Cell> = []
  const wrong: Array<Wrong> = []
  let line = 0
  for (const row of linesOf(text)) {
    line += 1
    if (line > mostRows) return Effect.fail([tooMany])
    if (row.trim() === "") continue
    const found = addressOf(parsed(row), key)
    if (found === null) wrong.push(at(line, message))
    const fits = found === null || addTo(cells, { line, text: found })
    if (!fits || wrong.length > EmailRequest.mostEmails) return Effect.fail([tooMany])
  }
  return wrong.length > 0 ? Effect.fail(wrong) : Effect.succeed(cells)
}

const tooLong = (cells: ReadonlyArray<Cell>): ReadonlyArray<Wrong> =>
  cells.flatMap(({ line, text }) =>
    text.length > EmailRequest.longest
      ? [at(line, `Expected a mail address of at most ${EmailRequest.longest} characters`)]
      : []
  )

const utf8 = new TextDecoder("utf-8", { fatal: true })

const textOf = (bytes: Uint8Array): Effect.Effect<string, ReadonlyArray<Wrong>> =>
  Effect.try({ try: () => utf8.decode(bytes), catch: () => [{ path: "", message: "Expected a list in UTF-8" }] })

const emailsOf = Effect.fnUntraced(function* ({ bytes, column, type }: Upload) {
  const text = yield* textOf(bytes)
  const cells =
    type === "text/csv" ? yield* Effect.mapError(csv(text, column), (wrong) => [wrong]) : yield* ndjson(text, column)
  const wrong = tooLong(cells)
  return wrong.length > 0 ? yield* Effect.fail(wrong) : cells.map(({ text }) => text.trim())
})

/** The addresses of the list, in their order. */
export const read = (upload: Upload, request_id: string) =>
  Effect.mapError(
    emailsOf(upload),
    (wrong) =>
      new Refusal.InvalidRequest({
        request_id,
        message: "The list cannot be read, see details",
        details: Details.bounded(wrong)
      })
  )
