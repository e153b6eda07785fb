/**
 * `pnpm bench search`: company search over so many invented companies in chDB, through the index, by hand against the same
 * table, and over HTTP with everything that a request has. Through the index and by hand in turn, in one process; then the
 * server, in a process of its own, since a folder is open in one.
 *
 * `--companies` (1,000,000), `--asks` of each question (40), `--quick` (50,000 companies, 10 asks, nothing is written),
 * `--folder` where the companies are kept and found again.
 */
import { deepStrictEqual } from "node:assert/strict"
import { access, mkdtemp, rm, writeFile } from "node:fs/promises"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Clickhouse from "@lading/clickhouse"
import { CompanyIndex, type CompanyQuestion } from "@lading/core/company"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as Measure from "../Measure.ts"
import * as Plain from "../trade/Plain.ts"
import * as Companies from "./Companies.ts"
import { byHand, limit, type Question, questions } from "./Questions.ts"
import * as Server from "./Server.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    companies: { type: "string" },
    asks: { type: "string" },
    quick: { type: "boolean", default: false },
    folder: { type: "string" }
  }
})

const companies = Number((values.companies ?? (values.quick ? "50000" : "1000000")).replaceAll("_", ""))
const asks = Number(values.asks ?? (values.quick ? "10" : "40"))
if (!Number.isSafeInteger(companies) || companies < 1000) throw new Error("Expected --companies from 1000 on")

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "lading-bench-")))
const store = join(folder, "chdb")
const done = join(folder, `companies-${companies}`)

/** Companies that are put together. */
const TOGETHER = 25_000

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false
  )

type Index = CompanyIndex.CompanyIndex["Service"]

const fill = async (index: Index): Promise<number> => {
  const began = performance.now()
  for (let from = 0; from < companies; from += TOGETHER) {
    const length = Math.min(TOGETHER, companies - from)
    await Effect.runPromise(index.put(Array.from({ length }, (_, one) => Companies.at(from + one))))
    process.stdout.write(`\r${from + length} companies put`)
  }
  const seconds = (performance.now() - began) / 1000
  console.log(` in ${seconds.toFixed(0)} s`)
  return seconds
}

interface Took {
  readonly p50: number
  readonly p95: number
}

const tookOf = (times: ReadonlyArray<number>): Took => {
  const sorted = times.toSorted((a, b) => a - b)
  return { p50: Measure.median(times), p95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN }
}

const timed = async <A>(job: () => Promise<A>): Promise<readonly [A, number]> => {
  const began = performance.now()
  const answer = await job()
  return [answer, performance.now() - began]
}

const nothing: CompanyQuestion.Filter = {
  query: null,
  domains: [],
  countries: [],
  industries: [],
  technologies: [],
  employee_range: null,
  founded_range: null,
  has_trade: null
}

/** Of what is found how many there are; for facets nothing. */
const ask = async (index: Index, question: Question, at: number): Promise<number | null> => {
  const filter = { ...nothing, ...question.filter(at) }
  if (question.facets === true) {
    await Effect.runPromise(index.facets(filter, "acc_bench"))
    return null
  }
  const asked = { filter, account: "acc_bench", page: question.page ?? 1, limit, after: null }
  return (await Effect.runPromise(index.search(asked))).total
}

const askByHand = async (plain: Plain.Plain, question: Question, at: number): Promise<number | null> => {
  let last: ReadonlyArray<Plain.Row> = []
  for (const statement of byHand(question, at)) last = await plain.rows(statement)
  return question.facets === true ? null : Number(last[0]?.n ?? 0)
}

interface Asked {
  readonly name: string
  readonly index: Took
  readonly byHand: Took
}

const inTurn = async (index: Index, plain: Plain.Plain, question: Question): Promise<Asked> => {
  const [ours, theirs]: [Array<number>, Array<number>] = [[], []]
  for (let at = -3; at < asks; at++) {
    const number = Math.abs(at)
    const [found, took] = await timed(() => ask(index, question, number))
    const [byHand, took2] = await timed(() => askByHand(plain, question, number))
    deepStrictEqual(found, byHand, `${question.name} is answered otherwise by hand`)
    if (at < 0) continue
    ours.push(took)
    theirs.push(took2)
  }
  return { name: question.name, index: tookOf(ours), byHand: tookOf(theirs) }
}

const overHttp = async (server: Server.Server, question: Question): Promise<Took> => {
  const times: Array<number> = []
  for (let at = -3; at < asks; at++) {
    const isFacets = question.facets === true
    const paging = isFacets ? { limit: 1 } : { limit, page: question.page ?? 1 }
    const body = JSON.stringify({ ...question.body(Math.abs(at)), ...paging, facets: isFacets })
    const [status, took] = await timed(async () => {
      const response = await fetch(`${server.url}/api/company/search`, {
        method: "POST",
        headers: { authorization: `Bearer ${Server.apiKey}`, "content-type": "application/json" },
        body
      })
      await response.text()
      return response.status
    })
    deepStrictEqual(status, 200)
    if (at >= 0) times.push(took)
  }
  return tookOf(times)
}

/** Through the index and by hand. */
const asking = async (): Promise<{ readonly asked: ReadonlyArray<Asked>; readonly seconds: number | null }> => {
  const scope = Effect.runSync(Scope.make())
  const layer = Clickhouse.layer.pipe(Layer.provide(Clickhouse.Engine.layerEmbedded(store)))
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const index = Context.get(context, CompanyIndex.CompanyIndex)
  const seconds = (await exists(done)) ? null : await fill(index)
  await writeFile(done, "")
  const asked: Array<Asked> = []
  {
    await using plain = await Plain.open(store)
    for (const question of questions) asked.push(await inTurn(index, plain, question))
  }
  await Effect.runPromise(Scope.close(scope, Exit.void))
  return { asked, seconds }
}

const ms = (value: number): string => value.toFixed(1)
const load = loadavg().map((one) => Number(one.toFixed(1)))

const { asked, seconds } = await asking()
const server = await Server.start(folder)
const found: Array<Asked & { readonly http: Took }> = []
for (const [index, question] of questions.entries()) {
  const one = asked[index]
  if (one !== undefined) found.push({ ...one, http: await overHttp(server, question) })
}
await server.end()

const table = found.map((one) => ({
  ...one,
  ratio: one.index.p50 / one.byHand.p50,
  http_ratio: one.http.p50 / one.byHand.p50
}))
console.table(
  table.map(({ byHand, http, http_ratio, index, name, ratio }) => ({
    question: name,
    "by hand p50": ms(byHand.p50),
    "by hand p95": ms(byHand.p95),
    "index p50": ms(index.p50),
    "index p95": ms(index.p95),
    ratio: ratio.toFixed(2),
    "HTTP p50": ms(http.p50),
    "HTTP p95": ms(http.p95),
    "HTTP ratio": http_ratio.toFixed(2)
  }))
)
console.log(
  `load average before and after: ${load.join(" ")}, ${loadavg()
    .map((one) => one.toFixed(1))
    .join(" ")}`
)
if (!values.quick) {
  const after = loadavg().map((one) => Number(one.toFixed(1)))
  await Measure.write("search", {
    companies,
    asks,
    put_seconds: seconds,
    load_average: { before: load, after },
    questions: table
  })
}
if (values.folder === undefined) await rm(folder, { recursive: true, force: true })
