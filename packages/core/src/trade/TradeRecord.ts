/**
 * A trade record: one declared item of a customs declaration or a bill of lading, in canonical columns, whatever file it
 * comes from. What the file wrote stands beside what was read from it; what is not known is `null`, never made up.
 *
 * Gotchas
 * - Weight is kilograms and only ever weight: pieces, litres and square metres are quantities in a unit of their own.
 * - An amount has its kind. Imports are mostly declared with freight and insurance (CIF), exports without (FOB): the two
 *   are never summed into one without saying so.
 * - Only the first six digits of a product code mean the same everywhere.
 */
import { Schema } from "effect"

/** Stores hold records of these days, both included, and of none beyond them. */
export const firstDay = "1900-01-01"
export const lastDay = "2299-12-31"

/** A party as the file names it. */
export const Party = Schema.Struct({
  /** As written, white space aside; `null` where there is none, or a placeholder such as "TO ORDER". */
  name: Schema.NullOr(Schema.String),
  /** ISO 3166-1 alpha-2, from the party's own address and never from a port. */
  country: Schema.NullOr(Schema.String),
  /** The tax id of that country: RUC, NIT, IEC. */
  tax_id: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String)
})
export type Party = typeof Party.Type

export const nobody: Party = { name: null, country: null, tax_id: null, address: null }

/** What an amount includes: the goods alone (`fob`), with freight and insurance (`cif`), or as customs valued them. */
export const AmountKind = Schema.Literals(["fob", "cif", "customs", "unknown"])
export type AmountKind = typeof AmountKind.Type

export const Transport = Schema.Literals(["sea", "air", "road", "rail", "post", "pipeline", "inland_water", "other"])
export type Transport = typeof Transport.Type

export const TradeRecord = Schema.Struct({
  /** Whose publication it is from: `us-ams`, `pe-imports`, … */
  source: Schema.String,
  /** Names the item within its source, in every version of it: the bill or declaration, and the item's number. */
  key: Schema.String,
  /** Of two versions of one key the higher one counts. */
  version: Schema.Int,
  /** Which side declared it. */
  flow: Schema.Literals(["import", "export"]),
  /** The source's reporting date, `YYYY-MM-DD`. */
  date: Schema.String,
  importer: Party,
  exporter: Party,
  /** ISO 3166-1 alpha-2: where the goods were made, and where they go. */
  origin_country: Schema.NullOr(Schema.String),
  destination_country: Schema.NullOr(Schema.String),
  /** The product code as written, with the zeros that its file lost. */
  hs_raw: Schema.NullOr(Schema.String),
  /** Its first two, four or six digits; `null` where it is no product code. */
  hs_code: Schema.NullOr(Schema.String),
  /** Read out of the description, not declared. */
  hs_imputed: Schema.Boolean,
  description: Schema.NullOr(Schema.String),
  quantity: Schema.NullOr(Schema.Finite),
  /** UN/CEFACT Recommendation 20, e.g. `KGM`, `H87`; `null` where the file's unit is not known. */
  quantity_unit: Schema.NullOr(Schema.String),
  quantity_unit_raw: Schema.NullOr(Schema.String),
  /** Kilograms. */
  gross_kg: Schema.NullOr(Schema.Finite),
  net_kg: Schema.NullOr(Schema.Finite),
  amount: Schema.NullOr(Schema.Finite),
  /** ISO 4217. */
  currency: Schema.NullOr(Schema.String),
  amount_kind: AmountKind,
  /** `null` where the currency is another one and no rate is known for the date. */
  amount_usd: Schema.NullOr(Schema.Finite),
  /** Packages are no quantity of goods. */
  packages: Schema.NullOr(Schema.Finite),
  package_kind: Schema.NullOr(Schema.String),
  /** Twenty-foot equivalent units of the containers. */
  teu: Schema.NullOr(Schema.Finite),
  /** As written, or UN/LOCODE where the file has it. */
  port_of_loading: Schema.NullOr(Schema.String),
  port_of_unloading: Schema.NullOr(Schema.String),
  transport: Schema.NullOr(Transport),
  bill_number: Schema.NullOr(Schema.String),
  /** Of a house bill, the bill that it travels under: who counts both counts the goods twice. */
  master_bill_number: Schema.NullOr(Schema.String),
  /** Invented for a demonstration. */
  synthetic: Schema.Boolean
})
export type TradeRecord = typeof TradeRecord.Type
