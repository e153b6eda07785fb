/**
 * Random histories of a ledger, compared with the plain model of `LedgerModel`.
 *
 * A history is an account's: steps of one to three operations at once, with time passing between them. Some operations
 * crash: whoever asked is gone after a random number of turns, and whether it took place is unknown. Some holders forget
 * their hold, which ends with its time then. Several histories go on at once, in step with one another.
 *
 * Gotcha: what is under way when its caller is gone may take place after that. The rest of the history waits behind it,
 * see `quiet`.
 */
import { assert } from "@effect/vitest"
import { Ledger } from "@lading/core/billing"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { isDeepStrictEqual } from "node:util"
import * as Model from "./LedgerModel.ts"
import {
  adjusting,
  balance,
  bill,
  checkJournal,
  credits,
  newAccount,
  openedAs,
  refunding,
  request,
  settling,
  told
} from "./LedgerSteps.ts"

export interface Options {
  /** How many histories go on at once; they share the clock. */
  readonly together?: number
  /** Every how many steps the account is audited, by default after each; always at the end. */
  readonly auditEvery?: number
}

/** Steps of a history. */
const length = 14

const tick = 1_000

const people = ["mara", "ines", "noor"]

/** What nobody knows: whether an operation took place. */
const unknown = "unknown"

/** Numbers from 0 to below `limit`, the same for the same seed (mulberry32). */
const dice = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit)
  }
}

type Roll = (limit: number) => number

/** An operation of a history, and after how many turns its caller is gone, if it is. */
interface Planned {
  readonly operation: Model.Operation
  readonly crash: number | null
}

interface History {
  readonly seed: number
  readonly roll: Roll
  readonly account: string
  /** Ids of the holds that somebody still knows, by name. */
  readonly ids: Map<string, Ledger.HoldId>
  readonly children: Set<string>
  readonly settlements: Array<Model.Operation & { _tag: "Settle" }>
  readonly done: Array<string>
  models: ReadonlyArray<Model.Model>
}

const begin = (seed: number): History => ({
  seed,
  roll: dice(seed),
  account: newAccount(),
  ids: new Map(),
  children: new Set(),
  settlements: [],
  done: [],
  models: [Model.empty()]
})

/** The holds that somebody knows, those that live if there are any. */
const knownHolds = ({ ids, models: [model] }: History, now: number) => {
  const known = Array.from(ids.keys())
  const living = known.filter((name) => {
    const hold = model?.holds.get(name)
    return hold?.open === true && hold.expires_at > now
  })
  return living.length > 0 ? { holds: living, alive: true } : { holds: known.slice(-4), alive: false }
}

/** One of these, or a name that nothing has. */
const anyOf = (roll: Roll, names: ReadonlyArray<string>): string =>
  roll(12) === 0 ? "none" : (names[roll(Math.max(1, names.length))] ?? "none")

const anySettlement = (history: History, name: string, holds: ReadonlyArray<string>): Model.Operation => {
  const { ids, roll, settlements } = history
  const repeated = settlements[settlements.length - 1 - roll(3)]
  if (repeated !== undefined && roll(3) === 0 && ids.has(repeated.hold)) return repeated
  return {
    _tag: "Settle",
    hold: anyOf(roll, holds),
    platform: roll(3),
    source: roll(3),
    outcome: roll(4) === 0 ? null : `"${name}"`,
    subjects: people.filter(() => roll(3) === 0)
  }
}

/** Another request under the key, one that nobody can repeat, or the usual one. */
const fingerprints = ["other", null, "body", "body", "body", "body"]

/** Sometimes paid by another hold. */
const anyOpen = (roll: Roll, name: string, holds: ReadonlyArray<string>): Model.Operation => {
  const fingerprint = fingerprints[roll(fingerprints.length)] ?? null
  const [amount, ttl] = [roll(8), (1 + roll(12)) * tick]
  const from = roll(4) === 0 ? anyOf(roll, holds) : null
  return { _tag: "Open", name, key: `key-${roll(5)}`, fingerprint, amount, ttl, keep: 6 * tick, from }
}

/** Of a request that was settled, mostly. */
const anyRefund = ({ roll, settlements }: History): Model.Operation => ({
  _tag: "Refund",
  key: `refund-${roll(12)}`,
  request: anyOf(
    roll,
    settlements.map(({ hold }) => hold)
  ),
  amount: roll(3) === 0 ? null : 1 + roll(3)
})

const anyOperation = (history: History, name: string, now: number): Model.Operation => {
  const { roll } = history
  const { alive, holds } = knownHolds(history, now)
  const kind = roll(33)
  if (kind >= 30) return anyRefund(history)
  if (kind < 3) {
    const expires_at = roll(3) === 0 ? null : now + (1 + roll(8)) * tick
    return { _tag: "Grant", key: `grant-${roll(12)}`, amount: roll(20), expires_at }
  }
  if (kind < 5) return { _tag: "Adjust", key: `adjustment-${roll(12)}`, amount: roll(8) - 4 }
  if (kind < 6) return { _tag: "Expire" }
  if (kind < 10) return { _tag: "Erase", subject: people[roll(people.length)] ?? "nobody" }
  // Without a hold that lives there is little to settle.
  if (kind < 16 || (!alive && roll(5) > 0)) return anyOpen(roll, name, holds)
  if (kind < 22) {
    return { _tag: "Split", name, parent: anyOf(roll, holds), amount: roll(5), ttl: (1 + roll(12)) * tick }
  }
  return anySettlement(history, name, holds)
}

/** Does the operation on the ledger; remembers the id of a new hold under its name. */
const perform = Effect.fnUntraced(function* ({ account, ids }: History, operation: Model.Operation) {
  const ledger = yield* Ledger.Ledger
  const idOf = (name: string) => ids.get(name) ?? Ledger.HoldId.make("hold_none")
  const handle = (person: string) => `email:${person}@${account}.example`
  switch (operation._tag) {
    case "Grant": {
      const { amount, expires_at, key } = operation
      const granted = ledger.grant({ account, key, amount: credits(amount), expires_at, reason: "test" })
      return yield* told(granted, () => "granted")
    }
    case "Adjust":
      return yield* adjusting(account, operation.amount, operation.key)
    case "Refund":
      return yield* refunding(account, operation.request, operation.amount, operation.key)
    case "Open":
      return yield* told(
        ledger.open({
          ...request(account, operation.amount, { ...operation, request_id: operation.name }),
          from: operation.from === null ? null : idOf(operation.from)
        }),
        (opened) => {
          if (opened._tag === "Held") ids.set(operation.name, opened.hold)
          return openedAs(opened)
        }
      )
    case "Split": {
      const child = { account, amount: credits(operation.amount), ttl: operation.ttl }
      return yield* told(ledger.split(idOf(operation.parent), child), (hold) => {
        ids.set(operation.name, hold)
        return "held"
      })
    }
    case "Settle": {
      const { hold, outcome, platform, source, subjects } = operation
      return yield* settling(account, idOf(hold), bill(platform, { provider_a: source }), outcome, subjects.map(handle))
    }
    case "Erase":
      return yield* told(ledger.erase([handle(operation.subject)]), () => "erased")
    case "Expire":
      return yield* told(ledger.expire, () => "expired")
  }
})

/** Gives up after so many turns, unless the operation has ended by then. */
const crash = Effect.fnUntraced(function* <R>(operation: Effect.Effect<string, never, R>, turns: number) {
  const running = yield* Effect.forkChild(operation)
  for (let turn = 0; turn < turns && running.pollUnsafe() === undefined; turn++) yield* Effect.yieldNow
  yield* Fiber.interrupt(running)
  const exit = yield* Fiber.await(running)
  return exit._tag === "Success" && !exit.value.startsWith("unavailable") ? exit.value : unknown
})

/**
 * Waits behind what is under way for this account. Twice, for a ledger that consists of two servers and takes turns.
 */
const quiet = (account: string) =>
  Effect.repeat(settling(account, Ledger.HoldId.make("hold_none"), bill(0)), { times: 1 })

const orders = (count: number): ReadonlyArray<ReadonlyArray<number>> =>
  count === 0
    ? [[]]
    : orders(count - 1).flatMap((order) => Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1)))

/** All ways to choose some of these, or none. */
const subsets = <A>([first, ...others]: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  first === undefined ? [[]] : subsets(others).flatMap((some) => [some, [first, ...some]])

/**
 * Every state in which the model can be when the operations ran in some order and ended as they did. One whose end is
 * unknown may have ended in any way, or never have taken place.
 */
const explain = (
  models: ReadonlyArray<Model.Model>,
  operations: ReadonlyArray<Model.Operation>,
  results: ReadonlyArray<string>,
  now: number
): ReadonlyArray<Model.Model> => {
  const states = new Map<string, Model.Model>()
  const crashed = operations.map((_, at) => at).filter((at) => results[at] === unknown)
  for (const absent of subsets(crashed)) {
    const present = operations.map((_, at) => at).filter((at) => !absent.includes(at))
    for (const order of orders(present.length)) {
      for (const model of models) {
        const trial = Model.copy(model)
        const agrees = order.every((index) => {
          const at = present[index] ?? -1
          const operation = operations[at]
          if (operation === undefined) return false
          const result = Model.run(trial, operation, now)
          return results[at] === unknown || result === results[at]
        })
        if (agrees) states.set(Model.state(trial), trial)
      }
    }
  }
  return Array.from(states.values())
}

/** Something to spend. */
const firstGrant: Model.Operation = { _tag: "Grant", key: "first", amount: 12, expires_at: null }

const plan = (history: History, step: number, now: number): ReadonlyArray<Planned> => {
  const { ids, roll } = history
  // A holder that died: its hold is open, and nobody will settle it.
  if (roll(8) === 0) ids.delete(Array.from(ids.keys())[roll(Math.max(1, ids.size))] ?? "")
  return Array.from({ length: 1 + roll(3) }, (_, index) => ({
    operation: step + index === 0 ? firstGrant : anyOperation(history, `${step}.${index}`, now),
    crash: roll(6) === 0 ? (roll(3) === 0 ? 0 : roll(30)) : null
  }))
}

/** What an operation is counted as. */
const kindOf = ({ children, settlements }: History, operation: Model.Operation): string => {
  if (operation._tag !== "Settle") return operation._tag
  if (settlements.includes(operation)) return "Repeat"
  return children.has(operation.hold) ? "Settle child" : "Settle"
}

/** One step of one history; gives how its operations ended. */
const advance = Effect.fnUntraced(function* (history: History, step: number, audited: boolean) {
  const { account, done, seed } = history
  const now = yield* Clock.currentTimeMillis
  const planned = plan(history, step, now)
  const results = yield* Effect.forEach(
    planned,
    ({ crash: turns, operation }) =>
      turns === null ? perform(history, operation) : crash(perform(history, operation), turns),
    { concurrency: "unbounded" }
  )
  if (results.includes(unknown)) yield* quiet(account)
  const endings = planned.map(({ operation }, at) => `${kindOf(history, operation)} ${results[at]?.split(" ")[0]}`)
  for (const [at, { crash: turns, operation }] of planned.entries()) {
    if (operation._tag === "Settle") history.settlements.push(operation)
    if (operation._tag === "Split") history.children.add(operation.name)
    done.push(`${step} at ${now} ${JSON.stringify(operation)}${turns === null ? "" : ", crashed"} -> ${results[at]}`)
  }
  const story = () => `LADING_TEST_SEED=${seed}\n${done.join("\n")}`
  const shown = { ...(yield* balance(account)) }
  const operations = planned.map(({ operation }) => operation)
  const possible = explain(history.models, operations, results, now)
  assert.isAbove(possible.length, 0, `no order of the last step ends like this: ${story()}`)
  history.models = possible.filter((model) => isDeepStrictEqual(Model.balance(model, now), shown))
  assert.isAbove(
    history.models.length,
    0,
    `${JSON.stringify(shown)} is not ${JSON.stringify(possible.map((model) => Model.balance(model, now)))}: ${story()}`
  )
  if (audited) yield* checkJournal(account, story)
  return endings
})

/** Histories that go on together, from one seed. */
const group = Effect.fnUntraced(function* (seed: number, count: number, auditEvery: number, seen: Map<string, number>) {
  const roll = dice(~seed)
  // The seed of the group is the one that repeats a failure.
  const histories = Array.from({ length: count }, (_, at) => ({ ...begin(seed), roll: dice(seed * 1_000 + at) }))
  for (let step = 0; step < length; step++) {
    const audited = step % auditEvery === auditEvery - 1 || step === length - 1
    const ends = yield* Effect.forEach(histories, (history) => advance(history, step, audited), {
      concurrency: "unbounded"
    })
    for (const end of ends.flat()) seen.set(end, (seen.get(end) ?? 0) + 1)
    yield* TestClock.adjust(roll(4) * tick)
  }
})

/** The same in CI; elsewhere others each time. `LADING_TEST_SEED` repeats a run. */
const baseSeed = (): number => {
  const { CI, LADING_TEST_SEED } = process.env
  if (LADING_TEST_SEED !== undefined) return Number(LADING_TEST_SEED)
  return CI === undefined ? Date.now() % 1_000_000 : 1
}

/** Every way in which an operation can end. */
const ends: Readonly<Record<string, ReadonlyArray<string>>> = {
  Grant: ["granted", unknown],
  Adjust: ["adjusted", "insufficient", unknown],
  Refund: ["refunded", "nothing", "beyond", unknown],
  Open: ["held", "replayed", "running", "other_request", "erased", "insufficient", "exceeded", "ended", unknown],
  Split: ["held", "exceeded", "ended", unknown],
  Settle: ["settled", "exceeded", "ended", unknown],
  "Settle child": ["settled", "exceeded", "ended"],
  Repeat: ["settled", "ended"],
  Erase: ["erased"],
  Expire: ["expired"]
}

/** A thousand histories go through each of these at least so many times. */
const often = 10

/** Runs so many histories; a failure names the seed that repeats it. */
export const run = Effect.fnUntraced(function* (histories: number, { auditEvery = 1, together = 8 }: Options) {
  const seed = baseSeed()
  const seen = new Map<string, number>()
  const groups = Array.from({ length: Math.ceil(histories / together) }, (_, at) => seed + at)
  yield* Effect.forEach(groups, (at) => group(at, together, auditEvery, seen), { discard: true })
  if (histories < 1_000) return
  const missing = Object.entries(ends).flatMap(([tag, results]) =>
    results.map((result) => `${tag} ${result}`).filter((end) => (seen.get(end) ?? 0) < often)
  )
  assert.deepStrictEqual(missing, [], "the histories hardly went through these")
})
