/**
 * Where an installation keeps its accounts, credits and answers: the embedded database in the data folder, or a
 * PostgreSQL server. Whichever it is, the rest of the house sees ports only.
 */
import { type Accounts, type Erasures, type Suppression, Vault } from "@lading/core/account"
import { Ledger } from "@lading/core/billing"
import { EmailTasks } from "@lading/core/email"
import { type Outbox, Webhooks } from "@lading/core/net"
import { KnownPeople } from "@lading/core/person"
import { EnrichmentStore } from "@lading/core/pending"
import { type TraderDomains, TradeStore } from "@lading/core/trade"
import { TaskStore } from "@lading/core/task"
import { AnswerCache, type HitRates, RunLog } from "@lading/core/waterfall"
import { Database, Keyring, layer as layerPorts, Owner, Seal } from "@lading/postgres"
import { Effect, Layer, type Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { mkdir } from "node:fs/promises"
import { resolve } from "node:path"
import { CannotStart } from "./CannotStart.ts"
import * as DatabaseProblem from "./DatabaseProblem.ts"
import { LimitProbes } from "./limits/Limits.ts"
import * as Readiness from "./Readiness.ts"
import * as SealKey from "./SealKey.ts"
import { stores } from "./Variables.ts"
import * as VaultSeals from "./VaultSeals.ts"

interface Options {
  readonly dataDir: string
  /** The server in place of the embedded database. */
  readonly databaseUrl: Redacted.Redacted | null
  /** What is kept of people is sealed with it; the data folder has one of its own otherwise. */
  readonly sealKey: Redacted.Redacted | null
  readonly sealFormerKeys: ReadonlyArray<Redacted.Redacted>
  /** Vendor keys of accounts are sealed with it. */
  readonly vaultKey: Redacted.Redacted | null
  readonly vaultFormerKeys: ReadonlyArray<Redacted.Redacted>
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
  | KnownPeople.KnownPeople
  | RunLog.RunLog
  | Suppression.Suppression
  | TaskStore.TaskStore
  | TraderDomains.TraderDomains
  | Vault.Vault
  | Webhooks.Webhooks

/** Tells nobody: a database server has no owner process. */
const unowned = Layer.succeed(Owner.Owner, { token: null, announce: () => Effect.void })

const served = (url: Redacted.Redacted) =>
  Layer.merge(Database.layerUrl(url), unowned).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(DatabaseProblem.ofServer(error))))
  )

const problemIn = (
  folder: string,
  error: Database.DatabaseUnavailable | Owner.FolderInUse | Owner.FolderUnusable
): CannotStart => {
  const cannot = (problem: string) => new CannotStart({ variable: stores.dataDir.name, problem })
  switch (error._tag) {
    case "DatabaseUnavailable":
      return DatabaseProblem.inFolder(folder, error)
    case "FolderInUse":
      return cannot(`${error.message}; stop that process or choose another folder`)
    case "FolderUnusable":
      return cannot(`the folder ${folder} cannot be used: ${error.problem}`)
  }
}

/** A folder that is made here is nobody else's to read; one that is there keeps its rights. What fails, fails later. */
const prepared = (folder: string) =>
  Effect.ignore(Effect.tryPromise(() => mkdir(folder, { recursive: true, mode: 0o700 })))

const embedded = (folder: string) =>
  Layer.unwrap(Effect.as(prepared(folder), Database.layerEmbedded(folder))).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(problemIn(folder, error))))
  )

const layerSeal = ({ dataDir, sealFormerKeys, sealKey }: Options) =>
  Layer.unwrap(
    Effect.map(SealKey.find(sealKey, dataDir, SealKey.answers), (current) =>
      Seal.layer({ current, former: sealFormerKeys })
    )
  )

/** What is said where a vendor key is to be stored and none can be. */
const remedy = `Vendor keys cannot be stored here: set ${stores.vaultKey.name} to 32 bytes in Base64, the same for every server on the database`

/** A key in a folder is no use to the other servers on a database; and one that is lost takes what it sealed with it. */
const layerKeyring = ({
  databaseUrl,
  dataDir,
  vaultFormerKeys: former,
  vaultKey
}: Options): Layer.Layer<Keyring.Keyring, CannotStart> =>
  vaultKey === null && databaseUrl !== null
    ? Keyring.layerEmpty(remedy)
    : Layer.unwrap(
        Effect.map(SealKey.find(vaultKey, dataDir, SealKey.vendorKeys), (current) => Keyring.layer({ current, former }))
      )

/** Opens the stores, and becomes the owner of the folder where there is one. */
export const layer = (options: Options): Layer.Layer<Ports | Owner.Owner | SqlClient.SqlClient, CannotStart> => {
  const { databaseUrl, dataDir } = options
  return layerPorts.pipe(
    Layer.provide([layerSeal(options), layerKeyring(options)]),
    Layer.provideMerge(databaseUrl === null ? embedded(resolve(dataDir)) : served(databaseUrl))
  )
}

/** A question that every store answers at once: nobody has this id. */
const trifle = [{ trader_id: "0", role: "importer" as const }]

/**
 * Ready while the database answers. The store of customs records and Redis are named only: without either, everything
 * else is served as well, and all servers would be taken out at once for what they share.
 */
export const layerReadiness = (
  trade: string
): Layer.Layer<Readiness.Readiness, never, SqlClient.SqlClient | TradeStore.TradeStore | LimitProbes> =>
  Readiness.layer(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { status } = yield* TradeStore.TradeStore
      return [
        Readiness.probe("postgres", sql`select 1`),
        ...(trade === "none" ? [] : [Readiness.probe("trade", status(trifle), { spared: true })]),
        ...(yield* LimitProbes)
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
  | KnownPeople.KnownPeople
  | RunLog.RunLog
  | TaskStore.TaskStore
  | Vault.Vault
  | Webhooks.Webhooks
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const ledger = yield* Ledger.Ledger
    const answers = yield* AnswerCache.AnswerCache
    yield* regularly("end holds and grants whose time is over", ledger.expire, Schedule.spaced("5 seconds"))
    const runs = yield* RunLog.RunLog
    const enrichments = yield* EnrichmentStore.EnrichmentStore
    yield* regularly("forget answers that were fetched", enrichments.sweep, Schedule.spaced("5 minutes"))
    const people = yield* KnownPeople.KnownPeople
    yield* regularly("forget people that need not be kept", people.sweep, Schedule.spaced("5 minutes"))
    const emails = yield* EmailTasks.EmailTasks
    yield* regularly("forget lists of addresses", emails.sweep, Schedule.spaced("5 minutes"))
    const tasks = yield* TaskStore.TaskStore
    yield* regularly("forget tasks", tasks.sweep, Schedule.spaced("5 minutes"))
    yield* regularly("forget runs that need not be kept", runs.sweep, Schedule.spaced("5 minutes"))
    yield* regularly("forget answers that have expired", answers.sweep, Schedule.spaced("5 minutes"))
    const webhooks = yield* Webhooks.Webhooks
    yield* regularly("forget webhooks that need not be kept", webhooks.sweep, Schedule.spaced("5 minutes"))
    const { rotate } = yield* Vault.Vault
    const again = Effect.tap(rotate, VaultSeals.told)
    yield* regularly("seal vendor keys with the key in use", again, Schedule.spaced("1 hour"))
  })
)
