/**
 * Brazil: Comex Stat, `EXP_YYYY.csv` and `IMP_YYYY.csv` or those of municipalities. They are sums by month, product,
 * country, state and the like, without companies; a sum is one record.
 *
 * Gotchas
 * - Large downloads break off silently. With the number of rows that the publisher says (`rows`), a file that has others
 *   is an error at its end.
 * - Values are FOB in dollars, of imports too: freight and insurance stand apart, and are not added.
 * - Which way the goods went says the name of the file for exports, and the columns of freight for imports; where they
 *   contradict each other nothing is read.
 */
import { basename } from "node:path"
import { Effect } from "effect"
import type { TradeFile } from "../Batch.ts"
import { ratesOf, readText } from "../file/FileFormat.ts"
import type { Mapping } from "../file/Mapping.ts"
import type { ImportOptions } from "../Format.ts"
import { ImportError } from "../ImportError.ts"
import * as Reading from "../Reading.ts"
import * as Csv from "../tables/Csv.ts"
import * as Aladi from "../values/Aladi.ts"
import * as Countries from "../values/Countries.ts"

const table = Csv.open({ delimiter: ";", quote: '"', encoding: "latin-1", columns: null })

type Words = Readonly<Record<string, string>>

const brazil = { constant: "BR" }

/** CO_VIA, the way that the goods went; the rest are carried by hand, by themselves, or nowhere. */
const transports: Words = Object.fromEntries(
  ["sea", "inland_water", "inland_water", "air", "post", "rail", "road", "pipeline"]
    .concat(Array.from({ length: 6 }, () => "other"))
    .flatMap((way, index) => [`${index + 1}`, `${index + 1}`.padStart(2, "0")].map((code) => [code, way]))
)

const months = { columns: ["CO_ANO", "CO_MES"], format: "YYYY-MM" }

type Flow = "import" | "export"

/** What both layouts have. */
const common = (flow: Flow, countries: Words) => ({
  flow,
  date: months,
  ...(flow === "import"
    ? { origin_country: { column: "CO_PAIS", words: countries }, destination_country: brazil }
    : { origin_country: brazil, destination_country: { column: "CO_PAIS", words: countries } }),
  net_weight: "KG_LIQUIDO",
  amount: { column: "VL_FOB", currency: { constant: "USD" }, kind: "fob" as const }
})

const byProduct = (flow: Flow, countries: Words): Mapping => ({
  ...common(flow, countries),
  source: flow === "import" ? "br-imports" : "br-exports",
  key: ["CO_ANO", "CO_MES", "CO_NCM", "CO_UNID", "CO_PAIS", "SG_UF_NCM", "CO_VIA", "CO_URF"],
  hs: { column: "CO_NCM", width: 8 },
  quantity: { column: "QT_ESTAT", unit: "CO_UNID", units: "br" },
  transport: { column: "CO_VIA", words: transports }
})

/** The same trade once more, by municipality: a source of its own, not to be counted with the other. */
const byMunicipality = (flow: Flow, countries: Words): Mapping => ({
  ...common(flow, countries),
  source: flow === "import" ? "br-imports-municipal" : "br-exports-municipal",
  key: ["CO_ANO", "CO_MES", "SH4", "CO_PAIS", "SG_UF_MUN", "CO_MUN"],
  hs: { column: "SH4", width: 4 }
})

const flowOf = Effect.fnUntraced(function* (file: string, columns: ReadonlyArray<string>) {
  const name = basename(file).toUpperCase()
  const named: Flow | null = name.startsWith("IMP") ? "import" : name.startsWith("EXP") ? "export" : null
  const freight = columns.includes("VL_FRETE")
  if (named === null) {
    const problem =
      "expected a name that begins with EXP or IMP, as the files are published: it says which way the goods went"
    return yield* new ImportError({ reason: "option", file, problem })
  }
  if (named === "export" && freight) {
    const problem = "it is named as exports and has the columns of imports (VL_FRETE)"
    return yield* new ImportError({ reason: "format", file, problem })
  }
  return named
})

/** The operator's `PAIS.csv` over the built-in table: CO_PAIS and CO_PAIS_ISOA3. */
const countriesOf = Effect.fnUntraced(function* (file: string | null) {
  if (file === null) return Aladi.brazilian
  const [head = "", ...lines] = (yield* readText(file)).split(/\r?\n/)
  const cells = (line: string) => line.split(";").map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"))
  const columns = cells(head.replace(/^\u{feff}/u, ""))
  const [from, to] = [columns.indexOf("CO_PAIS"), columns.indexOf("CO_PAIS_ISOA3")]
  if (from < 0 || to < 0) {
    const problem = "expected the columns CO_PAIS and CO_PAIS_ISOA3, divided by semicolons"
    return yield* new ImportError({ reason: "option", file, problem })
  }
  const own = lines.map(cells).flatMap((line) => {
    const country = Countries.code(line[to] ?? "")
    return country === null ? [] : [[(line[from] ?? "").padStart(3, "0"), country]]
  })
  return { ...Aladi.brazilian, ...Object.fromEntries(own) }
})

export const open = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  options: ImportOptions
): Effect.fn.Return<TradeFile, ImportError> {
  const countries = yield* countriesOf(options.countries)
  const rates = yield* ratesOf(options.rates)
  const plan = Effect.fnUntraced(function* (file: string) {
    const { columns } = yield* Effect.scoped(table(file, { offset: 0, line: 1 }))
    const flow = yield* flowOf(file, columns)
    const mapping = columns.includes("SH4") ? byMunicipality(flow, countries) : byProduct(flow, countries)
    return { open: table, mapping }
  })
  return yield* Reading.open(files, { rates, plan, rows: options.rows })
})
