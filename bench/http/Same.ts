/** Both servers answer the same before anything is measured: what they find, what it costs, and what they refuse. */
import assert from "node:assert/strict"
import * as Contender from "./Contender.ts"
import * as Job from "./Job.ts"
import type * as Store from "./Store.ts"

/** Enough for two answers and not for a third. */
const credits = 5

/** What both have to agree on; the rest of an answer is an id and a time. */
interface Answer {
  readonly company?: object
  readonly meta: { readonly billing: object; readonly waterfall?: { readonly total_latency_ms?: number } }
  readonly error: { readonly code: string } | null
}

const post = async (url: string, body: string, headers: Readonly<Record<string, string>> = Job.headers) => {
  const response = await fetch(`${url}${Job.path}`, { method: "POST", headers, body })
  const { company, error, meta } = (await response.json()) as Answer
  const { total_latency_ms, ...waterfall } = meta.waterfall ?? {}
  assert.equal(typeof total_latency_ms, company === undefined ? "undefined" : "number")
  return { status: response.status, company, billing: meta.billing, waterfall, code: error?.code ?? null }
}

const wrong = [
  "{",
  "{}",
  `{"identity":{"domains":"acme.example"}}`,
  `{"identity":{"domains":["no domain"]}}`,
  `{"identity":{"domains":["acme.example"]},"waterfall":{"mode":"all"}}`,
  `{"identity":{"domains":["acme.example"]},"waterfall":{"timeout_ms":"soon"}}`
]

/** All that one of them answers, in words that can be compared. */
const answersOf = async ({ url }: Contender.Contender, domain: string) => {
  const ask = () => post(url, Job.both.bodyFor(domain))
  return {
    strangers: [
      await post(url, Job.both.bodyFor(domain), { "content-type": "application/json" }),
      await post(url, Job.both.bodyFor(domain), { ...Job.headers, authorization: "Bearer lad_live_unknown_0123456789" })
    ],
    refused: await Promise.all(wrong.map((body) => post(url, body))),
    bought: await ask(),
    pasted: await post(url, Job.both.bodyFor(`https://www.Other-${domain}/about`)),
    spent: await post(url, Job.both.bodyFor(`third-${domain}`))
  }
}

/** Starts both on this kind of store, compares, and stops them. */
export const check = async (store: Store.Kind, vendors: ReadonlyArray<string>): Promise<void> => {
  const domain = Job.nextDomain()
  const [ours, theirs] = await Promise.all(
    Contender.names.map(async (name) => {
      await using server = await Contender.start(name, { store, vendors, credits })
      return await answersOf(server, domain)
    })
  )
  assert(ours !== undefined)
  assert.deepEqual(theirs, ours, `${store}: both servers answer the same`)
  assert.deepEqual([ours.bought.status, ours.pasted.status, ours.spent.status], [200, 200, 402])
  for (const { status } of ours.strangers) assert.equal(status, 401)
  for (const { status } of ours.refused) assert.equal(status, 400)
  assert(Job.both.isWhole(JSON.stringify([ours.bought.billing, ours.bought.waterfall])))
}

/** The same for servers that run already and have credits to spare: what they find in these jobs, and what it costs. */
export const compare = async (
  servers: ReadonlyArray<Contender.Contender>,
  jobs: ReadonlyArray<Job.Job>
): Promise<void> => {
  for (const job of jobs) {
    const body = job.bodyFor(Job.nextDomain())
    const [ours, ...theirs] = await Promise.all(servers.map(({ url }) => post(url, body)))
    assert(ours !== undefined)
    assert.equal(ours.status, 200)
    for (const other of theirs) assert.deepEqual(other, ours, "both servers answer the same")
    assert(job.isWhole(JSON.stringify([ours.billing, ours.waterfall])))
  }
}
