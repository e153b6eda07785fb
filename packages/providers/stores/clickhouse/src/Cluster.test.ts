/** The schema of a cluster, and which schema is opened as what. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe } from "vitest"
import * as Cluster from "./Cluster.ts"
import * as Bridge from "./fixtures/Bridge.ts"
import * as Shards from "./fixtures/Shards.ts"
import * as Clickhouse from "./index.ts"
import * as Migrations from "./Migrations.ts"

const cluster: Cluster.Cluster = { name: "two", database: "trade", shards: 2, nodes: 4 }

const path = (table: string): string => `/clickhouse/tables/lading/trade/${table}`

/** What the engine says of the tables once it has made them. */
const made = Effect.gen(function* () {
  const folder = yield* Bridge.folder
  const fixture = fileURLToPath(new URL("./fixtures/KeeperProcess.ts", import.meta.url))
  const config = Shards.configure(folder, "trade", 2)
  return yield* Effect.promise(
    () =>
      new Promise<ReadonlyArray<{ readonly table: string; readonly [said: string]: string }>>((resolve) =>
        // It ends by killing itself: chDB waits long for a replica that never was one.
        execFile(process.execPath, [fixture, join(folder, "chdb"), config, "trade"], (_, said) =>
          resolve(said.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])))
        )
      )
  )
})

describe("Cluster", () => {
  it("every migration says where its rows lie, and has the columns that it has on one server", () => {
    for (const statement of Migrations.all) {
      const [own = "", distributed, ...more] = Cluster.spread(statement, cluster)
      const table = /TABLE (?:IF NOT EXISTS )?(\w+)/.exec(statement)?.[1] ?? assert.fail(statement)
      assert.strictEqual(distributed === undefined, Cluster.whole.has(table))
      assert.strictEqual(more.length, 0)
      const columns = /\(.*\)(?= ENGINE)/s.exec(statement)?.[0] ?? "owner String"
      assert.include(own, columns)
    }
  })

  it("a table that is said to lie nowhere, and a statement of another kind, are refused", () => {
    const refused = ["CREATE TABLE IF NOT EXISTS other (a UInt8) ENGINE = MergeTree ORDER BY a", "DROP TABLE winner"]
    for (const statement of refused) assert.throws(() => Cluster.spread(statement, cluster))
  })

  it("a column is added where the rows are and where they are asked for, on whole tables by one node", () => {
    assert.deepStrictEqual(Cluster.spread("ALTER TABLE trade_record ADD COLUMN IF NOT EXISTS a UInt8", cluster), [
      "ALTER TABLE trade_record_local ON CLUSTER `two` ADD COLUMN IF NOT EXISTS a UInt8 SETTINGS alter_sync = 2",
      "ALTER TABLE trade_record ON CLUSTER `two` ADD COLUMN IF NOT EXISTS a UInt8"
    ])
    assert.deepStrictEqual(Cluster.spread("ALTER TABLE publication ADD COLUMN IF NOT EXISTS a UInt8", cluster), [
      "ALTER TABLE publication ADD COLUMN IF NOT EXISTS a UInt8 SETTINGS alter_sync = 2"
    ])
  })

  it("names that are no names are not written", () => {
    for (const name of ["", "a`b", "a b", "1a", "ä", "x".repeat(65)]) assert.isFalse(Cluster.isName(name), name)
  })
})

describe.skipIf(Bridge.missing !== null)(`Cluster on chDB (${Bridge.missing ?? "found"})`, () => {
  it.live(
    "is replicated within a shard and spread by its key, or whole on every node",
    () =>
      Effect.gen(function* () {
        const tables = yield* made
        const replicas = tables.flatMap(({ path, replica, table }) =>
          path === undefined ? [] : [{ table, path, replica }]
        )
        const expected = [
          ...Object.keys(Cluster.sharding).map((table) => ({
            table: `${table}_local`,
            path: `${path(`${table}_local`)}/1`,
            replica: "only"
          })),
          ...[...Cluster.whole].map((table) => ({ table, path: path(table), replica: "1-only" }))
        ]
        const byTable = (one: { readonly table: string }, other: { readonly table: string }) =>
          one.table < other.table ? -1 : 1
        assert.deepStrictEqual(replicas.toSorted(byTable), expected.toSorted(byTable))
        const keys = Object.entries(Cluster.sharding).map(([table, key]) => [
          table,
          `Distributed('${Shards.name}', 'trade', '${table}_local', ${key})`
        ])
        assert.deepStrictEqual(
          Object.fromEntries(tables.flatMap(({ spread, table }) => (spread === undefined ? [] : [[table, spread]]))),
          Object.fromEntries(keys)
        )
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "tables of one server are not opened as those of a cluster, nor a cluster that is not there",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Bridge.startShards(2)
        const open = (cluster: string | null) => Clickhouse.Engine.openUrl(url, { cluster })
        yield* Migrations.run(yield* open(null))
        const refused = yield* Effect.flip(Migrations.run(yield* open(Shards.name)))
        assert.include(refused.problem, "of one server, and should be of the cluster simulated, 2 shards")
        const unknown = yield* Effect.flip(open("other"))
        assert.include(unknown.problem, "knows no cluster other")
        assert.include((yield* Effect.flip(open("a`b"))).problem, "letters")
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "tables of a cluster are not opened as those of one server, nor with other shards",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Bridge.startShards(2)
        const engine = yield* Clickhouse.Engine.openUrl(url, { cluster: Shards.name })
        yield* Migrations.run(engine)
        yield* Migrations.run(engine)
        const refusal = (one: typeof engine) => Effect.map(Effect.flip(Migrations.run(one)), ({ problem }) => problem)
        assert.include(
          yield* refusal(yield* Clickhouse.Engine.openUrl(url)),
          "of the cluster simulated, 2 shards, and should be of one server"
        )
        const more = { ...engine, cluster: engine.cluster === null ? null : { ...engine.cluster, shards: 3 } }
        assert.include(yield* refusal(more), "2 shards, and should be of the cluster simulated, 3 shards")
      }).pipe(Effect.scoped),
    240_000
  )
})
