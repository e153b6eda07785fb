/** The tables of the US manifests that are read, by the names of their files, and the columns that are kept of each. */
import { basename } from "node:path"

/** One letter for each table, for lines on the disk. */
export const tables = {
  header: {
    letter: "h",
    columns: [
      "carrier_code",
      "port_of_unlading",
      "estimated_arrival_date",
      "foreign_port_of_lading",
      "manifest_quantity",
      "manifest_unit",
      "weight",
      "weight_unit",
      "record_status_indicator",
      "foreign_port_of_destination",
      "actual_arrival_date"
    ]
  },
  billgen: {
    letter: "b",
    columns: ["master_bol_number", "house_bol_number", "sub_house_bol_number", "trade_update_date", "run_date"]
  },
  consignee: {
    letter: "i",
    columns: [
      "consignee_name",
      "country_code",
      "consignee_address_1",
      "consignee_address_2",
      "consignee_address_3",
      "consignee_address_4",
      "city",
      "state_province",
      "zip_code"
    ]
  },
  shipper: {
    letter: "e",
    columns: [
      "shipper_party_name",
      "country_code",
      "shipper_party_address_1",
      "shipper_party_address_2",
      "shipper_party_address_3",
      "shipper_party_address_4",
      "city",
      "state_province",
      "zip_code"
    ]
  },
  cargodesc: { letter: "d", columns: ["container_number", "description_sequence_number", "description_text"] },
  tariff: {
    letter: "t",
    columns: [
      "container_number",
      "description_sequence_number",
      "harmonized_number",
      "harmonized_weight",
      "harmonized_weight_unit"
    ]
  },
  container: { letter: "c", columns: ["container_number", "container_length"] }
} as const

export type TableName = keyof typeof tables

const isTable = (name: string): name is TableName => Object.hasOwn(tables, name)

/** Tables that are published and say nothing that a record has. */
const others = new Set(["notifyparty", "marksnumbers", "hazmat", "hazmatclass"])

export interface Named {
  /** `null` for a table that is not read. */
  readonly table: TableName | null
  /** When it was made, `yyyymmddHHMM`: of two rows for one bill the later counts. */
  readonly stamp: string
}

/** `ams__<table>_<year>__<stamp>.csv`, also compressed; `null` for what is named otherwise. */
export const named = (file: string): Named | null => {
  const [, table = "", stamp = ""] = /^ams__([a-z]+)_\d{4}__(\d*)[^/]*$/i.exec(basename(file)) ?? []
  const name = table.toLowerCase()
  if (isTable(name)) return { table: name, stamp }
  return others.has(name) ? { table: null, stamp } : null
}
