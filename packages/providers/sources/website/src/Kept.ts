/**
 * How much of a site is kept as its raw answer: what is over is left out, pages from the end, then lists of the home
 * page. Facts are read from what is kept, so that they are the same when it is read again.
 */
import type { Site } from "./Company.ts"
import type { Extract } from "./Extract.ts"

/** Characters of the raw answer as JSON; four bytes each at the very most, one as a rule. */
export const KEPT = 64 * 1024

const sizeOf = (value: unknown): number => JSON.stringify(value).length

/** A page without what may be long. */
const bare = (page: Extract): Extract => ({ ...page, organizations: [], addresses: [], founding: [] })

/** The site, no larger than what is kept. */
export const bounded = (site: Site): Site => {
  if (sizeOf(site) <= KEPT) return site
  const [home, ...others] = site.pages
  const first = sizeOf(home) <= KEPT / 2 ? home : bare(home)
  let left = KEPT - sizeOf({ ...site, pages: [first] })
  const kept: Array<Extract> = []
  const unread = [...site.unread]
  for (const page of others) {
    left -= sizeOf(page) + 1
    if (left >= 0) kept.push(page)
    else unread.push({ url: page.url, problem: "TooLarge" })
  }
  return { ...site, pages: [first, ...kept], unread }
}
