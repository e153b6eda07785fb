/**
 * Which pages of a site are read after its home page: those that it links to by a word for contact, imprint or about,
 * one of each kind first. Nothing is guessed: a page that the home page does not link to is not asked for.
 */
import { PublicUrl } from "@lading/core/net"
import { DomainName } from "@lading/core/value"
import type { Anchor } from "./Html.ts"

/** What kind of page a word stands for, the most telling kind first. */
const kinds: ReadonlyArray<RegExp> = [
  // Contact.
  /(?<![\p{L}])(?:contact(?:-?us|s|o|os|ez|ar|eer)?|kontakt(?:a|y|er|ieren)?|contatt[io]|contato|yhteystiedot|iletisim|iletişim|контакты|联系我们|お問い合わせ|문의)(?![\p{L}])/iu,
  // Imprint: who answers for the site, where the law asks for it.
  /(?<![\p{L}])(?:imprint|impressum|mentions?[- ]l[ée]gales|aviso[- ]legal|note[- ]legali|colofon|legal[- ]notice|特定商取引法)(?![\p{L}])/iu,
  // About.
  /(?<![\p{L}])(?:about(?:-?us)?|(?:über|ueber|uber)[- ]?uns|om[- ](?:oss|os|\p{Lu}\p{L}+)|qui[- ]sommes[- ]nous|(?:à|a)[- ]propos|qui[eé]nes[- ]somos|sobre(?:[- ]n[oó]s(?:otros)?)?|chi[- ]siamo|over[- ]ons|o[- ](?:nas|firmie)|company|unternehmen|entreprise|empresa|azienda|bedrijf|hakkimizda|о[- ](?:нас|компании)|关于我们|会社概要|회사소개)(?![\p{L}])/iu
]

const MOST = { path: 200, text: 60 }

interface Candidate {
  readonly url: URL
  readonly kind: number
  /** Less is better: a word in what is written on the link, or in a short path. */
  readonly rank: number
}

/** Words of a path, as they are read. */
const words = (pathname: string): string => {
  try {
    return decodeURIComponent(pathname).replace(/[/_.]+/g, " ")
  } catch {
    return pathname
  }
}

const candidate = (anchor: Anchor, base: URL, order: number): Candidate | null => {
  const url = URL.parse(anchor.href.trim(), base)
  if (url === null || url.href.length > 2_000 || url.pathname.length + url.search.length > MOST.path) return null
  url.hash = ""
  if (PublicUrl.problem(url) !== null || !DomainName.sameOwner(url.hostname, base.hostname)) return null
  if (/\.(?:pdf|docx?|xlsx?|zip|jpe?g|png|gif|mp4|vcf|ics|xml)$/i.test(url.pathname)) return null
  const text = anchor.text.length <= MOST.text ? anchor.text : ""
  const byText = kinds.findIndex((kind) => kind.test(text))
  const byPath = kinds.findIndex((kind) => kind.test(words(url.pathname)))
  const kind = byPath === -1 ? byText : byPath
  if (kind === -1) return null
  const depth = url.pathname.split("/").filter((part) => part !== "").length
  const sure = byText === byPath ? 0 : 1
  // The same host as the home page's, few levels, early in the page.
  return { url, kind, rank: (url.host === base.host ? 0 : 1_000_000) + sure * 500_000 + depth * 10_000 + order }
}

/** The best page of each kind, then the next best of all; each address once, never the home page. */
export const choose = (anchors: ReadonlyArray<Anchor>, home: URL, base: URL, most: number): ReadonlyArray<URL> => {
  const seen = new Set([home.href, new URL("/", home).href])
  const all = anchors
    .flatMap((anchor, order) => candidate(anchor, base, order) ?? [])
    .toSorted((a, b) => a.rank - b.rank)
    .filter(({ url }) => !seen.has(url.href) && seen.add(url.href))
  const first = kinds.flatMap((_, kind) => all.find((one) => one.kind === kind) ?? [])
  return [...first, ...all.filter((one) => !first.includes(one))].slice(0, most).map(({ url }) => url)
}
