/**
 * Pending answers and servers that are killed with SIGKILL: at random moments around them, and where a gate in the
 * database holds them between two writes. Whatever was answered as pending is completed by a later server, charged once
 * and told once; what was never answered costs nothing.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CrashDatabase from "../fixtures/CrashDatabase.ts"
import type * as CrashServer from "../fixtures/CrashServer.ts"
import * as PendingLoad from "../fixtures/PendingLoad.ts"
import * as PendingTrial from "../fixtures/PendingTrial.ts"

/** Three are asked about, vendors end their work at some moment, and the server dies at another one. */
const dieOnce = (trial: PendingTrial.Trial) => {
  const { roll, vendor } = trial
  const kind = roll(10)
  const death: CrashServer.Death =
    kind < 1 ? { since: "listening", millis: roll(400) } : { since: "answer", millis: roll(kind < 4 ? 300 : 5_000) }
  return PendingTrial.live(trial, { death }, (address, answered) =>
    Effect.gen(function* () {
      if (trial.secret === "") trial.secret = yield* Effect.promise(() => PendingLoad.rotate(address))
      yield* Effect.forkChild(Effect.delay(vendor.simulator.finishTasks, roll(3_000)))
      yield* Effect.forEach([0, 1, 2], () => Effect.tap(PendingTrial.ask(trial, address), Effect.sync(answered)), {
        concurrency: 3,
        discard: true
      })
      yield* PendingLoad.gone(address)
    })
  )
}

const lives = 6

const dieOften = Effect.fnUntraced(function* (place: CrashDatabase.Place) {
  const trial = yield* PendingTrial.begin(place)
  for (let life = 0; life < lives; life++) yield* dieOnce(trial)
  assert.isAtLeast(trial.notes.pending.length, lives)
  yield* PendingTrial.check(trial, yield* PendingTrial.finish(trial))
})

const limit = 400_000

it.live(
  "six kills around pending answers, in a folder: each that was answered is completed, charged once and told once",
  () => Effect.flatMap(CrashDatabase.folder, dieOften),
  limit
)

await CrashDatabase.onServer(() => {
  it.live(
    "six kills around pending answers, on PostgreSQL: each that was answered is completed, charged once and told once",
    () => Effect.flatMap(CrashDatabase.postgres, dieOften),
    limit
  )
})
