/**
 * What the columns of a table mean, as data: the mapping file that an operator writes, in YAML or JSON. `docs/importers.md`
 * describes it with examples.
 */
import { TradeRecord } from "@lading/core/trade"
import { Fault } from "@lading/core/value"
import { Effect, Schema, type SchemaIssue } from "effect"
import { parse as parseYaml, YAMLParseError } from "yaml"
import { ImportError } from "../ImportError.ts"
import * as Csv from "../tables/Csv.ts"
import * as Dates from "../values/Dates.ts"
import * as Hs from "../values/Hs.ts"
import * as Numbers from "../values/Numbers.ts"
import * as Units from "../values/Units.ts"

/** What files say in which words: `{ "4": air }`. A table of the mapping has a name, and stands under `tables`. */
const Words = Schema.Record(Schema.String, Schema.String)
export type Words = typeof Words.Type

const Text = Schema.String.check(Schema.isMinLength(1, { expected: "a text, not an empty one" }))
const Texts = Schema.Array(Text).check(Schema.isMinLength(1, { expected: "a list of at least one" }))

/** One text of a row: of a column, of several (joined), or the same for all rows. */
const Value = Schema.Struct({
  column: Schema.optionalKey(Text),
  columns: Schema.optionalKey(Texts),
  constant: Schema.optionalKey(Text),
  /** Between the texts of several columns; a blank, where nothing is said. */
  join: Schema.optionalKey(Schema.String),
  /** What the file's words mean; or the name of a table. A word that is not there stays as it is. */
  words: Schema.optionalKey(Schema.Union([Text, Words]))
}).check(
  Schema.makeFilter(
    ({ column, columns, constant }) =>
      [column, columns, constant].filter((one) => one !== undefined).length === 1 ||
      "Expected exactly one of column, columns, constant"
  )
)
export type Value = typeof Value.Type

/** A column's name alone is the short way of saying it. */
const Said = Schema.Union([Text, Value])
export type Said = typeof Said.Type

const Party = Schema.Struct({
  name: Schema.optionalKey(Said),
  country: Schema.optionalKey(Said),
  tax_id: Schema.optionalKey(Said),
  /** Lines of an address are given as `columns`, and joined by a comma. */
  address: Schema.optionalKey(Said)
})
export type PartyMapping = typeof Party.Type

/** A weight, with the unit that its rows are in: kilograms, where nothing is said. */
const Weight = Schema.Union([Text, Schema.Struct({ column: Text, unit: Schema.optionalKey(Said) })])

const kinds = ["fob", "cif", "customs", "unknown"] as const

const Amount = Schema.Struct({
  column: Text,
  /** ISO 4217, e.g. `{ constant: USD }`. */
  currency: Schema.optionalKey(Said),
  kind: Schema.Union([Schema.Literals(kinds), Value])
})
export type AmountMapping = typeof Amount.Type

const format = Schema.makeFilter(
  (text: string) => Dates.isFormat(text) || "Expected iso, excel, or a format of YYYY, YY, MM, MON, DD, e.g. DD/MM/YYYY"
)

const encoding = Schema.makeFilter(
  (text: string) =>
    Csv.isEncoding(text) || "Expected an encoding such as utf-8, latin-1, windows-1252; UTF-16 is not read"
)

const oneSign = Schema.makeFilter((text: string) => text.length === 1 || "Expected one sign, e.g. , or ; or \\t")

const File = Schema.Struct({
  /** By the name of the file, where nothing is said. */
  format: Schema.optionalKey(Schema.Literals(["csv", "tsv", "jsonl", "parquet"])),
  delimiter: Schema.optionalKey(Schema.String.check(oneSign)),
  /** `none`: a quote is a sign like any other. */
  quote: Schema.optionalKey(Schema.Union([Schema.Literal("none"), Schema.String.check(oneSign)])),
  encoding: Schema.optionalKey(Schema.String.check(encoding)),
  /** The names of the columns, where the file has no line of them. */
  columns: Schema.optionalKey(Texts),
  decimal: Schema.optionalKey(Numbers.DecimalMark),
  /** What stands for nothing, beside an empty cell and "-". */
  none: Schema.optionalKey(Schema.Array(Schema.String))
})

/** Rows that are none of the trade that is meant. */
const Drop = Schema.Struct({
  column: Text,
  is: Schema.optionalKey(Texts),
  is_not: Schema.optionalKey(Texts)
}).check(
  Schema.makeFilter(
    (drop) => (drop.is === undefined) !== (drop.is_not === undefined) || "Expected exactly one of is, is_not"
  )
)

const Key = Schema.Union([
  Texts,
  Schema.Struct({
    columns: Schema.optionalKey(Texts),
    /** The name of the file and the line, for files whose rows have no name. */
    row: Schema.Literal(true)
  })
]).annotate({ expected: "columns, e.g. [DECLARATION, ITEM], or { columns: [MONTH], row: true }" })

const flows = ["import", "export"] as const

export const Mapping = Schema.Struct({
  /** The publication, e.g. `kr-declarations`; records of two sources are never the same. */
  source: Schema.String.check(
    Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,62}$/, {
      expected: "a name of up to 63 signs of a-z, 0-9 and -, e.g. kr-declarations"
    })
  ),
  file: Schema.optionalKey(File),
  flow: Schema.Union([Schema.Literals(flows), Value]),
  key: Key,
  /** A column with a whole number or a date; 1, where nothing is said. */
  version: Schema.optionalKey(Said),
  date: Schema.Struct({
    column: Schema.optionalKey(Text),
    /** Year, month and day apart; `format` is that of the three with `-` between. */
    columns: Schema.optionalKey(Texts),
    format: Schema.String.check(format)
  }).check(
    Schema.makeFilter(
      ({ column, columns }) =>
        (column === undefined) !== (columns === undefined) || "Expected exactly one of column, columns"
    )
  ),
  importer: Schema.optionalKey(Party),
  exporter: Schema.optionalKey(Party),
  origin_country: Schema.optionalKey(Said),
  destination_country: Schema.optionalKey(Said),
  hs: Schema.optionalKey(
    Schema.Struct({
      column: Text,
      /** How many digits the source's codes have; `even`, where two, four, six, eight and ten are mixed. */
      width: Schema.optionalKey(Hs.Width),
      /** The codes were read out of descriptions, not declared: all of them, or those of the rows that say 1, true or yes. */
      imputed: Schema.optionalKey(Schema.Union([Schema.Boolean, Value]))
    })
  ),
  description: Schema.optionalKey(Said),
  quantity: Schema.optionalKey(
    Schema.Struct({
      column: Text,
      unit: Schema.optionalKey(Said),
      /** Whose codes the units are. */
      units: Schema.optionalKey(Units.System)
    })
  ),
  gross_weight: Schema.optionalKey(Weight),
  net_weight: Schema.optionalKey(Weight),
  /** One amount, or several in the order in which they are wanted: the first that a row has is the record's. */
  amount: Schema.optionalKey(
    Schema.Union([
      Amount,
      Schema.Array(Amount).check(Schema.isMinLength(1, { expected: "a list of at least one" }))
    ]).annotate({
      expected: "{ column: …, currency: …, kind: … }, or a list of them"
    })
  ),
  port_of_loading: Schema.optionalKey(Said),
  port_of_unloading: Schema.optionalKey(Said),
  transport: Schema.optionalKey(Said),
  bill_number: Schema.optionalKey(Said),
  master_bill_number: Schema.optionalKey(Said),
  packages: Schema.optionalKey(Schema.Struct({ column: Text, kind: Schema.optionalKey(Said) })),
  teu: Schema.optionalKey(Text),
  synthetic: Schema.optionalKey(Schema.Boolean),
  /** Names that name nobody, beside those that are known (`docs/importers.md`). */
  placeholders: Schema.optionalKey(Schema.Array(Text)),
  drop: Schema.optionalKey(Schema.Array(Drop)),
  tables: Schema.optionalKey(Schema.Record(Schema.String, Words))
})
export type Mapping = typeof Mapping.Type

const transports: ReadonlySet<string> = new Set(TradeRecord.Transport.literals)
export const isFlow = (text: string): text is "import" | "export" => text === "import" || text === "export"
export const isAmountKind = (text: string): text is TradeRecord.AmountKind => kinds.some((kind) => kind === text)
export const isTransport = (text: string): text is TradeRecord.Transport => transports.has(text)

const MOST_PROBLEMS = 20

/** `"a" | "b"` as people say it. */
const spoken = (message: string): string => message.replace(/ \| (?=[^|]*$)/, " or ").replaceAll(" | ", ", ")

/** Every problem with its path, as `amount.kind: Expected …`, one a line. */
const problems = (issue: SchemaIssue.Issue): string => {
  const found = Fault.lines(Fault.of(issue).map(({ message, path }) => ({ path, message: spoken(message) })))
  return found.slice(0, MOST_PROBLEMS).join("\n") + (found.length > MOST_PROBLEMS ? "\nand more" : "")
}

/** Tables that are used by name and not there. */
const missingTables = (mapping: Mapping): ReadonlyArray<string> => {
  const missing: Array<string> = []
  const visit = (value: unknown, where: string): void => {
    if (typeof value !== "object" || value === null) return
    for (const [key, one] of Object.entries(value)) {
      const here = where === "" ? key : `${where}.${key}`
      if (key === "words" && typeof one === "string") {
        if (mapping.tables === undefined || !Object.hasOwn(mapping.tables, one))
          missing.push(`${here}: Expected a table of this mapping, found ${JSON.stringify(one)}`)
      } else if (key !== "tables" || where !== "") visit(one, here)
    }
  }
  visit(mapping, "")
  return missing
}

const decode = Schema.decodeUnknownEffect(Mapping, { errors: "all", onExcessProperty: "error" })

/** YAML writes `10: sea`, and means the text. */
const asText = (value: unknown): unknown => {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, typeof one === "number" ? String(one) : one])
    )
  return value
}

/** Numbers under `words`, `tables`, `is` and `constant` are texts that YAML has read. */
const texted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(texted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === "words") return [key, asText(one)]
      if (key === "tables" && typeof one === "object" && one !== null)
        return [key, Object.fromEntries(Object.entries(one).map(([name, table]) => [name, asText(table)]))]
      if ((key === "is" || key === "is_not") && Array.isArray(one))
        return [key, one.map((each) => (typeof each === "number" ? String(each) : each))]
      if (key === "constant" && typeof one === "number") return [key, String(one)]
      return [key, texted(one)]
    })
  )
}

/** Reads a mapping file; YAML, of which JSON is a part. */
export const parse = Effect.fnUntraced(function* (file: string, text: string) {
  const fail = (problem: string) => new ImportError({ reason: "mapping", file, problem })
  const said: unknown = yield* Effect.try({
    // Aliases are a way of writing very much in few words.
    try: (): unknown => parseYaml(text, { maxAliasCount: 100, prettyErrors: true }),
    catch: (cause) => fail(cause instanceof YAMLParseError ? `it is no YAML: ${cause.message}` : "it is no YAML")
  })
  const mapping = yield* Effect.mapError(decode(texted(said)), (error) => fail(problems(error.issue)))
  const missing = missingTables(mapping)
  return missing.length === 0 ? mapping : yield* fail(missing.join("\n"))
})
