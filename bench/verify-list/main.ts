/**
 * `pnpm bench verify-list`: a list of 100,000 invented addresses over 2,000 domains through `POST /api/email/verify` of a
 * real server process, against mail hosts on loopback in another one: how fast, how soon there is progress, and in how much
 * memory. Every verdict is compared with what is so, the bill with the definite ones among them, and the connections that
 * a host had with what it may have.
 *
 * - `--kill`: SIGKILL when half of it is done, and a server that goes on.
 * - `--store pglite|postgres`: one of the two.
 * - `--addresses`: another number of them. `--quick`: 5,000. With either nothing is written.
 */
import assert from "node:assert/strict"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { MailPopulation } from "@lading/testing/mail"
import * as Measure from "../Measure.ts"
import * as Store from "../http/Store.ts"
import * as World from "../verify/World.ts"
import * as Server from "./Server.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    kill: { type: "boolean" },
    store: { type: "string" },
    addresses: { type: "string" }
  }
})

const whole = 100_000
const addresses = values.quick ? 5_000 : Number(values.addresses ?? whole)
const limits: Server.Limits = { perHost: 4, connections: 300 }
const price = 0.05

/** Nobody has to be asked again minutes later: that is what greylists and name servers in trouble want. */
const spec: MailPopulation.PopulationSpec = {
  addresses,
  domains: Math.ceil(addresses / 50),
  hosts: 240,
  kinds: { servfail: 0 }
}
const population = MailPopulation.make(spec)

interface Answer {
  readonly task_id: string
  readonly status: string
  readonly progress: { readonly checked: number; readonly total: number }
  readonly results: Readonly<Record<string, { readonly status: string }>>
  readonly meta: { readonly billing: { readonly credits_charged: number } }
}

const headers = { "x-api-key": Server.apiKey, "content-type": "application/json" }

const ask = async (url: string, body: object): Promise<Answer> => {
  const response = await fetch(`${url}/api/email/verify`, { method: "POST", headers, body: JSON.stringify(body) })
  const text = await response.text()
  assert.equal(response.status, 201, text.slice(0, 1_000))
  // The interface says so.
  return JSON.parse(text) as Answer
}

/** Credits that are held, and that are spent, of an account. */
const balance = async (url: string): Promise<{ readonly held: number; readonly captured: number }> => {
  const response = await fetch(`${url}/api/account`, { headers })
  // The interface says so.
  const { data } = (await response.json()) as {
    readonly data: { readonly balance: { readonly held: number; readonly captured: number } }
  }
  return data.balance
}

/** Looks until so many are decided, or it has ended. */
const until = async (url: string, task_id: string, enough: number) => {
  let first: number | null = null
  for (;;) {
    const look = await ask(url, { type: "bulk_result", task_id, page: 1, limit: 1 })
    if (look.progress.checked > 0) first ??= performance.now()
    if (look.status === "completed" || look.progress.checked >= enough) return { first, look }
    assert(look.status === "queued" || look.status === "running", look.status)
    await setTimeout(50)
  }
}

/** Every address is there, with the verdict that it deserves. */
const check = async (url: string, task_id: string): Promise<number> => {
  const said = new Map<string, string>()
  for (let page = 1; said.size < addresses; page++) {
    const { results } = await ask(url, { type: "bulk_result", task_id, page, limit: 10_000 })
    assert(Object.keys(results).length > 0, `${said.size} of ${addresses} have a result`)
    for (const [email, { status }] of Object.entries(results)) said.set(email, status)
  }
  const wrong = [...population.expected].filter(([email, status]) => said.get(email) !== status)
  assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} wrong verdicts`)
  return [...said.values()].filter((status) => status !== "unknown").length
}

const seconds = (from: number): number => (performance.now() - from) / 1_000
const MIB = 1024 * 1024

const run = async (kind: Store.Kind, kills: boolean) => {
  await using world = await World.start({ population: spec, latency: 0 })
  await using store = await Store.make(kind)
  // Creating a database takes more memory than anything after it.
  await (await Server.start(world, store, limits)).end("SIGTERM")
  let server = await Server.start(world, store, limits)
  try {
    const idle = await server.peak()
    const start = performance.now()
    const { task_id } = await ask(server.url, { type: "bulk", emails: population.addresses })
    const accepted = seconds(start)
    const { first } = await until(server.url, task_id, kills ? addresses / 2 : Number.POSITIVE_INFINITY)
    let peak = await server.peak()
    let cpu = await server.cpu()
    let again: number | null = null
    if (kills) {
      await server.end("SIGKILL")
      const dead = performance.now()
      server = await Server.start(world, store, limits)
      await until(server.url, task_id, Number.POSITIVE_INFINITY)
      again = seconds(dead)
      peak = Math.max(peak ?? 0, (await server.peak()) ?? 0)
      cpu = (cpu ?? 0) + ((await server.cpu()) ?? 0)
    }
    const took = seconds(start)
    const definite = await check(server.url, task_id)
    const { look } = await until(server.url, task_id, Number.POSITIVE_INFINITY)
    assert.equal(look.meta.billing.credits_charged, Math.round(definite * price * 1e6) / 1e6)
    assert.deepEqual(await balance(server.url).then(({ captured, held }) => ({ captured, held })), {
      captured: look.meta.billing.credits_charged,
      held: 0
    })
    const counted = await world.counted()
    assert(counted.mostPerHost <= limits.perHost, `${counted.mostPerHost} connections to one host`)
    return {
      store: kind,
      killed: kills,
      addresses,
      /** From the first byte of the request to the last verdict; with a kill, the start of the other server too. */
      seconds: took,
      rate: addresses / took,
      accepted,
      first_progress: first === null ? null : (first - start) / 1_000,
      /** From the kill on. */
      after_kill: again,
      peak: peak === null ? null : peak / MIB,
      idle: idle === null ? null : idle / MIB,
      cpu,
      recipients: counted.recipients,
      connections: counted.opened,
      most_per_host: counted.mostPerHost,
      definite,
      credits: look.meta.billing.credits_charged
    }
  } finally {
    await server.end("SIGKILL")
  }
}

const kinds = Store.kinds.filter((kind) => values.store === undefined || values.store === kind)
if (kinds.length === 0) throw new Error(`Expected --store ${Store.kinds.join(" or --store ")}`)

const runs: Array<Awaited<ReturnType<typeof run>>> = []
for (const kind of kinds) {
  if (kind === "postgres" && !(await Store.isServerUp())) {
    console.log("postgres: skipped, for no server answers at LADING_TEST_POSTGRES or 127.0.0.1:5432")
    continue
  }
  for (const kills of values.kill === undefined ? [false, true] : [values.kill]) {
    const found = await run(kind, kills)
    runs.push(found)
    console.log(found)
  }
}
const isWhole = addresses === whole && values.store === undefined && values.kill === undefined
if (isWhole) await Measure.write("verify-list", { limits, population: spec, runs })
