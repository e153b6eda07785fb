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

const csv = Effect.fnUntraced(function* (text: string, column: string | null) {
  const rows = yield* Stream.make(text).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter: delimiterOf(text), maxRecordSize: 1024 * 1024 })),
    Stream.mapError((error) => at(error.line ?? 1, "Expected rows of CSV; is a quote never closed?")),
    Stream.runCollect
  )
  const [first] = rows
  if (first === undefined) return []
  const found = columnOf(first, column)
  if ("path" in found) return yield* Effect.fail(found)
  let line = 1
  const cells: Array<Cell> = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 || !found.header) cells.push({ line, text: row[found.place] ?? "" })
    line += 1 + breaks(row)
  }
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

const ndjson = (text: string, column: string | null): Effect.Effect<ReadonlyArray<Cell>, ReadonlyArray<Wrong>> => {
  const key = column ?? "email"
  const cells: Array<Cell> = []
  const wrong: Array<Wrong> = []
  for (const [index, row] of text.split("\n").entries()) {
    if (row.trim() === "") continue
    const found = addressOf(parsed(row), key)
    if (found === null)
      wrong.push(
        at(index + 1, `Expected an address, or a JSON object with the key ${JSON.stringify(key.slice(0, 60))}`)
      )
    else cells.push({ line: index + 1, text: found })
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
  const given = cells.filter(({ text }) => text.trim() !== "")
  const wrong = tooLong(given)
  return wrong.length > 0 ? yield* Effect.fail(wrong) : given.map(({ text }) => text.trim())
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
