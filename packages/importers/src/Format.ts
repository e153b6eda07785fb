/** What a format is, and what an operator can say beside the files. */
import type { Effect } from "effect"
import type { TradeFile } from "./Batch.ts"
import type { ImportError } from "./ImportError.ts"

export interface ImportOptions {
  /** The mapping file, of the format `file`. */
  readonly mapping: string | null
  /** The table of exchange rates: CSV, `date,currency,usd_per_unit`. */
  readonly rates: string | null
  /** The table of country codes of Comex Stat (`PAIS.csv`), over the built-in one. */
  readonly countries: string | null
  /** How many rows the files should have together, where the publisher says so. */
  readonly rows: number | null
  /** A folder for what does not fit into memory; a temporary one, where nothing is said. */
  readonly scratch: string | null
}

export const noOptions: ImportOptions = { mapping: null, rates: null, countries: null, rows: null, scratch: null }

export interface Format {
  /** In one line, for lists. */
  readonly about: string
  readonly open: (files: ReadonlyArray<string>, options: ImportOptions) => Effect.Effect<TradeFile, ImportError>
}
