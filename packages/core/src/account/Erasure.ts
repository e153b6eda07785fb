/**
 * Erasure: somebody wants to be forgotten. The subject is suppressed first, so that nothing new about it is kept; then
 * everything that speaks of it is erased from kept answers, stored outcomes, the log of runs, the domains of traders, the index
 * of companies, the people that are known, lists of addresses, rows of tasks and what webhooks tell; what remains is a proof.
 * May be repeated: each time is a proof of its own.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { CompanyIndex, type CompanyIndexUnavailable } from "../company/CompanyIndex.ts"
import * as Ledger from "../billing/Ledger.ts"
import * as EmailTasks from "../email/EmailTasks.ts"
import * as Webhooks from "../net/Webhooks.ts"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import * as KnownPeople from "../person/KnownPeople.ts"
import * as EnrichmentStore from "../pending/EnrichmentStore.ts"
import * as TaskStore from "../task/TaskStore.ts"
import * as TraderDomains from "../trade/TraderDomains.ts"
import * as Mentions from "../value/Mentions.ts"
import * as AnswerCache from "../waterfall/AnswerCache.ts"
import * as RunLog from "../waterfall/RunLog.ts"
import * as Erasures from "./Erasures.ts"
import * as Handle from "./Handle.ts"
import * as Suppression from "./Suppression.ts"

export type ErasureError =
  | InvalidRequest
  | Suppression.SuppressionUnavailable
  | AnswerCache.AnswerCacheUnavailable
  | EmailTasks.EmailTasksUnavailable
  | EnrichmentStore.EnrichmentStoreUnavailable
  | Ledger.LedgerUnavailable
  | RunLog.RunLogUnavailable
  | Webhooks.WebhooksUnavailable
  | Erasures.ErasuresUnavailable
  | TaskStore.TaskStoreUnavailable
  | TraderDomains.TraderDomainsUnavailable
  | CompanyIndexUnavailable
  | KnownPeople.KnownPeopleUnavailable

export class Erasure extends Context.Service<
  Erasure,
  {
    /** Erases a mail address, a domain or a page (its web address). Nothing is done for what is none of these. */
    readonly erase: (subject: string) => Effect.Effect<Erasures.Proof, ErasureError>
  }
>()("@lading/core/account/Erasure") {}

const make = Effect.gen(function* () {
  const answers = yield* AnswerCache.AnswerCache
  const digest = yield* Digest.Digest
  const emails = yield* EmailTasks.EmailTasks
  const enrichments = yield* EnrichmentStore.EnrichmentStore
  const erasures = yield* Erasures.Erasures
  const ledger = yield* Ledger.Ledger
  const random = yield* SecureRandom.SecureRandom
  const runs = yield* RunLog.RunLog
  const suppression = yield* Suppression.Suppression
  const tasks = yield* TaskStore.TaskStore
  const domains = yield* TraderDomains.TraderDomains
  const companies = yield* CompanyIndex
  const people = yield* KnownPeople.KnownPeople
  const webhooks = yield* Webhooks.Webhooks

  const erase = Effect.fnUntraced(function* (subject: string): Effect.fn.Return<Erasures.Proof, ErasureError> {
    const handle = Handle.read(subject)
    if (typeof handle === "string") return yield* at("subject", handle)
    yield* suppression.add(handle.text)
    Mentions.forget()
    const handles = [handle.text]
    // What goes on by itself first: a store that fails keeps neither of them going.
    const erased = {
      webhooks: yield* webhooks.erase(handles),
      enrichments: yield* enrichments.erase(handles),
      emails: yield* emails.erase(handles),
      tasks: yield* tasks.erase(handles),
      answers: yield* answers.erase(handles),
      outcomes: yield* ledger.erase(handles),
      runs: yield* runs.erase(handles),
      domains: yield* domains.erase(handles),
      companies: yield* companies.erase(handles),
      people: yield* people.erase(handles)
    }
    const proof: Erasures.Proof = {
      id: `era_${Base64Url.encode(yield* random.randomBytes(15))}`,
      kind: handle.kind,
      digest: yield* digest.digestHex(Digest.sha256, new TextEncoder().encode(handle.text)),
      erased_at: yield* Clock.currentTimeMillis,
      erased
    }
    yield* erasures.record(proof)
    return proof
  })

  return Erasure.of({ erase })
})

export const layer: Layer.Layer<
  Erasure,
  never,
  | AnswerCache.AnswerCache
  | CompanyIndex
  | Digest.Digest
  | EmailTasks.EmailTasks
  | EnrichmentStore.EnrichmentStore
  | KnownPeople.KnownPeople
  | Erasures.Erasures
  | Ledger.Ledger
  | RunLog.RunLog
  | SecureRandom.SecureRandom
  | Suppression.Suppression
  | TaskStore.TaskStore
  | TraderDomains.TraderDomains
  | Webhooks.Webhooks
> = Layer.effect(Erasure, make)
