/**
 * `pnpm bench platform`: what authentication, rate limit, hold and capture cost a request. `lading serve` answers
 * `POST /api/company/enrich` on PostgreSQL, over two simulated vendors without latency, once as it is and once with those
 * parts taken out (`Without.ts`); a third time without the ledger only, so that one sees where the cost is. They are
 * measured in turn, from 64 and from 500 connections.
 *
 * - `--quick`: fewer and shorter rounds, nothing is written.
 * - `--profile`: no comparison; CPU profiles of the whole server and of the bare one under this load.
 */
import assert from "node:assert/strict"
import { mkdtemp } from "node:fs/promises"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import * as Measure from "../Measure.ts"
import * as Contender from "../http/Contender.ts"
import * as Job from "../http/Job.ts"
import * as Load from "../http/Load.ts"
import type * as Process from "../http/Process.ts"
import * as Profile from "../http/Profile.ts"
import * as Store from "../http/Store.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, profile: { type: "boolean", default: false } }
})

/**
 * Requests to warm up with, requests of a round, and how many of those. A number and not a time, so that all that a round
 * costs belongs to requests that were answered in it.
 */
const extent = values.quick ? { warmUp: 500, round: 500, rounds: 3 } : { warmUp: 2000, round: 1200, rounds: 5 }

const callers = [64, 500]

/** Never used up. */
const credits = 1e9

/** What is taken out of each. */
const builds = { whole: "", unmetered: "ledger", bare: "door,ledger" } as const
type Build = keyof typeof builds
const names: ReadonlyArray<Build> = ["whole", "unmetered", "bare"]

/** The bucket of each key is asked, and is never empty. */
const start = (build: Build, vendors: Process.Running) =>
  Contender.start("lading", {
    store: "postgres",
    vendors: vendors.urls.slice(0, 2),
    credits,
    flags: ["--import", new URL("Without.ts", import.meta.url).href],
    environment: { WITHOUT: builds[build], LADING_RATE_LIMIT: build === "bare" ? "0" : "1000000" }
  })

const figures = ["rate", "p50", "p99", "cpu"] as const
type Figure = (typeof figures)[number]

/** What a server did in a round; `cpu` is milliseconds on the processor for a request, the database not included. */
type Round = Readonly<Record<Figure, number>>

const roundOf = async ({ ask, url }: Contender.Contender, connections: number): Promise<Round> => {
  const before = await ask("cpu")
  const { p50, p99, rate, requests } = await Load.run(url, { requests: extent.round }, { callers: connections })
  // What the load left in the air ends before the next one's turn.
  await setTimeout(200)
  return { rate, p50, p99, cpu: (((await ask("cpu")) - before) / requests) * 1000 }
}

type Contenders = Readonly<Record<Build, Contender.Contender>>
/** Parts were really taken out, and the others are there. */
const check = async (contenders: Contenders): Promise<void> => {
  const strangers = await Promise.all(
    names.map(async (name) => {
      const body = Job.both.bodyFor(Job.nextDomain())
      const headers = { "content-type": "application/json" }
      const { status } = await fetch(contenders[name].url + Job.path, { method: "POST", headers, body })
      return status
    })
  )
  assert.deepEqual(strangers, [401, 401, 200], "who has no key is let in where nobody looks at keys")
  assert((await contenders.whole.spent()) >= extent.warmUp, "what is charged is in the ledger")
  for (const name of ["unmetered", "bare"] as const) assert.equal(await contenders[name].spent(), 0, name)
}

type Rounds = Readonly<Record<Build, Array<Round>>>

const compare = async (contenders: Contenders, connections: number) => {
  const rounds: Rounds = { whole: [], unmetered: [], bare: [] }
  for (let round = 0; round < extent.rounds; round++) {
    for (const name of names) rounds[name].push(await roundOf(contenders[name], connections))
  }
  const medians = (name: Build) =>
    Object.fromEntries(figures.map((figure) => [figure, Measure.median(rounds[name].map((round) => round[figure]))]))
  /** Of neighbouring rounds. */
  const toBare = (name: Build) =>
    Object.fromEntries(
      figures.map((figure) => [
        figure,
        Measure.spread(rounds[name].map((round, at) => round[figure] / (rounds.bare[at]?.[figure] ?? Number.NaN)))
      ])
    )
  return {
    connections,
    rounds: extent.rounds,
    whole: medians("whole"),
    unmetered: medians("unmetered"),
    bare: medians("bare"),
    ratio: { whole: toBare("whole"), unmetered: toBare("unmetered") }
  }
}

type Comparison = Awaited<ReturnType<typeof compare>>

const titles: Readonly<Record<Figure, string>> = {
  rate: "requests/s",
  p50: "p50 (ms)",
  p99: "p99 (ms)",
  cpu: "CPU ms a request"
}

const spreadOf = (spread: Measure.Spread | undefined): string =>
  spread === undefined ? "" : `${spread.median.toFixed(2)} (${spread.min.toFixed(2)} to ${spread.max.toFixed(2)})`

const print = (comparisons: ReadonlyArray<Comparison>): void =>
  console.table(
    comparisons.flatMap(({ bare, connections, ratio, unmetered, whole }) =>
      figures.map((figure) => ({
        connections,
        figure: titles[figure],
        whole: whole[figure]?.toFixed(2),
        "without ledger": unmetered[figure]?.toFixed(2),
        bare: bare[figure]?.toFixed(2),
        "whole to bare": spreadOf(ratio.whole[figure]),
        "without ledger to bare": spreadOf(ratio.unmetered[figure])
      }))
    )
  )

const measure = async (vendors: Process.Running): Promise<void> => {
  await using whole = await start("whole", vendors)
  await using unmetered = await start("unmetered", vendors)
  await using bare = await start("bare", vendors)
  const contenders = { whole, unmetered, bare }
  for (const name of names) await Load.run(contenders[name].url, { requests: extent.warmUp })
  await check(contenders)
  const before = loadavg()
  const comparisons: Array<Comparison> = []
  for (const connections of callers) {
    for (const name of names) await Load.run(contenders[name].url, { requests: connections }, { callers: connections })
    comparisons.push(await compare(contenders, connections))
  }
  print(comparisons)
  console.log(`load average before: ${before.map((load) => load.toFixed(1)).join(", ")}`)
  if (!values.quick) await Measure.write("platform", { load_before: before, round_requests: extent.round, comparisons })
}

const profile = async (build: Build, vendors: Process.Running): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "lading-profile-"))
  await using server = await start(build, vendors)
  await Load.run(server.url, { requests: extent.warmUp })
  const file = join(folder, `${build}.cpuprofile`)
  await server.ask("profile")
  const { rate, requests } = await Load.run(server.url, { seconds: values.quick ? 5 : 15 })
  await server.ask("profiled", file)
  console.log(`\n${build}: ${rate.toFixed(0)} requests/s while profiled; ${file}`)
  await Profile.print(file, requests)
}

if (!(await Store.isServerUp())) {
  console.log("Skipped: no PostgreSQL answers at LADING_TEST_POSTGRES or 127.0.0.1:5432")
} else {
  await using vendors = await Contender.startVendors()
  await vendors.ask("delay", 0)
  if (values.profile) for (const build of ["whole", "bare"] as const) await profile(build, vendors)
  else await measure(vendors)
}
