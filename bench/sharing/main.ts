/**
 * `pnpm bench sharing`: 20,000 requests about 2,000 companies, drawn by Zipf's law, from 100 callers; three vendors that
 * take 150 ms, all asked at once. `lading serve`, which shares equal calls that are in the air (flights) and keeps answers
 * (cache), beside the hand-written server (`../peers/fastify.ts`), which asks each vendor for each request. Both begin with
 * nothing kept and answer the same list, in turn, a part at a time.
 *
 * Vendor calls are counted by the vendors. Credits are what the accounts say: `lading account list` and the other one's
 * balance. An answer names what came from the cache (`cache_hits`); what it bought although no vendor was asked, it shared.
 *
 * - `--quick`: 2,000 requests, nothing is written.
 * - `--only postgres`: on PostgreSQL in place of the embedded database; nothing is written.
 */
import assert from "node:assert/strict"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import * as Contender from "../http/Contender.ts"
import * as Job from "../http/Job.ts"
import type * as Load from "../http/Load.ts"
import type * as Process from "../http/Process.ts"
import * as Store from "../http/Store.ts"
import * as Measure from "../Measure.ts"
import * as Callers from "./Callers.ts"
import * as Zipf from "./Zipf.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, only: { type: "string", default: "pglite" } }
})

const store = Store.kinds.find((kind) => kind === values.only)
if (store === undefined) throw new Error(`Expected --only ${Store.kinds.join(" or --only ")}`)

const load: Zipf.Load = { requests: values.quick ? 2000 : 20_000, companies: 2000, exponent: 1, seed: "lading" }
const callers = 100
const sources = 3

/** Milliseconds that a vendor takes. */
const latency = 150

/** Into how many parts the list is cut, so that both take turns. */
const parts = values.quick ? 4 : 10

/** Of how many answers one is compared. */
const sampled = 20

/** Never used up. */
const credits = 1e9

/** The platform's fee and three answers. */
const job = Job.make({ mode: "aggregate" }, 3.1)

/** What is read of an answer. */
interface Answer {
  readonly company: object
  readonly meta: {
    readonly billing: { readonly credits_charged: number }
    readonly waterfall: {
      readonly sources_attempted: ReadonlyArray<string>
      readonly sources_failed: ReadonlyArray<object>
      readonly cache_hits: ReadonlyArray<string>
    }
  }
}

/** What a server did with a part of the list, or with all of it. */
interface Round extends Load.Measured {
  /** Milliseconds on the processor for a request. */
  readonly cpu: number
  /** Vendor calls that were made. */
  readonly calls: number
  /** Answers of sources that came from the cache. */
  readonly cached: number
  /** Answers of sources for which no vendor was asked and that were not kept: somebody else's call. */
  readonly shared: number
}

/** One server's answers, in the order of the list. */
interface Book {
  /** Millionths that each answer says it cost. */
  readonly charged: Array<number>
  /** For each answer how many of its sources came from the cache. */
  readonly cached: Array<number>
  /** What is said of the company, of the answers that are compared. */
  readonly companies: Map<number, object>
}

const note = (book: Book, index: number, status: number, body: string): void => {
  assert.equal(status, 200, body)
  const { company, meta }: Answer = JSON.parse(body)
  const { cache_hits, sources_attempted, sources_failed } = meta.waterfall
  assert.deepEqual([sources_attempted.length, sources_failed.length], [sources, 0], body)
  book.charged[index] = Math.round(meta.billing.credits_charged * 1e6)
  book.cached[index] = cache_hits.length
  if (index % sampled === 0) book.companies.set(index, company)
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

/** A part of the list that begins at `from`. */
const roundOf = async (
  { ask, url }: Contender.Contender,
  vendors: Process.Running,
  book: Book,
  from: number,
  bodies: ReadonlyArray<string>
): Promise<Round> => {
  const before = { cpu: await ask("cpu"), calls: await vendors.ask("calls") }
  const measured = await Callers.run(url, bodies, callers, (index, status, body) =>
    note(book, from + index, status, body)
  )
  // What is written when nobody waits for it any more belongs to this round too.
  await setTimeout(200)
  const calls = (await vendors.ask("calls")) - before.calls
  const cached = sum(book.cached.slice(from))
  const shared = bodies.length * sources - cached - calls
  assert(shared >= 0, "no vendor is asked more often than answers are wanted")
  return { ...measured, cpu: (((await ask("cpu")) - before.cpu) / bodies.length) * 1000, calls, cached, shared }
}

const emptyBook = (): Book => ({ charged: [], cached: [], companies: new Map() })

/** The whole list, by both, in turn. */
const run = async (
  [a, b]: readonly [Contender.Contender, Contender.Contender],
  vendors: Process.Running,
  bodies: ReadonlyArray<string>
) => {
  const ours = { book: emptyBook(), rounds: new Array<Round>() }
  const plain = { book: emptyBook(), rounds: new Array<Round>() }
  const size = bodies.length / parts
  for (let from = 0; from < bodies.length; from += size) {
    const part = bodies.slice(from, from + size)
    ours.rounds.push(await roundOf(a, vendors, ours.book, from, part))
    plain.rounds.push(await roundOf(b, vendors, plain.book, from, part))
  }
  return { ours, plain }
}

type Done = Awaited<ReturnType<typeof run>>

const callsOf = ({ ours, plain }: Done, distinct: number) => {
  const total = (rounds: ReadonlyArray<Round>, figure: "calls" | "cached" | "shared") =>
    sum(rounds.map((round) => round[figure]))
  const made = total(plain.rounds, "calls")
  assert.equal(made, load.requests * sources, "plain calls: each vendor for each request")
  const calls = total(ours.rounds, "calls")
  const [cached, shared] = [total(ours.rounds, "cached"), total(ours.rounds, "shared")]
  assert(calls >= distinct * sources, "each vendor was asked about each company")
  return {
    plain: made,
    lading: calls,
    /** More than one call for a source and a company: its answer had come and was not kept yet. */
    repeated: calls - distinct * sources,
    saved: 1 - calls / made,
    saved_by_cache: cached / made,
    saved_by_sharing: shared / made
  }
}

/** `spent`: what the accounts say, in credits. */
const creditsOf = ({ ours, plain }: Done, spent: { readonly lading: number; readonly plain: number }) => {
  const [bill, plainBill] = [sum(ours.book.charged), sum(plain.book.charged)]
  assert.equal(Math.round(spent.lading * 1e6), bill, "the account was charged what the answers say")
  assert.equal(Math.round(spent.plain * 1e6), plainBill, "the other account too")
  const savings = ours.book.charged.map((charged, index) => (plain.book.charged[index] ?? Number.NaN) - charged)
  const fromCache = sum(savings.filter((_, index) => (ours.book.cached[index] ?? 0) > 0))
  return {
    ...spent,
    saved: 1 - bill / plainBill,
    saved_by_cache: fromCache / plainBill,
    saved_by_sharing: (sum(savings) - fromCache) / plainBill
  }
}

const check = ({ ours, plain }: Done): number => {
  for (const [index, company] of ours.book.companies) {
    assert.deepEqual(company, plain.book.companies.get(index), `request ${index}: both answer the same`)
  }
  return ours.book.companies.size
}

const figures = ["rate", "p50", "p99", "cpu"] as const

const speedOf = ({ ours, plain }: Done) => {
  const medians = (rounds: ReadonlyArray<Round>) =>
    Object.fromEntries(figures.map((figure) => [figure, Measure.median(rounds.map((round) => round[figure]))]))
  const ratio = (figure: (typeof figures)[number]) =>
    Measure.spread(ours.rounds.map((mine, index) => mine[figure] / (plain.rounds[index]?.[figure] ?? Number.NaN)))
  return {
    lading: medians(ours.rounds),
    plain: medians(plain.rounds),
    ratio: Object.fromEntries(figures.map((figure) => [figure, ratio(figure)]))
  }
}

const percent = (part: number): string => `${(part * 100).toFixed(2)} %`

/** Both on new stores. */
const measure = async (kind: Store.Kind) => {
  const domains = Zipf.domains(load)
  const distinct = new Set(domains).size
  await using vendors = await Contender.startVendors()
  await vendors.ask("delay", latency)
  const options = { store: kind, vendors: vendors.urls.slice(0, sources), credits }
  await using lading = await Contender.start("lading", options)
  await using fastify = await Contender.start("fastify", options)
  const done = await run([lading, fastify], vendors, domains.map(job.bodyFor))
  const spent = { lading: await lading.spent(), plain: await fastify.spent() }
  return {
    distinct,
    compared: check(done),
    calls: callsOf(done, distinct),
    credits: creditsOf(done, spent),
    speed: speedOf(done),
    rounds: { lading: done.ours.rounds, plain: done.plain.rounds }
  }
}

const measured = await measure(store)
const { calls, compared, credits: money, distinct, rounds, speed } = measured
console.log(
  `${store}: ${load.requests} requests about ${distinct} of ${load.companies} companies (Zipf, exponent ${load.exponent}), ` +
    `${callers} callers, ${sources} vendors that take ${latency} ms; ${compared} answers compared, all the same`
)
console.table(
  [
    { what: "vendor calls", ...calls },
    { what: "credits", ...money }
  ].map(({ what, plain, lading, saved, saved_by_cache, saved_by_sharing }) => ({
    what,
    plain,
    lading,
    saved: percent(saved),
    "by cache": percent(saved_by_cache),
    "by sharing": percent(saved_by_sharing)
  }))
)
console.log(`${calls.repeated} vendor calls asked what had been asked before`)
console.table(
  rounds.lading.map((mine, index) => ({
    calls: mine.calls,
    cached: mine.cached,
    shared: mine.shared,
    "requests/s": mine.rate.toFixed(0),
    plain: rounds.plain[index]?.rate.toFixed(0),
    "p99 (ms)": mine.p99.toFixed(0),
    "plain ": rounds.plain[index]?.p99.toFixed(0)
  }))
)
console.table(speed.ratio)
if (!values.quick && store === "pglite") {
  await Measure.write("sharing", { store, ...load, callers, sources, latency_ms: latency, ...measured })
}
