/**
 * A company that this installation knows: what is put into the index of companies, and what comes out of it. Contacts of a
 * company (addresses, numbers) are not part of it: an index of companies is no list of people.
 */
import * as DomainName from "../value/DomainName.ts"
import * as Text from "../value/Text.ts"
import * as TraderKeys from "../trade/TraderKeys.ts"
import * as TraderId from "../trade/TraderId.ts"
import * as TraderName from "../trade/TraderName.ts"
import type { Span } from "../waterfall/Directory.ts"

/** What is said of a company; unknown is `null` or an empty list. */
export interface Said {
  readonly name: string | null
  /** Lower case, without scheme, `www.` and path. */
  readonly domain: string | null
  readonly website_url: string | null
  /** Of the headquarters; ISO 3166-1 alpha-2. */
  readonly country: string | null
  readonly city: string | null
  readonly industries: ReadonlyArray<string>
  readonly technologies: ReadonlyArray<string>
  /** A number is a range of one; `max` is `null` for an open one. */
  readonly employees: (Span & { readonly min: number }) | null
  readonly founded_year: number | null
  readonly description: string | null
  readonly linkedin_url: string | null
}

/** A company as an enrichment answered. It has a name or a domain. */
export interface KnownCompany extends Said {
  /** The account with whose own key it was bought, whose alone it is; `null` for everybody's. */
  readonly account: string | null
  /** The trader that its domain is known to be of. */
  readonly trader_id: string | null
}

/** A trader of the customs records. */
export interface KnownTrader {
  readonly trader_id: string
  /** The name that most records write first. */
  readonly names: readonly [string, ...ReadonlyArray<string>]
  readonly country: string | null
  readonly trade: Trade
}

/** Records in which a company stands. */
export interface Trade {
  readonly trade_count: number
  readonly import_count: number
  readonly export_count: number
}

/** A company as it is found. */
export interface Company extends Said {
  /** A trader's id, or `ownId`. */
  readonly company_id: string
  /** `null` for a company without customs records. */
  readonly trade: Trade | null
}

export const nothing: Said = {
  name: null,
  domain: null,
  website_url: null,
  country: null,
  city: null,
  industries: [],
  technologies: [],
  employees: null,
  founded_year: null,
  description: null,
  linkedin_url: null
}

/** Of a company that is no trader, by its domain, else by its name and country: the same for the same company everywhere. */
export const ownId = ({ country, domain, name }: Pick<Said, "country" | "domain" | "name">): string =>
  domain === null
    ? `nam_${TraderId.identity("company", country, Text.words(name ?? ""))}`
    : `dom_${TraderId.identity("company", null, [domain])}`

/** By which names are the same, without legal forms; `null` for a name that says nobody. */
export const nameKey = (name: string | null): string | null => {
  if (name === null) return null
  const { placeholder, tokens } = TraderName.read(name)
  const [whole] = placeholder || tokens.length === 0 ? [] : TraderKeys.ofName(name)
  return whole ?? null
}

/** The part of a domain that somebody registered. */
export const ownerOf = (domain: string | null): string | null =>
  domain === null ? null : DomainName.registrable(domain)

/** The handle under which it is erased, or kept from being known. */
export const handleOf = (domain: string): string => `domain:${DomainName.registrable(domain)}`

/** How much is known, 0 to 10: of two that fit alike the one of which more is known comes first. */
export const completeness = (said: Said): number =>
  [
    said.domain,
    said.website_url,
    said.country,
    said.city,
    said.employees,
    said.founded_year,
    said.description,
    said.linkedin_url,
    said.industries[0] ?? null,
    said.technologies[0] ?? null
  ].filter((value) => value !== null).length
