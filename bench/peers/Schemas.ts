/**
 * JSON schemas of the peer: what it accepts, and what it answers. Fastify checks bodies with the one, and writes answers
 * with a function that it makes of the other, which is faster than `JSON.stringify`.
 */

export const request = {
  type: "object",
  required: ["identity"],
  properties: {
    identity: {
      type: "object",
      required: ["domains"],
      properties: {
        domains: { type: "array", minItems: 1, maxItems: 1, items: { type: "string", minLength: 3, maxLength: 253 } }
      }
    },
    waterfall: {
      type: "object",
      properties: {
        mode: { type: "string", enum: ["aggregate", "first_match"] },
        byok: {
          type: "object",
          properties: { provider_d_api_key: { type: "string", minLength: 1, maxLength: 4096 } }
        },
        timeout_ms: { type: "integer", minimum: 100, maximum: 60_000 }
      }
    }
  }
} as const

/** What `request` lets through. */
export interface Request {
  readonly identity: { readonly domains: readonly [string] }
  readonly waterfall?: {
    readonly mode?: "aggregate" | "first_match"
    readonly byok?: { readonly provider_d_api_key?: string }
  }
}

const text = { type: "string", nullable: true }
const number = { type: "number", nullable: true }
const texts = { type: "array", items: { type: "string" } }
const object = (properties: object) => ({ type: "object", properties })
const record = { type: "object", additionalProperties: { type: "string" } }
const reasons = { type: "array", items: object({ source: { type: "string" }, reason: { type: "string" } }) }

const address = object({
  full_address: text,
  city: text,
  state: text,
  postal_code: text,
  country: text,
  country_code: text
})

const links = object({
  linkedin_url: text,
  twitter_url: text,
  facebook_url: text,
  crunchbase_url: text,
  instagram_url: text
})

const profile = object({
  name: text,
  primary_domain: text,
  website_url: text,
  industries: texts,
  description: text,
  founded_year: number,
  estimated_employee_count: number,
  annual_revenue: number,
  total_funding: number,
  phones: texts,
  hq: address,
  social_links: links,
  technologies: texts,
  keywords: texts,
  emails: texts
})

const waterfall = object({
  mode: { type: "string" },
  all_fields_filled: { type: "boolean" },
  total_latency_ms: { type: "integer" },
  async_pending: { type: "boolean" },
  sources_attempted: texts,
  sources_skipped: reasons,
  sources_failed: reasons,
  cache_hits: texts
})

const billing = object({
  credits_charged: { type: "number" },
  byok_used: { type: "boolean" },
  platform_credits_charged: { type: "number" }
})

export const answer = object({
  success: { type: "boolean" },
  request_id: { type: "string" },
  company: object({
    input: object({ domain: text, name: text }),
    domain: text,
    name: text,
    profile,
    field_sources: record,
    provider_raw: object({}),
    customs: { type: "null" }
  }),
  meta: object({ billing, waterfall }),
  error: { type: "null" }
})
