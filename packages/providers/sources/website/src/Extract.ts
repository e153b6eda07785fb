/**
 * What is kept of a page: the parts that facts are read from, small and without the rest. The raw answer of a site is the
 * list of these, so that facts can be read from it again.
 */
import { MailAddress, DomainName } from "@lading/core/value"
import { Schema } from "effect"
import * as Fingerprints from "./Fingerprints.ts"
import * as Founding from "./Founding.ts"
import * as Mails from "./Mails.ts"
import * as Organizations from "./Organizations.ts"
import * as Phones from "./Phones.ts"
import * as PostalAddress from "./PostalAddress.ts"
import * as Profiles from "./Profiles.ts"
import type { Found } from "./Reading.ts"

const texts = Schema.Array(Schema.String)

export const Extract = Schema.Struct({
  /** Where the page was found. */
  url: Schema.String,
  language: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  meta: Schema.Record(Schema.String, Schema.String),
  /** Of JSON-LD, cut down: see `Organizations`. */
  organizations: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
  /** Pages on networks: those that the site calls its own, and those that it links to. */
  own_profiles: texts,
  linked_profiles: texts,
  /** As they are written. */
  phones: texts,
  /** Of the site's own domain. */
  emails: texts,
  /** Lines that may be a postal address. */
  addresses: Schema.Array(texts),
  /** Lines that speak of a founding. */
  founding: texts,
  technologies: texts
})
export type Extract = typeof Extract.Type

/** What is read of a page's `<meta>`. */
const metaNames = [
  "description",
  "keywords",
  "application-name",
  "og:site_name",
  "og:title",
  "og:description",
  "og:locale",
  "twitter:site",
  "business:contact_data:street_address",
  "business:contact_data:locality",
  "business:contact_data:region",
  "business:contact_data:postal_code",
  "business:contact_data:country_name",
  "business:contact_data:phone_number",
  "business:contact_data:email"
]

const MOST = { profiles: 20, url: 300, title: 300 }

/** Absolute addresses of links. */
const absolute = (hrefs: ReadonlyArray<string>, base: URL): ReadonlyArray<string> =>
  hrefs.flatMap((href) => {
    const url = URL.parse(href.trim(), base)
    return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MOST.url ? [url.href] : []
  })

const profiles = (hrefs: ReadonlyArray<string>, base: URL): ReadonlyArray<string> =>
  [...new Set(absolute(hrefs, base))].filter(Profiles.isProfile).slice(0, MOST.profiles)

const isMe = ({ rel }: { readonly rel: string }): boolean => /(?:^|\s)me(?:\s|$)/i.test(rel)

/** Where links of the page start. */
export const baseOf = ({ markup, url }: Found): URL =>
  markup.base === null ? url : (URL.parse(markup.base, url) ?? url)

/** Whether addresses in running text are looked for: a home page names other people's too. */
export type Place = "home" | "further"

/** The parts of a page of the site of `domain` that facts are read from. */
export const of = (found: Found, domain: string, place: Place): Extract => {
  const { headers, markup, url } = found
  const base = baseOf(found)
  const hrefs = markup.anchors.map(({ href }) => href)
  const mine = [...markup.relations, ...markup.anchors].filter(isMe).map(({ href }) => href)
  const own = (address: string) => DomainName.sameOwner(MailAddress.domain(address) ?? "", domain)
  return {
    url: url.href.slice(0, 2_000),
    language: markup.language,
    title: markup.title?.slice(0, MOST.title) ?? null,
    meta: Object.fromEntries(
      metaNames.flatMap((name) => {
        const content = markup.meta.get(name)
        return content === undefined ? [] : [[name, content]]
      })
    ),
    organizations: Organizations.read(markup.linkedData),
    own_profiles: profiles(mine, base),
    linked_profiles: profiles(hrefs, base),
    phones: Phones.candidates(hrefs, markup.text),
    emails: Mails.addresses(hrefs, markup.text).filter(own),
    addresses: [...markup.addresses, ...(place === "home" ? [] : PostalAddress.candidates(markup.text))],
    founding: Founding.sentences(markup.text),
    technologies: Fingerprints.technologies({ headers, markup })
  }
}
