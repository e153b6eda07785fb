/** Brings the schema up to date. Forward only; what was released is never changed. */
import { TradeStore } from "@lading/core/trade"
import { Effect, Schema } from "effect"
import * as Cluster from "./Cluster.ts"
import type { Engine } from "./Engine.ts"
import * as Journal from "./Journal.ts"
import { companies } from "./migrations/Companies.ts"
import { owner } from "./migrations/Owner.ts"
import { tables } from "./migrations/Tables.ts"
import { int, type Statement, sql, text } from "./Statement.ts"

const journal = `CREATE TABLE IF NOT EXISTS migration (version UInt32, at DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY version`

/** Statements that stand in the source, in their order. */
const migrations: ReadonlyArray<ReadonlyArray<string>> = [tables, owner, companies]

/** All of them, from nothing on. */
export const all: ReadonlyArray<string> = [journal, ...migrations.flat()]

const written = (text: string): Statement => ({ _tag: "Statement", texts: [text], parts: [] })

const Version = Schema.Struct({ version: Schema.Int })
const Whose = Schema.Struct({ said: Schema.String })

/** A schema of one server is not made into that of a cluster, nor the other way round: its rows lie elsewhere. */
const sameAs = Effect.fnUntraced(function* (
  engine: Engine["Service"]
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const { cluster } = engine
  const [tables, database] =
    cluster === null
      ? [sql`system.tables`, sql`currentDatabase()`]
      : [sql`clusterAllReplicas(${text(cluster.name)}, system.tables)`, sql`${text(cluster.database)}`]
  const found = yield* Journal.plain(
    engine.unbounded(
      Whose,
      sql`SELECT DISTINCT comment AS said FROM ${tables} WHERE database = ${database} AND name = 'migration'`
    )
  )
  const wanted = Cluster.said(cluster)
  const other = found.find(({ said }) => said !== wanted)
  if (other === undefined) return
  const [is, be] = [other.said, wanted].map((said) => (said === "" ? "of one server" : said))
  return yield* new TradeStore.TradeStoreUnavailable({
    problem: `the tables in this database are ${is}, and should be ${be}: use another database, and import anew`
  })
})

/** Each statement may be repeated: a migration that was cut off is run again. */
export const run = Effect.fnUntraced(function* (
  engine: Engine["Service"]
): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
  const make = (statement: string) => {
    const statements = engine.cluster === null ? [statement] : Cluster.spread(statement, engine.cluster)
    return Effect.forEach(statements, (one) => engine.run(written(one)), { discard: true })
  }
  yield* sameAs(engine)
  yield* make(journal)
  yield* engine.settle(["migration"])
  const [row] = yield* Journal.plain(
    engine.unbounded(Version, sql`SELECT toInt64(max(version)) AS version FROM migration`)
  )
  for (const [index, statements] of migrations.entries()) {
    const version = index + 1
    if (version <= (row?.version ?? 0)) continue
    for (const statement of statements) yield* make(statement)
    yield* engine.run(sql`INSERT INTO migration SELECT ${int(version)}, now64(3)`)
  }
})
