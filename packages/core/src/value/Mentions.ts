/**
 * Mentions: whom a JSON value speaks of, as the handles under which somebody may object or be erased: every mail address,
 * every web address and every domain in any of its strings, wherever it stands. Vendors put addresses into places that
 * no schema names, so what is kept of them is found by what it mentions and not by the field that it stood in.
 *
 * Gotchas
 * - A mail address or a web address mentions its domain too: who erases a domain means everything there.
 * - Domains in running text are not looked for, only a string that is nothing else.
 */
import * as DomainName from "./DomainName.ts"
import * as MailAddress from "./MailAddress.ts"
import * as Page from "./Page.ts"
import * as WebAddress from "./WebAddress.ts"

/** The longest string that is searched; what is longer is no field of a profile. */
const longest = 100_000

const address = /[^\s"'(),:;<>@[\]\\/=?&]{1,64}@[a-z0-9\u00a1-\uffff.-]{3,253}/gi
const url = /https?:\/\/[^\s"'<>\\^`{|}]{3,2000}/gi
/** A host, with or without a path: `acme.example`, `linkedin.com/in/mara`. */
const bare = /^[a-z0-9\u00a1-\uffff-]+(?:\.[a-z0-9\u00a1-\uffff-]+)+(?:\/\S*)?$/i

/** The host of an address, with or without a scheme. */
const host = /^(?:https?:)?(?:\/\/)?(?:[^/?#@]*@)?([^/?#:]+)/i

const addUrl = (handles: Set<string>, text: string): void => {
  const trimmed = text.replace(/[.,;:!?)\]]+$/, "")
  const domain = DomainName.parse(host.exec(trimmed)?.[1] ?? "")
  // Only what a URL would spell otherwise has to be parsed as one.
  const address = /^[\w./:?#@&=~-]+$/.test(trimmed) && !trimmed.includes("..") ? trimmed : WebAddress.parse(trimmed)
  if (domain === null || address === null) return
  const key = Page.key(address)
  // The site itself is its domain.
  if (key.includes("/")) handles.add(`url:${key}`)
  handles.add(`domain:${DomainName.registrable(domain)}`)
}

const addAddresses = (handles: Set<string>, text: string): void => {
  for (const [found] of text.matchAll(address)) {
    const trimmed = found.replace(/^\.+|[.-]+$/g, "")
    const domain = MailAddress.domain(trimmed)
    if (domain === null) continue
    handles.add(MailAddress.emailHandle(trimmed))
    handles.add(`domain:${DomainName.registrable(domain)}`)
  }
}

const search = (text: string): ReadonlyArray<string> => {
  const handles = new Set<string>()
  if (text.includes("@")) addAddresses(handles, text)
  if (text.includes("://")) for (const [found] of text.matchAll(url)) addUrl(handles, found)
  else if (text.length <= 2000 && bare.test(text)) addUrl(handles, text)
  return [...handles]
}

/** What was found in a text: one request looks at the same ones in the facts, the raw answer and the profile. */
const known = new Map<string, ReadonlyArray<string>>()

/** Longer texts are not remembered, nor more of them. */
const remembered = { length: 200, texts: 5_000 }

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
  if (!/\.[^\s]/.test(text) || text.length > longest) return
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
    open.push(...Object.values(next))
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
