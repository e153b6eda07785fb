/**
 * A visit to a company's site: its home page wherever it is (https or http, with or without `www`), then the few pages
 * that it links to by a word for contact, imprint or about.
 *
 * Gotchas
 * - Without the home page there is no answer; every other page may fail, and the rest stands without it.
 * - Another way to the home page is tried only where no server answered: what a server says is said once.
 * - A site that asks for a pause between requests gets it, within the time that there is; where it asks for more than
 *   that, its home page is all that is read.
 */
import { PageError } from "@lading/core/contact"
import { Effect } from "effect"
import type { Site } from "./Company.ts"
import * as Extract from "./Extract.ts"
import * as NextPages from "./NextPages.ts"
import * as Nobody from "./Nobody.ts"
import { MORE_PAGES, type Time } from "./Options.ts"
import type { Found, Reading } from "./Reading.ts"

/** The longest pause that is kept; a site that wants a longer one is asked for nothing more. */
const LONGEST_PAUSE = 1_000

/** Pages that are read at the same time. */
const AT_ONCE = 2

export const within =
  (millis: number) =>
  <A, R>(effect: Effect.Effect<A, PageError.PageError, R>): Effect.Effect<A, PageError.PageError, R> =>
    Effect.timeoutOrElse(effect, {
      duration: millis,
      orElse: () => Effect.fail(new PageError.PageTimedOut({ problem: `nothing within ${millis} ms` }))
    })

/** Where the home page may be, in the order in which it is looked for. */
const doors = (domain: string): ReadonlyArray<URL> => {
  const hosts = [domain, `www.${domain}`]
  return hosts.flatMap((host) => [new URL(`https://${host}/`), new URL(`http://${host}/`)])
}

const isNowhere = (error: PageError.PageError): boolean =>
  error._tag === "PageUnreachable" || error._tag === "HostNotFound"

/** The home page; the first server that answers decides. */
const home = Effect.fnUntraced(function* (
  reading: Reading,
  domain: string
): Effect.fn.Return<Found, PageError.PageError> {
  let first: PageError.PageError | null = null
  const unknown = new Set<string>()
  for (const door of doors(domain)) {
    if (unknown.has(door.hostname)) continue
    const found = yield* Effect.result(reading.page(door))
    if (found._tag === "Success") return found.success
    const error = found.failure
    if (!isNowhere(error)) return yield* error
    if (error._tag === "HostNotFound") unknown.add(door.hostname)
    // A server that does not answer tells more than a name that is not there.
    if (first === null || first._tag === "HostNotFound") first = error
  }
  return yield* first ?? new PageError.HostNotFound({ problem: "no address" })
})

type Read = { readonly extract: Extract.Extract } | { readonly url: string; readonly problem: string }

/** The further pages that could be read in their time, in the order in which they were chosen. */
const further = Effect.fnUntraced(function* (
  reading: Reading,
  urls: ReadonlyArray<URL>,
  domain: string,
  pause: number,
  time: Time
): Effect.fn.Return<ReadonlyArray<Read>> {
  const read = new Map<string, Read>()
  const one = (url: URL) =>
    Effect.sleep(pause).pipe(
      Effect.andThen(within(time.page)(reading.page(url))),
      Effect.map((found): Read => ({ extract: Extract.of(found, domain, "further") })),
      Effect.catch((error) => Effect.succeed<Read>({ url: url.href, problem: error._tag })),
      Effect.map((result) => void read.set(url.href, result))
    )
  const all = Effect.forEach(urls, one, { concurrency: pause > 0 ? 1 : AT_ONCE, discard: true })
  // What was read when the time is over stands.
  yield* Effect.timeoutOption(all, time.pages)
  return urls.map(({ href }) => read.get(href) ?? { url: href, problem: "PageTimedOut" })
})

/** What the site of a domain says; `null` where what stands there is nobody's. */
export const site = Effect.fnUntraced(function* (
  reading: Reading,
  domain: string,
  time: Time
): Effect.fn.Return<Site | null, PageError.PageError> {
  const found = yield* within(time.home)(home(reading, domain))
  if (Nobody.isNobodys(found.markup)) return null
  const { allows, delay } = yield* reading.robots(found.url)
  const chosen = NextPages.choose(found.markup.anchors, found.url, Extract.baseOf(found), MORE_PAGES).filter(allows)
  const pages = delay > LONGEST_PAUSE ? [] : yield* further(reading, chosen, domain, delay, time)
  const seen = new Set([found.url.href])
  return {
    domain,
    pages: [
      Extract.of(found, domain, "home"),
      ...pages.flatMap((page) =>
        "extract" in page && !seen.has(page.extract.url) && seen.add(page.extract.url) ? [page.extract] : []
      )
    ],
    unread: pages.flatMap((page) => ("problem" in page ? [page] : []))
  }
})
