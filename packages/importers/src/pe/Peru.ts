/**
 * Peru: imports and exports as SUNAT publishes them week by week, one dBase III table in a ZIP, one row an item.
 *
 * Gotchas
 * - The tariff code is a number of ten digits in the table: its leading zeros are lost, and put back.
 * - The reporting date is that of the declaration's number (`FECH_INGSI`, `FNUM`), not that of the ship.
 * - The party abroad is not in the tables. The one at home has its RUC; other documents than a RUC of eleven digits are
 *   no tax ids, and a person's are not kept.
 * - The amount is FOB. Freight and insurance of imports are in columns of their own, and have no place in a record; CIF is
 *   not made of the three.
 */
import { Effect } from "effect"
import type { TradeFile } from "../Batch.ts"
import { ratesOf } from "../file/FileFormat.ts"
import type { Mapping } from "../file/Mapping.ts"
import type { ImportOptions } from "../Format.ts"
import type { ImportError } from "../ImportError.ts"
import * as Reading from "../Reading.ts"
import * as Dbf from "../tables/Dbf.ts"

const transports = { "1": "sea", "4": "air", "6": "rail", "7": "road", "8": "pipeline" }

const dollars = { constant: "USD" }
const peru = { constant: "PE" }

const imports: Mapping = {
  source: "pe-imports",
  flow: "import",
  key: ["CODI_ADUAN", "ANO_PRESE", "NUME_CORRE", "NUME_SERIE"],
  date: { column: "FECH_INGSI", format: "YYYYMMDD" },
  importer: { name: "DNOMBRE", tax_id: "LIBR_TRIBU", country: peru },
  origin_country: "PAIS_ORIGE",
  destination_country: peru,
  hs: { column: "PART_NANDI", width: 10 },
  description: { columns: ["DESC_COMER", "DESC_MATCO", "DESC_USOAP", "DESC_FOPRE", "DESC_OTROS"] },
  quantity: { column: "UNID_FIQTY", unit: "UNID_FIDES", units: "pe" },
  gross_weight: "PESO_BRUTO",
  net_weight: "PESO_NETO",
  amount: { column: "FOB_DOLPOL", currency: dollars, kind: "fob" },
  port_of_loading: "PUER_EMBAR",
  transport: { column: "VIA_TRANSP", words: transports },
  packages: { column: "CANT_BULTO", kind: "CLASE" }
}

const exports: Mapping = {
  source: "pe-exports",
  flow: "export",
  key: ["CADU", "FNUM", "NDCL", "NSER"],
  date: { column: "FNUM", format: "YYYYMMDD" },
  exporter: { name: "DNOMBRE", tax_id: "NDOC", country: peru, address: "DDIRPRO" },
  origin_country: peru,
  destination_country: "CPAIDES",
  hs: { column: "PART_NANDI", width: 10 },
  description: { columns: ["DCOM", "DMER2", "DMER3", "DMER4", "DMER5"] },
  quantity: { column: "QUNIFIS", unit: "TUNIFIS", units: "pe" },
  gross_weight: "VPESBRU",
  net_weight: "VPESNET",
  amount: { column: "VFOBSERDOL", currency: dollars, kind: "fob" },
  port_of_unloading: "CPUEDES",
  // CVIATRA and CUNITRA are two columns; the codes of the means of transport are those of the second.
  transport: { column: "CUNITRA", words: transports }
}

/** A RUC has eleven digits. */
const ruc = (text: string): string | null => (/^\d{11}$/.test(text) ? text : null)

const reader =
  (mapping: Mapping) =>
  (files: ReadonlyArray<string>, options: ImportOptions): Effect.Effect<TradeFile, ImportError> =>
    Effect.flatMap(ratesOf(options.rates), (rates) =>
      Reading.open(files, {
        rates,
        rows: options.rows,
        plan: () => Effect.succeed({ open: Dbf.open, mapping, hooks: { taxId: ruc } })
      })
    )

export const openImports = reader(imports)
export const openExports = reader(exports)
