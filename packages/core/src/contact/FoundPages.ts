/**
 * A finder of contacts over a search engine: the company's own site, as `ContactFinder.layerSite` reads it, and beside it
 * the pages that the engine lists. All finders of that kind are this one; an adapter brings the engine.
 *
 * Bounds: one query for each company, at most six of the listed pages, three of them at the same time, none of them read
 * by other rules than those of the `PageReader` (public addresses only, robots.txt, size), and 16 s for all of it.
 *
 * Gotchas
 * - The name of the company leaves the house: it is the query.
 * - Where the engine does not answer, the own site is what there is, and a log line says so. Where that says nothing
 *   either, nobody knows whether there is something: `ContactFinderUnavailable`.
 */
import { Effect, Layer, type Scope } from "effect"
import type { CircuitBreaker, RateLimiter } from "effect/persistence"
import * as CompanyName from "../company/CompanyName.ts"
import * as PublicUrl from "../net/PublicUrl.ts"
import * as Country from "../value/Country.ts"
import * as DomainName from "../value/DomainName.ts"
import * as SharedHost from "../value/SharedHost.ts"
import * as Text from "../value/Text.ts"
import type * as Allowances from "../waterfall/Allowances.ts"
import * as Guard from "../waterfall/Guard.ts"
import * as CompanyOnPage from "./CompanyOnPage.ts"
import { bySite, ContactFinder, ContactFinderUnavailable, type Sought, type WebContact } from "./ContactFinder.ts"
import { type Page, PageReader } from "./PageReader.ts"
import * as SearchEngine from "./SearchEngine.ts"

/** Listed pages that are read: in all, of the company's own site, of any other one. */
const MOST = { pages: 6, own: 3, other: 2 }

const AT_ONCE = 3

/** Milliseconds for the own site, and for the listed pages. Together less than a request has. */
const TIME = { site: 8_000, pages: 8_000 }

/** Words of a name that make a query. */
const WORDS = 8

/** Files that no reader of pages reads. */
const file = /\.(?:pdf|docx?|xlsx?|pptx?|csv|zip|rar|jpe?g|png|gif|webp|svg|mp4)$/i

/**
 * What the engine is asked: the name in quotation marks, without its legal form unless it is one word, with the domain or
 * the country beside it. `null` where there is nothing to ask with. No sign but letters and digits of the name is in it,
 * so that no name is a command to the engine.
 */
export const query = ({ country, domain, name }: Sought): string | null => {
  const tokens = name === null ? [] : CompanyName.tokens(name)
  const words = (tokens.length === 1 && name !== null ? Text.words(name) : tokens).slice(0, WORDS)
  if (words.length === 0) return domain === null ? null : `${domain} contact`
  const [land] = country === null ? [] : Country.names(country)
  const place = domain ?? land
  return [`"${words.join(" ").slice(0, 200)}"`, ...(place === undefined ? [] : [place]), "contact"].join(" ")
}

/** The same for every spelling of an address that leads to one page. */
const keyOf = ({ hostname, pathname, search }: URL): string =>
  `${hostname.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}${search}`

const keyOfText = (text: string): string => {
  const url = URL.parse(text)
  return url === null ? text : keyOf(url)
}

/** Whether the address may be read and may be somebody's: profiles on networks are not pages that say how one is reached. */
const isReadable = (url: URL): boolean =>
  PublicUrl.problem(url) === null && !SharedHost.shared(url.hostname) && !file.test(url.pathname)

/**
 * Which of the listed pages are read, in this order: those of the company's own site, then the others as they were listed;
 * each once, few of any one site, and none of those that are known already.
 */
export const choose = (
  domain: string | null,
  listed: ReadonlyArray<SearchEngine.Listing>,
  known: ReadonlySet<string> = new Set()
): ReadonlyArray<string> => {
  const isOwn = ({ hostname }: URL) => domain !== null && DomainName.sameOwner(hostname, domain)
  const urls = listed.flatMap(({ url }) => URL.parse(url) ?? []).filter(isReadable)
  const seen = new Set(known)
  const sites = new Map<string, number>()
  const chosen = [...urls.filter(isOwn), ...urls.filter((url) => !isOwn(url))].filter((url) => {
    const key = keyOf(url)
    const site = DomainName.registrable(url.hostname)
    const count = sites.get(site) ?? 0
    if (seen.has(key) || count >= (isOwn(url) ? MOST.own : MOST.other)) return false
    seen.add(key)
    sites.set(site, count + 1)
    return true
  })
  return chosen.slice(0, MOST.pages).map((url) => {
    url.hash = ""
    return url.href
  })
}

/** What could be read in the time that there is, in the order in which it was chosen. */
const readAll = Effect.fnUntraced(function* (
  read: PageReader["Service"]["read"],
  urls: ReadonlyArray<string>,
  country: string | null
) {
  const pages = new Map<string, Page>()
  const one = (url: string) =>
    read(url, country === null ? {} : { country }).pipe(
      Effect.map((page) => void pages.set(url, page)),
      // A page that cannot be read is none; the others are.
      Effect.orElseSucceed(() => undefined)
    )
  yield* Effect.timeoutOption(Effect.forEach(urls, one, { concurrency: AT_ONCE, discard: true }), TIME.pages)
  return urls.flatMap((url) => pages.get(url) ?? [])
})

/** The contacts on the pages, those of the company's own site first, each page once. */
const contactsOn = (
  sought: Sought,
  pages: ReadonlyArray<Page>,
  known: ReadonlySet<string>,
  from: string
): ReadonlyArray<WebContact> => {
  const marks = CompanyOnPage.marks(sought)
  const seen = new Set(known)
  const said = pages.flatMap((page) => {
    const key = keyOfText(page.url)
    const one = seen.has(key) ? null : CompanyOnPage.said(marks, page)
    seen.add(key)
    return one ?? []
  })
  return [...said.filter(({ own }) => own), ...said.filter(({ own }) => !own)].map(({ contact }) => ({
    ...contact,
    from
  }))
}

const problemOf = (trouble: Guard.Trouble): string => {
  const { _tag } = trouble
  if (trouble._tag === "NotAsked") return `${_tag}: ${trouble.reason}`
  return "problem" in trouble ? `${_tag}: ${trouble.problem}` : _tag
}

interface Means {
  readonly engine: SearchEngine.SearchEngine
  readonly guard: Guard.Guard
  readonly read: PageReader["Service"]["read"]
}

/** What there is where the engine does not answer. */
const without = Effect.fnUntraced(function* (
  { engine }: Means,
  trouble: Guard.Trouble,
  site: ReadonlyArray<WebContact>
) {
  const problem = problemOf(trouble)
  yield* Effect.annotateLogs(Effect.logWarning("the search engine did not answer: own sites only"), {
    engine: engine.name,
    problem
  })
  if (site.length > 0) return site
  return yield* new ContactFinderUnavailable({ problem: `${engine.name} did not answer: ${problem}` })
})

const finding = (means: Means): ContactFinder["Service"]["find"] => {
  const { engine, guard, read } = means
  const site = (sought: Sought) =>
    bySite(read)(sought).pipe(
      Effect.timeoutOption(TIME.site),
      Effect.map((found) => (found._tag === "Some" ? found.value : [])),
      // The engine may know pages of a site that is down now.
      Effect.orElseSucceed((): ReadonlyArray<WebContact> => [])
    )
  return Effect.fnUntraced(function* (sought) {
    const question = query(sought)
    if (question === null) return []
    const [own, listed] = yield* Effect.all([site(sought), Effect.result(SearchEngine.ask(guard, engine, question))], {
      concurrency: 2
    })
    if (listed._tag === "Failure") return yield* without(means, listed.failure, own)
    const known = new Set(own.map(({ url }) => keyOfText(url)))
    const pages = yield* readAll(read, choose(sought.domain, listed.success, known), sought.country)
    return [...own, ...contactsOn(sought, pages, known, engine.name)]
  })
}

/** The finder over an engine, whose circuit, limits and allowances are those of the context. */
export const layer = <E, R>(
  engine: Effect.Effect<SearchEngine.SearchEngine, E, R>
): Layer.Layer<
  ContactFinder,
  E,
  | Exclude<R, Scope.Scope>
  | PageReader
  | Allowances.Allowances
  | CircuitBreaker.CircuitBreakerStore
  | RateLimiter.RateLimiterStore
> =>
  Layer.effect(
    ContactFinder,
    Effect.gen(function* () {
      const made = yield* engine
      const guard = yield* Guard.make([made.name], Guard.defaults)
      const { read } = yield* PageReader
      return ContactFinder.of({ find: finding({ engine: made, guard, read }) })
    })
  )
