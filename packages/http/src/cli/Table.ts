/**
 * Tables for people to read: of a profile (field, value and source), or of anything else.
 *
 * Gotcha: values come from vendors and operators, so characters that steer a terminal are taken out.
 */

/** Longer values are cut off; `--json` has all of it. */
const width = 100

// Control characters are what is looked for here.
// oxlint-disable-next-line no-control-regex
const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim()

const cut = (text: string): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const entries = (record: Readonly<Record<string, unknown>>): string =>
  Object.entries(record)
    .flatMap(([name, value]) => {
      const [text] = texts(value)
      return text === undefined ? [] : [`${name} ${text}`]
    })
    .join(", ")

/** The lines that a value takes; none where nothing is known. */
const texts = (value: unknown): ReadonlyArray<string> => {
  if (value === null || value === undefined || value === "") return []
  if (isRecord(value)) {
    const text = entries(value)
    return text === "" ? [] : [text]
  }
  if (!Array.isArray(value)) return [plain(String(value))]
  if (value.some(isRecord)) return value.flatMap(texts)
  return value.length === 0 ? [] : [value.map((one) => plain(String(one))).join(", ")]
}

/** A value on one line. */
export const text = (value: unknown): string => cut(texts(value).join("; "))

type Row = readonly [field: string, value: string, source: string]

const rowsOf = (profile: object, sources: Readonly<Record<string, string>>): ReadonlyArray<Row> =>
  Object.entries(profile).flatMap(([field, value]) =>
    texts(value).map((text, index): Row =>
      index === 0 ? [field, cut(text), sources[field] ?? ""] : ["", cut(text), ""]
    )
  )

const longest = (words: ReadonlyArray<string>): number => Math.max(0, ...words.map((word) => word.length))

/** Rows under their heads, each column as wide as its longest cell; the columns named `right` are set to the right. */
export const columns = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  right: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const all = [head, ...rows.map((row) => row.map(plain))]
  const widths = head.map((_, index) => longest(all.map((row) => row[index] ?? "")))
  const cell = (text: string, index: number): string =>
    right.includes(head[index] ?? "") ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)
  return all.map((row) => row.map(cell).join("  ").trimEnd())
}

/** The fields that have a value, then the names of those that have none. */
export const lines = (profile: object, sources: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const unknown = Object.entries(profile).flatMap(([name, value]) => (texts(value).length === 0 ? [name] : []))
  return [
    ...columns(["field", "value", "source"], rowsOf(profile, sources)),
    ...(unknown.length === 0 ? [] : ["", `Unknown: ${unknown.join(", ")}`])
  ]
}
