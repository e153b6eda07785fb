/**
 * Reading pages in one visit: robots.txt of each site once, redirects followed as far as they stay with the same owner,
 * and a body that is HTML as markup.
 *
 * Gotchas
 * - Each hop of a redirect is judged like the first address: scheme, port, host, every IP address, and robots.txt.
 * - A redirect to somebody else's domain is not followed: what is there is somebody else's word (`PageMoved`).
 */
import { PageError } from "@lading/core/contact"
import { DomainName } from "@lading/core/value"
import { Clock, Effect } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import * as Charset from "./Charset.ts"
import * as Html from "./Html.ts"
import { PAGE_BYTES, REDIRECTS, ROBOTS_BYTES } from "./Options.ts"
import * as Robots from "./Robots.ts"
import * as Status from "./Status.ts"
import type { Answer, Ask, Web } from "./Web.ts"

/** A page as it was found. */
export interface Found {
  readonly url: URL
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly markup: Html.Markup
}

export interface Reading {
  /** The page at an address, behind redirects that stay with its owner. */
  readonly page: (url: URL) => Effect.Effect<Found, PageError.PageError>
  /** What the site of an address says to robots. */
  readonly robots: (url: URL) => Effect.Effect<Robots.Robots, PageError.PageError>
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const htmlType = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i

const askPage: Ask = {
  limit: PAGE_BYTES,
  wants: (status, headers) => {
    if (!isSuccess(status)) return false
    const type = headers["content-type"]
    // A server that says nothing is believed to mean HTML, as browsers do.
    return type === undefined || htmlType.test(type) || new PageError.PageUnreadable({ problem: "no HTML" })
  }
}

const askRobots: Ask = { limit: ROBOTS_BYTES, wants: isSuccess }

/** Where a redirect leads, if it may be followed. */
const target = ({ headers, url }: Answer): URL | PageError.PageError => {
  const next = headers.location === undefined ? null : URL.parse(headers.location, url)
  if (next === null) return new PageError.PageUnreadable({ problem: "a redirect without an address" })
  next.hash = ""
  if (DomainName.sameOwner(next.hostname, url.hostname)) return next
  return new PageError.PageMoved({ problem: "a redirect to another domain" })
}

/** Asks, and follows redirects; `before` stands before each request. */
const following = (web: Web, ask: Ask, before: (url: URL) => Effect.Effect<void, PageError.PageError>) =>
  Effect.fnUntraced(function* (first: URL): Effect.fn.Return<Answer, PageError.PageError> {
    let url = first
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      // Before robots.txt, which would be asked at the same host.
      yield* web.permits(url)
      yield* before(url)
      const answer = yield* web.get(url, ask)
      if (isSuccess(answer.status)) return answer
      if (!Status.isRedirect(answer.status)) {
        return yield* Status.trouble(answer.status, answer.headers, yield* Clock.currentTimeMillis)
      }
      const next = target(answer)
      if (!(next instanceof URL)) return yield* next
      url = next
    }
    return yield* new PageError.PageUnreadable({ problem: `more than ${REDIRECTS} redirects` })
  })

/** robots.txt of each origin, once a visit. */
const obeying = (web: Web) => {
  const known = new Map<string, Robots.Robots>()
  const fetch = following(web, askRobots, () => Effect.void)
  return Effect.fnUntraced(function* ({ origin }: URL): Effect.fn.Return<Robots.Robots, PageError.PageError> {
    const before = known.get(origin)
    if (before !== undefined) return before
    const read = Effect.map(fetch(new URL("/robots.txt", origin)), ({ body, url }) => {
      const rules = Robots.parse(origin, new TextDecoder().decode(body))
      // The same file speaks for the site that it was redirected to.
      if (url.pathname === "/robots.txt")
        known.set(url.origin, Robots.parse(url.origin, new TextDecoder().decode(body)))
      return rules
    })
    const rules = yield* Effect.catch(read, Robots.without)
    known.set(origin, rules)
    return rules
  })
}

/** Reads over the connections of a visit. */
export const make = (web: Web): Reading => {
  const robots = obeying(web)
  const permitted = (url: URL) =>
    Effect.flatMap(robots(url), (rules) =>
      rules.allows(url) ? Effect.void : Effect.fail(new PageError.PageForbidden({ problem: "robots.txt" }))
    )
  const follow = following(web, askPage, permitted)
  return {
    robots,
    page: (url) =>
      Effect.map(follow(url), ({ body, headers, status, url }) => ({
        url,
        status,
        headers,
        markup: Html.read(Charset.decode(body, headers["content-type"] ?? ""))
      }))
  }
}
