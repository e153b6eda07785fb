/** Accounts, ledger, answers and suppressed subjects in PGlite or PostgreSQL. */
import type {
  Accounts as AccountsPort,
  Erasures as ErasuresPort,
  Suppression as SuppressionPort,
  Vault as VaultPort
} from "@lading/core/account"
import type { Ledger as LedgerPort } from "@lading/core/billing"
import type { EmailTasks as EmailTasksPort } from "@lading/core/email"
import type { Outbox, Webhooks as WebhooksPort } from "@lading/core/net"
import type { KnownPeople as KnownPeoplePort } from "@lading/core/person"
import type { EnrichmentStore as EnrichmentStorePort } from "@lading/core/pending"
import type {
  AnswerCache as AnswerCachePort,
  HitRates as HitRatesPort,
  RunLog as RunLogPort
} from "@lading/core/waterfall"
import type { TaskStore as TaskStorePort } from "@lading/core/task"
import type { TraderDomains as TraderDomainsPort } from "@lading/core/trade"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Accounts from "./Accounts.ts"
import * as AnswerCache from "./AnswerCache.ts"
import * as EmailTasks from "./EmailTasks.ts"
import * as EnrichmentStore from "./EnrichmentStore.ts"
import * as Erasures from "./Erasures.ts"
import * as HitRates from "./HitRates.ts"
import type * as KeyringService from "./Keyring.ts"
import * as KnownPeople from "./KnownPeople.ts"
import * as Ledger from "./Ledger.ts"
import * as RunLog from "./RunLog.ts"
import type * as SealService from "./Seal.ts"
import * as Suppression from "./Suppression.ts"
import * as TaskStore from "./TaskStore.ts"
import * as TraderDomains from "./TraderDomains.ts"
import * as Vault from "./Vault.ts"
import * as Webhooks from "./Webhooks.ts"

export * as Database from "./Database.ts"
export * as Keyring from "./Keyring.ts"
export * as Owner from "./Owner.ts"
export * as Seal from "./Seal.ts"
export * as Export from "./transfer/Export.ts"
export * as ExportFile from "./transfer/ExportFile.ts"
export * as Restore from "./transfer/Restore.ts"

/** All stores of this package; needs one of the layers of `Database`, of `Keyring`, and of `Seal`. */
export const layer: Layer.Layer<
  | LedgerPort.Ledger
  | AccountsPort.Accounts
  | AnswerCachePort.AnswerCache
  | EmailTasksPort.EmailTasks
  | EnrichmentStorePort.EnrichmentStore
  | ErasuresPort.Erasures
  | KnownPeoplePort.KnownPeople
  | Outbox.Outbox
  | HitRatesPort.HitRates
  | RunLogPort.RunLog
  | SuppressionPort.Suppression
  | TaskStorePort.TaskStore
  | TraderDomainsPort.TraderDomains
  | VaultPort.Vault
  | WebhooksPort.Webhooks,
  never,
  SqlClient.SqlClient | KeyringService.Keyring | SealService.Seal
> = Layer.mergeAll(
  Ledger.layer,
  Accounts.layer,
  AnswerCache.layer,
  EmailTasks.layer,
  EnrichmentStore.layer,
  Erasures.layer,
  HitRates.layer,
  KnownPeople.layer,
  RunLog.layer,
  Suppression.layer,
  TaskStore.layer,
  TraderDomains.layer,
  Vault.layer,
  Webhooks.layer
)
