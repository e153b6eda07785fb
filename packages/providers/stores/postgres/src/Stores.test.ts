/** All stores on all databases pass the suites of their ports. */
import {
  accountsSuite,
  answerCacheSuite,
  emailTasksSuite,
  erasuresSuite,
  hitRatesSuite,
  knownPeopleSuite,
  ledgerSuite,
  enrichmentStoreSuite,
  runLogSuite,
  suppressionSuite,
  taskStoreSuite,
  traderDomainsSuite,
  vaultSuite,
  webhooksSuite
} from "@lading/testing/suites"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Accounts from "./Accounts.ts"
import * as AnswerCache from "./AnswerCache.ts"
import * as Erasures from "./Erasures.ts"
import * as Databases from "./fixtures/Databases.ts"
import * as TwoServers from "./fixtures/TwoServers.ts"
import * as HitRates from "./HitRates.ts"
import { Database } from "./index.ts"
import * as KnownPeople from "./KnownPeople.ts"
import * as Ledger from "./Ledger.ts"
import * as EmailTasks from "./EmailTasks.ts"
import * as EnrichmentStore from "./EnrichmentStore.ts"
import * as RunLog from "./RunLog.ts"
import * as TaskStore from "./TaskStore.ts"
import * as TraderDomains from "./TraderDomains.ts"
import * as Suppression from "./Suppression.ts"
import * as Vault from "./Vault.ts"
import * as Webhooks from "./Webhooks.ts"

const suites = (name: string, database: Layer.Layer<SqlClient.SqlClient>, histories: number) => {
  ledgerSuite(name, Layer.provide(Ledger.layer, database), { histories, auditEvery: 5, together: 16 })
  accountsSuite(name, Layer.provide(Accounts.layer, database))
  answerCacheSuite(name, Layer.provide(AnswerCache.layer, Layer.merge(database, Databases.seal)))
  enrichmentStoreSuite(
    name,
    Layer.provide(Layer.merge(EnrichmentStore.layer, Suppression.layer), Layer.merge(database, Databases.seal))
  )
  emailTasksSuite(
    name,
    Layer.provide(Layer.merge(EmailTasks.layer, Suppression.layer), Layer.merge(database, Databases.seal))
  )
  taskStoreSuite(
    name,
    Layer.provide(Layer.merge(TaskStore.layer, Suppression.layer), Layer.merge(database, Databases.seal))
  )
  runLogSuite(name, Layer.provide(RunLog.layer, Layer.merge(database, Databases.seal)))
  erasuresSuite(name, Layer.provide(Erasures.layer, database))
  hitRatesSuite(name, Layer.provide(HitRates.layer, database))
  knownPeopleSuite(
    name,
    Layer.provide(Layer.merge(KnownPeople.layer, Suppression.layer), Layer.merge(database, Databases.seal))
  )
  suppressionSuite(name, Layer.provide(Suppression.layer, database))
  traderDomainsSuite(
    name,
    Layer.provide(Layer.merge(TraderDomains.layer, Suppression.layer), Layer.merge(database, Databases.seal))
  )
  vaultSuite(name, Layer.provide(Vault.layer, Layer.merge(database, Databases.keyring)))
  webhooksSuite(
    name,
    Layer.provide(Layer.merge(Webhooks.layer, Suppression.layer), Layer.merge(database, Databases.seal))
  )
}

suites("PGlite in memory", await Databases.shared(Database.layerEmbeddedMemory), 1000)
suites("PGlite in a folder", await Databases.shared(Databases.embeddedFolder), 50)

await Databases.onServer(async () => {
  suites("PostgreSQL", await Databases.shared(Databases.postgres), 1000)
  hitRatesSuite("two servers on one PostgreSQL", TwoServers.hitRates)
  ledgerSuite("two servers on one PostgreSQL", TwoServers.layer, { histories: 300, auditEvery: 5, together: 16 })
})
