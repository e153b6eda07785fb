/**
 * Lists of addresses on their way into chunks and lanes. A mailbox is in a list once. The addresses of one mail host are
 * in one lane, whose chunks are verified one after the other, so that no two processes ask the same host; and next to each
 * other, so that a connection serves many. Pure.
 */
import { Result } from "effect"
import * as EmailAddress from "./EmailAddress.ts"

/** Addresses of a chunk. */
export const chunkSize = 500

/** Lanes of a list. */
export const lanes = 16

/** Spelled so, what is one mailbox differs in nothing but case. */
const plain = /^[\w.+-]+@[a-z0-9.-]+$/i

/** One for the spellings of a mailbox; what is no address is nobody's spelling but its own. */
export const keyOf = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : Result.match(EmailAddress.parse(text), { onFailure: () => text, onSuccess: EmailAddress.key })

/** Each mailbox once, as it is spelled first. */
export const distinct = (emails: Iterable<string>): ReadonlyArray<string> => {
  const known = new Map<string, string>()
  for (const email of emails) {
    const trimmed = email.trim()
    const key = keyOf(trimmed)
    if (!known.has(key)) known.set(key, trimmed)
  }
  return [...known.values()]
}

/** Whose mail hosts are asked for it; empty for a text that is no address, for which nobody is. */
export const domainOf = (email: string): string => {
  const address = EmailAddress.parse(email)
  return Result.isFailure(address) || address.success.literal ? "" : address.success.domain
}

export interface Placed {
  readonly lane: number
  readonly emails: ReadonlyArray<string>
}

/** In pieces of that size. */
export const cut = (emails: ReadonlyArray<string>, size: number): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(emails.length / size) }, (_, index) => emails.slice(index * size, (index + 1) * size))

/** The addresses of each group, by the number of them: the largest first. */
const groups = (
  emails: ReadonlyArray<string>,
  hostOf: (domain: string) => string
): ReadonlyArray<ReadonlyArray<string>> => {
  const byHost = new Map<string, Array<{ readonly domain: string; readonly email: string }>>()
  for (const email of emails) {
    const domain = domainOf(email)
    const host = hostOf(domain)
    const group = byHost.get(host) ?? []
    group.push({ domain, email })
    byHost.set(host, group)
  }
  return [...byHost.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((group) =>
      group.toSorted((a, b) => (a.domain < b.domain ? -1 : a.domain > b.domain ? 1 : 0)).map(({ email }) => email)
    )
}

/** All in lanes of about the same length, cut into chunks. */
export const placed = (emails: ReadonlyArray<string>, hostOf: (domain: string) => string): ReadonlyArray<Placed> => {
  const filled: Array<Array<string>> = Array.from({ length: lanes }, () => [])
  for (const group of groups(emails, hostOf)) {
    const shortest = filled.reduce((best, lane) => (lane.length < best.length ? lane : best))
    // One by one: as arguments of one call a long list would be too many.
    for (const email of group) shortest.push(email)
  }
  return filled.flatMap((lane, index) => cut(lane, chunkSize).map((chunk) => ({ lane: index, emails: chunk })))
}

/** In lanes of at most `most` addresses, in the order of the list: for a verifier that takes lists. */
export const portions = (emails: ReadonlyArray<string>, most: number): ReadonlyArray<Placed> =>
  cut(emails, most).flatMap((portion, lane) => cut(portion, chunkSize).map((chunk) => ({ lane, emails: chunk })))
