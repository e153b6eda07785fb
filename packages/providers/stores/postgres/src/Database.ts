/**
 * The relational database: PGlite in a folder of this process, or a PostgreSQL server. Both give the same `SqlClient`,
 * after the migrations have run.
 *
 * Gotchas: the embedded database has one connection, so nothing may wait inside a transaction and nobody may keep a
 * connection reserved. Its statements run in this thread and cannot be cancelled. A folder has one owner process.
 */
import { PgClient } from "@effect/sql-pg"
import type { PGlite } from "@electric-sql/pglite"
import { Context, Effect, Layer, Predicate, type Redacted, Schedule, Schema, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { problemOf } from "./Bounded.ts"
import * as Migrations from "./Migrations.ts"
import * as Notifications from "./Notifications.ts"
import * as Owner from "./Owner.ts"
import * as WireStream from "./WireStream.ts"

/** The database cannot be opened, or its schema not be brought up to date. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  problem: Schema.String
}) {}

const unavailable = (error: SqlError.SqlError | Migrator.MigrationError): DatabaseUnavailable =>
  new DatabaseUnavailable({ problem: error._tag === "SqlError" ? problemOf(error) : error.message })

const unavailableFrom = (error: SqlError.SqlError) => Effect.fail(unavailable(error))

/** Statements beyond this are aborted by the server, in milliseconds. */
const statementTimeout = 10_000

/** What a pooled connection asks of the server: nothing waits for ever. */
const limits = {
  statement_timeout: String(statementTimeout),
  lock_timeout: String(statementTimeout),
  idle_in_transaction_session_timeout: "30000"
}

const openEngine = (folder: string | undefined): Effect.Effect<PGlite, DatabaseUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      // Loaded when it is used: a server on PostgreSQL never reads the engine's 20 MB.
      try: () =>
        import("@electric-sql/pglite").then(({ PGlite }) =>
          PGlite.create(folder === undefined ? {} : { dataDir: folder })
        ),
      catch: (cause) =>
        new DatabaseUnavailable({
          problem: cause instanceof Error ? cause.message : "the embedded database does not start"
        })
    }),
    (engine) => Effect.ignore(Effect.tryPromise(() => engine.close()))
  )

/** The engine's clusters, and the file in which each says whose it is. */
const clusterVersion = "18"

/** A cluster belongs to one major version of PostgreSQL; the engine would only say that it was aborted. */
const refuseOther = (folder: string): Effect.Effect<void, DatabaseUnavailable> =>
  Effect.tryPromise(() => readFile(join(folder, "PG_VERSION"), "utf8")).pipe(
    Effect.map((text) => text.trim()),
    // A folder that is new.
    Effect.orElseSucceed(() => clusterVersion),
    Effect.flatMap((version) =>
      version === clusterVersion
        ? Effect.void
        : new DatabaseUnavailable({
            problem: `its files are of PostgreSQL ${version}, and this version of Lading reads those of ${clusterVersion}: export it with the version that wrote it (lading export), and restore that into a new folder`
          })
    )
  )

const connected = Effect.fnUntraced(
  function* (folder: string | undefined) {
    if (folder !== undefined) yield* refuseOther(folder)
    const engine = yield* openEngine(folder)
    const client = yield* PgClient.make({
      stream: () => WireStream.make(engine),
      // The engine answers in this thread: the usual 5 s are too few for its first words on a busy machine.
      connectTimeout: "60 seconds",
      // One session, kept for good. Statements of many fibres share it: those of one turn are written together.
      minConnections: 1,
      maxConnections: 1,
      multiplex: true,
      multiplexConcurrency: 1000,
      username: "postgres",
      database: "postgres",
      ssl: false
    })
    return client
  },
  Effect.catchTag("SqlError", (error: SqlError.SqlError) => Effect.fail(unavailable(error)))
)

const embedded = Effect.fnUntraced(
  function* (folder: string | undefined) {
    const client = yield* connected(folder)
    yield* Migrations.run.pipe(Effect.provideService(SqlClient.SqlClient, client))
    return Context.make(SqlClient.SqlClient, client).pipe(Context.add(PgClient.PgClient, client))
  },
  Effect.catchTags({
    SqlError: (error: SqlError.SqlError) => Effect.fail(unavailable(error)),
    MigrationError: (error: Migrator.MigrationError) => Effect.fail(unavailable(error))
  })
)

type Sql = SqlClient.SqlClient | PgClient.PgClient

/** In memory, for tests and trials: gone with the process. */
export const layerEmbeddedMemory: Layer.Layer<Sql, DatabaseUnavailable> = Layer.effectContext(embedded(undefined)).pipe(
  Layer.provide(Reactivity.layer)
)

/** In a folder, whose owner this process becomes. The first start takes some seconds, since it creates the cluster. */
export const layerEmbedded = (
  folder: string
): Layer.Layer<Sql | Owner.Owner, DatabaseUnavailable | Owner.FolderInUse | Owner.FolderUnusable> =>
  Layer.effectContext(embedded(join(folder, "postgres"))).pipe(
    Layer.provide(Reactivity.layer),
    Layer.provideMerge(Owner.layer(folder))
  )

/** PostgreSQL's code for a lock that was not had in time. */
const lockNotAvailable = "55P03"

const isBlocked = (error: SqlError.SqlError | Migrator.MigrationError): boolean => {
  const inner = error._tag === "MigrationError" ? error.cause : error
  return (
    Predicate.isTagged(inner, "SqlError") &&
    Predicate.hasProperty(inner, "reason") &&
    Predicate.hasProperty(inner.reason, "cause") &&
    Predicate.hasProperty(inner.reason.cause, "code") &&
    inner.reason.cause.code === lockNotAvailable
  )
}

/**
 * Runs the migrations on a connection of their own: they may take longer than a statement of a request.
 *
 * Gotcha: a change of a table that waits for a long reader (an export) lets everybody else wait behind it. So it waits for
 * three seconds only, lets others go first, and tries again, for ten minutes at most.
 */
const migrate = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const client = yield* PgClient.makeClient({
    url,
    applicationName: "lading migrations",
    startupParameters: { lock_timeout: "3000" }
  })
  yield* Migrations.run.pipe(
    Effect.provideService(SqlClient.SqlClient, client),
    Effect.retry({ while: isBlocked, times: 150, schedule: Schedule.spaced("1 second") })
  )
}, Effect.scoped)

/** A connection that does nothing but listen. */
const listening = Effect.map(
  Reactivity.Reactivity,
  (reactivity) =>
    (url: Redacted.Redacted): Notifications.Listen =>
    (channel) =>
      PgClient.makeClient({ url, applicationName: "lading listener", keepAlive: "30 seconds" }).pipe(
        Effect.flatMap((client) => client.listen(channel)),
        Effect.provideService(Reactivity.Reactivity, reactivity)
      )
)

/**
 * A PostgreSQL server, version 13 or newer, by its URL (`postgres://user:password@host:port/database`).
 * A pooler in between must let sessions set `statement_timeout`, or set it itself; one that gives each transaction another
 * session lets no `NOTIFY` through, so that servers notice later what others did.
 */
export const layerUrl = (
  url: Redacted.Redacted,
  options?: { readonly maxConnections?: number }
): Layer.Layer<Sql, DatabaseUnavailable> =>
  Layer.effectContext(
    Effect.gen(function* () {
      yield* migrate(url)
      const client = yield* PgClient.make({
        url,
        applicationName: "lading",
        maxConnections: options?.maxConnections ?? 10,
        keepAlive: "30 seconds",
        startupParameters: limits
      })
      const listen = yield* listening
      return Context.make(SqlClient.SqlClient, client).pipe(
        Context.add(PgClient.PgClient, client),
        Context.add(Notifications.Listening, listen(url))
      )
    }).pipe(
      Effect.catchTags({
        SqlError: (error) => Effect.fail(unavailable(error)),
        MigrationError: (error) => Effect.fail(unavailable(error))
      })
    )
  ).pipe(Layer.provide(Reactivity.layer))

/** Version of a server, e.g. `17.2`, asked on a connection of its own. Makes nothing there, unlike `layerUrl`. */
export const version = (url: Redacted.Redacted): Effect.Effect<string, DatabaseUnavailable> =>
  Effect.gen(function* () {
    const client = yield* PgClient.makeClient({ url, applicationName: "lading doctor" })
    const [row] = yield* client<{ readonly server_version: string }>`show server_version`
    return row?.server_version ?? "unknown"
  }).pipe(Effect.scoped, Effect.catchTag("SqlError", unavailableFrom), Effect.provide(Reactivity.layer))

/** A folder as it is: no step is run. For exports and restores. */
export const layerBareEmbedded = (
  folder: string
): Layer.Layer<SqlClient.SqlClient | Owner.Owner, DatabaseUnavailable | Owner.FolderInUse | Owner.FolderUnusable> =>
  Layer.effect(SqlClient.SqlClient, connected(join(folder, "postgres"))).pipe(
    Layer.provide(Reactivity.layer),
    Layer.provideMerge(Owner.layer(folder))
  )

/** A server as it is, on one connection whose statements may take as long as they like. For exports and restores. */
export const layerBareUrl = (url: Redacted.Redacted): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.catchTag(PgClient.makeClient({ url, applicationName: "lading transfer" }), "SqlError", unavailableFrom)
  ).pipe(Layer.provide(Reactivity.layer))
