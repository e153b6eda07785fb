/** A page as `PageReader` gives it. */
import type { PageReader } from "@lading/core/contact"
import * as Extract from "./Extract.ts"
import * as Mails from "./Mails.ts"
import * as Phones from "./Phones.ts"
import * as Profiles from "./Profiles.ts"
import type { Found } from "./Reading.ts"
import * as Region from "./Region.ts"

const link = (anchor: { readonly href: string; readonly text: string; readonly rel: string }, base: URL) => {
  const url = URL.parse(anchor.href.trim(), base)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return []
  url.hash = ""
  return [
    {
      url: url.href,
      text: anchor.text,
      rel: anchor.rel
        .toLowerCase()
        .split(/\s+/)
        .filter((word) => word !== "")
    }
  ]
}

/** What the page says. `country` is where numbers without a country code are; else the page's language or domain tells. */
export const of = (found: Found, country: string | null): PageReader.Page => {
  const { markup, status, url } = found
  const base = Extract.baseOf(found)
  const hrefs = markup.anchors.map(({ href }) => href)
  const links = markup.anchors.flatMap((anchor) => link(anchor, base))
  const relations = markup.relations.flatMap((anchor) => link(anchor, base))
  const mine = [...relations, ...links].filter(({ rel }) => rel.includes("me"))
  const region = country ?? Region.ofPage(markup.language, markup.meta.get("og:locale") ?? null, url.hostname)
  return {
    url: url.href,
    status,
    title: markup.title,
    language: markup.language,
    text: markup.text,
    links,
    emails: Mails.addresses(hrefs, markup.text),
    phones: Phones.numbers(Phones.candidates(hrefs, markup.text), region),
    social_links: Profiles.links([...mine, ...links].map(({ url }) => url))
  }
}
