/**
 * What a page of the web says of one company: whether it speaks of it at all, and which of the addresses and numbers on it
 * are the company's. A pure function of the page.
 *
 * - On a page of the company's own site everything is taken.
 * - On others (directories, news, customers) what stands within some lines of its name, and whatever is of its domain.
 * - A name of one word is everybody's: there the whole name with its legal form has to stand, or the title has to have it.
 *
 * Gotcha: an own site is known by the domain; without one, a host that is called like the company counts as its own, as
 * long as the page names the company too.
 */
import * as CompanyName from "../company/CompanyName.ts"
import * as DomainName from "../value/DomainName.ts"
import * as Text from "../value/Text.ts"
import type { Sought, WebContact } from "./ContactFinder.ts"
import type { Page, SocialLinks } from "./PageReader.ts"

/** Lines around a mention in which contacts are taken for the company's: below a name stands what belongs to it. */
const LINES = { before: 2, after: 8 }

/** Longer texts are read as far as this; contacts of one company do not stand behind it. */
const LONGEST = 200_000

/** Digits at the end of a number that tell it from others, however its beginning is written. */
const TELLING_DIGITS = 7

/** Scripts that are written without spaces. */
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

type Words = ReadonlyArray<string>

/** Whether words stand in others one after the other. */
const stands = (words: Words, line: Words): boolean => {
  if (words.length === 0) return false
  return words.some((word) => spaceless.test(word))
    ? line.join("").includes(words.join(""))
    : ` ${line.join(" ")} `.includes(` ${words.join(" ")} `)
}

/** How a company is recognised. */
export interface Marks {
  readonly domain: string | null
  /** The ways of writing the words of its name. */
  readonly names: ReadonlyArray<Words>
  /** Whether the words are enough: one alone is not, unless it stands in a title. */
  readonly telling: boolean
  /** What its host is called, as letters and digits, where the domain is not known. */
  readonly handles: ReadonlyArray<string>
}

/** What is looked for, made ready for many pages. */
export const marks = ({ domain, name }: Sought): Marks => {
  const spelled = name === null ? [] : Text.spellings(name)
  const bare = spelled.map(CompanyName.tokens)
  const telling = bare.some((tokens) => tokens.length > 1 || tokens.some((token) => spaceless.test(token)))
  const whole = spelled.map(Text.words)
  return {
    domain,
    names: telling ? bare : whole,
    telling: telling || whole.some((words) => words.length > 1),
    handles: bare.map((tokens) => tokens.join("")).filter((handle) => handle !== "")
  }
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** Whether the host is of the company's own site. */
const isOwnHost = ({ domain, handles }: Marks, host: string): boolean => {
  if (domain !== null) return DomainName.sameOwner(host, domain)
  const [label = ""] = DomainName.registrable(host).split(".")
  return handles.includes(letters(label))
}

const isOwnMail = ({ domain }: Marks, email: string): boolean =>
  domain !== null && DomainName.sameOwner(email.slice(email.lastIndexOf("@") + 1), domain)

const names = ({ names }: Marks, text: string): boolean => {
  const lines = Text.spellings(text).map(Text.words)
  return names.some((words) => lines.some((line) => stands(words, line)))
}

/** Whether the line has the company's domain, as an address of its site or of a mailbox. */
const hasDomain = ({ domain }: Marks, line: string): boolean =>
  domain !== null &&
  line.includes(domain) &&
  new RegExp(`(?:^|[^a-z0-9-])${domain.replaceAll(".", "\\.")}(?![a-z0-9-]|\\.[a-z0-9])`).test(line)

interface Mentions {
  readonly title: boolean
  /** The lines that speak of it, and whether each one is near to one that does. */
  readonly count: number
  readonly near: ReadonlyArray<string>
}

const mentions = (marks: Marks, { text, title }: Page): Mentions => {
  const lines = text.slice(0, LONGEST).split("\n")
  const at = lines.flatMap((line, index) =>
    hasDomain(marks, line.toLowerCase()) || (marks.telling && names(marks, line)) ? [index] : []
  )
  const isNear = (index: number) => at.some((one) => index >= one - LINES.before && index <= one + LINES.after)
  return {
    title: title !== null && names(marks, title),
    count: at.length,
    near: at.length === 0 ? [] : lines.filter((_, index) => isNear(index))
  }
}

const isCalledLike = ({ handles }: Marks, link: string): boolean =>
  handles.some((handle) => letters(link).includes(handle))

/** What of a foreign page is the company's. */
const partOf = (marks: Marks, page: Page, { near }: Mentions): Pick<WebContact, "emails" | "phones"> => {
  const text = near.join("\n").toLowerCase()
  const digits = near.map((line) => line.replace(/\D/g, ""))
  const isNear = (phone: string) => {
    const end = phone
      .replace(/ ext\..*$/, "")
      .replace(/\D/g, "")
      .slice(-TELLING_DIGITS)
    return digits.some((line) => line.includes(end))
  }
  return {
    emails: page.emails.filter((email) => isOwnMail(marks, email) || text.includes(email)),
    phones: page.phones.filter(isNear)
  }
}

const networksOf = (
  { facebook_url, instagram_url, linkedin_url, twitter_url }: SocialLinks,
  isTaken: (link: string) => boolean
): Pick<WebContact, "facebook_url" | "instagram_url" | "linkedin_url" | "twitter_url"> => {
  const taken = (link: string | null) => (link !== null && isTaken(link) ? link : null)
  return {
    facebook_url: taken(facebook_url),
    instagram_url: taken(instagram_url),
    linkedin_url: taken(linkedin_url),
    twitter_url: taken(twitter_url)
  }
}

export interface Said {
  /** Whether the page is of the company's own site. */
  readonly own: boolean
  readonly contact: Omit<WebContact, "from">
}

/** What the page says of the company; `null` where it does not speak of it, or has no contact of it. */
export const said = (marks: Marks, page: Page): Said | null => {
  const found = mentions(marks, page)
  const host = URL.parse(page.url)?.hostname ?? ""
  const links = page.links.some(({ url }) => marks.domain !== null && isOwnHost(marks, URL.parse(url)?.hostname ?? ""))
  const speaks = found.title || found.count > 0 || links || page.emails.some((email) => isOwnMail(marks, email))
  const own = isOwnHost(marks, host) && (marks.domain !== null || speaks)
  if (!own && !speaks) return null
  const part = own ? { emails: page.emails, phones: page.phones } : partOf(marks, page, found)
  const networks = networksOf(page.social_links, (link) => own || isCalledLike(marks, link))
  const says = part.emails.length + part.phones.length > 0 || Object.values(networks).some((link) => link !== null)
  return says ? { own, contact: { title: page.title ?? "", url: page.url, ...part, ...networks } } : null
}
