/**
 * Proposes a mapping for a table: columns by the words of their names, then by what their cells look like. The proposal is
 * a mapping file that can be read as it is, with a comment on each line that says how sure it is and why, and what could
 * not be told at all.
 *
 * Gotchas
 * - It is a proposal. Whether an amount is FOB, or which of two dates counts, is known to who knows the source.
 * - It reads the first sheets of the file only: what comes later may be otherwise.
 */
import { basename } from "node:path"
import { Effect } from "effect"
import { stringify } from "yaml"
import * as Bytes from "../bytes/Bytes.ts"
import { ImportError } from "../ImportError.ts"
import * as Csv from "../tables/Csv.ts"
import * as JsonLines from "../tables/JsonLines.ts"
import * as Parquet from "../tables/Parquet.ts"
import { type Cell, type Row, start, type Table } from "../tables/Table.ts"
import * as Countries from "../values/Countries.ts"
import * as Dates from "../values/Dates.ts"
import * as Numbers from "../values/Numbers.ts"
import * as Units from "../values/Units.ts"
import { kindOf } from "./FileFormat.ts"
import { type Field, guesses } from "./HeaderWords.ts"
import { isTransport } from "./Mapping.ts"

/** What was found for one field. */
interface Finding {
  readonly field: Field
  readonly column: string
  /** From 0 to 1. */
  readonly confidence: number
  readonly reason: string
}

interface Proposal {
  /** A mapping file. */
  readonly yaml: string
  readonly findings: ReadonlyArray<Finding>
  /** What could not be told, each a sentence. */
  readonly unknown: ReadonlyArray<string>
}

const SAMPLES = 2000
const HEAD_BYTES = 256 * 1024
const SHOWN = 3

interface Sample {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** What the mapping has to say about the file. */
  readonly file: Readonly<Record<string, string>>
}

const validUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The sign that divides the first lines into most columns, the same number in each. */
const delimiterOf = (text: string): string => {
  const lines = text
    .split("\n")
    .slice(0, 20)
    .filter((line) => line.trim() !== "")
  const scored = [",", ";", "\t", "|"].map((sign) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, "").split(sign).length)
    const [first = 1] = counts
    const same = counts.filter((count) => count === first).length / Math.max(1, counts.length)
    return { sign, score: first > 1 ? same * first : 0 }
  })
  return scored.toSorted((a, b) => b.score - a.score)[0]?.sign ?? ","
}

const sampled = Effect.fnUntraced(function* (table: Table) {
  const rows: Array<Row> = []
  while (rows.length < SAMPLES) {
    const sheet = yield* table.read
    if (sheet === null) break
    rows.push(...sheet.rows.slice(0, SAMPLES - rows.length))
  }
  return rows
})

const csvSample = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* Bytes.open(file, /\.(?:csv|tsv|txt|dat)$/i)
  const head = yield* bytes.peek(HEAD_BYTES)
  const encoding = validUtf8(head) ? "utf-8" : "windows-1252"
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(head))
  const quote = kindOf(file) === "tsv" ? null : '"'
  const table = yield* Csv.open({ delimiter, quote, encoding, columns: null })(file, start)
  return { columns: table.columns, rows: yield* sampled(table), file: { format: "csv", delimiter, encoding } }
})

/** The paths of a JSON object's members, two deep: `importer.name`. */
const pathsOf = (text: string): ReadonlyArray<string> => {
  const paths = new Set<string>()
  const visit = (value: unknown, before: string, depth: number): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return
    for (const [name, one] of Object.entries(value)) {
      const path = before === "" ? name : `${before}.${name}`
      if (depth > 0 && typeof one === "object" && one !== null && !Array.isArray(one)) visit(one, path, depth - 1)
      else paths.add(path)
    }
  }
  for (const line of text.split("\n").slice(0, 200)) {
    try {
      visit(JSON.parse(line), "", 2)
    } catch {
      // The last line may be cut, and others are rejected when they are read.
    }
  }
  return [...paths]
}

const jsonSample = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* Bytes.open(file, /\.(?:jsonl|ndjson|json)$/i)
  const columns = pathsOf(new TextDecoder().decode(yield* bytes.peek(HEAD_BYTES)))
  const table = yield* JsonLines.open(columns)(file, start)
  return { columns, rows: yield* sampled(table), file: { format: "jsonl" } }
})

const parquetSample = Effect.fnUntraced(function* (file: string) {
  const table = yield* Parquet.open(null)(file, start)
  return { columns: table.columns, rows: yield* sampled(table), file: { format: "parquet" } }
})

/** What the cells of a column look like. */
interface Look {
  readonly filled: number
  readonly texts: ReadonlyArray<string>
  readonly distinct: number
  readonly dateFormat: string | null
  readonly mark: Numbers.DecimalMark | null
  readonly countries: number
  readonly units: number
  readonly digits: ReadonlyArray<number>
}

const isNone = (text: string): boolean =>
  text === "" || text === "-" || text === String.raw`\N` || /^(?:N\/A|NULL)$/i.test(text)

const textOf = (cell: Cell | undefined): string => String(cell ?? "").trim()

const formats = [
  "YYYY-MM-DD",
  "YYYYMMDD",
  "DD/MM/YYYY",
  "MM/DD/YYYY",
  "DD-MM-YYYY",
  "DD.MM.YYYY",
  "YYYY/MM/DD",
  "DD-MON-YYYY",
  "DD MON YYYY",
  "DDMMYYYY",
  "YYYYMM",
  "YYYY-MM",
  "YYMM"
]

const share = (texts: ReadonlyArray<string>, test: (text: string) => boolean): number =>
  texts.length === 0 ? 0 : texts.filter(test).length / texts.length

/** The first format that reads every cell. */
const dateFormatOf = (texts: ReadonlyArray<string>): string | null =>
  texts.length === 0
    ? null
    : (formats.find((format) => {
        const parse = Dates.parser(format)
        return share(texts, (text) => parse(text) !== undefined) > 0.98 && texts.some((text) => parse(text) !== null)
      }) ?? null)

/** A mark that reads every number; `.` where both do. */
const markOf = (texts: ReadonlyArray<string>): Numbers.DecimalMark | null => {
  const marks: ReadonlyArray<Numbers.DecimalMark> = texts.some((text) => /,\d{1,2}$|,\d{4,}$/.test(text))
    ? [",", "mixed"]
    : [".", ",", "mixed"]
  return texts.length === 0
    ? null
    : (marks.find((mark) => share(texts, (text) => Numbers.parse(text, mark) !== undefined) > 0.98) ?? null)
}

const lookOf = (rows: ReadonlyArray<Row>, index: number): Look => {
  const all = rows.map((row) => textOf(row[index]))
  const texts = all.filter((text) => !isNone(text))
  return {
    filled: all.length === 0 ? 0 : texts.length / all.length,
    texts,
    distinct: new Set(texts).size,
    dateFormat: dateFormatOf(texts),
    mark: markOf(texts),
    countries: share(texts, (text) => Countries.code(text) !== null),
    units: share(texts, (text) => Units.read(text) !== null),
    digits: [...new Set(texts.map((text) => text.replace(/\D/g, "").length))].toSorted((a, b) => a - b)
  }
}

const isNumber = ({ mark }: Look): boolean => mark !== null

/** Whether cells are what a field holds: 1 yes, 0 no, between where they do not say. */
const fits = (field: Field, look: Look): number => {
  if (look.texts.length === 0) return 0.3
  if (field === "date") return look.dateFormat === null ? 0 : 1
  if (field.endsWith("country")) return look.countries
  if (field === "hs") return share(look.texts, (text) => /^\d[\d.\s]{1,13}$/.test(text)) > 0.9 ? 1 : 0.2
  if (field === "quantity.unit") return look.units > 0.5 ? 1 : isNumber(look) ? 0.3 : 0.5
  if (
    ["quantity", "gross_weight", "net_weight", "packages", "teu"].includes(field) ||
    /^amount\.(?:cif|fob|customs)$/.test(field)
  )
    return isNumber(look) ? 1 : 0
  if (field === "amount.currency") return share(look.texts, (text) => /^[A-Z]{3}$/.test(text))
  if (field.endsWith(".name") || field === "description") return isNumber(look) ? 0.2 : 1
  return 0.9
}

/** The best column of each field; a column is taken once. */
const assigned = (columns: ReadonlyArray<string>, looks: ReadonlyArray<Look>): ReadonlyMap<Field, Finding> => {
  const candidates = columns.flatMap((column, index) => {
    const look = looks[index]
    if (look === undefined) return []
    return guesses(column).map(({ confidence, field }) => ({
      field,
      column,
      confidence: Number((confidence * fits(field, look)).toFixed(2)),
      reason: look.texts.length === 0 ? "its name; all cells are empty" : "its name and cells"
    }))
  })
  const found = new Map<Field, Finding>()
  const taken = new Set<string>()
  for (const one of candidates.toSorted((a, b) => b.confidence - a.confidence)) {
    if (one.confidence < 0.35 || found.has(one.field) || taken.has(one.column)) continue
    found.set(one.field, one)
    taken.add(one.column)
  }
  return found
}

/** The width of product codes: the longest, where shorter ones may have lost a zero. */
const widthOf = ({ digits }: Look): number | "even" | null => {
  const longest = digits.at(-1) ?? 0
  const width = longest % 2 === 1 ? longest + 1 : longest
  if (width < 2 || width > 12) return null
  if (digits.every((length) => length === width || length === width - 1)) return width
  return digits.some((length) => length % 2 === 1) ? "even" : null
}

interface Draft {
  readonly lines: Array<string>
  readonly unknown: Array<string>
}

const quoted = (text: string): string => stringify(text, { lineWidth: 0 }).trim()

const comment = (finding: Finding, look: Look | undefined): string => {
  const samples = [...new Set(look?.texts)]
    .slice(0, SHOWN)
    .map((text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text))
  const seen = samples.length === 0 ? "" : `; e.g. ${samples.join(" | ")}`
  return `# ${Math.round(finding.confidence * 100)} %: ${finding.reason}${seen}`.replace(/[\r\n]+/g, " ")
}

class Writer {
  readonly draft: Draft = { lines: [], unknown: [] }
  readonly found: ReadonlyMap<Field, Finding>
  private readonly looks: ReadonlyMap<string, Look>
  constructor(found: ReadonlyMap<Field, Finding>, looks: ReadonlyMap<string, Look>) {
    this.found = found
    this.looks = looks
  }

  look(field: Field): Look | undefined {
    return this.looks.get(this.found.get(field)?.column ?? "")
  }

  /** `name: column`, or `name: { column: …, more }`. */
  line(name: string, field: Field, more: Readonly<Record<string, string>> = {}, indent = ""): void {
    const finding = this.found.get(field)
    if (finding === undefined) return
    const parts = Object.entries(more).map(([key, value]) => `, ${key}: ${value}`)
    const column = quoted(finding.column)
    const value = parts.length === 0 && !structured.has(name) ? column : `{ column: ${column}${parts.join("")} }`
    this.draft.lines.push(`${indent}${name}: ${value} ${comment(finding, this.look(field))}`)
  }

  missing(text: string): void {
    this.draft.unknown.push(text)
  }
}

/** Members of a mapping that are no plain column. */
const structured = new Set(["hs", "quantity", "packages"])

const writeKey = (writer: Writer, sample: Sample, looks: ReadonlyArray<Look>): void => {
  const unique = sample.columns.filter((_, index) => {
    const look = looks[index]
    const isUnique = look !== undefined && look.filled === 1 && look.distinct === look.texts.length
    return isUnique && look.texts.length > 1 && !/[.,]/.test(look.texts[0] ?? "") && look.dateFormat === null
  })
  const named = writer.found.get("key")?.column
  const key = unique.find((column) => column === named) ?? (named === undefined ? unique[0] : undefined)
  if (key !== undefined) {
    writer.draft.lines.push(`key: [${quoted(key)}] # no value occurs twice in the first ${sample.rows.length} rows`)
    return
  }
  writer.draft.lines.push(`key: { row: true } # no column names a row; the file's name and the line do`)
  const seen = named === undefined ? "" : ` (${JSON.stringify(named)} occurs more than once)`
  writer.missing(`key: which columns together name an item in every version of the file${seen}`)
}

const writeParty = (writer: Writer, side: "importer" | "exporter"): void => {
  const members = (["name", "country", "tax_id", "address"] as const).filter((member) =>
    writer.found.has(`${side}.${member}`)
  )
  if (members.length === 0) writer.missing(`${side}: no column was taken for its name`)
  else {
    writer.draft.lines.push(`${side}:`)
    for (const member of members) writer.line(member, `${side}.${member}`, {}, "  ")
  }
}

const amounts = ["cif", "fob", "customs"] as const

const writeAmounts = (writer: Writer): void => {
  const there = amounts.filter((kind) => writer.found.has(`amount.${kind}`))
  if (there.length === 0) {
    writer.missing("amount: no column was taken for it")
    return
  }
  const currency = writer.found.get("amount.currency")
  if (currency === undefined)
    writer.missing("amount.currency: no column has it; say { constant: USD } where all are dollars")
  writer.draft.lines.push("amount: # the first that a row has")
  for (const kind of there) {
    const finding = writer.found.get(`amount.${kind}`)
    if (finding === undefined) continue
    const inDollars = /usd|dol|us\$/i.test(finding.column)
    const said = inDollars
      ? ", currency: { constant: USD }"
      : currency === undefined
        ? ""
        : `, currency: ${quoted(currency.column)}`
    const about = comment(finding, writer.look(`amount.${kind}`))
    writer.draft.lines.push(
      `  - { column: ${quoted(finding.column)}, kind: ${kind === "customs" ? "unknown" : kind}${said} } ${about}`
    )
  }
  if (there.includes("customs")) writer.missing("amount.kind: whether the value is FOB, CIF or as customs assessed it")
}

const writeGoods = (writer: Writer): void => {
  const look = writer.look("hs")
  const width = look === undefined ? null : widthOf(look)
  writer.line("hs", "hs", width === null ? {} : { width: String(width) })
  if (look === undefined) writer.missing("hs: no column was taken for product codes")
  writer.line("description", "description")
  const unit = writer.found.get("quantity.unit")
  writer.line("quantity", "quantity", unit === undefined ? {} : { unit: quoted(unit.column) })
  if (unit === undefined && writer.found.has("quantity")) writer.missing("quantity.unit: no column was taken for it")
  writer.line("gross_weight", "gross_weight")
  writer.line("net_weight", "net_weight")
  if (writer.found.has("gross_weight") || writer.found.has("net_weight"))
    writer.missing("weights: taken for kilograms; say { column: …, unit: { constant: LBR } } where they are not")
  writeAmounts(writer)
}

const writeWay = (writer: Writer): void => {
  for (const name of ["origin_country", "destination_country", "port_of_loading", "port_of_unloading"] as const)
    writer.line(name, name)
  const look = writer.look("transport")
  if (look !== undefined) {
    const words = [...new Set(look.texts)].filter((word) => !isTransport(word.toLowerCase()))
    writer.line("transport", "transport")
    if (words.length > 0)
      writer.missing(`transport: what its words mean (words: { … }): ${words.slice(0, 12).join(", ")}`)
  }
  writer.line("bill_number", "bill_number")
  writer.line("master_bill_number", "master_bill_number")
  const kind = writer.found.get("packages.kind")
  writer.line("packages", "packages", kind === undefined ? {} : { kind: quoted(kind.column) })
  writer.line("teu", "teu")
}

/** What a file is called, where its name says a direction: `exports-2024.csv`, `IMP_2024.csv`. */
const flowOf = (file: string): "export" | "import" | null => {
  const name = basename(file)
  if (/exp/i.test(name)) return "export"
  return /imp/i.test(name) ? "import" : null
}

/** A mapping needs a flow to be read at all, so one stands there also where nothing says which: as a guess. */
const writeFlow = (writer: Writer, file: string): void => {
  const look = writer.look("flow")
  const said = look?.texts.every((text) => /^(?:import|export)$/i.test(text)) === true
  if (said && look !== undefined && look.texts.length > 0) {
    writer.line("flow", "flow", { words: "{}" })
    return
  }
  const flow = flowOf(file)
  if (flow === null) {
    writer.draft.lines.push("flow: import # a guess: nothing says whether these are imports or exports")
    writer.missing("flow: import is a guess; say whether these are imports or exports")
    return
  }
  writer.draft.lines.push(`flow: ${flow} # 30 %: the file's name`)
  writer.missing("flow: whether these are imports or exports, for which only the file's name speaks")
}

/** Fields whose cells say by which mark they are written. */
const numbers: ReadonlyArray<Field> = [
  "quantity",
  "gross_weight",
  "net_weight",
  "packages",
  "amount.cif",
  "amount.fob",
  "amount.customs"
]

const markAcross = (looks: ReadonlyArray<Look>): Numbers.DecimalMark => {
  const marks = new Set(
    looks.flatMap(({ mark, texts }) => (mark !== null && texts.some((text) => /[.,]/.test(text)) ? [mark] : []))
  )
  if (marks.size === 1) return [...marks][0] ?? "."
  return marks.size === 0 ? "." : "mixed"
}

const sourceOf = (file: string): string => {
  const stem = basename(file)
    .toLowerCase()
    .replace(/\..*$/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
  return stem === "" ? "unnamed" : stem.slice(0, 60)
}

const written = (file: string, sample: Sample): Proposal => {
  const looks = sample.columns.map((_, index) => lookOf(sample.rows, index))
  const found = assigned(sample.columns, looks)
  const writer = new Writer(
    found,
    new Map(sample.columns.map((column, index) => [column, looks[index] ?? lookOf([], 0)]))
  )
  const { lines, unknown } = writer.draft
  const numeric = numbers.flatMap((field) => writer.look(field) ?? [])
  const nones = [String.raw`\N`, "N/A", "NULL"].filter((none) =>
    sample.rows.some((row) => row.some((cell) => cell === none))
  )
  const about = Object.entries({ ...sample.file, decimal: markAcross(numeric) }).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`
  )
  lines.push(`source: ${sourceOf(file)} # by the file's name; records of two sources are never the same`)
  lines.push(`file: { ${[...about, ...(nones.length === 0 ? [] : [`none: ${JSON.stringify(nones)}`])].join(", ")} }`)
  writeFlow(writer, file)
  writeKey(writer, sample, looks)
  const date = writer.look("date")
  const dated = found.get("date")
  if (dated === undefined || date?.dateFormat == null) {
    lines.push("date: { column: DATE, format: YYYY-MM-DD } # not found: name the column and its format")
    unknown.push("date: no column was taken for it; the mapping cannot be used before it is named")
  } else {
    lines.push(`date: { column: ${quoted(dated.column)}, format: ${date.dateFormat} } ${comment(dated, date)}`)
    const [day, month] = [Dates.parser("DD/MM/YYYY"), Dates.parser("MM/DD/YYYY")]
    if (date.texts.every((text) => day(text) != null && month(text) != null))
      unknown.push("date.format: no day is beyond the 12th, so day and month may be the other way round")
  }
  writeParty(writer, "importer")
  writeParty(writer, "exporter")
  writeGoods(writer)
  writeWay(writer)
  const used = new Set([...found.values()].map(({ column }) => column))
  const unused = sample.columns.filter((column) => !used.has(column))
  const notes = [
    ...unknown.map((text) => `#   ${text}`),
    ...(unused.length === 0
      ? []
      : [`# Columns that were taken for nothing: ${unused.join(", ")}`.replace(/[\r\n]+/g, " ")])
  ]
  const yaml = [
    "# A proposal. Percentages say how sure each line is.",
    ...(unknown.length === 0 ? [] : ["# Not known:"]),
    ...notes,
    "",
    ...lines,
    ""
  ].join("\n")
  return { yaml, findings: [...found.values()], unknown }
}

/** Looks at the beginning of a file and proposes a mapping. */
export const inspect = Effect.fnUntraced(function* (file: string) {
  const kind = kindOf(file)
  const sample = yield* kind === "jsonl" ? jsonSample(file) : kind === "parquet" ? parquetSample(file) : csvSample(file)
  if (sample.columns.length === 0) {
    return yield* new ImportError({ reason: "format", file, problem: "it has no columns" })
  }
  return written(file, sample)
}, Effect.scoped)
