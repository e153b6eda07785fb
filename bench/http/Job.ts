/** The one request that both servers answer again and again, each time about another company. */
export const path = "/api/company/enrich"

export const apiKey = "lad_live_bench_0123456789abcdefghijklmnop"

export const vendorKey = "vendor-key-0123456789"

export const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` }

/** What it costs: the platform's fee and two answers. */
const credits = 2.1

export const bodyFor = (domain: string): string =>
  JSON.stringify({ identity: { domains: [domain] }, waterfall: { mode: "aggregate" } })

let count = 0

/** A company that nobody asked about before. */
export const nextDomain = (): string => `c${++count}.example`

/** Whether the answer has what both vendors say; an answer with less would be a cheaper one. */
export const isWhole = (body: string): boolean => body.includes(`"credits_charged":${credits},`)
