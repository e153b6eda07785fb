import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as CompanyIndexMemory from "../company/CompanyIndexMemory.ts"
import * as Ledger from "../billing/Ledger.ts"
import * as EmailTasksMemory from "../email/EmailTasksMemory.ts"
import * as Webhooks from "../net/Webhooks.ts"
import * as EnrichmentStore from "../pending/EnrichmentStore.ts"
import * as KnownPeople from "../person/KnownPeople.ts"
import * as AnswerCache from "../waterfall/AnswerCache.ts"
import * as TaskStoreMemory from "../task/TaskStoreMemory.ts"
import * as TraderDomains from "../trade/TraderDomains.ts"
import * as RunLog from "../waterfall/RunLog.ts"
import * as Erasure from "./Erasure.ts"
import * as Erasures from "./Erasures.ts"
import * as Suppression from "./Suppression.ts"

const mara = "email:mara@acme.example"
const keeping = { subjects: [mara], kept_until: Number.MAX_SAFE_INTEGER }

/** All stores in memory but the one for answers, which is down. */
const stores = Layer.mergeAll(
  Layer.effect(
    AnswerCache.AnswerCache,
    Effect.map(AnswerCache.AnswerCache, (cache) => ({
      ...cache,
      erase: () => Effect.fail(new AnswerCache.AnswerCacheUnavailable({ problem: "down" }))
    }))
  ).pipe(Layer.provide(AnswerCache.layerMemory)),
  CompanyIndexMemory.layer,
  Erasures.layerMemory,
  Ledger.layerMemory,
  RunLog.layerMemory,
  Layer.provideMerge(
    Layer.mergeAll(
      EmailTasksMemory.layer,
      EnrichmentStore.layerMemory,
      KnownPeople.layerMemory,
      Webhooks.layerMemory,
      TaskStoreMemory.layer,
      TraderDomains.layerMemory()
    ),
    Suppression.layerMemory
  ),
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
)

it.effect("what goes on by itself is erased though another store is down, and there is no proof then", () =>
  Effect.gen(function* () {
    const enrichments = yield* EnrichmentStore.EnrichmentStore
    const webhooks = yield* Webhooks.Webhooks
    yield* webhooks.send({
      id: "enrichment:req_1",
      account: "acc_1",
      url: "https://receiver.example/",
      type: "person.enriched",
      data: {},
      subjects: [mara]
    })
    yield* enrichments.put({ request_id: "req_1", account: "acc_1", operation: "person", text: "{}" }, keeping)
    const { erase } = yield* Erasure.Erasure
    const error = yield* Effect.flip(erase("mara@acme.example"))
    assert.strictEqual(error._tag, "AnswerCacheUnavailable")
    assert.strictEqual((yield* webhooks.list("acc_1", 1, 9)).total, 0)
    assert.isNull(yield* enrichments.find("req_1"))
    assert.deepStrictEqual(yield* (yield* Erasures.Erasures).list(9), [])
  }).pipe(Effect.provide(Layer.provideMerge(Erasure.layer, stores)))
)
