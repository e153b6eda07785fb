/** Who is erased stands in no table any more: everything that was stored is read, whatever the table. */
import { assert, describe, it } from "@effect/vitest"
import { Core } from "@lading/core"
import { Erasure, Erasures } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import { CompanyEnrichment } from "@lading/core/company"
import { Webhooks } from "@lading/core/net"
import { PersonEnrichment, type PersonFacts } from "@lading/core/person"
import type { Caller } from "@lading/core/request"
import { TaskRow, TaskStore } from "@lading/core/task"
import { Mentions } from "@lading/core/value"
import { Replay, Slots, Source, Waterfall } from "@lading/core/waterfall"
import { ScriptedSource } from "@lading/testing"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { ClusterWorkflowEngine, SingleRunner } from "effect/cluster"
import { Digest, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Databases from "./fixtures/Databases.ts"
import { Database, layer as stores } from "./index.ts"
import * as Seal from "./Seal.ts"

const marker = "zq7marker"
const address = `${marker}@acme.example`
const page = `https://www.linkedin.com/in/${marker}`

/** A vendor that says the address, one that hides it where no fact is read from, and one of a company that mentions it. */
const sources = [
  ScriptedSource.make({
    person: () =>
      Effect.succeed(
        Source.hit(
          { current_title: "Head of Procurement", emails: [{ email: address, type: "work", status: "valid" }] },
          { mail: address, title: "Head of Procurement" }
        )
      )
  }),
  ScriptedSource.make({
    person: () =>
      Effect.succeed(
        Source.hit(
          { current_title: "Buyer", social_links: { linkedin_url: page } },
          { odd: [{ text: `write to <${address}>` }], page }
        )
      ),
    company: () =>
      Effect.succeed(
        Source.hit({ name: "Acme", description: `Ask ${address}`, founded_year: 1999 }, { about: `Ask ${address}` })
      )
  })
]

/** Sealed by nobody, so that the rows can be searched. */
const unsealed = Layer.succeed(Seal.Seal, {
  seal: (text) => Buffer.from(text),
  open: (bytes) => Buffer.from(bytes).toString()
})

/** Workflows that outlive the process: what the engine knows of them stands in the same database. */
const durable = Layer.fresh(ClusterWorkflowEngine.layer).pipe(
  Layer.provide(SingleRunner.layer({ runnerStorage: "memory" })),
  Layer.provide(Digest.layerWebCrypto),
  Layer.orDie
)

const house = <E>(database: Layer.Layer<SqlClient.SqlClient, E>, slots: ReadonlyArray<Source.Source> = sources) =>
  Layer.mergeAll(Core.layer({ policy: impatient }), Erasure.layer).pipe(
    Layer.provide([
      Slots.layer(slots.map((source, index) => Slots.bound(`provider_${"abcd"[index]}`, source))),
      Core.layerLimits,
      Core.layerWithoutTrade,
      Core.layerWithoutVerifier,
      durable,
      Digest.layerWebCrypto,
      SecureRandom.layerWebCrypto
    ]),
    Layer.provideMerge(stores),
    Layer.provideMerge(Layer.mergeAll(database, unsealed, Databases.keyring))
  )

/** A vendor that begins at once and answers when it is told to. */
const later = () => {
  let answer: Source.Outcome<PersonFacts> = Source.pending("task-1")
  return {
    source: ScriptedSource.make({
      adapter: "later",
      limits: { timeout: 100 },
      person: () => Effect.andThen(Source.begun("task-1"), Effect.never),
      resumePerson: () => Effect.sync(() => answer)
    }),
    says: (facts: PersonFacts, raw: unknown) => {
      answer = Source.hit(facts, raw)
    }
  }
}

/** Answers that come later are asked for at once, and often. */
const impatient: Waterfall.Policy = { ...Waterfall.defaults, pending: { life: 60_000, first: 20, most: 20 } }

const caller = (id: string, key: string | null = null): Caller.Caller => ({
  account: "acc_1",
  api_key: null,
  request_id: `req_${id}`,
  received_at: Date.now(),
  idempotency: key === null ? null : { key, fingerprint: "body" }
})

const grant = Effect.flatMap(Ledger.Ledger, (ledger) =>
  ledger.grant({
    account: "acc_1",
    amount: Credits.fromNumber(1000),
    expires_at: null,
    key: "test",
    reason: "test"
  })
)

const person = (by: Caller.Caller, webhook_url?: string) =>
  Effect.flatMap(PersonEnrichment.PersonEnrichment, ({ enrich }) =>
    enrich(
      {
        ...(webhook_url === undefined ? {} : { webhook_url }),
        identity: { first_name: "Mara", last_name: "Ellison", domain: "acme.example" },
        waterfall: { mode: "aggregate" },
        response: { include_provider_raw: true }
      },
      by
    )
  )

const find = (request_id: string) =>
  Effect.flatMap(PersonEnrichment.PersonEnrichment, (persons) => persons.find(request_id, "acc_1"))

/** The balance, once nothing is held any more. */
const settled = Effect.flatMap(Ledger.Ledger, (ledger) => ledger.balance("acc_1")).pipe(
  Effect.filterOrFail(({ held }) => held === 0),
  Effect.eventually,
  Effect.timeout("10 seconds")
)

const company = (by: Caller.Caller) =>
  Effect.flatMap(CompanyEnrichment.CompanyEnrichment, ({ enrich }) =>
    enrich({ identity: { domains: ["acme.example"] }, response: { include_provider_raw: true } }, by)
  )

/** Tells an account about somebody. */
const tell = (id: string) => {
  const data = { mail: address, page }
  const url = "https://receiver.example/hook"
  return Effect.flatMap(Webhooks.Webhooks, ({ send }) =>
    send({ id, account: "acc_1", url, type: "person.enriched", data, subjects: Mentions.of(data) })
  )
}

/** A task of which one row speaks of somebody. */
const order = Effect.flatMap(TaskStore.TaskStore, ({ put }) =>
  put(
    {
      id: "task_1",
      account: "acc_1",
      api_key: null,
      scopes: ["people"],
      name: "Buyers",
      prompt: null,
      wanted: [],
      columns: ["mail"],
      concurrency: 1,
      max_credits: Credits.fromNumber(1),
      webhook_url: null,
      received_at: 0,
      expires_at: 1e15,
      price_version: "4",
      parent: Ledger.HoldId.make("parent"),
      hold: Ledger.HoldId.make("hold")
    },
    { plan: null, rows: [TaskRow.first({ mail: `Mara <${address}>` }), TaskRow.first({ mail: null })] },
    1e15
  )
)

/** The tables of any schema in which the text stands, as it is or in bytes. */
const tablesWith = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const hex = Buffer.from(text).toString("hex")
  const tables = yield* sql<{ schema: string; name: string }>`select table_schema as schema, table_name as name
    from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' order by 2`
  assert.isAbove(tables.length, 12)
  assert.includeMembers(
    tables.map(({ name }) => name),
    ["cluster_messages", "cluster_replies", "enrichments"]
  )
  const found = yield* Effect.forEach(tables, ({ name, schema }) =>
    Effect.map(
      sql`select 1 from ${sql(`${schema}.${name}`)} as t where t::text ilike ${`%${text}%`} or t::text like ${`%${hex}%`} limit 1`,
      (rows) => (rows.length > 0 ? [name] : [])
    )
  )
  return found.flat()
})

const erase = (subject: string) => Effect.flatMap(Erasure.Erasure, (erasure) => erasure.erase(subject))

/** Until what nobody waits for has been written: three answers and two runs. */
const written = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ answers: number; people: number; runs: number }>`select
    (select count(*)::int from lading.kept_answers) as answers, (select count(*)::int from lading.known_people) as people,
    (select count(*)::int from lading.runs) as runs`
  return row?.answers === 3 && row.people === 1 && row.runs === 2 ? undefined : yield* Effect.fail("not yet")
}).pipe(Effect.eventually, Effect.timeout("10 seconds"))

const everywhere = <E>(name: string, database: Layer.Layer<SqlClient.SqlClient, E>) => {
  describe(`Erasure: ${name}`, () => {
    it.live(
      "who is erased by a mail address stands in no table any more, what is left is a proof, and nothing comes back",
      () =>
        Effect.gen(function* () {
          yield* grant
          yield* person(caller("1", "key-1"))
          yield* company(caller("2", "key-2"))
          yield* tell("before")
          yield* order
          yield* written
          const tables = ["kept_answers", "known_people", "request_keys", "runs", "task_rows", "webhook_deliveries"]
          assert.deepStrictEqual(yield* tablesWith(marker), tables)

          const proof = yield* erase(address.toUpperCase())
          assert.deepStrictEqual(yield* tablesWith(marker), [])
          assert.deepStrictEqual(
            { ...proof.erased },
            {
              answers: 3,
              domains: 0,
              companies: 0,
              people: 1,
              emails: 0,
              enrichments: 0,
              outcomes: 2,
              runs: 2,
              tasks: 1,
              webhooks: 1
            }
          )
          const proofs = yield* Effect.flatMap(Erasures.Erasures, (erasures) => erasures.list(1))
          assert.deepStrictEqual(proofs, [proof])
          assert.notInclude(JSON.stringify(proofs), marker)

          // The same requests again: one key is taken for good, and what vendors say now is not kept.
          const replayed = yield* Effect.flip(person(caller("3", "key-1")))
          assert.deepInclude({ ...replayed }, { _tag: "KeyConflict", reason: "erased" })
          assert.strictEqual(
            (yield* Effect.flip(Effect.flatMap(Replay.Replay, ({ replay }) => replay("req_1"))))._tag,
            "UnknownRun"
          )
          const again = yield* person(caller("4", "key-4"))
          assert.notInclude(JSON.stringify(again), marker)
          const aboutCompany = (yield* company(caller("5", "key-5"))).answer
          assert.notInclude(JSON.stringify(aboutCompany), marker)
          assert.strictEqual(aboutCompany.company.profile.founded_year, 1999)
          yield* tell("after")
          yield* Effect.sleep("200 millis")
          assert.deepStrictEqual(yield* tablesWith(marker), [])
        }).pipe(Effect.provide(Layer.fresh(house(database)))),
      240_000
    )

    it.live(
      "a page erases like an address, and a domain erases everything there",
      () =>
        Effect.gen(function* () {
          yield* grant
          yield* person(caller("1", "key-1"))
          yield* company(caller("2", "key-2"))
          yield* written
          assert.deepStrictEqual(
            { ...(yield* erase(page)).erased },
            {
              answers: 1,
              domains: 0,
              companies: 0,
              people: 1,
              emails: 0,
              enrichments: 0,
              outcomes: 1,
              runs: 1,
              tasks: 0,
              webhooks: 0
            }
          )
          assert.include(yield* tablesWith(marker), "kept_answers")
          yield* erase("https://www.acme.example/about/..")
          assert.deepStrictEqual(yield* tablesWith(marker), [])
          assert.deepStrictEqual(yield* tablesWith("acme.example"), [])
          const skipped = (yield* company(caller("3"))).answer.meta.waterfall.sources_skipped
          assert.deepStrictEqual(skipped, [
            { source: "provider_a", reason: "unsupported_operation" },
            { source: "provider_b", reason: "suppressed" }
          ])
        }).pipe(Effect.provide(Layer.fresh(house(database)))),
      240_000
    )

    it.live(
      "a request that is on its way while somebody is erased neither shows nor keeps them",
      () => {
        const asked = Deferred.makeUnsafe<void>()
        const answer = Deferred.makeUnsafe<void>()
        const slow = ScriptedSource.make({
          person: () =>
            Effect.andThen(
              Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer)),
              Effect.sync(() =>
                Source.hit<PersonFacts>({ emails: [{ email: address, type: "work", status: "valid" }] }, {})
              )
            )
        })
        return Effect.gen(function* () {
          yield* grant
          const running = yield* Effect.forkChild(person(caller("1", "key-1")))
          yield* Deferred.await(asked)
          yield* erase(address)
          yield* Deferred.succeed(answer, undefined)
          assert.notInclude(JSON.stringify(yield* Fiber.join(running)), marker)
          yield* Effect.sleep("200 millis")
          assert.deepStrictEqual(yield* tablesWith(marker), [])
        }).pipe(Effect.provide(Layer.fresh(house(database, [slow]))))
      },
      240_000
    )

    it.live(
      "what was found about somebody before they were erased is not shown after it either",
      () => {
        const asked = Deferred.makeUnsafe<void>()
        const answer = Deferred.makeUnsafe<void>()
        const slow = ScriptedSource.make({
          person: () =>
            Effect.andThen(
              Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(answer)),
              Effect.succeed(Source.miss)
            )
        })
        return Effect.gen(function* () {
          yield* grant
          const running = yield* Effect.forkChild(person(caller("1", "key-1")))
          yield* Deferred.await(asked)
          // The first source has answered by now: its answer is kept.
          const sql = yield* SqlClient.SqlClient
          yield* Effect.eventually(
            Effect.flatMap(sql`select 1 from lading.kept_answers`, (rows) =>
              rows.length > 0 ? Effect.void : Effect.fail("not yet")
            )
          )
          yield* erase(address)
          yield* Deferred.succeed(answer, undefined)
          const error = yield* Effect.flip(Fiber.join(running))
          assert.strictEqual(error._tag, "SourcesUnavailable")
          assert.notInclude(JSON.stringify(error), marker)
          const balance = yield* Effect.flatMap(Ledger.Ledger, (ledger) => ledger.balance("acc_1"))
          assert.deepStrictEqual([balance.held, balance.captured], [0, 0])
          yield* Effect.sleep("200 millis")
          assert.deepStrictEqual(yield* tablesWith(marker), [])
        }).pipe(Effect.provide(Layer.fresh(house(database, [...sources.slice(0, 1), slow]))))
      },
      240_000
    )

    it.live(
      "who is erased while an answer is pending: nothing of them stays, not with the engine either, and the credits come back",
      () => {
        const { says, source } = later()
        return Effect.gen(function* () {
          yield* grant
          const { request_id, status } = (yield* person(caller("1", "key-1"))).answer
          assert.strictEqual(status, "pending")
          const before = yield* tablesWith(marker)
          assert.includeMembers([...before], ["enrichments", "kept_answers", "request_keys"])
          assert.isEmpty(before.filter((table) => table.startsWith("cluster_")))
          assert.strictEqual((yield* erase(address)).erased.enrichments, 1)
          assert.strictEqual((yield* Effect.flip(find(request_id)))._tag, "UnknownEnrichment")
          says({ emails: [{ email: address, type: "work", status: "valid" }] }, { mail: address })
          const { captured, held } = yield* settled
          assert.deepStrictEqual([captured, held], [1_100_000, 0])
          assert.deepStrictEqual(yield* tablesWith(marker), [])
          assert.deepStrictEqual((yield* Effect.flatMap(Ledger.Ledger, (l) => l.audit("acc_1"))).breaches, [])
        }).pipe(Effect.provide(Layer.fresh(house(database, [...sources.slice(0, 1), source]))))
      },
      240_000
    )

    it.live(
      "who is erased after an answer came later: neither that nor its webhook is left, and it is fetched no more",
      () => {
        const { says, source } = later()
        return Effect.gen(function* () {
          yield* grant
          const { request_id } = (yield* person(caller("1"), "https://receiver.example/hook")).answer
          says({ emails: [{ email: address, type: "work", status: "valid" }] }, { mail: address })
          yield* Effect.eventually(Effect.filterOrFail(find(request_id), ({ status }) => status === "completed")).pipe(
            Effect.timeout("10 seconds")
          )
          yield* Effect.eventually(
            Effect.filterOrFail(tablesWith(marker), (tables) => tables.includes("webhook_deliveries"))
          ).pipe(Effect.timeout("10 seconds"))
          assert.include(yield* tablesWith(marker), "enrichments")
          assert.isEmpty((yield* tablesWith(marker)).filter((table) => table.startsWith("cluster_")))
          const { erased } = yield* erase(address)
          assert.deepStrictEqual([erased.enrichments, erased.webhooks], [1, 1])
          assert.deepStrictEqual(yield* tablesWith(marker), [])
          assert.strictEqual((yield* Effect.flip(find(request_id)))._tag, "UnknownEnrichment")
        }).pipe(Effect.provide(Layer.fresh(house(database, [source]))))
      },
      240_000
    )

    it.live(
      "what is no subject is refused, and nothing is done",
      () =>
        Effect.gen(function* () {
          for (const subject of ["", "Mara Ellison", "gmail.com", "linkedin.com"]) {
            const error = yield* Effect.flip(erase(subject))
            assert.strictEqual(error._tag, "InvalidRequest")
          }
          assert.deepStrictEqual(yield* Effect.flatMap(Erasures.Erasures, (erasures) => erasures.list(10)), [])
        }).pipe(Effect.provide(Layer.fresh(house(database)))),
      240_000
    )
  })
}

everywhere("PGlite", Database.layerEmbeddedMemory)

await Databases.onServer(() => {
  everywhere("PostgreSQL", Databases.postgres)

  it.live(
    "PostgreSQL: an erasure among many requests ends, and no request fails for it",
    () =>
      Effect.gen(function* () {
        yield* grant
        const requests = Array.from({ length: 300 }, (_, at) => at)
        const load = yield* Effect.forkChild(
          Effect.forEach(requests, (at) => company(caller(`load-${at}`, `load-${at}`)), {
            concurrency: 32,
            discard: true
          })
        )
        for (const subject of [address, page, "velham.example"]) {
          yield* Effect.sleep("50 millis")
          yield* erase(subject)
        }
        yield* Fiber.join(load)
        yield* Effect.sleep("200 millis")
        assert.deepStrictEqual(yield* tablesWith(marker), [])
      }).pipe(Effect.provide(Layer.fresh(house(Databases.postgres)))),
    240_000
  )
})
