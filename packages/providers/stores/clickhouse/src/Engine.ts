/**
 * The column store: chDB in a folder of this process, a ClickHouse server, or a cluster of them. All take the same
 * statements.
 *
 * On a cluster whatever an import has changed is there on every replica when its statement has ended, so that the next one
 * may be answered by any of them. For this every node has to be up. Questions need one replica of each shard.
 *
 * Gotchas
 * - What the engine says of an error quotes the values of the query. Only its code goes on from here, and the client's own
 *   log is off.
 * - One folder is open in a process at a time, and in one process.
 * - A mutation outlives whoever asked for it: a process that was killed finds it running again when it opens the folder.
 */
import type * as Clickhouse from "@clickhouse/client"
import { TradeStore } from "@lading/core/trade"
import { Context, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { Readable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import * as Chdb from "./Chdb.ts"
import * as Cluster from "./Cluster.ts"
import { int, render, sql, type Statement, text } from "./Statement.ts"

/** The column store cannot be opened. */
export class ColumnStoreUnavailable extends Schema.TaggedError<ColumnStoreUnavailable>()("ColumnStoreUnavailable", {
  problem: Schema.String
}) {}

/** The package of the embedded engine is not installed. */
export class EngineMissing extends Schema.TaggedError<EngineMissing>()("EngineMissing", {}) {}

/** What one question may cost. */
export interface Limits {
  /** Seconds. */
  readonly time: number
  /** Rows that are read. */
  readonly rows: number
  /** Bytes. */
  readonly memory: number
}

export const limits: Limits = { time: 20, rows: 2_000_000_000, memory: 4_000_000_000 }

/** Seconds beyond its limit after which a question is given up: the engine looks at the clock between two blocks. */
const GRACE = 2

/** What a question fails with. */
export type EngineError = TradeStore.TradeStoreUnavailable | TradeStore.QueryTooExpensive

type Done = Effect.Effect<void, TradeStore.TradeStoreUnavailable>

export class Engine extends Context.Service<
  Engine,
  {
    /** Rows of an answer, each read by `schema`. Within the limits of a question. */
    readonly rows: <A>(schema: Schema.Decoder<A>, statement: Statement) => Effect.Effect<ReadonlyArray<A>, EngineError>
    /** The same for an import, which has no such limits. */
    readonly unbounded: <A>(
      schema: Schema.Decoder<A>,
      statement: Statement
    ) => Effect.Effect<ReadonlyArray<A>, EngineError>
    /** A statement of an import or a migration: without the limits, and never given up half way. */
    readonly run: (statement: Statement) => Done
    /** `UPDATE …` or `DELETE` in that table where this holds, and waits until all of it is done. */
    readonly mutate: (table: string, change: Statement, where: Statement) => Done
    /** Drops a partition of that table. */
    readonly drop: (table: string, partition: number) => Done
    /** Waits until every replica has what somebody else wrote into those tables; on one server it has. */
    readonly settle: (tables: ReadonlyArray<string>) => Done
    /** Ends the statements and mutations of an import that died, and waits until they have ended. */
    readonly takeOver: (tables: ReadonlyArray<string>) => Done
    /** Rows as tab-separated text in UTF-8 into a table. The bytes stay as they are until it is done. */
    readonly insert: (table: string, columns: ReadonlyArray<string>, lines: Uint8Array) => Done
    /** `null` on one server. */
    readonly cluster: Cluster.Cluster | null
  }
>()("@lading/clickhouse/Engine") {}

/** Codes of ClickHouse for a bound that a query met. */
const bounds = new Map<string, TradeStore.QueryTooExpensive["bound"]>([
  ["158", "rows"],
  ["159", "time"],
  ["160", "time"],
  ["241", "memory"],
  ["307", "rows"],
  ["396", "rows"]
])

const codeOf = (cause: unknown): string | null =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : null

const nameOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "type" in cause && typeof cause.type === "string"
    ? cause.type
    : cause instanceof Error
      ? cause.name
      : "unknown"

const unavailable = (cause: unknown): TradeStore.TradeStoreUnavailable =>
  new TradeStore.TradeStoreUnavailable({
    problem: `the column store answered ${codeOf(cause) ?? "with an error"} (${nameOf(cause)})`
  })

const failure = (cause: unknown): EngineError => {
  const bound = bounds.get(codeOf(cause) ?? "")
  return bound === undefined ? unavailable(cause) : new TradeStore.QueryTooExpensive({ bound })
}

/** What was written has the name of its query. */
interface Written {
  readonly response_headers: { readonly [name: string]: unknown }
}

/** What differs between chDB and a server. */
interface Access {
  /** The rows of a question, until the signal says that nobody waits for them. */
  readonly ask: (statement: Statement, settings: string, signal: AbortSignal) => Promise<unknown>
  readonly read: (statement: Statement, settings: string) => Promise<unknown>
  /** May take hours. */
  readonly command: (statement: Statement, query_id: string) => Promise<Written>
  /** How lines come into a table: chDB takes bytes as they are, a server a stream. */
  readonly insert: (
    table: string,
    columns: ReadonlyArray<string>,
    lines: Uint8Array,
    query_id: string
  ) => Promise<Written>
  readonly isEmbedded: boolean
}

const asText = "output_format_json_quote_64bit_integers = 0, output_format_json_quote_denormals = 0"

const bounded = ({ memory, rows, time }: Limits): string =>
  [
    `max_execution_time = ${Math.ceil(time)}`,
    `max_rows_to_read = ${Math.ceil(rows)}`,
    `max_memory_usage = ${Math.ceil(memory)}`,
    "query_plan_max_limit_for_lazy_materialization = 1000",
    asText
  ].join(", ")

/** The rows of a query. Its connection ends with the signal, also while the answer comes. */
const fetched = async (
  client: Clickhouse.ClickHouseClient,
  statement: Statement,
  settings: string,
  signal: AbortSignal | null
): Promise<unknown> => {
  const { params, query } = render(statement)
  const result = await client.query({
    query: `${query} SETTINGS ${settings}`,
    query_params: params,
    // Lines would not say that some are missing, or are not of this query.
    format: "JSON",
    ...(signal === null ? {} : { abort_signal: signal })
  })
  const close = () => result.close()
  signal?.addEventListener("abort", close, { once: true })
  const { data } = await result.json().finally(() => signal?.removeEventListener("abort", close))
  return data
}

const commanded = (client: Clickhouse.ClickHouseClient, statement: Statement, query_id: string): Promise<Written> => {
  const { params, query } = render(statement)
  return client.command({ query, query_params: params, query_id })
}

const decoded = <A>(schema: Schema.Decoder<A>, answer: unknown) =>
  Schema.decodeUnknownEffect(Schema.Array(schema))(answer).pipe(
    // What the schema says of it quotes the answer.
    Effect.mapError(
      () => new TradeStore.TradeStoreUnavailable({ problem: "the column store gave an answer of another shape" })
    )
  )

/** Asks for rows; `seconds` is when it is given up. */
const asking =
  ({ ask }: Access, settings: string, seconds: number): Engine["Service"]["rows"] =>
  (schema, statement) =>
    Effect.gen(function* () {
      const over = AbortSignal.timeout(seconds * 1000)
      const answer = yield* Effect.tryPromise({
        try: (signal) => ask(statement, settings, AbortSignal.any([signal, over])),
        catch: (cause) =>
          over.aborted
            ? new TradeStore.TradeStoreUnavailable({ problem: `the column store did not answer in ${seconds} s` })
            : failure(cause)
      })
      return yield* decoded(schema, answer)
    })

/** Asks for rows, however long it takes. */
const askingForLong =
  ({ read }: Access): Engine["Service"]["unbounded"] =>
  (schema, statement) =>
    Effect.flatMap(Effect.tryPromise({ try: () => read(statement, asText), catch: failure }), (answer) =>
      decoded(schema, answer)
    )

/** Statements of imports, so that one can be told from a question. */
const WRITING = "lading-write-"

const writing = () => `${WRITING}${randomUUID()}`

/** What is no ClickHouse gives no name. */
const written = ({ isEmbedded }: Access, write: () => Promise<Written>): Done =>
  Effect.tryPromise({ try: write, catch: unavailable }).pipe(
    Effect.filterOrFail(
      ({ response_headers }) => isEmbedded || response_headers["x-clickhouse-query-id"] !== undefined,
      () => new TradeStore.TradeStoreUnavailable({ problem: "what answered is no ClickHouse" })
    ),
    Effect.asVoid,
    Effect.uninterruptible
  )

const running = (access: Access, statement: Statement, query_id: string): Done =>
  written(access, () => access.command(statement, query_id))

const Mutation = Schema.Struct({ seen: Schema.Int, done: Schema.Int, failed: Schema.Int })

/** The names of tables are texts of the source. */
const named = (table: string): Statement => ({ _tag: "Statement", texts: [table], parts: [] })

/** Milliseconds in which every replica has to know of a change. */
const NOTICE = 60_000

/** The database, and who else has the table: on a cluster another node's current one may be another. */
const placeOf = (cluster: Cluster.Cluster | null) => ({
  on: Cluster.everywhere(cluster),
  database: cluster === null ? sql`currentDatabase()` : sql`${text(cluster.database)}`,
  mutations:
    cluster === null ? sql`system.mutations` : sql`clusterAllReplicas(${text(cluster.name)}, system.mutations)`,
  nodes: cluster?.nodes ?? 1,
  rows: (table: string) => Cluster.rowsOf(table, cluster),
  own: (table: string) => text(cluster === null ? table : Cluster.local(table))
})

interface Writing {
  readonly access: Access
  readonly cluster: Cluster.Cluster | null
  readonly run: Engine["Service"]["run"]
  readonly unbounded: Engine["Service"]["unbounded"]
}

/**
 * A change has a mark of its own, which changes nothing: by it one sees which replicas have it, for one that has not heard
 * of it yet says of no change that it is not done.
 */
const mutating = ({ access, cluster, run, unbounded }: Writing): Engine["Service"]["mutate"] => {
  const { database, mutations, nodes, on, own, rows } = placeOf(cluster)
  const look = (table: string, mark: string) =>
    unbounded(
      Mutation,
      sql`SELECT toInt64(count()) AS seen, toInt64(countIf(is_done)) AS done,
        toInt64(countIf(latest_fail_reason != '')) AS failed FROM ${mutations}
      WHERE database = ${database} AND table = ${own(table)} AND position(command, ${text(mark)}) > 0`
    )
  const failed = (table: string, what: string) =>
    new TradeStore.TradeStoreUnavailable({ problem: `a change of ${table} ${what}` })
  return Effect.fnUntraced(function* (table, change, where) {
    const mark = randomUUID()
    yield* run(sql`ALTER TABLE ${rows(table)} ${on} ${change} WHERE (${where}) AND ${text(mark)} != ''
      SETTINGS mutations_sync = 0, allow_nondeterministic_mutations = 1`)
    const began = performance.now()
    for (let wait = 5, most = 0; ; wait = Math.min(2 * wait, 500)) {
      const [found] = yield* Effect.mapError(look(table, mark), unavailable)
      if (found === undefined || found.done >= nodes) return
      if (found.failed > 0) return yield* failed(table, "failed")
      if (found.seen < most) return yield* failed(table, "was ended by another process")
      if (found.seen < nodes && performance.now() - began > NOTICE)
        return yield* failed(table, "did not come to every node")
      most = found.seen
      // The few threads of chDB look for work once a second; this wakes them up.
      if (access.isEmbedded) yield* run(sql`SYSTEM START MERGES ${named(table)}`)
      const pause = access.isEmbedded ? Math.min(wait, 20) : wait
      yield* Effect.promise(() => setTimeout(pause))
    }
  }, Effect.uninterruptible)
}

/** Waits until the replicas have fetched what there is; what they merge or mutate goes on. */
const settling = (access: Access, cluster: Cluster.Cluster | null): Engine["Service"]["settle"] =>
  cluster === null
    ? () => Effect.void
    : (tables) =>
        Effect.forEach(
          tables,
          (table) =>
            Effect.suspend(() =>
              running(
                access,
                sql`SYSTEM SYNC REPLICA ${Cluster.everywhere(cluster)} ${Cluster.rowsOf(table, cluster)} LIGHTWEIGHT`,
                writing()
              )
            ),
          { discard: true }
        )

/** The table that a statement writes into. */
const target = ({ texts }: Statement): ReadonlyArray<string> => {
  const table = /^\s*INSERT INTO (\w+)/.exec(texts[0] ?? "")?.[1]
  return table === undefined ? [] : [table]
}

const ending = (access: Access, cluster: Cluster.Cluster | null, settle: Engine["Service"]["settle"]) => {
  const { database, on, own } = placeOf(cluster)
  return Effect.fnUntraced(function* (
    tables: ReadonlyArray<string>
  ): Effect.fn.Return<void, TradeStore.TradeStoreUnavailable> {
    if (!access.isEmbedded)
      yield* running(
        access,
        sql`KILL QUERY ${on} WHERE current_database = ${database}
          AND startsWith(query_id, ${text(WRITING)}) AND query_id != queryID() SYNC`,
        randomUUID()
      )
    for (const table of tables)
      yield* running(
        access,
        sql`KILL MUTATION ${on} WHERE database = ${database} AND table = ${own(table)} AND NOT is_done`,
        writing()
      )
    yield* settle(tables)
  }, Effect.uninterruptible)
}

const make = (access: Access, limits: Limits, cluster: Cluster.Cluster | null): Engine["Service"] => {
  const unbounded = askingForLong(access)
  const settle = settling(access, cluster)
  const run: Engine["Service"]["run"] = (statement) =>
    Effect.suspend(() => running(access, statement, writing())).pipe(
      Effect.andThen(settle(target(statement))),
      Effect.uninterruptible
    )
  return {
    rows: asking(access, bounded(limits), limits.time + GRACE),
    unbounded,
    run,
    mutate: mutating({ access, cluster, run, unbounded }),
    drop: (table, partition) => {
      const { on, rows } = placeOf(cluster)
      const where = Cluster.whole.has(table) ? sql`` : on
      return Effect.andThen(
        run(sql`ALTER TABLE ${rows(table)} ${where} DROP PARTITION ${int(partition)}`),
        settle([table])
      )
    },
    takeOver: ending(access, cluster, settle),
    settle,
    insert: (table, columns, lines) =>
      Effect.suspend(() => written(access, () => access.insert(table, columns, lines, writing()))).pipe(
        Effect.andThen(settle([table])),
        Effect.uninterruptible
      ),
    cluster
  }
}

const opening = (cause: unknown): ColumnStoreUnavailable =>
  new ColumnStoreUnavailable({ problem: cause instanceof Error ? cause.message : "the column store cannot be opened" })

/** What chDB says of it goes to the console, before it only says that it failed. */
const notOpened =
  (folder: string) =>
  (cause: unknown): ColumnStoreUnavailable =>
    cause instanceof Error && cause.message.startsWith("Failed to create connection")
      ? new ColumnStoreUnavailable({
          problem: `${folder} cannot be opened: another process has it, or it cannot be written`
        })
      : opening(cause)

const isMissing = (cause: unknown): boolean =>
  codeOf(cause) === "ERR_MODULE_NOT_FOUND" || codeOf(cause) === "MODULE_NOT_FOUND"

const closing = (client: Clickhouse.ClickHouseClient) => Effect.ignore(Effect.tryPromise(() => client.close()))

type Embedded = NonNullable<Clickhouse.ClickHouseClientConfigOptions["connection"]>

/** The client writes what failed to the console, with the values of the question. */
const silent = ({ OFF }: typeof Clickhouse.ClickHouseLogLevel) => ({ level: OFF })

/** chDB in a folder, which this process has to own. */
export const openEmbedded = Effect.fnUntraced(function* (
  folder: string,
  some?: Partial<Limits>
): Effect.fn.Return<Engine["Service"], ColumnStoreUnavailable | EngineMissing, Scope.Scope> {
  const [{ ClickHouseLogLevel, createClient }, { createChdbConnection }, { drainPending }] = yield* Effect.tryPromise({
    // Loaded when they are used: the engine is half a gigabyte.
    try: () => Promise.all([import("@clickhouse/client"), import("chdb/connection"), import("chdb")]),
    catch: (cause) => (isMissing(cause) ? new EngineMissing() : opening(cause))
  })
  yield* Effect.addFinalizer(() =>
    // What was given up is still computed: the folder is free when that is over.
    Effect.promise(() => drainPending())
  )
  const open = Effect.gen(function* () {
    const connection = yield* Effect.try({
      try: () => createChdbConnection({ path: folder }),
      catch: notOpened(folder)
    })
    const client = yield* Effect.acquireRelease(
      Effect.sync(() =>
        // The two packages declare the connection twice, with a class of settings that is the same but for its place.
        createClient({ connection: connection as unknown as Embedded, log: silent(ClickHouseLogLevel) })
      ),
      closing
    )
    return { client, raw: connection.chdb, turn: Chdb.turns(client) }
  })
  const [questions, loads, ends] = [yield* open, yield* open, yield* open]
  return make(
    {
      isEmbedded: true,
      ask: (statement, settings, signal) => {
        const mark = randomUUID()
        const marked = `${settings}, log_comment = '${mark}'`
        return Chdb.endable(
          questions.turn,
          () => fetched(questions.client, statement, marked, null),
          () => ends.raw.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = '${mark}' ASYNC`),
          signal
        )
      },
      read: (statement, settings) => loads.turn(() => fetched(loads.client, statement, settings, null)),
      command: (statement, query_id) => loads.turn(() => commanded(loads.client, statement, query_id)),
      insert: (table, columns, lines) =>
        loads.turn(async () => {
          await loads.raw.rawInsert({ table, columns, format: "TabSeparated", values: lines })
          return { response_headers: {} }
        })
    },
    { ...limits, ...some },
    null
  )
})

/** Milliseconds after which a statement of an import is given up. */
const A_DAY = 86_400_000

/** For one text of a question: what a subquery reads on all shards is brought to each of them. */
const asked = { distributed_product_mode: "global", optimize_skip_unused_shards: 1 } as const

/**
 * What is written is there when the statement has ended; and it is what the whole cluster says: each shard would else
 * write its own part of the answer, and where it is itself, not where the row belongs.
 */
const spread = {
  ...asked,
  distributed_foreground_insert: 1,
  parallel_distributed_insert_select: "0",
  distributed_ddl_output_mode: "throw"
} as const

/** A client for questions, and one for what takes long. */
const connect = (
  { ClickHouseLogLevel, createClient }: typeof Clickhouse,
  url: string,
  { time }: Limits,
  isCluster: boolean
): readonly [questions: Clickhouse.ClickHouseClient, loads: Clickhouse.ClickHouseClient] => {
  const both = { url, application: "lading", log: silent(ClickHouseLogLevel) }
  return [
    createClient({
      ...both,
      request_timeout: (time + GRACE) * 1000,
      max_open_connections: 32,
      // Long lists would not fit into a URL.
      use_multipart_params_auto: true,
      clickhouse_settings: {
        // Only what is read-only ends with its connection.
        readonly: "2",
        cancel_http_readonly_queries_on_client_close: 1,
        // Else an error can come in the middle of an answer.
        wait_end_of_query: 1,
        ...(isCluster ? asked : {})
      }
    }),
    createClient({
      ...both,
      request_timeout: A_DAY,
      // Proxies end connections on which nothing comes; each sign of life stays in the headers of the answer.
      max_response_headers_size: 1_048_576,
      clickhouse_settings: {
        send_progress_in_http_headers: 1,
        http_headers_progress_interval_ms: "50000",
        wait_end_of_query: 1,
        async_insert: 0,
        ...(isCluster ? spread : {})
      }
    })
  ]
}

/** How a server is used. */
export interface Served extends Limits {
  /** The cluster that the tables are of, as the server's configuration calls it; `null` for that server alone. */
  readonly cluster: string | null
}

const Found = Schema.Struct({
  database: Schema.String,
  shards: Schema.Int,
  nodes: Schema.Int,
  known: Schema.Array(Schema.String)
})
const Named = Schema.Struct({ n: Schema.Int })

const problemOf = (error: EngineError): string =>
  error._tag === "QueryTooExpensive" ? `a bound of ${error.bound}` : error.problem

/** The cluster of that name, as the server knows it. */
const clusterOf = Effect.fnUntraced(function* (
  access: Access,
  name: string
): Effect.fn.Return<Cluster.Cluster, ColumnStoreUnavailable> {
  const ask = askingForLong(access)
  const refuse = (problem: string) => new ColumnStoreUnavailable({ problem })
  if (!Cluster.isName(name)) return yield* refuse("the name of a cluster is of letters, digits, `_`, `-` and `.`")
  const here = sql`cluster = ${text(name)}`
  const [found] = yield* ask(
    Found,
    sql`SELECT currentDatabase() AS database, toInt64(uniqExactIf(shard_num, ${here})) AS shards,
      toInt64(uniqExactIf((host_name, port), ${here})) AS nodes, arraySort(groupUniqArray(cluster)) AS known FROM system.clusters`
  ).pipe(Effect.mapError((error) => refuse(problemOf(error))))
  if (found === undefined || found.nodes === 0)
    return yield* refuse(`the server knows no cluster ${name}, only ${found?.known.join(", ") || "none"}`)
  const [macros] = yield* ask(
    Named,
    sql`SELECT toInt64(countIf(macro IN ('shard', 'replica'))) AS n
      FROM clusterAllReplicas(${text(name)}, system.macros)`
  ).pipe(Effect.mapError((error) => refuse(`not every node of the cluster ${name} answers: ${problemOf(error)}`)))
  if (macros?.n !== 2 * found.nodes)
    return yield* refuse(`not every node of the cluster ${name} has the macros \`shard\` and \`replica\``)
  return { name, database: found.database, shards: found.shards, nodes: found.nodes }
})

/** What is sent at once. */
const PIECE = 1 << 20

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE) yield bytes.subarray(from, from + PIECE)
}

/** A ClickHouse server of version 26.2 or newer, by its URL (`https://user:password@host:8443/database`). */
export const openUrl = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  some?: Partial<Served>
): Effect.fn.Return<Engine["Service"], ColumnStoreUnavailable, Scope.Scope> {
  const clickhouse = yield* Effect.tryPromise({ try: () => import("@clickhouse/client"), catch: opening })
  const { cluster, ...all }: Served = { ...limits, cluster: null, ...some }
  const [questions, loads] = yield* Effect.acquireRelease(
    Effect.try({
      try: () => connect(clickhouse, Redacted.value(url), all, cluster !== null),
      catch: () => new ColumnStoreUnavailable({ problem: "the URL of the column store cannot be read" })
    }),
    (clients) => Effect.forEach(clients, closing, { discard: true })
  )
  const access: Access = {
    isEmbedded: false,
    ask: (statement, settings, signal) => fetched(questions, statement, settings, signal),
    read: (statement, settings) => fetched(loads, statement, settings, null),
    command: (statement, query_id) => commanded(loads, statement, query_id),
    insert: (table, columns, lines, query_id) => {
      const [first = "", ...others] = columns
      return loads.insert({
        table,
        query_id,
        columns: [first, ...others],
        format: "TabSeparated",
        values: Readable.from(pieces(lines), { objectMode: false })
      })
    }
  }
  return make(access, all, cluster === null ? null : yield* clusterOf(access, cluster))
})

export const layerEmbedded = (
  folder: string,
  some?: Partial<Limits>
): Layer.Layer<Engine, ColumnStoreUnavailable | EngineMissing> => Layer.effect(Engine, openEmbedded(folder, some))

export const layerUrl = (url: Redacted.Redacted, some?: Partial<Served>): Layer.Layer<Engine, ColumnStoreUnavailable> =>
  Layer.effect(Engine, openUrl(url, some))

const Version = Schema.Struct({ version: Schema.String })

/** Version of a server, e.g. `26.2.1.123`. Makes nothing there; of a cluster every node has to answer. */
export const version = (
  url: Redacted.Redacted,
  some?: Partial<Served>
): Effect.Effect<string, ColumnStoreUnavailable> =>
  Effect.gen(function* () {
    const { rows } = yield* openUrl(url, some)
    const [found] = yield* rows(Version, sql`SELECT version() AS version`).pipe(
      Effect.mapError((error) => new ColumnStoreUnavailable({ problem: problemOf(error) }))
    )
    return found?.version ?? "unknown"
  }).pipe(Effect.scoped)
