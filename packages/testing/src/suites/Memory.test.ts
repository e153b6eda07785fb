/** The stores in memory pass the suites of their ports. */
import { assert, it } from "@effect/vitest"
import { Accounts, Erasures, Suppression } from "@lading/core/account"
import { Ledger } from "@lading/core/billing"
import { PageReader } from "@lading/core/contact"
import { AnswerCache, RunLog } from "@lading/core/waterfall"
import { Effect } from "effect"
import { accountsSuite } from "./AccountsSuite.ts"
import { answerCacheSuite } from "./AnswerCacheSuite.ts"
import { erasuresSuite } from "./ErasuresSuite.ts"
import { ledgerSuite } from "./LedgerSuite.ts"
import { pageReaderSuite } from "./PageReaderSuite.ts"
import { runLogSuite } from "./RunLogSuite.ts"
import { suppressionSuite } from "./SuppressionSuite.ts"

ledgerSuite("memory", Ledger.layerMemory, { histories: 2000 })
accountsSuite("memory", Accounts.layerMemory)
answerCacheSuite("memory", AnswerCache.layerMemory)
runLogSuite("memory", RunLog.layerMemory)
erasuresSuite("memory", Erasures.layerMemory)
suppressionSuite("memory", Suppression.layerMemory)

const contact: PageReader.Page = {
  url: "https://acme.example/contact",
  status: 200,
  title: "Contact",
  language: "en",
  text: "Write to us\nOslo",
  links: [{ url: "https://acme.example/", text: "Home", rel: [] }],
  emails: ["info@acme.example"],
  phones: ["+44 20 7946 0071"],
  social_links: {
    linkedin_url: "https://www.linkedin.com/company/acme-example",
    twitter_url: null,
    facebook_url: null,
    crunchbase_url: null,
    instagram_url: null
  }
}

pageReaderSuite("memory", {
  layer: PageReader.layerMemory([contact]),
  known: {
    url: contact.url,
    title: "Contact",
    language: "en",
    text: "Write to us",
    link: "https://acme.example/",
    email: "info@acme.example",
    phone: "+44 20 7946 0071",
    linkedin: "https://www.linkedin.com/company/acme-example"
  },
  unknown: "https://acme.example/nothing"
})

it.effect("the answers in memory are bounded: the one that was not read for longest goes first", () =>
  Effect.gen(function* () {
    const cache = yield* AnswerCache.AnswerCache
    const key = (at: number) => ({
      tenant: "platform",
      source: "a",
      adapter: "a@1",
      operation: "company",
      identity: `${at}`
    })
    const keeping = { expires_at: 1_000, kept_until: 1_000, subjects: [] }
    const put = (at: number) => cache.put(key(at), { answer: { _tag: "Miss" }, observed_at: 0 }, keeping)
    for (let at = 0; at < AnswerCache.memoryCapacity; at++) yield* put(at)
    yield* cache.find([key(0)], 0)
    yield* put(-1)
    const [read, oldest, next] = yield* cache.find([key(0), key(1), key(2)], 0)
    assert.isNotNull(read)
    assert.isNull(oldest)
    assert.isNotNull(next)
  }).pipe(Effect.provide(AnswerCache.layerMemory))
)

it.effect("the unmetered ledger holds whatever is asked, for whoever asks", () =>
  Effect.gen(function* () {
    const ledger = yield* Ledger.Ledger
    const request = { account: "a", key: "k", fingerprint: "f" }
    const open = {
      request,
      amount: (yield* ledger.balance("a")).available,
      ttl: 1,
      keep: 1,
      api_key: null,
      operation: "company"
    }
    assert.strictEqual((yield* ledger.open(open))._tag, "Held")
    assert.strictEqual((yield* ledger.open({ ...open, request: { ...request, fingerprint: "g" } }))._tag, "Held")
  }).pipe(Effect.provide(Ledger.layerUnmetered))
)
