/** All rows of a task as one text, read a portion at a time while it is sent: CSV with a header, or JSON Lines. */
import type { AgenticTasks } from "@lading/core/task"
import { Cell } from "@lading/core/value"
import { Effect, Option, Stream } from "effect"
import { Csv } from "effect/encoding"

/** Rows that are read at once. */
const portion = 500

/** Reads rows from the one with this number on. */
export type Read<E> = (from: number, limit: number) => Effect.Effect<AgenticTasks.Rows, E>

const all = <E>(read: Read<E>): Stream.Stream<AgenticTasks.Row, E> =>
  Stream.paginate(0, (from) =>
    Effect.map(read(from, portion), ({ list, total }) => {
      const next = from + portion
      return [list, next < total ? Option.some(next) : Option.none<number>()] as const
    })
  )

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return Cell.guarded(value)
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

/** What stands before a task's own columns. */
const own = ["row", "status", "credits_charged", "sources", "error"]

const cellsOf = (columns: ReadonlyArray<string>, row: AgenticTasks.Row): ReadonlyArray<string> => {
  const { credits_charged, errors, sources, status } = row
  const error = errors.map(({ code, message, step }) => `${step}: ${code}: ${message}`).join("; ")
  const output = new Map(Object.entries(row.output))
  return [row.row, status, credits_charged, sources.join(" "), error, ...columns.map((name) => output.get(name))].map(
    cellOf
  )
}

/** A table; `columns` are those of the task's plan. */
export const csv = <E>(columns: ReadonlyArray<string>, read: Read<E>): Stream.Stream<string, E> =>
  Stream.make<[ReadonlyArray<string>]>([...own, ...columns.map(Cell.guarded)]).pipe(
    Stream.concat(Stream.map(all(read), (row) => cellsOf(columns, row))),
    Stream.pipeThroughChannel(Csv.encodeString({ newline: "\n" }))
  )

/** A row in each line. */
export const lines = <E>(read: Read<E>): Stream.Stream<string, E> =>
  Stream.map(all(read), (row) => `${JSON.stringify(row)}\n`)
