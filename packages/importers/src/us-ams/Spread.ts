/**
 * The first half of joining tables that are larger than memory: every row goes into one of many files on the disk, by its
 * bill's identifier, so that all rows of a bill lie in one file that fits into memory.
 */
import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { Rejected } from "../Batch.ts"
import { ImportError } from "../ImportError.ts"
import * as Csv from "../tables/Csv.ts"
import { type Cell, type Sheet, start, type Table } from "../tables/Table.ts"
import { type Named, tables } from "./Tables.ts"

/** What a part may take of the tables, and what all that waits to be written may. */
const PART_BYTES = 8 << 20
const WAITING_BYTES = 32 << 20
const [FEWEST_PARTS, MOST_PARTS] = [8, 4096]

/** A function of the bytes alone, so that it is the same in every run. */
export const partsFor = (bytes: number): number =>
  Math.min(MOST_PARTS, Math.max(FEWEST_PARTS, Math.ceil(bytes / PART_BYTES)))

const partOf = (identifier: string, parts: number): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < identifier.length; index++)
    hash = Math.imul(hash ^ identifier.charCodeAt(index), 0x01000193)
  return (hash >>> 0) % parts
}

export const pathOf = (folder: string, part: number): string => join(folder, `part-${part}.tsv`)

const encoder = new TextEncoder()

const joined = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/**
 * Lines that wait for their files. They wait as bytes: texts that are put together keep every piece, and each piece the
 * block that it was cut out of.
 */
export class Parts {
  readonly folder: string
  readonly count: number
  private readonly fresh: Array<string>
  private readonly waiting: Array<Array<Uint8Array>>
  private readonly lengths: Array<number>
  private readonly limit: number
  constructor(folder: string, count: number) {
    this.folder = folder
    this.count = count
    this.fresh = Array.from({ length: count }, () => "")
    this.waiting = Array.from({ length: count }, () => [])
    this.lengths = Array.from({ length: count }, () => 0)
    this.limit = Math.max(4096, Math.floor(WAITING_BYTES / count))
  }

  add(identifier: string, line: string): void {
    const part = partOf(identifier, this.count)
    this.fresh[part] += line
  }

  private seal(part: number): number {
    const text = this.fresh[part] ?? ""
    if (text !== "") {
      const bytes = encoder.encode(text)
      this.fresh[part] = ""
      this.waiting[part]?.push(bytes)
      this.lengths[part] = (this.lengths[part] ?? 0) + bytes.length
    }
    return this.lengths[part] ?? 0
  }

  private take(part: number, length: number): Uint8Array {
    const all = joined(this.waiting[part] ?? [], length)
    this.waiting[part] = []
    this.lengths[part] = 0
    return all
  }

  /** After each sheet: writes what has become long, or all of it. */
  flush(all: boolean): Effect.Effect<void, ImportError> {
    return Effect.gen({ self: this }, function* () {
      for (let part = 0; part < this.count; part++) {
        const length = this.seal(part)
        if (length === 0 || (!all && length < this.limit)) continue
        const bytes = this.take(part, length)
        yield* Effect.tryPromise({
          try: () => appendFile(pathOf(this.folder, part), bytes),
          catch: (cause) =>
            new ImportError({
              reason: "unreadable",
              file: this.folder,
              problem: `the scratch folder cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`
            })
        })
      }
    })
  }
}

const dialect: Csv.Dialect = { delimiter: ",", quote: '"', encoding: "utf-8", columns: null }

/** One table, ready to be read. */
export interface Opened {
  readonly file: string
  readonly table: Table
  readonly letter: string
  readonly stamp: string
  readonly identifier: number
  readonly places: ReadonlyArray<number>
}

export const open = Effect.fnUntraced(function* (file: string, { stamp, table: name }: Named) {
  const table = yield* Csv.open(dialect)(file, start)
  const { columns, letter } = tables[name ?? "header"]
  const lower = table.columns.map((column) => column.toLowerCase())
  const lost = ["identifier", ...columns].filter((column) => !lower.includes(column))
  // The identifier and the first column are what a table is for; publications of some years lack others.
  if (lost.includes("identifier") || lost.length > columns.length / 2) {
    const problem = `expected the table ${name}, which has the columns ${lost.join(", ")} too`
    return yield* new ImportError({ reason: "format", file, problem })
  }
  const places = columns.map((column) => lower.indexOf(column))
  return { file, table, letter, stamp, identifier: lower.indexOf("identifier"), places } satisfies Opened
})

/** Nothing that would end a cell or a line on the disk. */
const flat = (cell: Cell | undefined): string => {
  const text = String(cell ?? "").trim()
  return /[\t\r\n]/.test(text) ? text.replace(/\s+/g, " ") : text
}

/** Puts the rows of a sheet into parts; gives those that have no bill. */
export const add = (parts: Parts, opened: Opened, fileIndex: number, sheet: Sheet): ReadonlyArray<Rejected> => {
  const { file, identifier, letter, places, stamp } = opened
  const rejected: Array<Rejected> = [...sheet.rejected]
  for (const [index, row] of sheet.rows.entries()) {
    const bill = flat(row[identifier])
    if (bill === "") {
      const problem = "expected the identifier of a bill, found none"
      rejected.push({
        file,
        line: sheet.lineOf(index),
        column: "identifier",
        problem,
        text: row.join(",").slice(0, 300)
      })
      continue
    }
    let line = `${letter}\t${bill}\t${stamp}\t${fileIndex}:${sheet.lineOf(index)}`
    for (const place of places) line += `\t${flat(row[place])}`
    parts.add(bill, `${line}\n`)
  }
  return rejected
}
