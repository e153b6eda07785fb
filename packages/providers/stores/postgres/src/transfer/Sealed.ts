/**
 * Which keys the rows of a database are sealed with, as the seals themselves say: what a machine has for its current key
 * tells nothing of them, since former keys have sealed too, and an export may be made where there is no key at all.
 *
 * Gotcha: every column of bytes in the schema `lading` counts as sealed unless it is named here: a digest that nobody named
 * makes a restore ask for a key too many, and a sealed column that nobody named would lose what it holds.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as Catalog from "./Catalog.ts"
import type * as ExportFile from "./ExportFile.ts"

const digests = new Set(["lading.answers.digest", "lading.kept_answers.question"])

/** What a `Keyring` seals; the rest is sealed by `Seal`. Both write one byte of version, then four that name the key. */
const vault = new Set(["lading.vendor_keys.sealed"])

/** A column of bytes. */
export interface Column {
  readonly table: Catalog.Table
  readonly name: string
}

const named = ({ name, table }: Column): string => `${Catalog.named(table)}.${name}`

/** The sealed columns of these tables, by the key that they want. */
export const columnsOf = (tables: ReadonlyArray<Catalog.Table>) => {
  const sealed = tables
    .filter(({ schema }) => schema === "lading")
    .flatMap((table) =>
      table.columns.filter(({ type }) => type === "bytea").map(({ name }): Column => ({ table, name }))
    )
    .filter((column) => !digests.has(named(column)))
  return {
    seal: sealed.filter((column) => !vault.has(named(column))),
    vault: sealed.filter((column) => vault.has(named(column)))
  }
}

/** Whatever is too short to name a key no key opens. Only the beginning of a long value is fetched. */
const namesOf = ({ name, table }: Column): string => {
  const column = Catalog.quoted(name)
  return `select substring(${column} from 2 for 4) as name from ${Catalog.reference(table)} where octet_length(${column}) >= 5`
}

const keysOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, columns: ReadonlyArray<Column>) {
  if (columns.length === 0) return []
  const rows = yield* sql.unsafe<{ name: string; seals: string }>(
    `select encode(name, 'hex') as name, count(*)::text as seals
      from (${columns.map(namesOf).join(" union all ")}) as sealed group by 1 order by 1`
  )
  return rows.map(({ name, seals }): ExportFile.Key => ({ name, seals: Number(seals) }))
})

/** Names of the keys that these tables are sealed with, and how much. */
export const keys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tables: ReadonlyArray<Catalog.Table>) {
  const columns = columnsOf(tables)
  return { seal_keys: yield* keysOf(sql, columns.seal), vault_keys: yield* keysOf(sql, columns.vault) }
})
