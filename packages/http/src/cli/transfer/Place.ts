/**
 * What is exported from and restored into: the configured database, or the data folder while nobody serves from it.
 *
 * A folder with a living owner is refused rather than asked: the embedded database has one connection, and all requests
 * would wait for as long as it is read.
 */
import { Database, type Owner } from "@lading/postgres"
import { Effect, Layer, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { access, mkdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { CannotStart } from "../../server/CannotStart.ts"
import type { Configuration } from "../../server/Configuration.ts"
import * as DatabaseProblem from "../../server/DatabaseProblem.ts"
import { NothingThere } from "../Administration.ts"
import { Stopped } from "../rows/Problem.ts"
import * as Signals from "../Signals.ts"

/** Somebody serves from the folder. */
export class FolderServed extends Schema.TaggedError<FolderServed>()("FolderServed", {
  folder: Schema.String,
  pid: Schema.Int,
  host: Schema.String
}) {}

type PlaceError = CannotStart | NothingThere | FolderServed | Owner.FolderUnusable

const served = ({ databaseUrl }: Configuration) =>
  databaseUrl === null
    ? null
    : Database.layerBareUrl(databaseUrl).pipe(
        Layer.catch((error) => Layer.effectContext(Effect.fail(DatabaseProblem.ofServer(error))))
      )

const problemIn = (
  folder: string,
  error: Database.DatabaseUnavailable | Owner.FolderInUse | Owner.FolderUnusable
): PlaceError => {
  switch (error._tag) {
    case "FolderInUse":
      return new FolderServed({ folder, pid: error.pid, host: error.host })
    case "FolderUnusable":
      return error
    case "DatabaseUnavailable":
      return DatabaseProblem.inFolder(folder, error)
  }
}

const embedded = (folder: string): Layer.Layer<SqlClient.SqlClient, PlaceError> =>
  Database.layerBareEmbedded(folder).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(problemIn(folder, error))))
  )

/** The database as it is. `begins` says whether there may be nothing yet. */
export const layer = (
  configuration: Configuration,
  { begins }: { readonly begins: boolean }
): Layer.Layer<SqlClient.SqlClient, PlaceError> =>
  served(configuration) ??
  Layer.unwrap(
    Effect.gen(function* () {
      const folder = resolve(configuration.dataDir)
      const there = yield* Effect.exit(Effect.tryPromise(() => access(join(folder, "postgres"))))
      if (there._tag === "Failure" && !begins) return yield* new NothingThere({ folder })
      // What fails here fails below, and says so.
      yield* Effect.ignore(Effect.tryPromise(() => mkdir(folder, { recursive: true, mode: 0o700 })))
      return embedded(folder)
    })
  )

/** Ends with a signal, and leaves nothing half done. */
export const stoppable = <A, E, R>(running: Effect.Effect<A, E, R>): Effect.Effect<A, E | Stopped, R> =>
  Effect.catchIf(
    Signals.untilStopped(running),
    (error) => error instanceof Signals.Interrupted,
    () => Effect.fail(new Stopped({ problem: "stopped; nothing was kept" }))
  )
