/**
 * A cluster: where each table lies on it, and the statements that make it there. The migrations are written for one
 * server; here each becomes what it is on a cluster.
 *
 * - A sharded table is two: `<name>_local`, whose rows are replicated within a shard, and a `Distributed` one that has the
 *   name. Questions know the name only, so that they are the same text on one server and on a cluster.
 * - A whole table is one, of which every node has all rows.
 *
 * Gotchas
 * - Keeper's paths are of names and not of `{uuid}`: a node that joins later makes its tables by the same migrations, with
 *   other uuids, and would replicate from nobody.
 * - Blocks of equal rows are not dropped as repeated ones (`replicated_deduplication_window`): what a process that died had
 *   written is deleted, and then written again, row by row the same.
 */
import { Data } from "effect"
import type { Statement } from "./Statement.ts"

export interface Cluster {
  /** As the servers' configuration calls it. */
  readonly name: string
  /** On each node. */
  readonly database: string
  readonly shards: number
  /** Servers, all replicas of all shards. */
  readonly nodes: number
}

/** By what the rows of a table are spread, a whole number; what a question is asked by lies on one shard. */
export const sharding: { readonly [table: string]: string } = {
  trade_record: "record_id",
  judged: "record_id",
  winner: "record_id",
  trader_record: "trader_id",
  trader_fact: "trader_id",
  trader_total: "trader_id",
  trader_key: "sipHash64(key)",
  key_size: "sipHash64(key)",
  party_key: "party",
  company_profile: "sipHash64(profile_id)",
  company: "sipHash64(company_id)"
}

/** Tables of which each node has every row: the journal, and what mutations look up, which see their own node alone. */
export const whole: ReadonlySet<string> = new Set([
  "company_load",
  "company_past",
  "load_entry",
  "loser",
  "migration",
  "publication"
])

/** A migration that cannot be made on a cluster. */
class NotSpread extends Data.TaggedError("NotSpread")<{ readonly statement: string }> {}

/** Names of clusters are part of statements: the servers' configuration has them, nobody asks for one. */
export const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name)

const quoted = (name: string): string => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``
const literal = (value: string): string => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

/** The table that has the rows. */
export const local = (table: string): string => (table in sharding ? `${table}_local` : table)

const written = (text: string): Statement => ({ _tag: "Statement", texts: [text], parts: [] })

/** `ON CLUSTER …` of a statement; nothing on one server. */
export const everywhere = (cluster: Cluster | null): Statement =>
  written(cluster === null ? "" : `ON CLUSTER ${quoted(cluster.name)}`)

/** The table that has the rows, as a statement names it. */
export const rowsOf = (table: string, cluster: Cluster | null): Statement =>
  written(cluster === null ? table : `${quoted(cluster.database)}.${local(table)}`)

/** How a schema says whose it is; the empty text is said by that of one server. */
export const said = (cluster: Cluster | null): string =>
  cluster === null ? "" : `of the cluster ${cluster.name}, ${cluster.shards} shards`

const PATH = "/clickhouse/tables/lading/{database}/{table}"
const replicated = (table: string): string =>
  whole.has(table) ? `'${PATH}', '{shard}-{replica}'` : `'${PATH}/{shard}', '{replica}'`

const UNREPEATED = "replicated_deduplication_window = 0"

/** Puts a setting in front of those of a table. */
const setting = (engine: string): string =>
  /\sSETTINGS\s/.test(engine)
    ? engine.replace(/(\sSETTINGS\s+)/, `$1${UNREPEATED}, `)
    : `${engine} SETTINGS ${UNREPEATED}`

const created = (
  cluster: Cluster,
  table: string,
  columns: string,
  kind: string,
  rest: string
): ReadonlyArray<string> => {
  const on = `ON CLUSTER ${quoted(cluster.name)}`
  const engine = setting(`ENGINE = Replicated${kind}MergeTree(${replicated(table)})${rest}`)
  const comment = table === "migration" ? ` COMMENT ${literal(said(cluster))}` : ""
  const own = `CREATE TABLE IF NOT EXISTS ${local(table)} ${on} ${columns} ${engine}${comment}`
  const key = sharding[table]
  if (key === undefined) return [own]
  const [name, database, rows] = [cluster.name, cluster.database, local(table)].map(literal)
  return [
    own,
    `CREATE TABLE IF NOT EXISTS ${table} ${on} AS ${quoted(cluster.database)}.${local(table)}
ENGINE = Distributed(${name}, ${database}, ${rows}, ${key})`
  ]
}

/** Nodes that share a whole table would each change it: one does, and the others follow. */
const altered = (cluster: Cluster, table: string, change: string): ReadonlyArray<string> => {
  if (whole.has(table)) return [`ALTER TABLE ${table} ${change} SETTINGS alter_sync = 2`]
  const on = `ON CLUSTER ${quoted(cluster.name)}`
  return [`ALTER TABLE ${local(table)} ${on} ${change} SETTINGS alter_sync = 2`, `ALTER TABLE ${table} ${on} ${change}`]
}

/** A statement of the migrations as it is made on a cluster. */
export const spread = (statement: string, cluster: Cluster): ReadonlyArray<string> => {
  const [, made, columns, kind, rest] =
    /^CREATE TABLE IF NOT EXISTS (\w+) (\(.*\)) ENGINE = (Replacing|)MergeTree(?=\s)(.*)$/s.exec(statement) ?? []
  if (made !== undefined && columns !== undefined && kind !== undefined && rest !== undefined && isKnown(made))
    return created(cluster, made, columns, kind, rest)
  const [, changed, change] = /^ALTER TABLE (\w+) (ADD COLUMN .*)$/s.exec(statement) ?? []
  if (changed !== undefined && change !== undefined && isKnown(changed)) return altered(cluster, changed, change)
  throw new NotSpread({ statement })
}

/** Whether it was said where its rows lie. */
const isKnown = (table: string): boolean => table in sharding || whole.has(table)
