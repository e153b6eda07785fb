/** On which side of a trade somebody stands. */
import { Schema } from "effect"

export const TradeRole = Schema.Literals(["importer", "exporter"])
export type TradeRole = typeof TradeRole.Type

export const other = (role: TradeRole): TradeRole => (role === "importer" ? "exporter" : "importer")
