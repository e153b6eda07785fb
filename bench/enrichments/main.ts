/**
 * `pnpm bench enrichments`: 500 callers at the same time ask for companies, each for another one, and every vendor takes
 * 150 ms. `lading serve` and the hand-written server (`../peers/fastify.ts`) do two jobs in turn, over four vendors in a
 * process of their own: all asked at once (`aggregate`), and in order until one has an answer (`first_match`), which the
 * first one always has. The fourth slot works with the caller's own key, so each request brings one.
 *
 * A round is a number of requests, not a time: all that a round costs belongs to requests that were answered in it.
 * No server can answer more than callers divided by the vendors' time; `of_limit` is what part of that it reaches.
 *
 * - `--quick`: few and short rounds on PGlite, nothing is written.
 * - `--only pglite|postgres`: one store; nothing is written.
 */
import assert from "node:assert/strict"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import * as Contender from "../http/Contender.ts"
import * as Job from "../http/Job.ts"
import * as Load from "../http/Load.ts"
import type * as Process from "../http/Process.ts"
import * as Same from "../http/Same.ts"
import * as Store from "../http/Store.ts"
import * as Measure from "../Measure.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } }
})

const only = values.only ?? (values.quick ? "pglite" : undefined)
const stores = Store.kinds.filter((kind) => only === undefined || only === kind)
if (stores.length === 0) throw new Error(`Expected --only ${Store.kinds.join(" or --only ")}`)

const callers = 500

/** Milliseconds that a vendor takes. */
const latency = 150

/** Enrichments a second when nothing but the vendors takes time. */
const limit = callers / (latency / 1000)

/** Requests to warm up with, requests of a round, and how many of those. */
const extent = values.quick ? { warmUp: 500, round: 500, rounds: 3 } : { warmUp: 1500, round: 1500, rounds: 5 }

/** Never used up. */
const credits = 1e9

const byok = { provider_d_api_key: Job.vendorKey }

/** `calls`: how often vendors are to be asked for one enrichment. */
const jobs = [
  { mode: "aggregate", calls: 4, job: Job.make({ mode: "aggregate", byok }, 3.1, true) },
  { mode: "first_match", calls: 1, job: Job.make({ mode: "first_match", byok }, 1.1) }
] as const
type OneJob = (typeof jobs)[number]

/** What a server did in a round. */
interface Round extends Load.Measured {
  /** Milliseconds on the processor for an enrichment: of the server's process, all threads. */
  readonly cpu: number
  /** Vendor calls for an enrichment. */
  readonly calls: number
}

const roundOf = async (
  { ask, name, url }: Contender.Contender,
  vendors: Process.Running,
  { calls, job }: OneJob
): Promise<Round> => {
  const before = { cpu: await ask("cpu"), calls: await vendors.ask("calls") }
  const measured = await Load.run(url, { requests: extent.round }, { callers, job })
  // What is written when nobody waits for it any more belongs to this round too.
  await setTimeout(200)
  const { requests } = measured
  assert.equal(requests, extent.round, `${name}: every request of the round is answered`)
  const round = {
    ...measured,
    cpu: (((await ask("cpu")) - before.cpu) / requests) * 1000,
    calls: ((await vendors.ask("calls")) - before.calls) / requests
  }
  assert(round.calls >= calls, `${name}: every vendor was asked about every company`)
  return round
}

const figures = ["rate", "p50", "p99", "cpu", "calls"] as const
type Figure = (typeof figures)[number]

const mediansOf = (rounds: ReadonlyArray<Round>) => {
  const medianOf = (figure: Figure) => Measure.median(rounds.map((round) => round[figure]))
  const rate = medianOf("rate")
  return {
    rate,
    of_limit: rate / limit,
    p50: medianOf("p50"),
    p99: medianOf("p99"),
    cpu: medianOf("cpu"),
    calls: medianOf("calls")
  }
}

const compare = async (
  store: Store.Kind,
  vendors: Process.Running,
  one: OneJob,
  [a, b]: readonly [Contender.Contender, Contender.Contender]
) => {
  const ours: Array<Round> = []
  const theirs: Array<Round> = []
  for (let round = 0; round < extent.rounds; round++) {
    ours.push(await roundOf(a, vendors, one))
    theirs.push(await roundOf(b, vendors, one))
  }
  const ratio = (figure: Figure) =>
    Measure.spread(ours.map((mine, index) => mine[figure] / (theirs[index]?.[figure] ?? Number.NaN)))
  return {
    store,
    mode: one.mode,
    lading: mediansOf(ours),
    fastify: mediansOf(theirs),
    ratio: { rate: ratio("rate"), p50: ratio("p50"), p99: ratio("p99"), cpu: ratio("cpu"), calls: ratio("calls") }
  }
}

type Comparison = Awaited<ReturnType<typeof compare>>

const titles: Readonly<Record<Figure, string>> = {
  rate: "enrichments/s",
  p50: "p50 (ms)",
  p99: "p99 (ms)",
  cpu: "CPU ms each",
  calls: "vendor calls each"
}

const print = (comparisons: ReadonlyArray<Comparison>): void =>
  console.table(
    comparisons.flatMap(({ fastify, lading, mode, ratio, store }) =>
      figures.map((figure) => ({
        store,
        mode,
        figure: titles[figure],
        lading: lading[figure].toFixed(2),
        fastify: fastify[figure].toFixed(2),
        ratio: ratio[figure].median.toFixed(2),
        "min to max": `${ratio[figure].min.toFixed(2)} to ${ratio[figure].max.toFixed(2)}`,
        "of the limit": figure === "rate" ? `${lading.of_limit.toFixed(2)}, ${fastify.of_limit.toFixed(2)}` : ""
      }))
    )
  )

/** Both on this kind of store, at both jobs. */
const measure = async (store: Store.Kind, vendors: Process.Running): Promise<ReadonlyArray<Comparison>> => {
  await using lading = await Contender.start("lading", { store, vendors: vendors.urls, credits })
  await using fastify = await Contender.start("fastify", { store, vendors: vendors.urls, credits })
  const both = [lading, fastify] as const
  await Same.compare(
    both,
    jobs.map(({ job }) => job)
  )
  const comparisons: Array<Comparison> = []
  for (const one of jobs) {
    for (const { url } of both) await Load.run(url, { requests: extent.warmUp }, { callers, job: one.job })
    comparisons.push(await compare(store, vendors, one, both))
    print(comparisons.slice(-1))
  }
  return comparisons
}

await using vendors = await Contender.startVendors()
await vendors.ask("delay", latency)
const comparisons: Array<Comparison> = []
for (const store of stores) {
  if (store === "postgres" && !(await Store.isServerUp())) {
    console.log("PostgreSQL: skipped, for no server answers at LADING_TEST_POSTGRES or 127.0.0.1:5432")
  } else comparisons.push(...(await measure(store, vendors)))
}
console.log(`The limit is ${limit.toFixed(0)} enrichments/s: ${callers} callers, vendors that take ${latency} ms`)
if (!values.quick && comparisons.length === Store.kinds.length * jobs.length) {
  const how = { callers, latency_ms: latency, limit, round_requests: extent.round, rounds: extent.rounds }
  await Measure.write("enrichments", { ...how, comparisons })
}
