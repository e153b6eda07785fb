/** The formats by name: one folder and one line each. */
import * as Brazil from "./br/Brazil.ts"
import * as Colombia from "./co/Colombia.ts"
import * as FileFormat from "./file/FileFormat.ts"
import type { Format } from "./Format.ts"
import * as Peru from "./pe/Peru.ts"
import * as UsAms from "./us-ams/UsAms.ts"

export const formats = {
  "us-ams": { about: "US import manifests (ams__<table>_<year>__*.csv, all tables together)", open: UsAms.open },
  "pe-imports": { about: "Peru, imports of SUNAT (dBase III, also in its ZIP)", open: Peru.openImports },
  "pe-exports": { about: "Peru, exports of SUNAT (dBase III, also in its ZIP)", open: Peru.openExports },
  "co-imports": { about: "Colombia, imports of DIAN as DANE publishes them (CSV)", open: Colombia.open },
  "br-comex": { about: "Brazil, sums of Comex Stat (EXP_YYYY.csv, IMP_YYYY.csv)", open: Brazil.open },
  file: { about: "CSV, TSV, JSON Lines or Parquet with a mapping file", open: FileFormat.open }
} as const satisfies Readonly<Record<string, Format>>

/** `null` for a name that no format has. */
export const find = (name: string): Format | null => new Map<string, Format>(Object.entries(formats)).get(name) ?? null
