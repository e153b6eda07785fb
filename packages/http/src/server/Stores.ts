/**
 * Where an installation keeps its accounts, credits and answers: the embedded database in the data folder, or a
 * PostgreSQL server. Whichever it is, the rest of the house sees ports only.
 */
import type { Accounts, Erasures, Suppression } from "@lading/core/account"
import { Ledger } from "@lading/core/billing"
import { EmailTasks } from "@lading/core/email"
import { type Outbox, Webhooks } from "@lading/core/net"
import { EnrichmentStore } from "@lading/core/pending"
import { type TraderDomains, TradeStore } from "@lading/core/trade"
import { AnswerCache, type HitRates, RunLog } from "@lading/core/waterfall"
import { Database, layer as layerPorts, Owner, Seal } from "@lading/postgres"
import { Effect, Layer, type Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { mkdir } from "node:fs/promises"
import { resolve } from "node:path"
import { CannotStart } from "./CannotStart.ts"
import * as Readiness from "./Readiness.ts"
import * as SealKey from "./SealKey.ts"
import { stores } from "./Variables.ts"

interface Options {
  readonly dataDir: string
  /** The server in place of the embedded database. */
  readonly databaseUrl: Redacted.Redacted | null
  /** What is kept of people is sealed with it; the data folder has one of its own otherwise. */
  readonly sealKey: Redacted.Redacted | null
}

export type Ports =
  | Accounts.Accounts
  | AnswerCache.AnswerCache
  | EmailTasks.EmailTasks
  | Erasures.Erasures
  | HitRates.HitRates
  | Ledger.Ledger
  | Outbox.Outbox
  | EnrichmentStore.EnrichmentStore
  | RunLog.RunLog
  | Suppression.Suppression
  | TraderDomains.TraderDomains
  | Webhooks.Webhooks

/** Tells nobody: a database server has no owner process. */
const unowned = Layer.succeed(Owner.Owner, { token: null, announce: () => Effect.void })

const served = (url: Redacted.Redacted) =>
  Layer.merge(Database.layerUrl(url), unowned).pipe(
    Layer.catch(({ problem }) =>
      Layer.effectContext(
        Effect.fail(
          new CannotStart({ variable: stores.databaseUrl.name, problem: `the database cannot be used: ${problem}` })
        )
      )
    )
  )

const problemIn = (
  folder: string,
  error: Database.DatabaseUnavailable | Owner.FolderInUse | Owner.FolderUnusable
): string => {
  switch (error._tag) {
    case "DatabaseUnavailable":
      return `the database in ${folder} does not open: ${error.problem}`
    case "FolderInUse":
      return `${error.message}; stop that process or choose another folder`
    case "FolderUnusable":
      return `the folder ${folder} cannot be used: ${error.problem}`
  }
}

/** A folder that is made here is nobody else's to read; one that is there keeps its rights. What fails, fails later. */
const prepared = (folder: string) =>
  Effect.ignore(Effect.tryPromise(() => mkdir(folder, { recursive: true, mode: 0o700 })))

const embedded = (folder: string) =>
  Layer.unwrap(Effect.as(prepared(folder), Database.layerEmbedded(folder))).pipe(
    Layer.catch((error) =>
      Layer.effectContext(
        Effect.fail(new CannotStart({ variable: stores.dataDir.name, problem: problemIn(folder, error) }))
      )
    )
  )

/** Opens the stores, and becomes the owner of the folder where there is one. */
export const layer = ({
  databaseUrl,
  dataDir,
  sealKey
}: Options): Layer.Layer<Ports | Owner.Owner | SqlClient.SqlClient, CannotStart> =>
  layerPorts.pipe(
    Layer.provide(Layer.unwrap(Effect.map(SealKey.find(sealKey, dataDir), Seal.layer))),
    Layer.provideMerge(databaseUrl === null ? embedded(resolve(dataDir)) : served(databaseUrl))
  )

/** A question that every store answers at once: nobody has this id. */
const trifle = [{ trader_id: "0", role: "importer" as const }]

/** Ready while the database answers, and the store of customs records where there is one. */
export const layerReadiness = (
  trade: string
): Layer.Layer<Readiness.Readiness, never, SqlClient.SqlClient | TradeStore.TradeStore> =>
  Readiness.layer(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { status } = yield* TradeStore.TradeStore
      return [
        Readiness.probe("postgres", sql`select 1`),
        ...(trade === "none" ? [] : [Readiness.probe("trade", status(trifle))])
      ]
    })
  )

/** Does it now and after every pause, for as long as the scope is open. What fails is logged and tried again. */
export const regularly = <A, E extends { readonly problem: string }>(
  task: string,
  run: Effect.Effect<A, E>,
  pause: Schedule.Schedule<unknown>
) =>
  run.pipe(
    Effect.catch(({ problem }) => Effect.logWarning("maintenance failed", { task, problem })),
    Effect.repeat(pause),
    Effect.forkScoped
  )

/** Keeps the stores tidy while it runs. */
export const layerMaintenance: Layer.Layer<
  never,
  never,
  | Ledger.Ledger
  | AnswerCache.AnswerCache
  | EmailTasks.EmailTasks
  | EnrichmentStore.EnrichmentStore
  | RunLog.RunLog
  | Webhooks.Webhooks
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const ledger = yield* Ledger.Ledger
    const answers = yield* AnswerCache.AnswerCache
    yield* regularly("end holds and grants whose time is over", ledger.expire, Schedule.spaced("5 seconds"))
    const runs = yield* RunLog.RunLog
    const enrichments = yield* EnrichmentStore.EnrichmentStore
    yield* regularly("forget answers that were fetched", enrichments.sweep, Schedule.spaced("5 minutes"))
    const emails = yield* EmailTasks.EmailTasks
    yield* regularly("forget lists of addresses", emails.sweep, Schedule.spaced("5 minutes"))
    yield* regularly("forget runs that need not be kept", runs.sweep, Schedule.spaced("5 minutes"))
    yield* regularly("forget answers that have expired", answers.sweep, Schedule.spaced("5 minutes"))
    const webhooks = yield* Webhooks.Webhooks
    yield* regularly("forget webhooks that need not be kept", webhooks.sweep, Schedule.spaced("5 minutes"))
  })
)
