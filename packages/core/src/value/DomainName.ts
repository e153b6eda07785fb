/**
 * Domain names, by the public suffix list (`tldts`). Reserved names such as `acme.example` count as domains.
 */
import { getDomain, getHostname, getPublicSuffix } from "tldts"

/** Most texts are already what is looked for. */
const plain = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Lower case, without scheme, user, port, path, trailing dot and `www.`; international names in their ASCII form.
 * `null` for what is no domain name (an address, a single label, a wrong character).
 */
export const parse = (text: string): string | null => {
  if (plain.test(text) && !text.startsWith("www.")) return text
  const host = getHostname(text.trim().toLowerCase(), { validateHostname: false, detectIp: false })
  if (host === null || host.length > 255) return null
  const bare = ascii(host.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, ""))
  if (bare === null || bare.length > 253) return null
  const labels = bare.split(".")
  return labels.length > 1 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? "")
    ? bare
    : null
}

/**
 * A lower-case name with its international labels in ASCII (UTS #46, as addresses of the web have it); `null` where they
 * have none. To be called with nothing but letters, digits, hyphens, underscores and dots in ASCII.
 */
export const ascii = (host: string): string | null => {
  if (/^[\x21-\x7e]*$/.test(host)) return host
  const url = URL.parse(`http://${host}`)
  return url === null ? null : url.hostname
}

/** What was looked up before: one company's answers name the same domain again and again. */
const known = new Map<string, string>()

/** The part that somebody can register (`shop.acme.co.uk` gives `acme.co.uk`); the name itself where there is none. */
export const registrable = (domain: string): string => {
  const remembered = known.get(domain)
  if (remembered !== undefined) return remembered
  if (known.size >= 10_000) known.clear()
  const found = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  known.set(domain, found)
  return found
}

/** Whether everybody can register below it (`co.uk`, `github.io`): the public suffix list's word. */
export const isPublicSuffix = (domain: string): boolean =>
  getPublicSuffix(domain, { allowPrivateDomains: true }) === domain

/** Whether two names belong to the same registrant. */
export const sameOwner = (a: string, b: string): boolean => a === b || registrable(a) === registrable(b)
