/** The requests that both servers answer again and again. */
export const path = "/api/company/enrich"

export const apiKey = "lad_live_bench_0123456789abcdefghijklmnop"

export const vendorKey = "vendor-key-0123456789"

export const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` }

/** One kind of request, asked about one company after the other. */
export interface Job {
  readonly bodyFor: (domain: string) => string
  /** Whether an answer has what all vendors say that it is to ask; an answer with less would be a cheaper one. */
  readonly isWhole: (body: string) => boolean
}

/** `waterfall` stands in the request; `credits` is what it costs; `ownKey` whether an own key is used for it. */
export const make = (waterfall: object, credits: number, ownKey = false): Job => {
  const whole = [`"credits_charged":${credits},`, `"byok_used":${ownKey}`, `"sources_failed":[]`]
  return {
    bodyFor: (domain) => JSON.stringify({ identity: { domains: [domain] }, waterfall }),
    isWhole: (body) => whole.every((part) => body.includes(part))
  }
}

/** Two vendors at once: the platform's fee and two answers. */
export const both = make({ mode: "aggregate" }, 2.1)

let count = 0

/** A company that nobody asked about before. */
export const nextDomain = (): string => `c${++count}.example`
