/** The plain vendor as it is asked by hand: one GET within a time limit, and its answer in our words. */
import type { CompanyFacts } from "@lading/core/company"
import { Pool } from "undici"

/** Milliseconds. */
const timeout = 10_000

/** The part of the vendor's answer that is read. */
interface Company {
  readonly name: string
  readonly domain: string
  readonly website: string | null
  readonly industries: ReadonlyArray<string>
  readonly about: string | null
  readonly foundedYear: number | null
  readonly headCount: number | null
  readonly revenueUsd: number | null
  readonly fundingUsd: number | null
  readonly phones: ReadonlyArray<string>
  readonly address: {
    readonly line: string
    readonly city: string
    readonly region: string | null
    readonly postcode: string
    readonly country: string
    readonly countryCode: string
  } | null
  readonly profiles: Readonly<Record<"linkedin" | "twitter" | "facebook" | "crunchbase" | "instagram", string | null>>
  readonly tech: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly mailboxes: ReadonlyArray<string>
}

const factsOf = ({ address, profiles, ...said }: Company): CompanyFacts => ({
  name: said.name,
  primary_domain: said.domain,
  website_url: said.website,
  industries: said.industries,
  description: said.about,
  founded_year: said.foundedYear,
  estimated_employee_count: said.headCount,
  annual_revenue: said.revenueUsd,
  total_funding: said.fundingUsd,
  phones: said.phones,
  hq:
    address === null
      ? null
      : {
          full_address: address.line,
          city: address.city,
          state: address.region,
          postal_code: address.postcode,
          country: address.country,
          country_code: address.countryCode
        },
  social_links: {
    linkedin_url: profiles.linkedin,
    twitter_url: profiles.twitter,
    facebook_url: profiles.facebook,
    crunchbase_url: profiles.crunchbase,
    instagram_url: profiles.instagram
  },
  technologies: said.tech,
  keywords: said.tags,
  emails: said.mailboxes
})

/** Asks about a domain with a key; `null` for a company that the vendor does not know. Rejects for everything else. */
export const make = (url: string) => {
  const pool = new Pool(url, { headersTimeout: timeout, bodyTimeout: timeout, connectTimeout: timeout })
  return async (domain: string, key: string): Promise<CompanyFacts | null> => {
    const headers = { "x-api-key": key, accept: "application/json" }
    const path = `/v1/company?domain=${encodeURIComponent(domain)}`
    const { body, statusCode } = await pool.request({ method: "GET", path, headers })
    if (statusCode === 200) return factsOf((await body.json()) as Company)
    await body.dump()
    if (statusCode === 404) return null
    throw new Error(`status ${statusCode}`)
  }
}
