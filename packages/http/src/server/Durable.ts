/**
 * What goes on whatever happens to the process: the engine of durable workflows, in the database of the installation.
 *
 * In a data folder one process runs all of them. On a PostgreSQL server every server does: workflows are spread over the
 * servers that are alive by locks in the database, and those of one that has died are taken over within half a minute. Servers
 * need not reach one another: all that they have to say stands in the database.
 *
 * Gotcha: embedded, the database has one connection, and a lock that is held would keep everybody else waiting. There is
 * one process anyway, so who runs what is kept in memory there.
 */
import { Effect, Layer, Option } from "effect"
import {
  ClusterWorkflowEngine,
  RunnerAddress,
  RunnerHealth,
  Runners,
  RunnerStorage,
  Sharding,
  ShardingConfig,
  SqlMessageStorage,
  SqlRunnerStorage
} from "effect/cluster"
import { type Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { SqlClient } from "effect/sql"
import type { WorkflowEngine } from "effect/workflow"

/** Of its tables. */
export const prefix = "lading_cluster"

/** Those that say what is to be done and what came of it; of who does it nothing is worth keeping. */
export const tables: ReadonlyArray<string> = [`${prefix}_messages`, `${prefix}_replies`]

/** Makes them where they are not there. */
export const prepare: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.scoped(
  Effect.asVoid(Layer.build(SqlMessageStorage.layerMigrations({ prefix })))
)

interface Options {
  /** Whether other servers work on the same database. */
  readonly shared: boolean
}

/** A name that no other server has: nobody connects to it. */
const name = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  return RunnerAddress.make(`server-${Base64Url.encode(yield* random.randomBytes(12))}`, 1)
})

const layerConfig = Layer.unwrap(
  Effect.map(name, (address) =>
    ShardingConfig.layer({
      runnerAddress: Option.some(address),
      // How soon a workflow goes on that another server has begun.
      entityMessagePollInterval: "2 seconds",
      // How soon the workflows of a server that has died are taken over. One that is only slow loses them too, which does
      // no harm: whatever they do may be done twice.
      shardLockExpiration: "15 seconds",
      shardLockRefreshInterval: "5 seconds",
      shardsPerGroup: 64,
      // Whoever stops does not wait for what goes on in another process, or after the next start.
      entityTerminationTimeout: "2 seconds",
      simulateRemoteSerialization: false
    })
  )
)

export const layer = ({
  shared
}: Options): Layer.Layer<
  WorkflowEngine.WorkflowEngine,
  never,
  SqlClient.SqlClient | Digest.Digest | SecureRandom.SecureRandom
> =>
  ClusterWorkflowEngine.layer.pipe(
    Layer.provide(Sharding.layer),
    Layer.provide(Runners.layerNoop),
    Layer.provideMerge(Layer.orDie(SqlMessageStorage.layerWith({ prefix }))),
    Layer.provide([
      shared ? Layer.orDie(SqlRunnerStorage.layerWith({ prefix })) : RunnerStorage.layerMemory,
      RunnerHealth.layerNoop
    ]),
    Layer.provide(layerConfig)
  )
