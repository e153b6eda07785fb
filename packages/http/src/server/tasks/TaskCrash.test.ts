/**
 * A task of 500 rows and servers that are killed with SIGKILL in the middle of it. Every row is there in the end, once; each
 * step is in the ledger once, whoever ran it; and what was held for the task was never passed.
 */
import { assert, it } from "@effect/vitest"
import { Credits, Ledger } from "@lading/core/billing"
import { Population } from "@lading/testing"
import { Clock, Effect, Layer, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { randomInt } from "node:crypto"
import * as CrashBooks from "../../fixtures/CrashBooks.ts"
import * as CrashDatabase from "../../fixtures/CrashDatabase.ts"
import * as CrashLoad from "../../fixtures/CrashLoad.ts"
import * as CrashServer from "../../fixtures/CrashServer.ts"
import * as FirstAccount from "../FirstAccount.ts"

const rows = 500
const concurrency = 10
const kills = 3

const minute = 60_000
const day = 24 * 60 * minute

type Address = CrashLoad.Address

/** `null` where the server is gone. */
const send = ({ apiKey, url }: Address, path: string, body?: unknown): Effect.Effect<any> =>
  Effect.promise(() =>
    fetch(url + path, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": "the-task" },
      signal: AbortSignal.timeout(minute)
    })
      .then((response) => response.json())
      .catch(() => null)
  )

const domains = Array.from({ length: rows }, (_, index) => Population.standard.company(index).domain)

/** A second step for every tenth row. */
const order = {
  name: "five hundred",
  steps: [
    { id: "company", operation: "company.enrich", input: { identity: { domains: ["$input.domain"] } } },
    {
      id: "again",
      operation: "company.enrich",
      input: {
        identity: { domains: ["$input.domain"] },
        waterfall: { source_order: ["provider_b"], max_cache_age_s: 0 }
      },
      when: "$input.twice"
    }
  ],
  inputs: domains.map((domain, index) => ({ domain, twice: index % 10 === 0 })),
  output_fields: ["$input.domain", { name: "name", value: "$company.company.profile.name" }],
  max_credits: 3000,
  concurrency
}

/** What the task says of itself, and every time that it says it. */
const look = Effect.fnUntraced(function* (address: Address, id: string) {
  const answer = yield* send(address, `/api/tasks/${id}`)
  return answer?.data ?? null
})

/** Until so many rows have ended, or the task has. */
const until = (address: Address, id: string, enough: number) =>
  look(address, id).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("20 millis"),
      until: (task) =>
        task !== null && (task.progress.completed + task.progress.failed >= enough || task.ended_at !== null)
    }),
    Effect.timeout("120 seconds"),
    Effect.orDie
  )

const allRows = Effect.fnUntraced(function* (address: Address, id: string) {
  const all: Array<any> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const { data }: any = yield* send(
      address,
      `/api/tasks/${id}/data?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`
    )
    all.push(...data.list)
    cursor = data.next_cursor
  }
  return all
})

/** The books when the time of every hold is over. */
const closed = Effect.gen(function* () {
  const ledger = yield* Ledger.Ledger
  const { id } = yield* FirstAccount.find
  const now = (yield* Clock.currentTimeMillis) + 3 * day
  return yield* Effect.gen(function* () {
    yield* TestClock.setTime(now)
    yield* ledger.expire
    return { books: yield* CrashBooks.read(id, yield* ledger.balance(id)), audit: yield* ledger.audit(id) }
  }).pipe(Effect.provide(TestClock.layer()))
})

interface Seen {
  readonly task: any
  readonly list: ReadonlyArray<any>
}

/** Every row is there once, every step of it was charged once, and nothing else was. */
const check = Effect.fnUntraced(function* (place: CrashDatabase.Place, { list, task }: Seen, what: string) {
  assert.deepStrictEqual([task.status, task.progress.total], ["completed", rows], what)
  assert.deepStrictEqual(
    list.map(({ row }) => row),
    domains.map((_, index) => String(index)),
    what
  )
  assert.deepStrictEqual(
    list.map(({ output }) => output["input.domain"]),
    domains,
    what
  )
  assert.isAbove(list.filter(({ output }) => output.name !== null).length, rows / 2, what)
  const requests = list.flatMap(({ steps }) => steps.map(({ request_id }: any) => request_id))
  assert.strictEqual(new Set(requests).size, requests.length, what)
  const { audit, books } = yield* Effect.provide(closed, Layer.fresh(place.stores))
  assert.deepStrictEqual(audit.breaches, [], what)
  assert.deepStrictEqual(
    [books.balance.held, Credits.toNumber(books.balance.captured)],
    [0, task.credits_charged],
    what
  )
  const own = books.holds.filter(({ request_key }) => request_key?.startsWith("client:task:"))
  const paid = own.filter(({ ending }) => ending === "settled")
  assert.strictEqual(
    new Set(paid.map(({ request_key }) => request_key)).size,
    paid.length,
    `${what}: a step is settled once`
  )
  assert.strictEqual(paid.length, requests.length, what)
  // Whoever died in the middle of a step left a hold that expired, and took nothing.
  assert.isAtMost(own.length - paid.length, kills * concurrency, what)
  const parents = new Set(own.map(({ parent }) => parent))
  assert.strictEqual(parents.size, 1, what)
  const hold = books.holds.find(({ id }) => parents.has(id))
  assert.deepStrictEqual([hold?.ending, hold?.captured], ["settled", 0], what)
  assert.isAtMost(Credits.toNumber(books.balance.captured), order.max_credits, what)
})

/** Killed in the middle, again and again; each next server goes on. Those of the dead are leases that end meanwhile. */
const trial = <E, R>(places: Effect.Effect<CrashDatabase.Place, E, R>) =>
  Effect.gen(function* () {
    const place = yield* places
    const seed = randomInt(2 ** 31)
    const what = `seed ${seed}`
    const roll = CrashLoad.dice(seed)
    const vendors = yield* CrashServer.vendors
    yield* vendors.dawdle(8)
    const environment = { ...vendors.environment, ...place.environment }
    let id = ""
    let enough = 0
    for (let life = 0; life < kills; life++) {
      enough += 20 + roll(120)
      const ended = yield* CrashServer.live({ ahead: life * 3 * minute, death: null }, environment, (address) =>
        Effect.gen(function* () {
          const accepted = yield* send(address, "/api/tasks", order)
          id = accepted.data.task_id
          const task = yield* until(address, id, enough)
          assert.strictEqual(task.ended_at, null, `${what}: it was over before it was killed`)
          yield* Effect.sleep(roll(40))
        })
      )
      assert.strictEqual(ended, "SIGKILL", what)
      yield* place.quiet
    }
    const seen: { value: Seen | null } = { value: null }
    yield* CrashServer.live({ ahead: kills * 3 * minute, death: null }, environment, (address) =>
      Effect.gen(function* () {
        // The same order under the same key is the same task, whoever answers.
        assert.strictEqual((yield* send(address, "/api/tasks", order)).data.task_id, id, what)
        const task = yield* until(address, id, Number.POSITIVE_INFINITY)
        seen.value = { task, list: yield* allRows(address, id) }
      })
    )
    yield* place.quiet
    yield* check(place, seen.value ?? assert.fail(what), what)
  })

it.live(
  "three kills in a folder: a task of 500 rows is completed, each step once in the ledger, within what was held",
  () => Effect.scoped(trial(CrashDatabase.folder)),
  600_000
)

await CrashDatabase.onServer(() =>
  it.live(
    "three kills on PostgreSQL: a task of 500 rows is completed, each step once in the ledger, within what was held",
    () => Effect.scoped(trial(CrashDatabase.postgres)),
    600_000
  )
)
