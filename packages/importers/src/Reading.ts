/**
 * Tables, one behind the other, as batches of records. A position is the number of the file and the place in it; a batch
 * is what one sheet of a table makes.
 */
import { basename } from "node:path"
import { Effect, Stream } from "effect"
import { type Batch, cut, type Rejected, type TradeFile } from "./Batch.ts"
import * as Bytes from "./bytes/Bytes.ts"
import { Fault } from "./file/Cells.ts"
import type { Mapping } from "./file/Mapping.ts"
import * as Reader from "./file/Reader.ts"
import { ImportError } from "./ImportError.ts"
import { type Open, type Place, type Sheet, start, type Table, textOf } from "./tables/Table.ts"

/** How a file is to be read: its table, and what its rows mean. */
export interface Plan {
  readonly open: Open
  readonly mapping: Mapping
  readonly hooks?: Reader.Hooks
}

export interface Settings {
  readonly rates: Reader.Options["rates"]
  /** Of each file, by its path. */
  readonly plan: (file: string) => Effect.Effect<Plan, ImportError>
  /** Rows that all files together should have; fewer or more are an error at the end. */
  readonly rows: number | null
}

interface At {
  readonly file: number
  readonly place: Place
  /** Rows so far, for the count at the end. */
  readonly rows: number
}

const textOfAt = ({ file, place, rows }: At): string => `${file}:${place.offset}:${place.line}:${rows}`

const atOf = (files: ReadonlyArray<string>, text: string | null): At | null => {
  if (text === null) return { file: 0, place: start, rows: 0 }
  const found = /^(\d{1,6}):(\d{1,15}):(\d{1,15}):(\d{1,15})$/.exec(text)
  if (found === null) return null
  const [, file = "", offset = "", line = "", rows = ""] = found
  const at = { file: Number(file), place: { offset: Number(offset), line: Number(line) }, rows: Number(rows) }
  return at.file < files.length ? at : null
}

const stemOf = (file: string): string => basename(file).replace(/(?:\.[A-Za-z]{1,7})+$/, "")

const missing = (file: string, table: Table, { mapping }: Plan): ImportError | null => {
  const lost = Reader.columnsOf(mapping).filter((name) => !table.columns.includes(name))
  if (lost.length === 0) return null
  const names = (list: ReadonlyArray<string>) => list.map((name) => JSON.stringify(name)).join(", ")
  const problem = `the mapping needs the columns ${names(lost)}; the file has ${names(table.columns.slice(0, 60))}`
  return new ImportError({ reason: "mapping", file, problem })
}

/** The records of a sheet. */
const recordsOf = (file: string, sheet: Sheet, read: Reader.ReadRow) => {
  const stem = stemOf(file)
  const records: Array<Batch["records"][number]> = []
  const rejected: Array<Rejected> = [...sheet.rejected]
  let { dropped } = sheet
  for (const [index, row] of sheet.rows.entries()) {
    const line = sheet.lineOf(index)
    const found = read(row, { stem, line })
    if (found === null) dropped++
    else if (found instanceof Fault) {
      const { column, problem } = found
      rejected.push({ file, line, column, problem, text: cut(textOf(row, "\t")) })
    } else records.push(found)
  }
  return { records, rejected, dropped }
}

/** The batches of one file from a place in it; the place behind the last is the next file's beginning. */
const batchesOf = (
  files: ReadonlyArray<string>,
  at: At,
  before: number,
  { plan, rates }: Settings
): Stream.Stream<readonly [Batch, At], ImportError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const file = files[at.file] ?? ""
      const chosen = yield* plan(file)
      const table = yield* chosen.open(file, at.place)
      const lost = missing(file, table, chosen)
      if (lost !== null) return yield* lost
      const { hooks, mapping } = chosen
      const read = Reader.make(mapping, table.columns, hooks === undefined ? { rates } : { rates, hooks })
      return Stream.unfold(at.rows, (rows) =>
        Effect.map(table.read, (sheet) => {
          if (sheet === null) return
          const count = rows + sheet.rows.length + sheet.rejected.length
          const next: At = { file: at.file, place: sheet.next, rows: count }
          const taken = before + table.taken()
          const batch = { ...recordsOf(file, sheet, read), read: taken, position: textOfAt(next) }
          return [[batch, next] as const, count] as const
        })
      )
    })
  )

const sizes = (files: ReadonlyArray<string>) => Effect.forEach(files, (file) => Bytes.total([file]))

const wrongCount = (files: ReadonlyArray<string>, expected: number, found: number): ImportError =>
  new ImportError({
    reason: "format",
    file: files.join(", "),
    problem: `expected ${expected} rows, found ${found}: a download may have broken off`
  })

/** All files, one behind the other. */
export const open = Effect.fnUntraced(function* (files: ReadonlyArray<string>, settings: Settings) {
  if (files.length === 0) return yield* new ImportError({ reason: "option", file: "", problem: "expected a file" })
  const bytes = yield* sizes(files)
  const sumBefore = (index: number) => bytes.slice(0, index).reduce((sum, size) => sum + size, 0)
  const from = (at: At): Stream.Stream<Batch, ImportError> => {
    let rows = at.rows
    const rest = files.slice(at.file).map((_, index) => at.file + index)
    const all = Stream.flatMap(Stream.fromIterable(rest), (index) => {
      const here = Stream.suspend(() => {
        const there = index === at.file ? at : { file: index, place: start, rows }
        return batchesOf(files, there, sumBefore(index), settings)
      })
      return Stream.map(here, ([batch, next]) => {
        rows = next.rows
        return batch
      })
    })
    if (settings.rows === null) return all
    const expected = settings.rows
    const check = Stream.suspend(() =>
      rows === expected ? Stream.empty : Stream.fail(wrongCount(files, expected, rows))
    )
    return Stream.concat(all, check)
  }
  return {
    bytes: sumBefore(files.length),
    batches: (position) => {
      const at = atOf(files, position)
      const problem = `reading cannot go on from ${JSON.stringify(position)}: it is no position in these files`
      return at === null
        ? Stream.fail(new ImportError({ reason: "position", file: files.join(", "), problem }))
        : from(at)
    }
  } satisfies TradeFile
})
