/**
 * Lists of addresses and servers that are killed with SIGKILL: while a list is on its way in, while it is put in order,
 * and at random points of its verification, over real mail hosts. Every list that was accepted is completed by later
 * servers, with the verdicts that its addresses deserve, charged once and told.
 */
import { assert, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import { Effect } from "effect"
import * as CrashDatabase from "../fixtures/CrashDatabase.ts"
import type * as CrashLoad from "../fixtures/CrashLoad.ts"
import * as EmailLoad from "../fixtures/EmailLoad.ts"
import * as EmailTrial from "../fixtures/EmailTrial.ts"

const minute = 60_000

type Address = CrashLoad.Address

/** Looks at every list, through one server after the other, until so many addresses of one of them are decided. */
const watch = (
  trial: EmailTrial.Trial,
  addresses: readonly [Address, ...ReadonlyArray<Address>],
  list: EmailLoad.List,
  enough: number
) =>
  Effect.gen(function* () {
    for (let at = 0; list.shown.checked < enough; at++) {
      for (const other of trial.lists)
        yield* EmailLoad.look(addresses[at % addresses.length] ?? addresses[0], other, trial.asked)
      yield* Effect.sleep(20)
    }
  })

/** Some number of addresses of the list, not the last ones. */
const some = ({ roll }: EmailTrial.Trial, { emails }: EmailLoad.List) => 1 + roll(Math.floor(emails.length * 0.8))

/** Looks until the server is dead. */
const gone = (trial: EmailTrial.Trial, address: Address) =>
  EmailLoad.until(
    Effect.map(
      Effect.forEach(trial.lists, (list) => EmailLoad.look(address, list, trial.asked)),
      (shown) => shown.some((one, at) => one === null && trial.lists[at]?.task !== null)
    )
  )

/** Dies while its first client sends a list, or soon after it has answered. */
const dieEarly = (trial: EmailTrial.Trial, list: EmailLoad.List, ahead: number) => {
  const since = trial.roll(3) === 0 ? "answer" : "listening"
  const death = { since, millis: trial.roll(since === "answer" ? 800 : 120) } as const
  return EmailTrial.live(trial, { ahead, death }, (address, answered) =>
    EmailTrial.submit(trial, address, [list]).pipe(
      Effect.tap(Effect.sync(answered)),
      Effect.andThen(gone(trial, address))
    )
  )
}

/** An address that was not shown yet. */
const undecided = ({ decided, emails }: EmailLoad.List): string =>
  emails.findLast((email) => !decided.has(email)) ?? emails[0] ?? ""

/** Longer than anything is put off before it is asked again. */
const pause = 50 * minute

/** Milliseconds without a change after which a server has nothing to do but to wait, and before its first change. */
const still = { after: 4_000, before: 60_000 }

/** Looks until nothing changes any more: neither what is decided, nor how often hosts were asked. */
const untilStill = Effect.fnUntraced(function* (trial: EmailTrial.Trial, address: Address) {
  let [known, changes, at] = ["", 0, performance.now()]
  while (performance.now() - at < (changes < 2 ? still.before : still.after)) {
    for (const list of trial.lists) yield* EmailLoad.look(address, list, trial.asked)
    const counts = [...(yield* trial.asked).values()].reduce((sum, count) => sum + count, 0)
    const now = JSON.stringify([counts, trial.lists.map(({ shown }) => shown.checked)])
    if (now !== known) [known, changes, at] = [now, changes + 1, performance.now()]
    yield* Effect.sleep(50)
  }
})

/**
 * One after the other, each as much later, since what is put off is asked for again minutes later: those whose greylist let
 * nobody through, or whose host was in trouble. A server that has nothing to do until then dies. Gives how late it is
 * when every list has ended.
 */
const dieUntilAll = Effect.fnUntraced(function* (trial: EmailTrial.Trial) {
  const state = { ahead: 0, isOver: false }
  while (!state.isOver) {
    state.ahead += pause
    yield* trial.world.smtp.elapse(pause)
    yield* EmailTrial.live(trial, { ahead: state.ahead }, (address) =>
      Effect.raceFirst(
        Effect.tap(
          EmailTrial.finish(trial, address),
          Effect.sync(() => void (state.isOver = true))
        ),
        untilStill(trial, address)
      )
    )
  }
  return state.ahead
})

const inFolder = Effect.gen(function* () {
  const place = yield* CrashDatabase.folder
  const trial = yield* EmailTrial.begin(place, { lists: 5, size: 160, greylists: 8, pace: 150 })
  const [grey, second, third, erased, cancelled] = trial.lists
  assert(grey !== undefined && second !== undefined && third !== undefined)
  assert(erased !== undefined && cancelled !== undefined)
  let secret: string | null = null
  yield* EmailTrial.live(trial, {}, (address) =>
    Effect.gen(function* () {
      secret = yield* EmailLoad.secret(address)
      yield* EmailTrial.submit(trial, address, [grey, second])
      yield* watch(trial, [address], second, some(trial, second))
    })
  )
  yield* dieEarly(trial, third, 0)
  const left = { email: "", asked: 0 }
  yield* EmailTrial.live(trial, {}, (address) =>
    Effect.gen(function* () {
      yield* EmailTrial.submit(trial, address, [erased, cancelled])
      yield* watch(trial, [address], erased, some(trial, erased))
      left.email = undecided(erased)
      assert.isTrue(yield* EmailLoad.erase(address, erased, left.email))
      // Whether it is ended before it dies, nobody knows.
      yield* Effect.forkChild(EmailLoad.cancel(address, cancelled))
      yield* Effect.sleep(trial.roll(100))
    })
  )
  left.asked = (yield* trial.asked).get(left.email) ?? 0
  yield* dieEarly(trial, third, 3 * minute)
  const ahead = yield* dieUntilAll(trial)
  yield* EmailTrial.check(trial, secret ?? "", ahead + 10 * minute)
  yield* EmailTrial.checkAsked(trial, 4 + ahead / pause)
  assert.strictEqual((yield* trial.asked).get(left.email) ?? 0, left.asked, `erased, and asked; seed ${trial.seed}`)
})

/** Ends a list that another server works on: what it costs is settled when the answer is there. */
const cancelElsewhere = Effect.fnUntraced(function* (trial: EmailTrial.Trial, address: Address, list: EmailLoad.List) {
  const sql = yield* CrashDatabase.connect(trial.place)
  const shown = yield* EmailLoad.cancel(address, list)
  assert(shown !== null, "it was complete before it could be cancelled")
  const [hold] = yield* sql<{ ending: string | null; captured: string }>`select child.ending, child.captured::text
    from lading.request_keys own join lading.holds child on child.parent = own.hold
    where own.outcome::jsonb ->> 'task_id' = ${list.task?.id ?? ""}`
  assert.deepStrictEqual(hold, { ending: "settled", captured: String(Credits.fromNumber(shown.credits)) })
  return shown
})

const onTwoServers = Effect.gen(function* () {
  const place = yield* CrashDatabase.postgres
  const trial = yield* EmailTrial.begin(place, { lists: 3, size: 160, greylists: 0, pace: 150 })
  const [first, second, cancelled] = trial.lists
  assert(first !== undefined && second !== undefined && cancelled !== undefined)
  const one = yield* EmailTrial.start(trial)
  const two = yield* EmailTrial.start(trial)
  const secret = yield* EmailLoad.secret(one.address)
  yield* EmailTrial.submit(trial, one.address, [first])
  yield* EmailTrial.submit(trial, two.address, [second])
  yield* watch(trial, [one.address, two.address], first, some(trial, first))
  yield* one.kill
  const three = yield* EmailTrial.start(trial)
  yield* EmailTrial.submit(trial, three.address, [cancelled])
  yield* watch(trial, [two.address, three.address], cancelled, 1)
  const shown = yield* cancelElsewhere(trial, two.address, cancelled)
  yield* watch(trial, [three.address, two.address], second, some(trial, second))
  assert.isTrue(yield* EmailLoad.erase(three.address, second, undecided(second)))
  yield* two.kill
  yield* EmailTrial.finish(trial, three.address)
  assert.deepStrictEqual([cancelled.shown.status, cancelled.shown.credits], ["cancelled", shown.credits])
  yield* three.kill
  yield* place.quiet
  yield* EmailTrial.check(trial, secret ?? "", 10 * minute)
})

const limit = 600_000

it.live(
  "five kills around lists of addresses, in a folder: none is lost, and each is asked, charged and told once",
  () => inFolder,
  limit
)

await CrashDatabase.onServer(() =>
  it.live(
    "two servers on PostgreSQL, of which one dies: the other goes on with its lists, and may cancel them",
    () => onTwoServers,
    limit
  )
)
