/** What an export and a restore ask the database about its own tables. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** A table with the columns that rows have, in their order; names as the catalog has them. */
export interface Table {
  readonly schema: string
  readonly name: string
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** `lading.accounts`: as the file names it. */
export const named = ({ name, schema }: { readonly schema: string; readonly name: string }): string =>
  `${schema}.${name}`

export const reference = ({ name, schema }: { readonly schema: string; readonly name: string }): string =>
  `${quoted(schema)}.${quoted(name)}`

/** Tables of the schema `lading`, and those of `public` that are named and there. */
const wanted = `n.nspname = 'lading' or (n.nspname = 'public' and c.relname in (select json_array_elements_text($1::text::json)))`

export const tables = (sql: SqlClient.SqlClient, besides: ReadonlyArray<string>) =>
  sql.unsafe<Table>(
    `select n.nspname::text as schema, c.relname::text as name,
        (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
          from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and (${wanted}) order by 1, 2`,
    [JSON.stringify(besides)]
  )

export interface SequenceName {
  readonly schema: string
  readonly name: string
}

/** Sequences of the schema `lading`, and those that belong to the named tables. */
export const sequences = (sql: SqlClient.SqlClient, besides: ReadonlyArray<string>) =>
  sql.unsafe<SequenceName>(
    `select n.nspname::text as schema, s.relname::text as name
      from pg_class s join pg_namespace n on n.oid = s.relnamespace
      where s.relkind = 'S' and (n.nspname = 'lading' or exists (
        select from pg_depend d join pg_class c on c.oid = d.refobjid
          where d.classid = 'pg_class'::regclass and d.objid = s.oid and n.nspname = 'public'
            and c.relname in (select json_array_elements_text($1::text::json))))
      order by 1, 2`,
    [JSON.stringify(besides)]
  )

export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Foreign keys of the schema `lading`, so that they can be taken off and put on again. */
export const foreignKeys = (sql: SqlClient.SqlClient) =>
  sql.unsafe<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'lading'::regnamespace`
  )

export const exists = (sql: SqlClient.SqlClient, name: string) =>
  Effect.map(
    sql.unsafe<{ found: boolean }>(`select to_regclass($1::text) is not null as found`, [name]),
    ([row]) => row?.found === true
  )

export const version = (sql: SqlClient.SqlClient) =>
  Effect.map(sql.unsafe<{ server_version: string }>("show server_version"), ([row]) => row?.server_version ?? "unknown")
