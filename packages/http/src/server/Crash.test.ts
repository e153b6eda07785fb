/**
 * The server as a real process that is killed with SIGKILL twenty times, at a random moment of its start or under load,
 * and started again on what it left behind. Afterwards what clients were told is compared with the ledger.
 */
import { assert, it } from "@effect/vitest"
import { Ledger } from "@lading/core/billing"
import { Clock, Effect, Schedule, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { randomInt } from "node:crypto"
import type * as CommandLine from "../fixtures/CommandLine.ts"
import * as CrashBooks from "../fixtures/CrashBooks.ts"
import * as CrashDatabase from "../fixtures/CrashDatabase.ts"
import * as CrashForgery from "../fixtures/CrashForgery.ts"
import * as CrashLoad from "../fixtures/CrashLoad.ts"
import * as CrashServer from "../fixtures/CrashServer.ts"
import * as FirstAccount from "./FirstAccount.ts"

const lives = 20
const clients = 16
/** In the last life few at once: some requests give a slow machine 300 ms only. */
const patientClients = 4
const minute = 60_000

/** While it starts, in its first moments, or under full load. The first one gets to answer, since it makes the database. */
const death = (roll: CrashLoad.Roll, life: number): CrashServer.Death => {
  const kind = life === 0 ? 9 : roll(10)
  if (kind < 2) return { since: "start", millis: 300 + roll(1200) }
  return kind < 4 ? { since: "listening", millis: roll(250) } : { since: "answer", millis: roll(700) }
}

interface Trial {
  readonly seed: number
  readonly roll: CrashLoad.Roll
  readonly notes: CrashLoad.Notes
  readonly vendors: CrashServer.Vendors
  readonly environment: CommandLine.Environment
}

const begin = Effect.fnUntraced(function* (place: CrashDatabase.Place): Effect.fn.Return<Trial, never, Scope.Scope> {
  const seed = randomInt(2 ** 31)
  const vendors = yield* CrashServer.vendors
  const environment = { ...vendors.environment, ...place.environment }
  return { seed, roll: CrashLoad.dice(seed), notes: CrashLoad.blank(), vendors, environment }
})

/** Twenty lives, of which a third begins two minutes later than the last one ended; gives how late it is then. */
const dieOften = Effect.fnUntraced(function* ({ environment, notes, roll, seed, vendors }: Trial) {
  let ahead = 0
  for (let life = 0; life < lives; life++) {
    yield* vendors.vary(roll)
    const rolls = Array.from({ length: clients }, () => CrashLoad.dice(roll(2 ** 31)))
    const visits = (address: CrashLoad.Address, answered: () => void) =>
      Effect.promise(() =>
        Promise.all(rolls.map((roll, at) => CrashLoad.visit(address, { name: `${life}-${at}`, roll, answered }, notes)))
      )
    const ended = yield* CrashServer.live({ ahead, death: death(roll, life) }, environment, visits)
    assert.strictEqual(ended, "SIGKILL", `life ${life}, seed ${seed}`)
    if (roll(3) === 0) ahead += 2 * minute
  }
  return ahead
})

/**
 * The last life, when every lease of the dead is over: whoever still waits gets an answer. It is killed while vendors are
 * asked for requests without a key, so that their holds are open.
 */
const dieLast = Effect.fnUntraced(function* (ahead: number, { environment, notes, seed, vendors }: Trial) {
  yield* vendors.behave
  const inTheAir: Array<Promise<unknown>> = []
  const visits = Effect.fnUntraced(function* (address: CrashLoad.Address) {
    yield* Effect.promise(() => CrashLoad.finish(address, patientClients, 200, notes))
    yield* vendors.hang
    inTheAir.push(CrashLoad.once(address, notes), CrashLoad.once(address, notes))
    yield* Effect.repeat(vendors.waiting, { until: (calls) => calls > 0, schedule: Schedule.spaced(5) })
  })
  const ended = yield* CrashServer.live({ ahead, death: null }, environment, visits)
  assert.strictEqual(ended, "SIGKILL", `the last life, seed ${seed}`)
  yield* Effect.promise(() => Promise.all(inTheAir))
})

/** The books at `now`, when the time of every hold is over; and how many ended only then. */
const closed = Effect.fnUntraced(function* (now: number) {
  const ledger = yield* Ledger.Ledger
  const { id } = yield* FirstAccount.find
  return yield* Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const ended = yield* ledger.expire
    const balance = yield* ledger.balance(id)
    return { ended, books: yield* CrashBooks.read(id, balance), audit: yield* ledger.audit(id) }
  }).pipe(Effect.provide(TestClock.layer()))
})

/** That all of it happened: an audit of nothing finds nothing. */
const checkExtent = ({ answers, broken }: CrashLoad.Notes, { holds }: CrashBooks.Books) => {
  const known = answers.filter(({ known }) => known !== null)
  const happened = {
    answered: answers.filter(({ known, status }) => status === 200 && known === null).length,
    replayed: known.filter(({ replayed }) => replayed).length,
    refused: known.filter(({ status }) => status === 409).length,
    running: answers.filter(({ body }) => body.error?.retryable === true).length,
    broken: broken.length,
    expired: holds.filter(({ ending }) => ending === "expired").length
  }
  for (const [what, times] of Object.entries(happened)) assert.isAtLeast(times, 5, what)
}

/** That the audit would have seen it: whatever is wrong about this very history is found. */
const checkAudit = (seen: CrashBooks.Seen, books: CrashBooks.Books) => {
  for (const { breach, forge, what } of CrashForgery.all) {
    const forged = forge(seen, books)
    const breaches = CrashBooks.audit(forged.seen, forged.books)
    assert(
      breaches.some((found) => breach.test(found)),
      `${what}: ${breaches.slice(0, 5).join(", ")}`
    )
  }
}

const run = Effect.fnUntraced(function* (place: CrashDatabase.Place) {
  const trial = yield* begin(place)
  const { notes, seed, vendors } = trial
  const ahead = 2 * minute + (yield* dieOften(trial))
  yield* dieLast(ahead, trial)
  yield* place.quiet
  const now = (yield* Clock.currentTimeMillis) + ahead + 10 * minute
  const { audit, books, ended } = yield* Effect.provide(closed(now), place.stores)
  const seen = { notes, asked: yield* vendors.asked }
  const breaches = CrashBooks.audit(seen, books)
  assert.deepStrictEqual(breaches.slice(0, 20), [], `${breaches.length} breaches, seed ${seed}`)
  assert.deepStrictEqual(audit.breaches, [], `seed ${seed}`)
  assert.isAtLeast(ended, 1, "no hold was open when the server was killed for the last time")
  checkExtent(notes, books)
  checkAudit(seen, books)
})

/** Less than a minute where nothing else runs. */
const limit = 480_000

it.live(
  "twenty kills in a folder: every answer is in the ledger once, no hold outlives its time, no key has two outcomes",
  () => Effect.flatMap(CrashDatabase.folder, run),
  limit
)

await CrashDatabase.onServer(() =>
  it.live(
    "twenty kills on PostgreSQL: every answer is in the ledger once, no hold outlives its time, no key has two outcomes",
    () => Effect.flatMap(CrashDatabase.postgres, run),
    limit
  )
)
