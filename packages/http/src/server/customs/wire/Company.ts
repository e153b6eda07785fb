/** Answers about companies whose names and types the interface spells in its own way. */
import type { ContactFinder } from "@lading/core/contact"
import { type CustomsAnswer, type CustomsSearch, TradePlace } from "@lading/core/trade"
import type { BulkStatus, Match, ProductKeywords, SemanticQuery } from "../../../api/CustomsBody.ts"
import * as Flags from "../../Flags.ts"

const flowOf = { importer: "import", exporter: "export" } as const

export const bulkStatus = (statuses: ReadonlyArray<typeof CustomsAnswer.Status.Type>): typeof BulkStatus.Type =>
  Object.fromEntries(
    statuses.map(({ active, company_id, new_add, potential, role }) => [
      `${company_id}-${flowOf[role]}`,
      { new_add, active, potential }
    ])
  )

const contactOf = (found: ContactFinder.WebContact) => ({
  mobile: found.phones.join(","),
  email: found.emails.join(","),
  facebook: found.facebook_url ?? "",
  linkedin: found.linkedin_url ?? "",
  instagram: found.instagram_url ?? "",
  twitter: found.twitter_url ?? ""
})

export const semanticQuery = (found: ReadonlyArray<ContactFinder.WebContact>): typeof SemanticQuery.Type =>
  found.map((one) => ({ title: one.title, url: one.url, contact: contactOf(one), from: one.from }))

const nameOf = (code: string | null): string | null => (code === null ? null : (TradePlace.country(code)?.name ?? code))

type Row = NonNullable<CustomsSearch.Matched["row"]>

/** What customs records do not say of a company. */
const unknown = {
  blog_url: null,
  linkedin_url: null,
  twitter_url: null,
  facebook_url: null,
  phone: null,
  email: null,
  founded_year: null,
  publicly_traded_symbol: null,
  publicly_traded_exchange: null,
  logo_url: null,
  industries: null,
  postal_code: null,
  short_description: null,
  // These may not be null: unknown is empty or 0.
  estimated_num_employees: "",
  annual_revenue: 0,
  logo: "",
  employee_info_num: 0
}

const rowOf = ({
  address,
  company_id,
  country,
  domain,
  keywords,
  name
}: Row): NonNullable<(typeof Match.Type)["row"]> => ({
  ...unknown,
  id: company_id,
  name,
  website_url: domain === null ? null : `https://${domain}`,
  keywords: keywords.join(","),
  raw_address: address ?? "",
  country: nameOf(country) ?? "",
  country_logo: country === null ? "" : Flags.pathOf(country)
})

export const match = ({ candidates, row }: CustomsSearch.Matched): typeof Match.Type => ({
  row: row === null ? null : rowOf(row),
  total: candidates.length,
  addressList: candidates.map(({ address, country, name }) => ({ companyName: name, area: nameOf(country), address })),
  enterpriseList: candidates.map(({ company_id }) => company_id).join(",")
})

export const productKeywords = ({
  current_page,
  list,
  total
}: CustomsAnswer.Page<typeof CustomsAnswer.Product.Type>): typeof ProductKeywords.Type => ({
  list,
  current_page: String(current_page),
  total
})
