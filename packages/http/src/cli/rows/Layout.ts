/** The columns of a result: those of the input as they are, then those of what became of the row. */
import { Cell } from "@lading/core/value"
import type { Row } from "./Input.ts"

export interface Column<Outcome> {
  readonly head: string
  readonly cell: (outcome: Outcome) => string
}

export interface Layout<Outcome> {
  readonly header: ReadonlyArray<string>
  readonly cells: (row: Row, outcome: Outcome) => ReadonlyArray<string>
}

/** A name that the input has already gets `lading.` in front, so that no two columns share one. */
const free = (name: string, taken: ReadonlySet<string>): string =>
  taken.has(name) ? free(`lading.${name}`, taken) : name

/** `raw` leaves cells that begin like a formula as they are. */
export const of = <Outcome>(
  columns: ReadonlyArray<Column<Outcome>>,
  input: ReadonlyArray<string>,
  raw: boolean
): Layout<Outcome> => {
  const taken = new Set(input)
  const shown = raw ? (cell: string) => cell : Cell.guarded
  return {
    header: [...input, ...columns.map(({ head }) => free(head, taken))],
    cells: (row, outcome) => [...row.cells, ...columns.map(({ cell }) => shown(cell(outcome)))]
  }
}
