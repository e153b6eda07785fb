/**
 * Mail addresses that a mail host can be told: the `Mailbox` of RFC 5321 (4.1.2), with the letters of RFC 6531.
 *
 * Gotchas
 * - Comments, blanks around dots and other forms of RFC 5322 are for the headers of messages. They are refused: nothing
 *   here is told to a mail host otherwise than it was written.
 * - Control characters are refused wherever they stand, so that no address can end a line of a conversation.
 * - Lengths count octets of what is sent: the local part in UTF-8 with its quotation marks, the domain in its ASCII form.
 * - Dots and `+tag` mean something to some hosts and nothing to others, so addresses that differ in them differ.
 */
import { Result } from "effect"
import { NetAddress } from "effect/net"
import * as DomainName from "../value/DomainName.ts"
import * as MailAddress from "../value/MailAddress.ts"
import { remembering } from "../value/Remembering.ts"
import type { Diagnosis } from "./Diagnosis.ts"

export interface EmailAddress {
  /** As written, with the quotation marks of a quoted one. */
  readonly local: string
  /** Lower case, international names in their ASCII form; of a literal `[192.0.2.1]`, `[IPv6:2001:db8::1]`. */
  readonly domain: string
  /** `"mara ellison"@acme.example`: the local part stands in quotation marks. */
  readonly quoted: boolean
  /** Whether its host must offer SMTPUTF8 (RFC 6531): the local part is not ASCII. */
  readonly smtputf8: boolean
  /** The domain is an IP address in square brackets. */
  readonly literal: boolean
}

type Parsed<A> = Result.Result<A, Diagnosis>

/** Texts beyond this are not looked into. */
const LONGEST_TEXT = 1024
/** RFC 5321, 4.5.3.1.1 to 4.5.3.1.3; a path is 256 with its angle brackets. */
const LONGEST_LOCAL = 64
const LONGEST_DOMAIN = 255
const LONGEST_ADDRESS = 254
/** RFC 1035, 2.3.4. */
const LONGEST_LABEL = 63

const octets = (text: string): number => new TextEncoder().encode(text).length

/** All but the joiners, which some scripts write with. */
const invisible = /(?![\u200C\u200D])\p{Cf}/u
const control = /[\p{Cc}\u2028\u2029]/u
const blank = /[\s\p{Z}]/u
const bracket = /[()]/

const wholeFault = (text: string): Diagnosis | null => {
  if (text === "") return "empty"
  if (text.length > LONGEST_TEXT) return "address_too_long"
  if (control.test(text) || !text.isWellFormed()) return "control_character"
  if (invisible.test(text)) return "invisible_character"
  return text.includes("@") ? null : "no_at"
}

/** `atext` of RFC 5322 (3.2.3) with the letters of RFC 6531 (3.3), and the dots between. */
const dotString = /^(?:[\w!#$%&'*+\-/=?^`{|}~.]|\P{ASCII})+$/u
/** `Quoted-string` of RFC 5321 (4.1.2) with the letters of RFC 6531: only ASCII is escaped. */
const quotedString = /^"(?:[^"\\]|\\[\x20-\x7e])*"$/
const strayDot = /^\.|\.\.|\.$/

const localFault = (local: string): Diagnosis | null => {
  if (local === "") return "no_local_part"
  if (local.startsWith('"') && !quotedString.test(local)) return "local_quotes"
  if (local.startsWith('"')) return octets(local) > LONGEST_LOCAL ? "local_too_long" : null
  if (bracket.test(local)) return "comment"
  if (octets(local) > LONGEST_LOCAL) return "local_too_long"
  if (blank.test(local)) return "blank"
  if (local.includes('"')) return "local_quotes"
  if (local.includes("@")) return "two_ats"
  if (!dotString.test(local)) return "local_character"
  return strayDot.test(local) ? "local_dots" : null
}

/** An IP address in square brackets, in one spelling. Of the tags that RFC 5321 (4.1.3) leaves room for only IPv6 is known. */
const literalOf = (text: string): Parsed<string> => {
  const [, tag, address = ""] = /^\[(IPv6:)?([^\]]*)\]$/i.exec(text) ?? []
  const parsed: Result.Result<NetAddress.IpAddress, unknown> =
    tag === undefined ? NetAddress.ipv4FromString(address) : NetAddress.ipv6FromString(address)
  return Result.mapBoth(parsed, {
    onFailure: () => "domain_literal" as const,
    onSuccess: (ip) => `[${tag === undefined ? "" : "IPv6:"}${String(ip)}]`
  })
}

const labelFault = (label: string): Diagnosis | null => {
  if (label === "") return "domain_dots"
  if (!/^[a-z0-9-]+$/.test(label)) return "domain_character"
  if (label.length > LONGEST_LABEL) return "domain_label_too_long"
  return /^-|-$/.test(label) ? "domain_hyphen" : null
}

const nameFault = (name: string): Diagnosis | null => {
  if (name.length > LONGEST_DOMAIN) return "domain_too_long"
  const labels = name.split(".")
  for (const label of labels) {
    const fault = labelFault(label)
    if (fault !== null) return fault
  }
  // No top-level domain is a number (RFC 3696, 2), and a resolver may take the name for an IP address.
  return /^\d+$/.test(labels.at(-1) ?? "") ? "domain_numeric" : null
}

const domainRead = (text: string): Parsed<string> => {
  if (text === "") return Result.fail("no_domain")
  if (text.startsWith("[")) return literalOf(text)
  if (blank.test(text)) return Result.fail("blank")
  if (bracket.test(text)) return Result.fail("comment")
  // What has a meaning in addresses of the web must not reach the parser of those.
  if (!/^(?:[\w.-]|\P{ASCII})+$/u.test(text)) return Result.fail("domain_character")
  const name = DomainName.ascii(text.toLowerCase())
  if (name === null) return Result.fail("domain_international")
  const fault = nameFault(name)
  return fault === null ? Result.succeed(name) : Result.fail(fault)
}

/** A list has several addresses of most domains. */
const remembered = remembering(5_000, domainRead)

/** What is longer is nobody's domain, and would only fill the memory. */
const domainOf = (text: string): Parsed<string> => (text.length > LONGEST_DOMAIN ? domainRead(text) : remembered(text))

/** The address that a text is, or why it is none. Nothing is cleaned: see `cleaned`. */
export const parse = (text: string): Parsed<EmailAddress> => {
  const at = text.lastIndexOf("@")
  const local = text.slice(0, at)
  const fault = wholeFault(text) ?? localFault(local)
  if (fault !== null) return Result.fail(fault)
  const domain = domainOf(text.slice(at + 1))
  if (Result.isFailure(domain)) return Result.fail(domain.failure)
  if (octets(local) + 1 + domain.success.length > LONGEST_ADDRESS) return Result.fail("address_too_long")
  return Result.succeed({
    local,
    domain: domain.success,
    quoted: local.startsWith('"'),
    smtputf8: /\P{ASCII}/u.test(local),
    literal: domain.success.startsWith("[")
  })
}

/** The address as a mail host is told it. */
export const format = (address: EmailAddress): string => `${address.local}@${address.domain}`

/**
 * What two spellings of one mailbox share: lower case, canonical Unicode, no quotation marks without need. Hosts may tell
 * `Mara` from `mara` (RFC 5321, 2.4); none that anybody knows of does.
 */
export const key = (address: EmailAddress): string =>
  `${MailAddress.unquoted(address.local).normalize("NFC").toLowerCase()}@${address.domain.toLowerCase()}`

/** Blanks of all kinds, and what nobody can see. */
const edge = /^[\s\p{Z}\p{Cf}]+|[\s\p{Z}\p{Cf}]+$/gu

/**
 * What was meant by a text from a file or a web page: without blanks and invisible characters around it, a display name
 * with its angle brackets, `mailto:` with its query, single quotation marks around it, and a dot, comma or semicolon
 * behind it. A text that is an address stays as it is.
 */
export const cleaned = (text: string): string => {
  if (text.length > LONGEST_TEXT) return text
  const trimmed = text.replace(edge, "")
  const inside = /<([^<>]*)>$/.exec(trimmed)?.[1] ?? trimmed
  const plain = inside
    .replace(edge, "")
    .replace(/^mailto:([^?]*).*$/is, "$1")
    .replace(/^'(.*)'$/s, "$1")
    .replace(/[\s.,;]+$/, "")
  return plain === text ? plain : cleaned(plain)
}
