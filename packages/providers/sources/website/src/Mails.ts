/**
 * Mail addresses on a page: in links and in the text.
 *
 * Gotcha: addresses that a site hides from robots (`name [at] domain`, Cloudflare's) stay hidden: that is what is meant
 * by hiding them.
 */
import { MailAddress } from "@lading/core/value"

const MOST = 50

const pattern = "[\\p{L}\\p{N}._%+'-]{1,64}@[\\p{L}\\p{N}](?:[\\p{L}\\p{N}.-]{0,250}[\\p{L}\\p{N}])?"

const inText = new RegExp(pattern, "gu")

const whole = new RegExp(`^${pattern}$`, "u")

/** What looks like an address in the name of a picture. */
const file = /\.(?:png|jpe?g|gif|svg|webp|avif|css|js|mjs|woff2?)$/i

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const inLink = (href: string): ReadonlyArray<string> =>
  /^mailto:/i.test(href.trim())
    ? unescaped(href.trim().slice("mailto:".length).split("?", 1)[0] ?? "").split(/[,;]/)
    : []

/** Addresses in lower case, each once: those of links first. */
export const addresses = (hrefs: ReadonlyArray<string>, text: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  const add = (written: string) => {
    const address = written
      .trim()
      .toLowerCase()
      .replace(/^['.-]+/, "")
    if (found.size >= MOST || !whole.test(address) || file.test(address)) return
    if (MailAddress.domain(address) !== null) found.add(address)
  }
  for (const href of hrefs) inLink(href).forEach(add)
  for (const [written] of text.matchAll(inText)) add(written)
  return [...found]
}
