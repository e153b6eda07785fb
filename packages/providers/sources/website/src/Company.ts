/**
 * From what a site's pages say to the facts of its company. A pure function of the raw answer, so that kept answers can
 * be read again.
 *
 * Order of trust: what the site says of its company for machines (JSON-LD), then OpenGraph and meta, then the text.
 * Facts of the home page come before those of further pages.
 */
import type { CompanyFacts } from "@lading/core/company"
import { CompanyName } from "@lading/core/company"
import { DomainName, MailAddress, Text } from "@lading/core/value"
import { Schema } from "effect"
import { Extract } from "./Extract.ts"
import * as Founding from "./Founding.ts"
import { listOf, type Node } from "./Organizations.ts"
import * as Phones from "./Phones.ts"
import * as PostalAddress from "./PostalAddress.ts"
import * as Profiles from "./Profiles.ts"
import * as Region from "./Region.ts"

/** The raw answer: the site's pages, the home page first, and those that could not be read. */
export const Site = Schema.Struct({
  domain: Schema.String,
  pages: Schema.NonEmptyArray(Extract),
  unread: Schema.Array(Schema.Struct({ url: Schema.String, problem: Schema.String }))
})
export type Site = typeof Site.Type

/** The fields that an answer can fill. */
export const fields = [
  "name",
  "primary_domain",
  "website_url",
  "description",
  "founded_year",
  "estimated_employee_count",
  "phones",
  "hq",
  "social_links",
  "technologies",
  "keywords",
  "emails"
] as const

/** A text on one line, without characters that nobody sees. */
const clean = (text: string): string | null => Text.said(text.toWellFormed().replace(/[\p{Cc}\s]+/gu, " "))

/** Texts of a JSON-LD value: a string, a number, `{"@value": …}`, or a list of them. */
const textsOf = (value: unknown): ReadonlyArray<string> =>
  listOf(value).flatMap((one) => {
    if (typeof one === "string") return clean(one) ?? []
    if (typeof one === "number") return String(one)
    return typeof one === "object" && one !== null && "@value" in one ? textsOf(one["@value"]) : []
  })

const textOf = (value: unknown): string | null => textsOf(value)[0] ?? null

const nodesOf = (value: unknown): ReadonlyArray<Node> =>
  listOf(value).flatMap((one) => (typeof one === "object" && one !== null ? [{ ...one }] : []))

/** Whether an organization is the site's own: its address is here, or it has none. */
const isOwn =
  (domain: string) =>
  (organization: Node): boolean => {
    const urls = [...textsOf(organization["url"]), ...textsOf(organization["@id"])].flatMap((text) =>
      /^https?:\/\//i.test(text) ? (DomainName.parse(text) ?? []) : []
    )
    return urls.length === 0 || urls.some((one) => DomainName.sameOwner(one, domain))
  }

const firstOf = <A, B>(from: ReadonlyArray<A>, read: (one: A) => B | null): B | null => {
  for (const one of from) {
    const found = read(one)
    if (found !== null) return found
  }
  return null
}

const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Map(texts.map((text) => [Text.key(text), text])).values()
]

const meta =
  (name: string) =>
  (page: Extract): string | null =>
    clean(page.meta[name] ?? "")

/** The part of a title that is a name: the one that is the domain's word. */
const nameInTitle = (title: string | null, domain: string): string | null => {
  const word = Text.key((DomainName.registrable(domain).split(".", 1)[0] ?? "").replaceAll("-", ""))
  const bare = (text: string) => CompanyName.tokens(text).join("")
  const parts = (title ?? "").split(/\s+[|–—·•:»-]\s+|\s*[|»]\s*|:\s+/)
  return word.length < 3 ? null : (parts.find((part) => bare(part) === word)?.trim() ?? null)
}

const isYear = (year: number): boolean => year >= 1600 && year <= 2100

const founded = (organizations: ReadonlyArray<Node>, pages: ReadonlyArray<Extract>): number | null => {
  const year =
    firstOf(organizations, (one) => firstOf(textsOf(one["foundingDate"]), Founding.yearOfDate)) ??
    firstOf(
      pages.flatMap(({ founding }) => founding),
      Founding.yearOf
    )
  return year !== null && isYear(year) ? year : null
}

const count = (value: unknown): number | null => {
  const text = textOf(value)
  return text !== null && /^\d{1,8}$/.test(text) ? Number(text) : null
}

/** A number, a text of digits, or a `QuantitativeValue`. */
const employees = (value: unknown): CompanyFacts["estimated_employee_count"] => {
  const plain = count(value)
  if (plain !== null) return plain
  const [quantity] = nodesOf(value)
  if (quantity === undefined) return null
  const exact = count(quantity["value"])
  if (exact !== null) return exact
  const min = count(quantity["minValue"])
  const max = count(quantity["maxValue"])
  return min === null ? null : { min, max, text: max === null ? `${min}+` : `${min}-${max}` }
}

const country = (value: unknown): Pick<NonNullable<CompanyFacts["hq"]>, "country" | "country_code"> => {
  const text = textOf(value) ?? textOf(nodesOf(value)[0]?.["name"])
  if (text === null) return {}
  return /^[A-Za-z]{2}$/.test(text) ? { country_code: text.toUpperCase() } : { country: text }
}

const postal = (node: Node): CompanyFacts["hq"] => {
  const street = textOf(node["streetAddress"])
  const city = textOf(node["addressLocality"])
  const postal_code = textOf(node["postalCode"])
  const { country: name = null, country_code = null } = country(node["addressCountry"])
  if (city === null && name === null && country_code === null) return null
  const place = [postal_code, city].filter((part) => part !== null).join(" ")
  const shown = [street, place === "" ? null : place, name ?? country_code].filter((part) => part !== null)
  return {
    full_address: street === null ? null : shown.join(", "),
    city,
    state: textOf(node["addressRegion"]),
    postal_code,
    country: name,
    country_code
  }
}

const openGraphAddress = (page: Extract): CompanyFacts["hq"] =>
  postal({
    streetAddress: meta("business:contact_data:street_address")(page),
    addressLocality: meta("business:contact_data:locality")(page),
    addressRegion: meta("business:contact_data:region")(page),
    postalCode: meta("business:contact_data:postal_code")(page),
    addressCountry: meta("business:contact_data:country_name")(page)
  })

const hq = (organizations: ReadonlyArray<Node>, pages: ReadonlyArray<Extract>): CompanyFacts["hq"] =>
  firstOf(organizations, (one) =>
    firstOf(
      [...nodesOf(one["address"]), ...nodesOf(one["location"]).flatMap(({ address }) => nodesOf(address))],
      (node) => postal(node) ?? null
    )
  ) ??
  firstOf(pages, (page) => openGraphAddress(page) ?? null) ??
  firstOf(
    pages.flatMap(({ addresses }) => addresses),
    PostalAddress.read
  )

const contactPoints = (organizations: ReadonlyArray<Node>, name: "telephone" | "email"): ReadonlyArray<string> =>
  organizations.flatMap((one) => [
    ...textsOf(one[name]),
    ...nodesOf(one["contactPoint"]).flatMap((point) => textsOf(point[name]))
  ])

const emails = (organizations: ReadonlyArray<Node>, pages: ReadonlyArray<Extract>, domain: string) =>
  unique(
    [
      ...contactPoints(organizations, "email").map((text) => text.replace(/^mailto:/i, "")),
      ...pages.flatMap((page) => [...(page.meta["business:contact_data:email"] ?? "").split(","), ...page.emails])
    ]
      .map((text) => text.trim().toLowerCase())
      .filter((text) => {
        const host = MailAddress.domain(text)
        return host !== null && DomainName.sameOwner(host, domain)
      })
  )

const keywords = (organizations: ReadonlyArray<Node>, [home]: readonly [Extract, ...ReadonlyArray<Extract>]) =>
  unique(
    [...organizations.flatMap((one) => textsOf(one["keywords"])), home.meta["keywords"] ?? ""]
      .flatMap((text) => text.split(/[,;]/))
      .flatMap((text) => Text.said(text) ?? [])
      .filter((text) => text.length <= 60)
  ).slice(0, 30)

/** `@acme` of a Twitter card, as a page. */
const twitterCard = (page: Extract): ReadonlyArray<string> => {
  const handle = /^@(\w{1,20})$/.exec(meta("twitter:site")(page) ?? "")?.[1]
  return handle === undefined ? [] : [`https://twitter.com/${handle}`]
}

const socialLinks = (organizations: ReadonlyArray<Node>, pages: ReadonlyArray<Extract>) =>
  Profiles.links([
    ...organizations.flatMap((one) => textsOf(one["sameAs"])),
    ...pages.flatMap(({ own_profiles }) => own_profiles),
    ...pages.flatMap(twitterCard),
    ...pages.flatMap(({ linked_profiles }) => linked_profiles)
  ])

/** What the site says, in the domain's words. */
export const facts = ({ domain, pages }: Site): CompanyFacts => {
  const [home] = pages
  const organizations = pages.flatMap((page) => page.organizations).filter(isOwn(domain))
  const address = hq(organizations, pages)
  const region = Region.of(address ?? null, pages, domain)
  return {
    name:
      firstOf(organizations, (one) => textOf(one["name"]) ?? textOf(one["legalName"])) ??
      firstOf(pages, meta("og:site_name")) ??
      meta("application-name")(home) ??
      nameInTitle(home.title, domain),
    primary_domain: DomainName.registrable(domain),
    website_url: URL.parse(home.url)?.origin ?? null,
    description:
      firstOf(organizations, (one) => textOf(one["description"])) ??
      meta("description")(home) ??
      meta("og:description")(home),
    founded_year: founded(organizations, pages),
    estimated_employee_count: firstOf(organizations, (one) => employees(one["numberOfEmployees"]) ?? null),
    phones: Phones.numbers(
      [
        ...contactPoints(organizations, "telephone"),
        ...pages.flatMap((page) => meta("business:contact_data:phone_number")(page) ?? []),
        ...pages.flatMap(({ phones }) => phones)
      ],
      region
    ),
    hq: address,
    social_links: socialLinks(organizations, pages),
    technologies: unique(pages.flatMap(({ technologies }) => technologies)),
    keywords: keywords(organizations, pages),
    emails: emails(organizations, pages, domain)
  }
}

/** Whether the facts say more than whose site it is, and what serves it. */
export const saysSomething = ({
  description,
  emails,
  founded_year,
  hq,
  name,
  phones,
  social_links
}: CompanyFacts): boolean =>
  [description, founded_year, hq, name].some((fact) => fact != null) ||
  (emails ?? []).length > 0 ||
  (phones ?? []).length > 0 ||
  Object.values(social_links ?? {}).some((link) => link !== null)
