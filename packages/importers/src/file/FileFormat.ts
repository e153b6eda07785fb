/** Any CSV, TSV, JSON Lines or Parquet, by a mapping file. */
import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import type { TradeFile } from "../Batch.ts"
import type { ImportOptions } from "../Format.ts"
import { ImportError } from "../ImportError.ts"
import * as Reading from "../Reading.ts"
import * as Csv from "../tables/Csv.ts"
import * as JsonLines from "../tables/JsonLines.ts"
import * as Parquet from "../tables/Parquet.ts"
import type { Open } from "../tables/Table.ts"
import * as Rates from "../values/Rates.ts"
import * as Mapping from "./Mapping.ts"
import * as Reader from "./Reader.ts"

type Kind = "csv" | "tsv" | "jsonl" | "parquet"

/** By the name, its compression aside; what is none of the others is CSV. */
export const kindOf = (file: string): Kind => {
  const bare = file.toLowerCase().replace(/\.(?:gz|zip)$/, "")
  if (/\.(?:jsonl|ndjson)$/.test(bare)) return "jsonl"
  if (bare.endsWith(".parquet")) return "parquet"
  return /\.(?:tsv|tab)$/.test(bare) ? "tsv" : "csv"
}

/** The table of a file as a mapping has it. */
const tableOf = (file: string, mapping: Mapping.Mapping): Open => {
  const { columns, delimiter, encoding, format, quote } = mapping.file ?? {}
  const kind = format ?? kindOf(file)
  if (kind === "jsonl") return JsonLines.open(Reader.columnsOf(mapping))
  if (kind === "parquet") return Parquet.open(Reader.columnsOf(mapping))
  return Csv.open({
    delimiter: delimiter ?? (kind === "tsv" ? "\t" : ","),
    quote: quote === "none" ? null : (quote ?? (kind === "tsv" ? null : '"')),
    encoding: encoding ?? "utf-8",
    columns: columns ?? null
  })
}

/** A small file that an operator wrote. */
export const readText = (file: string): Effect.Effect<string, ImportError> =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) =>
      new ImportError({
        reason: "unreadable",
        file,
        problem: `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

/** The operator's table of rates; without one only dollars are dollars. */
export const ratesOf = (file: string | null): Effect.Effect<Rates.Rates, ImportError> =>
  file === null ? Effect.succeed(Rates.none) : Effect.flatMap(readText(file), (text) => Rates.load(file, text))

export const open = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  options: ImportOptions
): Effect.fn.Return<TradeFile, ImportError> {
  if (options.mapping === null) {
    const problem = "this format needs a mapping file; `lading import inspect` proposes one"
    return yield* new ImportError({ reason: "option", file: files.join(", "), problem })
  }
  const mapping = yield* Mapping.parse(options.mapping, yield* readText(options.mapping))
  const rates = yield* ratesOf(options.rates)
  const plan = (file: string) => Effect.succeed({ open: tableOf(file, mapping), mapping })
  return yield* Reading.open(files, { rates, plan, rows: options.rows })
})
