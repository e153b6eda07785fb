/**
 * Mentions: whom a JSON value speaks of, as the handles under which somebody may object or be erased: every mail address,
 * every web address and every domain in any of its strings, wherever it stands. Vendors put addresses into places that
 * no schema names, so what is kept of them is found by what it mentions and not by the field that it stood in.
 *
 * Where it is not clear where an address begins or ends (`邮箱mara@…`, `“o'brien@…`) every reading counts: a handle too
 * many costs an answer, one too few leaves somebody in it.
 *
 * Gotchas
 * - A mail address or a web address mentions its domain too: who erases a domain means everything there.
 * - Domains in running text are not looked for, only a string that is nothing else; pages of the known networks are.
 * - Everything here takes time in proportion to the text: what is read comes from vendors.
 */
import * as DomainName from "./DomainName.ts"
import * as MailAddress from "./MailAddress.ts"
import * as Page from "./Page.ts"
import * as WebAddress from "./WebAddress.ts"

/** What cannot stand in the local part of an address; see `MailAddress.domain`. */
const outsideLocal = /[\s"(),:;<>@[\]\\]/
/** What can stand in a domain, in any script. */
const inDomain = /[\p{L}\p{N}\p{M}.-]/u
/** The longest local part, the longest domain, and the longest text that may be nothing but an address. */
const longest = { local: 64, domain: 253, text: 1000 }

/** Where a local part may begin behind its first character: after anything that is not usual in one. */
const usual = /[a-z0-9._%+-]/i

const localsBefore = (text: string, at: number): ReadonlyArray<string> => {
  let start = at
  while (start > 0 && at - start < longest.local && !outsideLocal.test(text[start - 1] ?? " ")) start--
  const readings: Array<string> = []
  for (let from = start; from < at; from++) {
    if (from === start || !usual.test(text[from - 1] ?? "")) readings.push(text.slice(from, at).replace(/^\.+/, ""))
  }
  return readings
}

const domainsAfter = (text: string, at: number): ReadonlyArray<string> => {
  let end = at + 1
  while (end < text.length && end - at <= longest.domain && inDomain.test(text[end] ?? " ")) end++
  const whole = trimmedEnd(text.slice(at + 1, end), ".-")
  const plain = trimmedEnd(/^[a-z0-9.-]*/i.exec(whole)?.[0] ?? "", ".-")
  return plain === whole ? [whole] : [whole, plain]
}

/** A loop, since a pattern at the end of a text is looked for from everywhere in it. */
const trimmedEnd = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] ?? "")) end--
  return text.slice(0, end)
}

/** The addresses that the `@` at this place may be of. */
const addressesAt = (text: string, at: number): ReadonlyArray<readonly [address: string, domain: string]> =>
  domainsAfter(text, at).flatMap((domain) => {
    const parsed = domain.includes(".") ? DomainName.parse(domain) : null
    if (parsed === null) return []
    return localsBefore(text, at)
      .map((local) => [`${local}@${parsed}`, parsed] as const)
      .filter(([address]) => MailAddress.domain(address) !== null)
  })

const addAddresses = (handles: Set<string>, text: string): void => {
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    for (const [address, domain] of addressesAt(text, at)) {
      handles.add(MailAddress.emailHandle(address))
      handles.add(`domain:${DomainName.registrable(domain)}`)
    }
  }
}

/** Dots of other scripts, which domains may have (UTS #46). */
const otherDots = /[\u3002\uff0e\uff61]/

const plainAddress = /^[\w.%+-]+@[a-z0-9.-]+$/i

/**
 * A string that is one address and nothing else, in spellings that no running text has: with quotation marks, or with
 * characters in its domain that stand for others.
 */
const addWhole = (handles: Set<string>, text: string): void => {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf("@")
  if (at < 1 || trimmed.length > longest.text || plainAddress.test(trimmed)) return
  const [local, after] = [trimmed.slice(0, at), trimmed.slice(at + 1)]
  if (/[\s/:?#@]/.test(after)) return
  const domain = DomainName.parse(after)
  if (domain === null) return
  handles.add(MailAddress.emailHandle(`${local}@${domain}`))
  handles.add(`domain:${DomainName.registrable(domain)}`)
}

/** The host of an address, with or without a scheme. */
const host = /^(?:https?:)?(?:\/\/)?(?:[^/?#@]*@)?([^/?#:]+)/i

const addUrl = (handles: Set<string>, text: string): void => {
  const trimmed = trimmedEnd(text, ".,;:!?)]}*_|'…")
  const domain = DomainName.parse(host.exec(trimmed)?.[1] ?? "")
  // Only what a URL would spell otherwise has to be parsed as one.
  const address = /^[\w./?#@&=~-]+$/.test(trimmed) && !trimmed.includes("..") ? trimmed : WebAddress.parse(trimmed)
  if (domain === null || address === null) return
  const key = Page.key(address)
  // The site itself is its domain.
  if (key.includes("/")) handles.add(`url:${key}`)
  handles.add(`domain:${DomainName.registrable(domain)}`)
}

/** What can stand in an address (RFC 3986, 2), and letters of any script; quotation marks of all kinds end it. */
const inUrl = String.raw`[\p{L}\p{N}\p{M}\-._~:/?#[\]@!$&()*+,;=%]`

const url = new RegExp(`https?://${inUrl}{3,2000}`, "giu")
/** A host, with or without a port and a path: `acme.example`, `//linkedin.com/in/mara`. */
const bare = /^(?:\/\/)?[\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)+(?::\d{1,5})?(?:\/\S*)?$/u
/** A page of a network in running text, without a scheme. */
const page = new RegExp(
  `(?:${Object.values(Page.networks).flat().join("|").replaceAll(".", "[.]")})(?::[0-9]{1,5})?/${inUrl}{1,2000}`,
  "giu"
)

/** `mara%40acme.example`, `mara&#64;acme.example`: as a URL or a page would spell an address. */
const encoded = /%40|&#64;|&#x40;|&commat;/i

const search = (said: string): ReadonlyArray<string> => {
  const handles = new Set<string>()
  const text = encoded.test(said) ? `${said} ${said.replaceAll(new RegExp(encoded, "gi"), "@")}` : said
  if (text.includes("@")) {
    addAddresses(handles, text)
    addWhole(handles, text)
  }
  const trimmed = text.trim()
  if (trimmed.length <= 2000 && bare.test(trimmed)) addUrl(handles, trimmed)
  else {
    if (text.includes("://")) for (const [found] of text.matchAll(url)) addUrl(handles, found)
    for (const [found] of text.matchAll(page)) addUrl(handles, found)
  }
  return [...handles]
}

/** What was found in a text: one request looks at the same ones in the facts, the raw answer and the profile. */
const known = new Map<string, ReadonlyArray<string>>()

/** Longer texts are not remembered, nor more of them. */
const remembered = { length: 200, texts: 5_000 }

/** Forgets what was looked at: somebody in it may have been erased. */
export const forget = (): void => known.clear()

const find = (text: string): ReadonlyArray<string> => {
  const before = known.get(text)
  if (before !== undefined) return before
  const found = search(text)
  if (text.length > remembered.length) return found
  if (known.size >= remembered.texts) known.clear()
  known.set(text, found)
  return found
}

const addText = (handles: Set<string>, text: string): void => {
  // Every mention has a dot with something behind it.
  if (!/\.[^\s]/.test(text) && !otherDots.test(text)) return
  for (const handle of find(text)) handles.add(handle)
}

/** The handles of everything that the value mentions, each once. With a stack of its own: values may be nested deeply. */
export const of = (value: unknown): ReadonlyArray<string> => {
  const handles = new Set<string>()
  const open: Array<unknown> = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === "string") addText(handles, next)
    if (typeof next !== "object" || next === null) continue
    if (!Array.isArray(next)) for (const name of Object.keys(next)) addText(handles, name)
    // One by one: as arguments of one call a long list would be too many.
    for (const member of Object.values(next)) open.push(member)
  }
  return [...handles]
}

/**
 * The value without what mentions one of these handles: such a string is `null`, in a list it is left out, and so is a
 * member of that name.
 */
export const without = (value: unknown, handles: ReadonlySet<string>): unknown => {
  const speaks = (text: string) => of(text).some((handle) => handles.has(handle))
  if (typeof value === "string") return speaks(value) ? null : value
  if (Array.isArray(value)) {
    return value.flatMap((member) => (typeof member === "string" && speaks(member) ? [] : [without(member, handles)]))
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (speaks(name) ? [] : [[name, without(member, handles)]]))
  )
}
