/** The columns of a result: those of the input as they are, then those of what became of the row. */
import type { Row } from "./Input.ts"

export interface Column<Outcome> {
  readonly head: string
  readonly cell: (outcome: Outcome) => string
}

/**
 * A cell that begins like a formula is text: spreadsheets run `=…`, `+…`, `-…` and `@…` from files that they open, and
 * these cells come from vendors. As OWASP advises, an apostrophe in front makes it text. Numbers and phone numbers stay:
 * without a letter nothing can be called.
 */
const guarded = (cell: string): string =>
  /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) && !/^[+-][\d\s+\-.;()/]*$/.test(cell) ? `'${cell}` : cell

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
  const shown = raw ? (cell: string) => cell : guarded
  return {
    header: [...input, ...columns.map(({ head }) => free(head, taken))],
    cells: (row, outcome) => [...row.cells, ...columns.map(({ cell }) => shown(cell(outcome)))]
  }
}
