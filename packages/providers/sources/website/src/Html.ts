/**
 * What stands in a page's markup, gathered in one pass without a tree: `htmlparser2` gives tags and texts as they come.
 *
 * Gotchas
 * - Hostile markup is cheap to write: every list is bounded, and reading ends where elements are nested deeper than any
 *   page is. (The parser looks through its open elements at each closing tag, so depth is what makes it slow.)
 * - Nothing here is trusted or run: strings go out as strings.
 */
import { Parser } from "htmlparser2"

export interface Anchor {
  /** As it is written. */
  readonly href: string
  readonly text: string
  readonly rel: string
}

export interface Markup {
  readonly language: string | null
  readonly title: string | null
  /** The first `<base href>`, as it is written. */
  readonly base: string | null
  /** The first content of each `<meta>`, by lower-case `name` or `property`. */
  readonly meta: ReadonlyMap<string, string>
  readonly anchors: ReadonlyArray<Anchor>
  /** `<link rel href>`. */
  readonly relations: ReadonlyArray<Anchor>
  /** `src` of scripts. */
  readonly scripts: ReadonlyArray<string>
  /** The beginning of scripts that stand in the page. */
  readonly inline: string
  /** Texts of `application/ld+json`. */
  readonly linkedData: ReadonlyArray<string>
  /** Lines of each `<address>`. */
  readonly addresses: ReadonlyArray<ReadonlyArray<string>>
  /** What a reader sees, a line for each block. */
  readonly text: string
}

const MOST = {
  depth: 300,
  meta: 100,
  anchors: 2_000,
  relations: 100,
  scripts: 200,
  inline: 100_000,
  linkedData: 20,
  linkedDataLength: 200_000,
  addresses: 20,
  addressLength: 600,
  text: 500_000,
  attribute: 2_000,
  anchorText: 200
}

const PIECE = 16 * 1024

/** Their content is not what a reader sees. */
const hidden = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "object",
  "select",
  "textarea",
  "title"
])

/** They stand within a line. */
const within = new Set(
  "a abbr acronym b bdi bdo big cite code data dfn em font i img ins kbd label mark q s samp small span strong sub sup time tt u var wbr".split(
    " "
  )
)

/** A text that grows up to a limit. */
const growing = (limit: number) => {
  const parts: Array<string> = []
  let length = 0
  return {
    add: (text: string) => {
      if (length >= limit) return
      parts.push(text.slice(0, limit - length))
      length += text.length
    },
    take: (): string => parts.join("")
  }
}

type Growing = ReturnType<typeof growing>

/** Single spaces, no blank line, nothing at the ends. */
const lines = (text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => {
    const said = line.replace(/[\s\u00a0\u200b\ufeff]+/g, " ").trim()
    return said === "" ? [] : [said]
  })

const short = (text: string | undefined): string => (text ?? "").slice(0, MOST.attribute)

interface Attributes {
  readonly [name: string]: string | undefined
}

/** What was gathered so far, and where the next text goes. */
interface Gathered {
  language: string | null
  title: Growing | null
  base: string | null
  readonly meta: Map<string, string>
  readonly anchors: Array<{ readonly href: string; readonly rel: string; readonly text: Growing }>
  readonly relations: Array<Anchor>
  readonly scripts: Array<string>
  readonly linkedData: Array<Growing>
  readonly addresses: Array<Growing>
  readonly text: Growing
  readonly inline: Growing
  depth: number
  /** Open elements that hide what is in them. */
  unseen: number
  readonly open: { title: Growing | null; script: Growing | null; anchor: Growing | null; address: Growing | null }
}

const nothing = (): Gathered => ({
  language: null,
  title: null,
  base: null,
  meta: new Map(),
  anchors: [],
  relations: [],
  scripts: [],
  linkedData: [],
  addresses: [],
  text: growing(MOST.text),
  inline: growing(MOST.inline),
  depth: 0,
  unseen: 0,
  open: { title: null, script: null, anchor: null, address: null }
})

type Tag = (gathered: Gathered, attributes: Attributes) => void

const metaTag: Tag = ({ meta }, attributes) => {
  const name = (attributes["name"] ?? attributes["property"] ?? attributes["itemprop"] ?? "").trim().toLowerCase()
  const content = short(attributes["content"]).trim()
  if (name === "" || content === "" || name.length > 100 || meta.size >= MOST.meta || meta.has(name)) return
  meta.set(name, content)
}

const scriptTag: Tag = ({ inline, linkedData, open, scripts }, { src, type }) => {
  if (src !== undefined && scripts.length < MOST.scripts) scripts.push(short(src))
  open.script = inline
  if (!/^\s*application\/ld\+json/i.test(type ?? "")) return
  open.script = growing(MOST.linkedDataLength)
  if (linkedData.length < MOST.linkedData) linkedData.push(open.script)
}

const anchorTag: Tag = ({ anchors, open }, { href, rel }) => {
  if (href === undefined || anchors.length >= MOST.anchors) return
  open.anchor = growing(MOST.anchorText)
  anchors.push({ href: short(href), rel: short(rel), text: open.anchor })
}

const starts: ReadonlyMap<string, Tag> = new Map<string, Tag>([
  ["html", (gathered, { lang }) => void (gathered.language ??= short(lang).trim() || null)],
  ["base", (gathered, { href }) => void (gathered.base ??= href === undefined ? null : short(href))],
  [
    "title",
    (gathered) => {
      // That of a picture comes later.
      if (gathered.title === null) gathered.open.title = gathered.title = growing(MOST.attribute)
    }
  ],
  ["meta", metaTag],
  ["script", scriptTag],
  ["a", anchorTag],
  ["area", anchorTag],
  [
    "link",
    ({ relations }, { href, rel }) => {
      if (href === undefined || relations.length >= MOST.relations) return
      relations.push({ href: short(href), rel: short(rel), text: "" })
    }
  ],
  [
    "address",
    ({ addresses, open }) => {
      open.address = growing(MOST.addressLength)
      if (addresses.length < MOST.addresses) addresses.push(open.address)
    }
  ]
])

const ends: ReadonlyMap<string, (open: Gathered["open"]) => void> = new Map([
  ["title", (open) => void (open.title = null)],
  ["script", (open) => void (open.script = null)],
  ["a", (open) => void (open.anchor = null)],
  ["area", (open) => void (open.anchor = null)],
  ["address", (open) => void (open.address = null)]
])

const breakLine = ({ open, text }: Gathered, name: string): void => {
  if (within.has(name)) return
  text.add("\n")
  open.address?.add("\n")
  open.anchor?.add(" ")
}

const start = (gathered: Gathered, name: string, attributes: Attributes): void => {
  gathered.depth++
  if (hidden.has(name)) gathered.unseen++
  breakLine(gathered, name)
  starts.get(name)?.(gathered, attributes)
}

const end = (gathered: Gathered, name: string): void => {
  gathered.depth--
  if (hidden.has(name)) gathered.unseen--
  ends.get(name)?.(gathered.open)
  breakLine(gathered, name)
}

const words = ({ open, text, unseen }: Gathered, said: string): void => {
  if (open.title !== null) return open.title.add(said)
  if (open.script !== null) return open.script.add(said)
  if (unseen > 0) return
  // A line ends where a block does, not where the source does.
  const flowing = said.replace(/\s+/g, " ")
  text.add(flowing)
  open.anchor?.add(flowing)
  open.address?.add(flowing)
}

/** As one line; empty where nothing is left. */
const line = (text: Growing): string => lines(text.take().replaceAll("\n", " "))[0] ?? ""

const markupOf = (gathered: Gathered): Markup => {
  const { addresses, anchors, base, inline, language, linkedData, meta, relations, scripts, text, title } = gathered
  return {
    language,
    title: title === null ? null : line(title) || null,
    base,
    meta,
    anchors: anchors.map((one) => ({ ...one, text: line(one.text) })),
    relations,
    scripts,
    inline: inline.take(),
    linkedData: linkedData.map((one) => one.take()),
    addresses: addresses.map((one) => lines(one.take())).filter((one) => one.length > 0),
    text: lines(text.take()).join("\n")
  }
}

/** Reads a page's markup; never fails, whatever the text is. */
export const read = (html: string): Markup => {
  const gathered = nothing()
  const parser = new Parser({
    onopentag: (name, attributes) => start(gathered, name, attributes),
    onclosetag: (name) => end(gathered, name),
    ontext: (said) => words(gathered, said)
  })
  for (let at = 0; at < html.length && gathered.depth <= MOST.depth; at += PIECE) {
    parser.write(html.slice(at, at + PIECE))
  }
  if (gathered.depth <= MOST.depth) parser.end()
  return markupOf(gathered)
}
