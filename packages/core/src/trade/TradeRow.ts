/** A trade record as a store has it: with a name of its own, and with the traders that its parties were found to be. */
import { Schema } from "effect"
import { type Party, TradeRecord } from "./TradeRecord.ts"
import type { TradeRole } from "./TradeRole.ts"

export const TradeRow = Schema.Struct({
  record: TradeRecord,
  /** `null` where no party is named, or nobody could be found behind the name. */
  importer_id: Schema.NullOr(Schema.String),
  exporter_id: Schema.NullOr(Schema.String)
})
export interface TradeRow extends Schema.Schema.Type<typeof TradeRow> {}

/** Names a record among those of all sources; the same for every version of it. */
export const id = ({ key, source }: Pick<TradeRecord, "key" | "source">): string => `${source}:${key}`

export const traderId = (row: TradeRow, role: TradeRole): string | null =>
  role === "importer" ? row.importer_id : row.exporter_id

export const party = ({ record }: TradeRow, role: TradeRole): Party => record[role]

/** Kilograms: gross, which nearly every source has, else net. */
export const weight = ({ gross_kg, net_kg }: TradeRecord): number | null => gross_kg ?? net_kg

/** The country of that side: where goods were made or go, else where the party is. Never the country of a port. */
export const country = ({ record }: TradeRow, role: TradeRole): string | null =>
  role === "importer"
    ? (record.destination_country ?? record.importer.country)
    : (record.origin_country ?? record.exporter.country)

/** The port of that side. */
export const port = ({ record }: TradeRow, role: TradeRole): string | null =>
  role === "importer" ? record.port_of_unloading : record.port_of_loading

/** Who declared it: the importer of an import, the exporter of an export. */
export const declarant = ({ record }: TradeRow): TradeRole => (record.flow === "import" ? "importer" : "exporter")
