/**
 * `pnpm bench http`: `POST /api/company/enrich` of `lading serve` and of a hand-written server (`../peers/fastify.ts`),
 * over the same two simulated vendors and the same kind of store, from 64 connections. Each is a process of its own. They
 * are measured in turn, so that a machine that slows down slows both.
 *
 * - `--quick`: fewer and shorter rounds, nothing is written.
 * - `--only pglite|postgres`, `--latency 0|50`: one store, one latency of the vendors; nothing is written.
 * - `--profile`: no comparison; a CPU profile of Lading's server under this load, by package, file and function.
 */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import * as Measure from "../Measure.ts"
import * as Contender from "./Contender.ts"
import * as Load from "./Load.ts"
import type * as Process from "./Process.ts"
import * as Profile from "./Profile.ts"
import * as Same from "./Same.ts"
import * as Store from "./Store.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    latency: { type: "string" },
    profile: { type: "boolean", default: false }
  }
})

const latencies = [0, 50].filter((latency) => values.latency === undefined || values.latency === String(latency))
const stores = Store.kinds.filter((kind) => values.only === undefined || values.only === kind)
if (latencies.length === 0) throw new Error("Expected --latency 0 or --latency 50")
if (stores.length === 0) throw new Error(`Expected --only ${Store.kinds.join(" or --only ")}`)

/** Requests to warm up with, seconds of a round, and how many of those. */
const extent = values.quick ? { warmUp: 1000, round: 2, rounds: 3 } : { warmUp: 3000, round: 4, rounds: 5 }

/** Never used up. */
const credits = 1e9

/** What a server did in a round. */
interface Round extends Load.Measured {
  /** Seconds on the processor for a thousand requests. */
  readonly cpu: number
}

const roundOf = async ({ ask, url }: Contender.Contender): Promise<Round> => {
  const before = await ask("cpu")
  const measured = await Load.run(url, { seconds: extent.round })
  // What the load left in the air ends before the other's turn.
  await setTimeout(200)
  return { ...measured, cpu: (((await ask("cpu")) - before) / measured.requests) * 1000 }
}

const figures = ["rate", "p50", "p99", "cpu"] as const

const mediansOf = (rounds: ReadonlyArray<Round>): Record<(typeof figures)[number], number> => ({
  rate: Measure.median(rounds.map(({ rate }) => rate)),
  p50: Measure.median(rounds.map(({ p50 }) => p50)),
  p99: Measure.median(rounds.map(({ p99 }) => p99)),
  cpu: Measure.median(rounds.map(({ cpu }) => cpu))
})

const compare = async (
  store: Store.Kind,
  latency: number,
  [a, b]: readonly [Contender.Contender, Contender.Contender]
) => {
  const ours: Array<Round> = []
  const theirs: Array<Round> = []
  for (let round = 0; round < extent.rounds; round++) {
    ours.push(await roundOf(a))
    theirs.push(await roundOf(b))
  }
  const ratio = (figure: (typeof figures)[number]) =>
    Measure.spread(ours.map((mine, index) => mine[figure] / (theirs[index]?.[figure] ?? Number.NaN)))
  return {
    store,
    latency_ms: latency,
    rounds: extent.rounds,
    lading: mediansOf(ours),
    fastify: mediansOf(theirs),
    ratio: { rate: ratio("rate"), p50: ratio("p50"), p99: ratio("p99"), cpu: ratio("cpu") }
  }
}

type Comparison = Awaited<ReturnType<typeof compare>>

/** Both on this kind of store, at every latency. */
const measure = async (store: Store.Kind, vendors: Process.Running): Promise<ReadonlyArray<Comparison>> => {
  const urls = vendors.urls.slice(0, 2)
  await vendors.ask("delay", 0)
  await Same.check(store, urls)
  await using lading = await Contender.start("lading", { store, vendors: urls, credits })
  await using fastify = await Contender.start("fastify", { store, vendors: urls, credits })
  for (const { url } of [lading, fastify]) await Load.run(url, { requests: extent.warmUp })
  const comparisons: Array<Comparison> = []
  for (const latency of latencies) {
    await vendors.ask("delay", latency)
    for (const { url } of [lading, fastify]) await Load.run(url, { seconds: 1 })
    comparisons.push(await compare(store, latency, [lading, fastify]))
    print(comparisons.slice(-1))
  }
  return comparisons
}

const print = (comparisons: ReadonlyArray<Comparison>): void =>
  console.table(
    comparisons.flatMap(({ fastify, lading, latency_ms, ratio, store }) =>
      figures.map((figure) => ({
        store,
        "vendors (ms)": latency_ms,
        figure: { rate: "requests/s", p50: "p50 (ms)", p99: "p99 (ms)", cpu: "CPU s per 1,000" }[figure],
        lading: lading[figure].toFixed(figure === "cpu" ? 3 : 1),
        fastify: fastify[figure].toFixed(figure === "cpu" ? 3 : 1),
        ratio: ratio[figure].median.toFixed(2),
        "min to max": `${ratio[figure].min.toFixed(2)} to ${ratio[figure].max.toFixed(2)}`
      }))
    )
  )

/** Lading's server alone, under load, with a profile that is kept. */
const profile = async (store: Store.Kind, vendors: Process.Running): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "lading-profile-"))
  await using lading = await Contender.start("lading", { store, vendors: vendors.urls.slice(0, 2), credits })
  for (const latency of latencies) {
    await vendors.ask("delay", latency)
    await Load.run(lading.url, { requests: extent.warmUp })
    const file = join(folder, `${store}-${latency}ms.cpuprofile`)
    await lading.ask("profile")
    const { rate, requests } = await Load.run(lading.url, { seconds: values.quick ? 5 : 15 })
    await lading.ask("profiled", file)
    console.log(`\n${store}, vendors take ${latency} ms: ${rate.toFixed(0)} requests/s while profiled; ${file}`)
    await Profile.print(file, requests)
  }
}

await using vendors = await Contender.startVendors()
const comparisons: Array<Comparison> = []
for (const store of stores) {
  if (store === "postgres" && !(await Store.isServerUp())) {
    console.log("PostgreSQL: skipped, for no server answers at LADING_TEST_POSTGRES or 127.0.0.1:5432")
  } else if (values.profile) await profile(store, vendors)
  else comparisons.push(...(await measure(store, vendors)))
}
if (comparisons.length > 1) print(comparisons)
const whole = !values.quick && comparisons.length === Store.kinds.length * 2
if (whole) await Measure.write("http", { connections: Load.connections, round_seconds: extent.round, comparisons })
