/** The question and the four answers that both sides of the benchmark work with. */
import type { CompanyFacts } from "@lading/core/company"

export const facts: ReadonlyArray<CompanyFacts> = [
  {
    name: "Nordvik Robotics",
    primary_domain: "nordvik-robotics.example",
    website_url: "http://www.nordvik-robotics.example",
    industries: ["Industrial automation"],
    founded_year: 2012,
    estimated_employee_count: 240,
    phones: ["+47 22 00 00 00"],
    hq: { full_address: "1 Havnegata, Oslo", city: "Oslo", postal_code: "0150", country: "Norway", country_code: "NO" },
    technologies: ["Salesforce", "Cloudflare", "React"]
  },
  {
    name: "Nordvik Robotics AS",
    primary_domain: "nordvik-robotics.example",
    description: "Robots for warehouses.",
    annual_revenue: 42_000_000,
    social_links: { linkedin_url: "linkedin.com/company/nordvik", twitter_url: "https://twitter.com/nordvik" },
    keywords: ["robotics", "warehouse"],
    technologies: ["cloudflare", "Kubernetes"]
  },
  {
    name: "NORDVIK ROBOTICS",
    industries: ["Robotics", "industrial automation"],
    total_funding: 15_000_000,
    phones: ["+4722000000", "+47 22 00 00 01"],
    emails: ["info@nordvik-robotics.example", "Sales@nordvik-robotics.example"],
    keywords: ["Robotics", "conveyor"]
  },
  {
    name: "Nordvik",
    primary_domain: "nordvik-robotics.example",
    founded_year: 2011,
    estimated_employee_count: 260,
    social_links: { facebook_url: "https://www.facebook.com/nordvik" },
    emails: ["INFO@nordvik-robotics.example"]
  }
]

/** What both sides have to answer. */
export interface Result {
  readonly profile: unknown
  readonly field_sources: unknown
  readonly credits: number
}
