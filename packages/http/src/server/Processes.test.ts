/**
 * Three real servers on one PostgreSQL behind a proxy: killed with SIGKILL one after the other under the load of many
 * accounts, replaced one after the other without a request that fails, and two of them gone for good while answers are
 * to come. Afterwards what clients were told is compared with the ledger.
 *
 * `LADING_TEST_KILLS` is how often one is killed under load, and has the extent printed.
 */
import { assert, it } from "@effect/vitest"
import { Ledger } from "@lading/core/billing"
import { Population } from "@lading/testing"
import { Clock, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { randomInt } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import * as CrashBooks from "../fixtures/CrashBooks.ts"
import * as CrashDatabase from "../fixtures/CrashDatabase.ts"
import * as CrashLoad from "../fixtures/CrashLoad.ts"
import * as CrashServer from "../fixtures/CrashServer.ts"
import * as Fleet from "../fixtures/Fleet.ts"
import * as PendingLoad from "../fixtures/PendingLoad.ts"
import * as PendingTrial from "../fixtures/PendingTrial.ts"

const kills = Number(process.env["LADING_TEST_KILLS"] ?? 4)
const servers = 3
const accounts = 6
/** Of each account. */
const clients = 3
const minute = 60_000

/** An account of a trial, with what its clients were told. */
interface Customer {
  readonly id: string
  readonly apiKey: string
  readonly notes: CrashLoad.Notes
}

const administer = async ({ apiKey, url }: CrashLoad.Address, path: string, body: object | null) => {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" }
  const sent = body === null ? { method: "DELETE" } : { method: "POST", body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/admin/${path}`, { ...sent, headers })
  const answer: any = await response.json()
  assert.strictEqual(response.status, 200, JSON.stringify(answer))
  return answer.data
}

const customer = async (address: CrashLoad.Address, at: number): Promise<Customer> => {
  const { id } = await administer(address, "accounts", { name: `customer ${at}` })
  await administer(address, `accounts/${id}/grants`, { amount: 100_000 })
  const { key } = await administer(address, `accounts/${id}/keys`, {})
  return { id, apiKey: key, notes: CrashLoad.blank() }
}

const customers = ({ address }: Fleet.Fleet) =>
  Effect.promise(() => Promise.all(Array.from({ length: accounts }, (_, at) => customer(address, at))))

/** Each step was made once, and the first account begun once, though all servers began at the same moment. */
const checkBeginning = Effect.fnUntraced(function* (place: CrashDatabase.Place) {
  const sql = yield* CrashDatabase.connect(place)
  const steps = yield* sql<{ id: number }>`select migration_id as id from lading_migrations order by 1`
  assert.deepStrictEqual(
    steps.map(({ id }) => id),
    steps.map((_, at) => at + 1)
  )
  const made = yield* sql`select (select count(*)::int from lading.accounts) as accounts,
    (select count(*)::int from lading.grants) as grants, (select count(*)::int from lading.api_keys) as keys`
  assert.deepStrictEqual(made, [{ accounts: 1, grants: 1, keys: 1 }])
})

/** A key that one server revokes; gives how many milliseconds the last of the others let it in afterwards. */
const revoked = async ({ address, servers: [first, ...others] }: Fleet.Fleet, { id }: Customer): Promise<number> => {
  const { id: key, key: apiKey } = await administer(address, `accounts/${id}/keys`, {})
  const look = (server: Fleet.Server) =>
    fetch(`${server.address.url}/api/account`, { headers: { "x-api-key": apiKey } })
  for (const server of others) assert.strictEqual((await look(server)).status, 200)
  assert(first !== undefined)
  await administer(first.address, `keys/${key}`, null)
  const since = performance.now()
  for (const server of others) {
    while ((await look(server)).status !== 401) assert.isBelow(performance.now() - since, 10_000)
  }
  return performance.now() - since
}

/** One client that goes on when its connection broke. */
const persist = async (address: CrashLoad.Address, { notes }: Customer, client: CrashLoad.Client) => {
  for (let visit = 0; client.isDone?.() !== true; visit++) {
    await CrashLoad.visit(address, { ...client, name: `${client.name}-${visit}` }, notes)
    await setTimeout(20)
  }
}

const attend = ({ address }: Fleet.Fleet, all: ReadonlyArray<Customer>, roll: CrashLoad.Roll, isDone: () => boolean) =>
  all.flatMap((customer) =>
    Array.from({ length: clients }, (_, at) =>
      persist({ ...address, apiKey: customer.apiKey }, customer, {
        name: String(at),
        roll: CrashLoad.dice(roll(2 ** 31)),
        answered: () => {},
        isDone
      })
    )
  )

/** Kills one server after the other while clients ask, and starts another in its place. */
const killOften = Effect.fnUntraced(function* (
  fleet: Fleet.Fleet,
  { all, roll, vendors }: { all: ReadonlyArray<Customer>; roll: CrashLoad.Roll; vendors: CrashServer.Vendors }
) {
  let isDone = false
  const attending = attend(fleet, all, roll, () => isDone)
  for (let kill = 0; kill < kills; kill++) {
    yield* vendors.vary(roll)
    yield* Effect.sleep(1000 + roll(2000))
    assert.strictEqual(yield* fleet.kill(roll(servers)), "SIGKILL")
    yield* Effect.sleep(roll(1000))
    yield* fleet.join
  }
  isDone = true
  yield* Effect.promise(() => Promise.all(attending))
})

/** When every lease of the dead is over, whoever still waits gets an answer. */
const settle = Effect.fnUntraced(function* (
  options: Fleet.Options,
  all: ReadonlyArray<Customer>,
  vendors: CrashServer.Vendors
) {
  yield* vendors.behave
  const fleet = yield* Fleet.start(options)
  yield* Effect.promise(() =>
    Promise.all(all.map(({ apiKey, notes }) => CrashLoad.finish({ ...fleet.address, apiKey }, 2, 200, notes)))
  )
}, Effect.scoped)

/** The books of the accounts at `now`, when the time of every hold is over. */
const closed = Effect.fnUntraced(function* (all: ReadonlyArray<Customer>, now: number) {
  const ledger = yield* Ledger.Ledger
  return yield* Effect.gen(function* () {
    yield* TestClock.setTime(now)
    yield* ledger.expire
    return yield* Effect.forEach(
      all,
      Effect.fnUntraced(function* ({ id, notes }) {
        const books = yield* CrashBooks.read(id, yield* ledger.balance(id))
        return { notes, books, audit: yield* ledger.audit(id) }
      })
    )
  }).pipe(Effect.provide(TestClock.layer()))
})

/** Nothing is wrong in any account's books; gives what happened, and that it did is checked: nothing would be right too. */
const check = (
  accounts: Effect.Success<ReturnType<typeof closed>>,
  asked: ReadonlySet<string>,
  what: string
): Readonly<Record<string, number>> => {
  for (const { audit, books, notes } of accounts) {
    assert.deepStrictEqual(CrashBooks.audit({ notes, asked }, books).slice(0, 20), [], what)
    assert.deepStrictEqual(audit.breaches, [], what)
  }
  const answers = accounts.flatMap(({ notes }) => notes.answers)
  const known = answers.filter(({ known }) => known !== null)
  return {
    tried: answers.length + accounts.reduce((sum, { notes }) => sum + notes.broken.length, 0),
    answered: answers.filter(({ known, status }) => status === 200 && known === null).length,
    replayed: known.filter(({ replayed }) => replayed).length,
    refused: known.filter(({ status }) => status === 409).length,
    broken: accounts.reduce((sum, { notes }) => sum + notes.broken.length, 0),
    expired: accounts.flatMap(({ books }) => books.holds).filter(({ ending }) => ending === "expired").length
  }
}

const report = (what: string, extent: object) => {
  if (process.env["LADING_TEST_KILLS"] !== undefined) console.log(what, JSON.stringify(extent))
}

const killed = Effect.gen(function* () {
  const place = yield* CrashDatabase.postgres
  const vendors = yield* CrashServer.vendors
  const seed = randomInt(2 ** 31)
  const roll = CrashLoad.dice(seed)
  const options = { servers, environment: { ...vendors.environment, ...place.environment } }
  const all = yield* Effect.gen(function* () {
    const fleet = yield* Fleet.start(options)
    yield* checkBeginning(place)
    const all = yield* customers(fleet)
    const [first] = all
    assert(first !== undefined)
    const late = yield* Effect.promise(() => revoked(fleet, first))
    assert.isBelow(late, 4000, "a server was not told of a revocation")
    report("revoked everywhere after ms", { late })
    yield* killOften(fleet, { all, roll, vendors })
    report("sent again by the proxy, and refused by it", fleet.proxy.seen)
    return all
  }).pipe(Effect.scoped)
  const ahead = 2 * minute
  yield* settle({ ...options, ahead }, all, vendors)
  yield* place.quiet
  const now = (yield* Clock.currentTimeMillis) + ahead + 10 * minute
  const books = yield* Effect.provide(closed(all, now), Layer.fresh(place.stores))
  const extent = check(books, yield* vendors.asked, `seed ${seed}`)
  report(`${kills} kills`, extent)
  for (const [what, times] of Object.entries(extent)) assert.isAtLeast(times, 3, what)
})

/** What became of a request, by status or by the error of its connection. */
type Ends = Map<string, number>

/** Asks until it is told to stop, half of the time under a key, about somebody else each time. */
const askOn = async (address: CrashLoad.Address, client: number, ends: Ends, isDone: () => boolean) => {
  const notes = CrashLoad.blank()
  const note = (end: string) => ends.set(end, (ends.get(end) ?? 0) + 1)
  for (let at = 0; !isDone(); at++) {
    const { domain } = Population.standard.company((client * 997 + at) % Population.standard.companies)
    const body = JSON.stringify({ identity: { domains: [domain] }, waterfall: { max_cache_age_s: 0 } })
    const key = at % 2 === 0 ? null : `${client}-${at}`
    const sent = await CrashLoad.send(address, { path: "/api/company/enrich", body, key, domain }, notes)
    note(sent === "broken" ? "broken" : String(notes.answers.at(-1)?.status))
  }
  return notes
}

const rolled = Effect.gen(function* () {
  const place = yield* CrashDatabase.postgres
  const vendors = yield* CrashServer.vendors
  // Longer than it is served for after the signal: some requests end only after nobody is listened to any more.
  yield* vendors.dawdle(700)
  const environment = { ...vendors.environment, ...place.environment, LADING_DRAIN_MS: "500" }
  const fleet = yield* Fleet.start({ servers, environment })
  const [one] = yield* customers(fleet)
  assert(one !== undefined)
  const ends: Ends = new Map()
  let isDone = false
  const address = { ...fleet.address, apiKey: one.apiKey }
  const asking = Array.from({ length: 24 }, (_, at) => askOn(address, at, ends, () => isDone))
  yield* Effect.sleep("1 second")
  for (let turn = 0; turn < servers; turn++) {
    // Those that are stopped stand in front.
    const ended = yield* fleet.stop(0)
    assert.strictEqual(ended, "code 0: ")
    yield* fleet.join
  }
  yield* Effect.sleep("1 second")
  isDone = true
  const notes = (yield* Effect.promise(() => Promise.all(asking))).flatMap(({ answers }) => answers)
  report("rolling restart", { ends: Object.fromEntries(ends), ...fleet.proxy.seen })
  assert.deepStrictEqual([...ends.keys()], ["200"], JSON.stringify(Object.fromEntries(ends)))
  assert.deepStrictEqual(fleet.proxy.seen, { repeated: 0, refused: 0 })
  assert.isAtLeast(notes.length, 300)
  const sql = yield* CrashDatabase.connect(place)
  const paid = yield* sql`select count(*)::int as holds from lading.holds
    where account = ${one.id} and ending = 'settled'`
  assert.deepStrictEqual(paid, [{ holds: notes.length }])
})

/** Two of three die, and nobody starts them again. */
const moved = Effect.gen(function* () {
  const place = yield* CrashDatabase.postgres
  const trial = yield* PendingTrial.begin(place)
  const environment = { ...trial.vendor.environment, ...place.environment }
  const total = yield* Effect.gen(function* () {
    const fleet = yield* Fleet.start({ servers, environment })
    trial.secret = yield* Effect.promise(() => PendingLoad.rotate(fleet.address))
    const ask = Effect.all(
      Array.from({ length: 8 }, () => PendingTrial.ask(trial, fleet.address)),
      { concurrency: "unbounded" }
    )
    yield* ask
    assert.strictEqual(yield* fleet.kill(trial.roll(servers)), "SIGKILL")
    yield* ask
    assert.strictEqual(yield* fleet.kill(trial.roll(servers - 1)), "SIGKILL")
    assert.isAtLeast(trial.notes.pending.length, 8)
    const gathering = yield* Effect.forkChild(PendingTrial.gather(trial, fleet.address))
    return yield* Fiber.join(gathering)
  }).pipe(Effect.scoped)
  yield* place.quiet
  yield* PendingTrial.check(trial, total)
  report("pending, taken over by the last of three", { pending: trial.notes.pending.length })
})

const limit = 300_000 + kills * 20_000

await CrashDatabase.onServer(() => {
  it.live(
    "three servers, killed again and again under load: every answer is in the ledger once, none twice, balances right",
    () => killed,
    limit
  )

  it.live("three servers, stopped and replaced one after the other under load: no request fails", () => rolled, limit)

  it.live(
    "two of three servers die for good: the third one completes what was pending, charges once and tells once",
    () => moved,
    limit
  )
})
