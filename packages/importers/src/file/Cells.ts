/** Reading cells of a row: texts, numbers, dates, units and countries, each with what it says when it cannot. */
import type { Cell, Row } from "../tables/Table.ts"
import * as Numbers from "../values/Numbers.ts"
import type { Said, Value, Words } from "./Mapping.ts"

/** A cell that is not what its column should hold. */
export class Fault {
  readonly column: string
  readonly problem: string
  constructor(column: string, problem: string) {
    this.column = column
    this.problem = problem
  }
}

const LONGEST = 60

const shown = (text: string): string => JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

export const expected = (column: string, what: string, text: string): Fault =>
  new Fault(column, `expected ${what}, found ${shown(text)}`)

export type ReadText = (row: Row) => string | null

/** What stands for nothing. A text longer than all of them is not looked up. */
export interface None {
  readonly texts: ReadonlySet<string>
  readonly longest: number
}

/** What a mapping knows of its table. */
export interface Context {
  /** The place of a column; -1 where there is none. */
  readonly indexOf: (column: string) => number
  readonly none: None
  readonly decimal: Numbers.DecimalMark
  readonly tables: Readonly<Record<string, Words>>
}

const textOf = (cell: Cell | undefined, none: None): string | null => {
  if (cell == null) return null
  if (typeof cell !== "string") return String(cell)
  const text = cell.trim()
  return text === "" || text === "-" || (text.length <= none.longest && none.texts.has(text)) ? null : text
}

export const column = (name: string, { indexOf, none }: Context): ReadText => {
  const index = indexOf(name)
  return (row) => textOf(row[index], none)
}

const gaps = /\s{2,}|[^\S ]/

/** Without the white space that fills fields and breaks lines. */
export const tidy = (text: string): string => (gaps.test(text) ? text.replace(/\s+/g, " ") : text)

const joined = (names: ReadonlyArray<string>, between: string, context: Context): ReadText => {
  const reads = names.map((name) => column(name, context))
  return (row) => {
    let text: string | null = null
    for (const read of reads) {
      const one = read(row)
      if (one !== null) text = text === null ? one : text + between + one
    }
    return text
  }
}

const worded = (read: ReadText, words: Words): ReadText => {
  const meaning = new Map(Object.entries(words))
  return (row) => {
    const text = read(row)
    return text === null ? null : (meaning.get(text) ?? text)
  }
}

const plain = (value: Value, between: string, context: Context): ReadText => {
  if (value.constant !== undefined) {
    const { constant } = value
    return () => constant
  }
  if (value.column !== undefined) return column(value.column, context)
  return joined(value.columns ?? [], value.join ?? between, context)
}

const never: ReadText = () => null

/** What a mapping says of one text. */
export const text = (said: Said | undefined, context: Context, between: string = " "): ReadText => {
  if (said === undefined) return never
  if (typeof said === "string") return column(said, context)
  const read = plain(said, between, context)
  if (said.words === undefined) return read
  return worded(read, typeof said.words === "string" ? (context.tables[said.words] ?? {}) : said.words)
}

export type ReadNumber = (row: Row) => number | null | Fault

/** A number that is not negative: nobody trades less than nothing, and what is written so is a correction or a mistake. */
export const amount = (name: string, context: Context): ReadNumber => {
  const index = context.indexOf(name)
  return (row) => {
    const cell = row[index]
    const text = textOf(cell, context.none)
    if (text === null) return null
    const number = typeof cell === "number" ? cell : Numbers.parse(text, context.decimal)
    if (number === undefined || !Number.isFinite(number)) return expected(name, "a number", text)
    return number < 0 ? expected(name, "a number that is not negative", text) : number
  }
}

/** The columns that a value is of, for naming them in a problem. */
export const columnsOf = (said: Said | undefined): ReadonlyArray<string> => {
  if (said === undefined) return []
  if (typeof said === "string") return [said]
  return said.columns ?? (said.column === undefined ? [] : [said.column])
}
