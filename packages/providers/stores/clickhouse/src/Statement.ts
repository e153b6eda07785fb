/**
 * SQL as a value: text with places, and what is bound to them. A statement is only made of texts that stand in the source
 * code and of bound values, so nothing that somebody asks for becomes part of a query.
 *
 * ```ts
 * sql`SELECT count() FROM trade_record WHERE hs_code = ${text("090111")} AND ${condition}`
 * ```
 */

/** A value with the ClickHouse type that its place declares. */
export interface Bound {
  readonly _tag: "Bound"
  readonly type: string
  readonly value: unknown
}

export interface Statement {
  readonly _tag: "Statement"
  readonly texts: ReadonlyArray<string>
  readonly parts: ReadonlyArray<Statement | Bound>
}

export const sql = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Statement | Bound>): Statement => ({
  _tag: "Statement",
  texts,
  parts
})

const bound =
  <A>(type: string) =>
  (value: A): Bound => ({ _tag: "Bound", type, value })

/** The nearest number of 64 bits. */
const whole = (value: number): bigint =>
  BigInt.asIntN(64, BigInt(Math.trunc(Math.min(Math.max(value, -FARTHEST), FARTHEST))))

/** The largest of 64 bits that a number of JavaScript can be. */
const FARTHEST = 2 ** 63 - 1024

export const text: (value: string) => Bound = bound("String")
export const texts: (value: ReadonlyArray<string>) => Bound = bound("Array(String)")
export const int = (value: number): Bound => bound("Int64")(whole(value))
export const ints = (value: ReadonlyArray<number>): Bound => bound("Array(Int64)")(value.map(whole))
/** As text: chDB refuses whole numbers that are not exact. */
export const float = (value: number): Bound => bound("Float64")(String(value).replace("Infinity", "inf"))
export const id: (value: bigint) => Bound = bound("UInt64")
export const ids: (value: ReadonlyArray<bigint>) => Bound = bound("Array(UInt64)")
/** `YYYY-MM-DD` */
export const date: (value: string) => Bound = bound("Date32")

/** Statements side by side with a word of SQL between them. */
const join = (statements: ReadonlyArray<Statement>, between: Statement): Statement => ({
  _tag: "Statement",
  texts: ["", ...statements.flatMap((_, index) => (index === 0 ? [""] : ["", ""]))],
  parts: statements.flatMap((statement, index) => (index === 0 ? [statement] : [between, statement]))
})

export const list = (statements: ReadonlyArray<Statement>): Statement => join(statements, sql`, `)

/** All of these hold; true for none. */
export const all = (conditions: ReadonlyArray<Statement>): Statement =>
  conditions.length === 0 ? sql`1` : join(conditions, sql` AND `)

/** One of these holds; false for none. */
export const any = (conditions: ReadonlyArray<Statement>): Statement =>
  conditions.length === 0 ? sql`0` : sql`(${join(conditions, sql` OR `)})`

/** Bytes that a server takes as one parameter: 128 KiB. */
const LONGEST = 100_000

const lengthOf = (value: unknown): number =>
  typeof value === "string" ? 3 * value.length + 3 : String(value).length + 1

/** A list as lists that are short enough for a parameter each. */
const pieces = (values: ReadonlyArray<unknown>): ReadonlyArray<ReadonlyArray<unknown>> => {
  const all: Array<Array<unknown>> = [[]]
  let size = 0
  for (const value of values) {
    size += lengthOf(value)
    if (size > LONGEST) {
      all.push([])
      size = lengthOf(value)
    }
    all.at(-1)?.push(value)
  }
  return all
}

export interface Rendered {
  readonly query: string
  readonly params: { readonly [name: string]: unknown }
}

/** As the client takes it: places are `{p0:String}`. */
export const render = (statement: Statement): Rendered => {
  const params: { [name: string]: unknown } = {}
  let count = 0
  const bind = (value: unknown, type: string): string => {
    const name = `p${count++}`
    params[name] = value
    return `{${name}:${type}}`
  }
  const place = ({ type, value }: Bound): string => {
    const lists = Array.isArray(value) ? pieces(value) : []
    return lists.length > 1 ? `arrayConcat(${lists.map((list) => bind(list, type)).join(", ")})` : bind(value, type)
  }
  const write = ({ parts, texts }: Statement): string =>
    texts
      .map((own, index) => {
        const part = parts[index]
        if (part === undefined) return own
        if (part._tag === "Statement") return own + write(part)
        return own + place(part)
      })
      .join("")
  return { query: write(statement), params }
}
