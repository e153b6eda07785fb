/**
 * The port of a finder of contacts: pages of the web that speak of a company, with the addresses and numbers on them.
 * `layerSite` reads the company's own site; `FoundPages` reads what a search engine lists as well.
 *
 * Gotcha: a page is somebody else's text. What stands on it may be of anybody.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { PageError } from "./PageError.ts"
import { type Page, PageReader, type SocialLinks } from "./PageReader.ts"

/** Nobody could look for now. */
export class ContactFinderUnavailable extends Schema.TaggedError<ContactFinderUnavailable>()(
  "ContactFinderUnavailable",
  { problem: Schema.String }
) {}

/** The company that is looked for. */
export interface Sought {
  readonly name: string | null
  /** Its web domain, where it is known. */
  readonly domain: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
}

const Text = Schema.NullOr(Schema.String)

/** A page with contacts on it. */
export const WebContact = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  emails: Schema.Array(Schema.String),
  phones: Schema.Array(Schema.String),
  linkedin_url: Text,
  facebook_url: Text,
  instagram_url: Text,
  twitter_url: Text,
  /**
   * Who found it: `website` for pages that the own site leads to, else the search engine, e.g. `brave`; with
   * `_other_domain` behind it where its mail addresses are not of the company's domain.
   */
  from: Schema.String
})
export type WebContact = typeof WebContact.Type

export class ContactFinder extends Context.Service<
  ContactFinder,
  {
    /** Pages with contacts, the most telling first; none where nothing is found. */
    readonly find: (sought: Sought) => Effect.Effect<ReadonlyArray<WebContact>, ContactFinderUnavailable>
  }
>()("@lading/core/contact/ContactFinder") {}

/** Finds nothing, for installations that read no pages. */
export const layerNone: Layer.Layer<ContactFinder> = Layer.succeed(ContactFinder, { find: () => Effect.succeed([]) })

/** How many pages of a site are read beyond the first. */
const more = 2

/** What the pages are called on which companies say how they are reached. */
const telling = /contact|kontakt|contatt|contato|impress|about|联系|連絡|연락/i

const contactOf = ({ emails, phones, social_links, title, url }: Page): ReadonlyArray<WebContact> => {
  const { facebook_url, instagram_url, linkedin_url, twitter_url }: SocialLinks = social_links
  const networks = { facebook_url, instagram_url, linkedin_url, twitter_url }
  const says = emails.length + phones.length > 0 || Object.values(networks).some((link) => link !== null)
  return says ? [{ title: title ?? "", url, emails, phones, ...networks, from: "website" }] : []
}

/** Other pages of the same site on which contacts may stand. */
const links = ({ links, url }: Page): ReadonlyArray<string> => {
  const host = URL.parse(url)?.host
  const found = links.filter((link) => URL.parse(link.url)?.host === host && telling.test(`${link.url} ${link.text}`))
  return [...new Set(found.map((link) => link.url))].filter((link) => link !== url).slice(0, more)
}

/** A site that is down now may be up later; all else says that there is nothing to be read. */
const isPassing = ({ _tag }: PageError): boolean => _tag === "PageUnavailable" || _tag === "PageTimedOut"

/** Reads the company's own site: its first page, and those on which it says how it is reached. */
export const bySite = (read: PageReader["Service"]["read"]): ContactFinder["Service"]["find"] => {
  const options = (country: string | null) => (country === null ? {} : { country })
  const first = (domain: string, country: string | null) =>
    read(`https://${domain}/`, options(country)).pipe(
      Effect.catch((error) =>
        isPassing(error)
          ? Effect.fail(new ContactFinderUnavailable({ problem: `the site cannot be read: ${error.problem}` }))
          : Effect.succeed(null)
      )
    )
  return Effect.fnUntraced(function* ({ country, domain }) {
    const home = domain === null ? null : yield* first(domain, country)
    if (home === null) return []
    const others = yield* Effect.forEach(
      links(home),
      (url) => Effect.orElseSucceed(read(url, options(country)), () => null),
      { concurrency: more }
    )
    return [home, ...others.filter((page) => page !== null)].flatMap(contactOf)
  })
}

/** The own site alone. */
export const layerSite: Layer.Layer<ContactFinder, never, PageReader> = Layer.effect(
  ContactFinder,
  Effect.map(PageReader, ({ read }) => ({ find: bySite(read) }))
)
