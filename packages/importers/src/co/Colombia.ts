/**
 * Colombia: imports of DIAN as DANE publishes them, CSV in Windows-1252, one row an item.
 *
 * Gotchas
 * - `FECH` is year and month (`YYMM`), so the date is the first of a month.
 * - Rows write numbers with a decimal comma and dots, or with a decimal dot, side by side.
 * - The NIT has lost or kept its check digit: ten digits that begin with 8 or 9 have it, and lose it; longer ones are cut.
 * - No row has a name of its own: its key is the month, the file and its line. A corrected file under the same name
 *   replaces the rows that it has; one under another name would double them.
 * - FOB and CIF are both there. The amount is CIF, as imports are valued.
 */
import { Effect } from "effect"
import type { TradeFile } from "../Batch.ts"
import { ratesOf } from "../file/FileFormat.ts"
import type { Mapping } from "../file/Mapping.ts"
import type { ImportOptions } from "../Format.ts"
import type { ImportError } from "../ImportError.ts"
import * as Reading from "../Reading.ts"
import * as Csv from "../tables/Csv.ts"
import type { Open } from "../tables/Table.ts"
import * as Aladi from "../values/Aladi.ts"

const dollars = { constant: "USD" }
const colombia = { constant: "CO" }

const imports: Mapping = {
  source: "co-imports",
  file: { decimal: "mixed", none: ["."] },
  flow: "import",
  key: { columns: ["FECH"], row: true },
  date: { column: "FECH", format: "YYMM" },
  importer: { name: "RZIMPO", tax_id: "NIT", country: colombia },
  origin_country: { column: "PAISGEN", words: Aladi.colombian },
  destination_country: colombia,
  hs: { column: "NABAN", width: 10 },
  quantity: { column: "CANU" },
  gross_weight: "PBK",
  net_weight: "PNK",
  amount: [
    { column: "VACID", currency: dollars, kind: "cif" },
    { column: "VAFODO", currency: dollars, kind: "fob" }
  ],
  transport: {
    column: "VIATRANS",
    words: { "1": "sea", "2": "rail", "3": "road", "4": "air", "5": "post", "7": "pipeline", "8": "inland_water" }
  }
}

/** Nine digits, whatever stands behind them. */
const nit = (text: string): string | null => {
  const digits = text.replace(/[.\s]/g, "").replace(/-\d$/, "")
  if (!/^\d{5,}$/.test(digits) || /^0+$/.test(digits)) return null
  if (digits.length > 10) return digits.slice(0, 9)
  return digits.length === 10 && /^[89]/.test(digits) ? digits.slice(0, 9) : digits
}

/** By comma or semicolon, as the first line shows: both have been published. */
const table: Open = Effect.fnUntraced(function* (file, from) {
  const dialect = { quote: '"', encoding: "windows-1252", columns: null }
  const wanted = /\.(?:csv|txt)$/i
  const head = yield* Effect.scoped(Csv.open({ ...dialect, delimiter: ";" }, wanted)(file, { offset: 0, line: 1 }))
  const delimiter = head.columns.length > 1 ? ";" : ","
  const opened = yield* Csv.open({ ...dialect, delimiter }, wanted)(file, from)
  return { ...opened, columns: opened.columns.map((name) => name.toUpperCase()) }
})

export const open = (files: ReadonlyArray<string>, options: ImportOptions): Effect.Effect<TradeFile, ImportError> =>
  Effect.flatMap(ratesOf(options.rates), (rates) =>
    Reading.open(files, {
      rates,
      rows: options.rows,
      plan: () => Effect.succeed({ open: table, mapping: imports, hooks: { taxId: nit } })
    })
  )
