/** The stores in memory pass the suites of their ports. */
import { assert, it } from "@effect/vitest"
import { Accounts, Erasures, Suppression, Vault } from "@lading/core/account"
import { Ledger } from "@lading/core/billing"
import { CompanyDirectory, CompanyIndexMemory } from "@lading/core/company"
import { ContactFinder, PageError, PageReader } from "@lading/core/contact"
import { EmailTasksMemory } from "@lading/core/email"
import { Webhooks } from "@lading/core/net"
import { KnownPeople, PersonDirectory } from "@lading/core/person"
import { EnrichmentStore } from "@lading/core/pending"
import { AnswerCache, HitRates, RunLog } from "@lading/core/waterfall"
import { Effect, Layer } from "effect"
import { accountsSuite } from "./AccountsSuite.ts"
import { answerCacheSuite } from "./AnswerCacheSuite.ts"
import { contactFinderSuite } from "./ContactFinderSuite.ts"
import { companyIndexSuite } from "./CompanyIndexSuite.ts"
import { companyDirectorySuite, personDirectorySuite } from "./DirectorySuite.ts"
import { emailTasksSuite } from "./EmailTasksSuite.ts"
import { erasuresSuite } from "./ErasuresSuite.ts"
import { hitRatesSuite } from "./HitRatesSuite.ts"
import { knownPeopleSuite } from "./KnownPeopleSuite.ts"
import { ledgerSuite } from "./LedgerSuite.ts"
import { pageReaderSuite } from "./PageReaderSuite.ts"
import { enrichmentStoreSuite } from "./EnrichmentStoreSuite.ts"
import { runLogSuite } from "./RunLogSuite.ts"
import { TaskStoreMemory } from "@lading/core/task"
import { TraderDomains } from "@lading/core/trade"
import { suppressionSuite } from "./SuppressionSuite.ts"
import { taskStoreSuite } from "./TaskStoreSuite.ts"
import { traderDomainsSuite } from "./TraderDomainsSuite.ts"
import { vaultSuite } from "./VaultSuite.ts"
import { webhooksSuite } from "./WebhooksSuite.ts"

ledgerSuite("memory", Ledger.layerMemory, { histories: 2000 })
accountsSuite("memory", Accounts.layerMemory)
answerCacheSuite("memory", AnswerCache.layerMemory)
companyIndexSuite("memory", CompanyIndexMemory.layer)
enrichmentStoreSuite("memory", EnrichmentStore.layerMemory.pipe(Layer.provideMerge(Suppression.layerMemory)))
emailTasksSuite("memory", EmailTasksMemory.layer.pipe(Layer.provideMerge(Suppression.layerMemory)))
taskStoreSuite("memory", TaskStoreMemory.layer.pipe(Layer.provideMerge(Suppression.layerMemory)))
knownPeopleSuite("memory", KnownPeople.layerMemory.pipe(Layer.provideMerge(Suppression.layerMemory)))
hitRatesSuite("memory", HitRates.layerMemory)
runLogSuite("memory", RunLog.layerMemory)
erasuresSuite("memory", Erasures.layerMemory)
traderDomainsSuite("memory", Layer.provideMerge(TraderDomains.layerMemory(), Suppression.layerMemory))
suppressionSuite("memory", Suppression.layerMemory)
vaultSuite("memory", Vault.layerMemory)
webhooksSuite("memory", Webhooks.layerMemory.pipe(Layer.provideMerge(Suppression.layerMemory)))

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

contactFinderSuite("own site", {
  layer: ContactFinder.layerSite.pipe(
    Layer.provide(PageReader.layerMemory([{ ...contact, url: "https://acme.example/" }]))
  ),
  down: ContactFinder.layerSite.pipe(
    Layer.provide(
      Layer.succeed(PageReader.PageReader, {
        read: () => Effect.fail(new PageError.PageTimedOut({ problem: "nothing within 6000 ms" }))
      })
    )
  ),
  known: {
    sought: { name: "Acme Robotics", domain: "acme.example", country: "GB" },
    url: "https://acme.example/",
    email: "info@acme.example",
    phone: "+44 20 7946 0071",
    from: ["website"]
  },
  unknown: { name: "Nobody", domain: "nobody.example", country: null }
})

const companies = [
  "Nordvik Robotics",
  "Halvern Robotics",
  "Quillon Robotics",
  "Marrowby Robotics",
  "Oakstride Robotics"
]

companyDirectorySuite("memory", {
  make: Effect.map(CompanyDirectory.CompanyDirectory, (directory) => ({
    adapter: "memory",
    directory,
    simulator: null
  })).pipe(
    Effect.provide(
      CompanyDirectory.layerMemory(
        companies.map((name, index) => ({
          name,
          primary_domain: `${name.toLowerCase().replace(" ", "-")}.example`,
          industries: ["Machinery"],
          technologies: ["nginx"],
          hq: { country: "Norway" },
          estimated_employee_count: 100 * index + 50,
          founded_year: 2000 + index
        }))
      )
    )
  ),
  credential: { _tag: "None" },
  finds: {
    query: { ...CompanyDirectory.noFilter, query: "nordvik" },
    domains: { ...CompanyDirectory.noFilter, domains: ["nordvik-robotics.example"] },
    countries: { ...CompanyDirectory.noFilter, countries: ["NO"] },
    industries: { ...CompanyDirectory.noFilter, industries: ["machinery"] },
    technologies: { ...CompanyDirectory.noFilter, technologies: ["NGINX"] },
    employee_range: { ...CompanyDirectory.noFilter, employee_range: { min: 100, max: 300 } },
    founded_range: { ...CompanyDirectory.noFilter, founded_range: { min: null, max: 2002 } }
  },
  many: { ...CompanyDirectory.noFilter, query: "robotics" },
  nobody: { ...CompanyDirectory.noFilter, countries: ["SE"] }
})

const titles = ["Head of Procurement", "Procurement Manager", "Buyer", "Purchasing Manager", "Chief Executive Officer"]

personDirectorySuite("memory", {
  make: Effect.map(PersonDirectory.PersonDirectory, (directory) => ({
    adapter: "memory",
    directory,
    simulator: null
  })).pipe(
    Effect.provide(
      PersonDirectory.layerMemory(
        titles.map((current_title, index) => ({
          facts: {
            first_name: "Mara",
            last_name: `Ellison ${index}`,
            current_title,
            company_domain: "nordvik-robotics.example",
            location: { country: "NO" }
          },
          seniority: "manager",
          department: "operations"
        }))
      )
    )
  ),
  credential: { _tag: "None" },
  finds: {
    company_domain: { ...PersonDirectory.noFilter, company_domain: "nordvik-robotics.example" },
    titles: { ...PersonDirectory.noFilter, titles: ["procurement", "buyer"] },
    seniorities: { ...PersonDirectory.noFilter, seniorities: ["manager"] },
    departments: { ...PersonDirectory.noFilter, departments: ["operations"] },
    countries: { ...PersonDirectory.noFilter, countries: ["NO"] }
  },
  many: { ...PersonDirectory.noFilter, company_domain: "nordvik-robotics.example" },
  nobody: { ...PersonDirectory.noFilter, company_domain: "nobody.example" }
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
