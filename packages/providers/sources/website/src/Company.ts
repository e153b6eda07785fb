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
import type { Node } from "./Organizations.ts"
import * as Phones from "./Phones.ts"
import * as PostalAddress from "./PostalAddress.ts"
import * as Profiles from "./Profiles.ts"
import * as Region from "./Region.ts"
import { clean, contactPoints, employees, isOwn, nodesOf, postal, textOf, textsOf } from "./Values.ts"

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

/** The first that is read to something. */
const firstOf = <A, B>(from: ReadonlyArray<A>, read: (one: A) => B | null): B | null => {
  for (const one of from) {
    const found = read(one)
    if (found !== null) return found
  }
  return null
}

/** Each once, in its first spelling. */
const unique = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const byKey = new Map<string, string>()
  for (const text of texts) if (!byKey.has(Text.key(text))) byKey.set(Text.key(text), text)
  return [...byKey.values()]
}

/** The content of a `<meta>`. */
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

/** Letters and digits only. */
const bare = (text: string): string => Text.key(text).replace(/[^\p{L}\p{N}]/gu, "")

/** The domain's word and the company's name, as parts that a handle may be made of. */
const ownWords = (domain: string, name: string | null): ReadonlyArray<string> => {
  const label = DomainName.registrable(domain).split(".", 1)[0] ?? ""
  const named = name === null ? [] : [bare(CompanyName.tokens(name).join(""))]
  return [bare(label), ...label.split("-"), ...named].filter((word) => word.length >= 3)
}

/**
 * Whether a page that a site merely links to is its own: its handle is like the domain or the name. The studio that built
 * a site has a link there, too.
 */
const isLikely = (words: ReadonlyArray<string>) => (profile: string) => {
  const handle = bare(
    URL.parse(profile)
      ?.pathname.split("/")
      .findLast((part) => part !== "") ?? ""
  )
  return handle.length >= 2 && words.some((word) => handle.includes(word) || word.includes(handle))
}

const socialLinks = (organizations: ReadonlyArray<Node>, pages: ReadonlyArray<Extract>, words: ReadonlyArray<string>) =>
  Profiles.links([
    ...organizations.flatMap((one) => textsOf(one["sameAs"])),
    ...pages.flatMap(({ own_profiles }) => own_profiles),
    ...pages.flatMap(twitterCard),
    ...pages.flatMap(({ linked_profiles }) => linked_profiles).filter(isLikely(words))
  ])

/** What the company is called: by the word for machines, by OpenGraph, by the part of the title that is the domain's. */
const nameOf = (organizations: ReadonlyArray<Node>, { domain, pages }: Site): string | null => {
  const [home] = pages
  return (
    firstOf(organizations, (one) => textOf(one["name"]) ?? textOf(one["legalName"])) ??
    firstOf(pages, meta("og:site_name")) ??
    meta("application-name")(home) ??
    nameInTitle(home.title, domain)
  )
}

/** Numbers as they are written, wherever they stand. */
const writtenPhones = (organizations: ReadonlyArray<Node>, pages: ReadonlyArray<Extract>): ReadonlyArray<string> => [
  ...contactPoints(organizations, "telephone"),
  ...pages.flatMap((page) => meta("business:contact_data:phone_number")(page) ?? []),
  ...pages.flatMap(({ phones }) => phones)
]

/** What the site says, in the domain's words. */
export const facts = (site: Site): CompanyFacts => {
  const { domain, pages } = site
  const [home] = pages
  const organizations = pages.flatMap((page) => page.organizations).filter(isOwn(domain))
  const name = nameOf(organizations, site)
  const address = hq(organizations, pages)
  return {
    name,
    primary_domain: DomainName.registrable(domain),
    website_url: URL.parse(home.url)?.origin ?? null,
    description:
      firstOf(organizations, (one) => textOf(one["description"])) ??
      meta("description")(home) ??
      meta("og:description")(home),
    founded_year: founded(organizations, pages),
    estimated_employee_count: firstOf(organizations, (one) => employees(one["numberOfEmployees"]) ?? null),
    phones: Phones.numbers(writtenPhones(organizations, pages), Region.of(address ?? null, pages, domain)),
    hq: address,
    social_links: socialLinks(organizations, pages, ownWords(domain, name)),
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
