/**
 * `pnpm bench ledger`: the ledger on PostgreSQL under many writers, through the port that requests use.
 *
 * - Holds with their captures a second, from 64 writers: all on one account, on 10, on 1,000.
 * - A quiet account (one charge every 10 ms) alone, and beside another account to which 64 writers of another process write
 *   as fast as they can: on the same database, and, as a control, on another database of the same server, where they can
 *   take processor and disk but no lock from it.
 *
 * `--quick`: shorter, nothing is written.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { fileURLToPath } from "node:url"
import { Effect, Exit, Scope } from "effect"
import * as Load from "../http/Load.ts"
import * as Store from "../http/Store.ts"
import * as Measure from "../Measure.ts"
import * as Writers from "./Writers.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false } }
})

const extent = values.quick ? { seconds: 2, rounds: 3 } : { seconds: 5, rounds: 5 }
const writers = 64

const named = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => `acc_of_${count}_${at}`)

interface Figures {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

const figuresOf = (took: Float64Array): Figures => ({
  rate: took.length / extent.seconds,
  p50: Load.quantile(took, 0.5),
  p99: Load.quantile(took, 0.99)
})

const medianOf = (rounds: ReadonlyArray<Figures>): Figures => ({
  rate: Measure.median(rounds.map(({ rate }) => rate)),
  p50: Measure.median(rounds.map(({ p50 }) => p50)),
  p99: Measure.median(rounds.map(({ p99 }) => p99))
})

/** In turn, so that a machine that slows down slows all. */
const inTurn = async <Name extends string>(
  names: ReadonlyArray<Name>,
  round: (name: Name) => Promise<Figures>
): Promise<ReadonlyArray<{ readonly name: Name } & Figures & { readonly rounds: ReadonlyArray<Figures> }>> => {
  const rounds = new Map<Name, Array<Figures>>(names.map((name) => [name, []]))
  for (let turn = 0; turn < extent.rounds; turn++) {
    for (const name of names) rounds.get(name)?.push(await round(name))
  }
  return Array.from(rounds, ([name, all]) => ({ name, ...medianOf(all), rounds: all }))
}

const print = (rows: ReadonlyArray<{ readonly name: string } & Figures>): void =>
  console.table(
    rows.map(({ name, p50, p99, rate }) => ({
      "": name,
      "holds and captures/s": rate.toFixed(0),
      "p50 (ms)": p50.toFixed(1),
      "p99 (ms)": p99.toFixed(1)
    }))
  )

/** Writes as fast as it can until it is disposed of. */
const noise = async (url: string) => {
  const path = fileURLToPath(new URL("Noise.ts", import.meta.url))
  const child = fork(path, [url, "acc_noisy", String(writers)])
  await once(child, "message")
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
}

const spread = (charges: (writing: Writers.Writing) => Promise<Figures>) =>
  inTurn(["1 account", "10 accounts", "1,000 accounts"], (name) =>
    charges({ accounts: named(Number.parseInt(name.replace(",", ""))), writers, pause: 0, seconds: extent.seconds })
  )

const beside = (charges: (writing: Writers.Writing) => Promise<Figures>, own: string, other: string) => {
  const quiet = () => charges({ accounts: ["acc_quiet"], writers: 1, pause: 10, seconds: extent.seconds })
  return inTurn(["alone", "noise on the same database", "noise on another database"], async (name) => {
    if (name === "alone") return quiet()
    await using _ = await noise(name === "noise on the same database" ? own : other)
    return await quiet()
  })
}

const measure = async (own: string, other: string): Promise<void> => {
  const before = loadavg()
  const scope = Effect.runSync(Scope.make())
  try {
    const ledger = await Effect.runPromise(Scope.provide(Writers.open(own), scope))
    await Effect.runPromise(Writers.endow(ledger, [...named(1), ...named(10), ...named(1000), "acc_quiet"]))
    const charges = (writing: Writers.Writing) =>
      Effect.runPromise(Effect.map(Writers.write(ledger, writing), figuresOf))
    // The plans of the database, and the code of this process, are warm.
    await charges({ accounts: named(1), writers, pause: 0, seconds: extent.seconds })
    const many = await spread(charges)
    print(many)
    const quiet = await beside(charges, own, other)
    print(quiet)
    console.log(`load average before: ${before.map((load) => load.toFixed(1)).join(", ")}`)
    if (!values.quick) await Measure.write("ledger", { load_before: before, writers, ...extent, many, quiet })
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

if (!(await Store.isServerUp())) {
  console.log("Skipped: no PostgreSQL answers at LADING_TEST_POSTGRES or 127.0.0.1:5432")
} else {
  await using own = await Store.make("postgres")
  await using other = await Store.make("postgres")
  await measure(own.url ?? "", other.url ?? "")
}
