/**
 * The same records on PostgreSQL, in the tables and with the indexes that somebody would make who asks these questions:
 * records that count with both traders' numbers, names of traders apart, words folded as the store folds them.
 *
 * Gotcha: the server reads the file itself (`COPY … FROM`), so it has to run on this machine.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pool } from "pg"
import * as Store from "../http/Store.ts"
import { type Plain, type Row, text } from "./Plain.ts"
import { seen, weight } from "./Sql.ts"

const tables = `
  CREATE UNLOGGED TABLE record (
    row_id bigint, source text, key text, version bigint, flow text, date date, importer_id bigint, exporter_id bigint,
    importer_name text, exporter_name text, importer_country text, exporter_country text, origin_country text,
    destination_country text, seller_country text, buyer_country text, hs_code text, description text, words text,
    keywords text[],
    quantity double precision, quantity_unit text, weight_kg double precision, amount double precision, currency text,
    amount_kind text, amount_usd double precision, port_of_loading text, port_of_unloading text, transport text,
    bill_number text, master_bill_number text);
  CREATE UNLOGGED TABLE trader (id bigint, name text, country text);
  CREATE UNLOGGED TABLE spelling (trader_id bigint, words text)`

const indexes = [
  "ALTER TABLE record ADD PRIMARY KEY (row_id)",
  "CREATE INDEX ON record (importer_id, date)",
  "CREATE INDEX ON record (exporter_id, date)",
  "CREATE INDEX ON record (date)",
  "CREATE INDEX ON record (amount_usd DESC NULLS LAST)",
  "CREATE INDEX ON record (hs_code text_pattern_ops, date)",
  "CREATE INDEX ON record USING gin (to_tsvector('simple', words))",
  "ALTER TABLE trader ADD PRIMARY KEY (id)",
  "CREATE INDEX ON spelling USING gin (to_tsvector('simple', words))",
  "VACUUM ANALYZE record",
  "VACUUM ANALYZE trader",
  "VACUUM ANALYZE spelling"
]

const orNull = (value: string): string => `nullIf(toString(${value}), '')`
const id = (value: string): string => `nullIf(reinterpretAsInt64(${value}), 0)`

const recordsOf = (version: number): string => `SELECT row_id, source, key, version, flow, date, ${id("importer_id")},
    ${id("exporter_id")}, ${["importer_name", "exporter_name", "importer_country", "exporter_country", "origin_country"]
      .map(orNull)
      .join(", ")}, ${orNull("destination_country")},
    ${orNull("if(origin_country != '', origin_country, exporter_country)")},
    ${orNull("if(destination_country != '', destination_country, importer_country)")}, ${orNull("hs_code")},
    ${orNull("description")}, words, concat('{', arrayStringConcat(arrayMap(x -> concat('"', x, '"'), keywords), ','), '}'),
    quantity, ${orNull("quantity_unit")}, ${weight}, amount, ${orNull("currency")}, amount_kind, amount_usd,
    ${["port_of_loading", "port_of_unloading", "transport", "bill_number", "master_bill_number"].map(orNull).join(", ")}
  FROM trade_record WHERE ${seen(version)}`

const tradersOf = (version: number): string => `SELECT reinterpretAsInt64(trader_id), argMaxIf(value, n, kind = 'name'),
    nullIf(argMaxIf(value, n, kind = 'country'), '') FROM (
    SELECT trader_id, kind, value, sum(records) AS n FROM trader_fact WHERE load <= ${version}
    GROUP BY trader_id, kind, value HAVING n > 0)
  GROUP BY trader_id`

const spellingsOf = (version: number): string => `SELECT reinterpretAsInt64(trader_id), words FROM trader_fact
  WHERE kind = 'name' AND load <= ${version} GROUP BY trader_id, value, words HAVING sum(records) > 0`

export interface Postgres extends AsyncDisposable {
  readonly rows: (statement: string) => Promise<ReadonlyArray<Row>>
  /** Seconds to copy and to index. */
  readonly loaded: { readonly copied: number; readonly indexed: number }
}

/** All of it into an empty database; the server has to reach the files, so they do not lie in a folder of this user's own. */
const fill = async (pool: Pool, plain: Plain, version: number): Promise<Postgres["loaded"]> => {
  const files = await mkdtemp(join(tmpdir(), "lading-copy-"))
  await chmod(files, 0o755)
  const copy = async (table: string, select: string): Promise<void> => {
    const path = join(files, `${table}.tsv`)
    await plain.run(`INSERT INTO FUNCTION file(${text(path)}, TSV) ${select}`)
    await chmod(path, 0o644)
    await pool.query(`COPY ${table} FROM ${text(path)}`)
  }
  try {
    await pool.query(tables)
    const begun = performance.now()
    await copy("record", recordsOf(version))
    await copy("trader", tradersOf(version))
    await copy("spelling", spellingsOf(version))
    const copied = performance.now()
    for (const statement of indexes) await pool.query(statement)
    return { copied: (copied - begun) / 1000, indexed: (performance.now() - copied) / 1000 }
  } finally {
    await rm(files, { recursive: true, force: true })
  }
}

/** A database of its own, dropped when it is disposed of. */
export const filled = async (plain: Plain, version: number): Promise<Postgres> => {
  const store = await Store.make("postgres")
  const pool = new Pool({ connectionString: store.url ?? "", max: 12 })
  const drop = async () => {
    await pool.end()
    await store[Symbol.asyncDispose]()
  }
  try {
    const loaded = await fill(pool, plain, version)
    return {
      rows: async (statement) => (await pool.query<Row>(statement)).rows,
      loaded,
      [Symbol.asyncDispose]: drop
    }
  } catch (cause) {
    await drop()
    throw cause
  }
}
