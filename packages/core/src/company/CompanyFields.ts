/** The fields of a company profile: how each is read, checked and merged. A new field is a row here. */
import { type FieldTable, group, list, members, scalar } from "../waterfall/Field.ts"
import type { Estimate } from "../waterfall/Said.ts"
import * as Country from "../value/Country.ts"
import * as DomainName from "../value/DomainName.ts"
import * as MailAddress from "../value/MailAddress.ts"
import * as Page from "../value/Page.ts"
import * as PhoneNumber from "../value/PhoneNumber.ts"
import * as Text from "../value/Text.ts"
import * as WebAddress from "../value/WebAddress.ts"
import type { CompanyFacts } from "./CompanyFacts.ts"
import type { CompanyProfile } from "./CompanyProfile.ts"

const text = (check: (text: string) => boolean) => (said: string) => {
  const value = Text.said(said)
  return value === null ? null : { value, valid: check(value), estimated: false }
}

/** A range counts as its lower bound and is marked. */
const estimate = (check: (value: number) => boolean, round: boolean) => (said: Estimate) => {
  const amount = typeof said === "number" ? said : said.min
  const value = round ? Math.trunc(amount) : amount
  // What the profile cannot hold is nothing said: an invalid value is still shown where nobody has a better one.
  if (!(round ? Number.isSafeInteger(value) : Number.isFinite(value))) return null
  return { value, valid: check(value), estimated: typeof said !== "number" }
}

const texts = () =>
  list((said: string) => {
    const value = Text.said(said)
    return value === null
      ? null
      : { key: Text.key(value), value, raw: said, valid: /[\p{L}\p{N}]/u.test(value), estimated: false }
  })

const noAddress = {
  full_address: null,
  city: null,
  state: null,
  postal_code: null,
  country: null,
  country_code: null
}

export const CompanyFields: FieldTable<CompanyFacts, CompanyProfile> = {
  name: scalar(
    text((name) => /[\p{L}\p{N}]/u.test(name)),
    { required: true }
  ),
  primary_domain: scalar((said: string) => {
    const value = Text.said(said)
    if (value === null) return null
    const domain = DomainName.parse(value)
    return { value: domain ?? value, valid: domain !== null, estimated: false }
  }),
  website_url: scalar((said: string) => {
    const value = Text.said(said)
    if (value === null) return null
    const url = WebAddress.parse(value)
    return { value: url ?? value, valid: url !== null, estimated: false }
  }),
  industries: { ...texts(), required: true },
  description: scalar(
    text(() => true),
    { required: true }
  ),
  founded_year: scalar((said: number) => {
    const value = Math.trunc(said)
    return Number.isSafeInteger(value)
      ? { value, valid: said === value && value >= 1000 && value <= 2100, estimated: false }
      : null
  }),
  estimated_employee_count: scalar(
    estimate((count) => count >= 1, true),
    { required: true }
  ),
  annual_revenue: scalar(estimate((amount) => amount >= 0, false)),
  total_funding: scalar(estimate((amount) => amount >= 0, false)),
  phones: list((said: string, region) => {
    const value = Text.said(said)
    if (value === null) return null
    const number = PhoneNumber.e164(value, region.country)
    return {
      key: number ?? PhoneNumber.digits(value),
      value,
      raw: said,
      valid: number !== null,
      estimated: false
    }
  }),
  hq: group(
    noAddress,
    (said) => {
      const value = {
        full_address: Text.said(said.full_address ?? ""),
        city: Text.said(said.city ?? ""),
        state: Text.said(said.state ?? ""),
        postal_code: Text.said(said.postal_code ?? ""),
        ...Country.read(said.country, said.country_code)
      }
      return Object.values(value).every((member) => member === null)
        ? null
        : { value, valid: value.city !== null || value.country !== null, estimated: false }
    },
    { required: true }
  ),
  social_links: members(
    ["linkedin_url", "twitter_url", "facebook_url", "crunchbase_url", "instagram_url"],
    (said, network) => {
      const value = Text.said(said[network] ?? "")
      if (value === null) return null
      const url = WebAddress.profile(value, Page.networks[network])
      return { value: url ?? value, raw: value, valid: url !== null, estimated: false }
    },
    { required: true }
  ),
  technologies: texts(),
  keywords: texts(),
  emails: list((said: string) => {
    const value = Text.said(said)
    return value === null
      ? null
      : {
          key: MailAddress.key(value),
          value,
          raw: said,
          valid: MailAddress.domain(value) !== null,
          estimated: false
        }
  })
}
