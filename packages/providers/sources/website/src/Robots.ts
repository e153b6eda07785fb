/**
 * What a site allows to robots (RFC 9309). A site without robots.txt allows everything; one that is broken, nothing for
 * now; what stands under `User-agent: lading` comes before what stands under `*`.
 *
 * Gotcha: `Crawl-delay` is no part of the standard. It is kept to all the same, see `Pages`.
 */
import type { PageError } from "@lading/core/contact"
import { Effect } from "effect"
import robotsParser from "robots-parser"
import { robotName } from "./Options.ts"

export interface Robots {
  readonly allows: (url: URL) => boolean
  /** Milliseconds between two requests; 0 where nothing is said. */
  readonly delay: number
}

// The package is CommonJS: what is imported is the function, which its types have as a member `default`.
const parser = robotsParser as unknown as typeof robotsParser.default

const everything: Robots = { allows: () => true, delay: 0 }

/** Longer patterns are no path, and cost the matcher their length times that of the path. */
const LONGEST_LINE = 2_000

/** Each rule is tried on each path. */
const MOST_LINES = 10_000

const agent = /^\s*user-agent\s*:\s*([^#]*)/i

/**
 * The lines that matter, in fewer words: of the agents of a group those that may be meant, each once. The parser keeps
 * every rule for every agent of its group, which a file of many of both would make it do for minutes.
 */
const condensed = (text: string): string => {
  const kept: Array<string> = []
  const group = new Set<string>()
  for (const line of text.split(/\r\n|\r|\n/, MOST_LINES)) {
    if (line.length > LONGEST_LINE) continue
    const named = agent.exec(line)?.[1]
    if (named === undefined) {
      if (line.includes(":")) group.clear()
      kept.push(line.replace(/\*{2,}/g, "*"))
      continue
    }
    const name = named.split("/", 1)[0]?.trim().toLowerCase() ?? ""
    const meant = name === robotName || name === "*" ? name : "somebody-else"
    if (!group.has(meant)) kept.push(`User-agent: ${meant}`)
    group.add(meant)
  }
  return kept.join("\n")
}

/** A file that stands for the site of `origin`. */
export const parse = (origin: string, text: string): Robots => {
  const rules = parser(`${origin}/robots.txt`, condensed(text.replace(/^\ufeff/, "")))
  const delay = rules.getCrawlDelay(robotName) ?? 0
  return {
    allows: (url) => rules.isAllowed(url.href, robotName) ?? true,
    delay: Number.isFinite(delay) ? Math.max(0, delay * 1000) : 0
  }
}

/** What a file that could not be read means: everything is allowed, or the site cannot be asked now. */
export const without = (error: PageError.PageError): Effect.Effect<Robots, PageError.PageError> => {
  switch (error._tag) {
    case "PageForbidden":
    case "PageNotFound":
    case "PageMoved":
    case "PageUnreadable":
      return Effect.succeed(everything)
    case "PageRefused":
    case "HostNotFound":
    case "PageUnreachable":
    case "PageUnavailable":
    case "PageTimedOut":
      return Effect.fail(error)
  }
}
