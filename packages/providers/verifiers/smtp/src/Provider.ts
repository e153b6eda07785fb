/**
 * Who runs a mail host, by its name, and how much they are asked for at a time: data. The ceilings that large receivers
 * have for senders they know are five times as high and more; a verifier is nobody they know.
 */
import { remembering } from "@lading/core/value"
import { parse } from "tldts"

export interface Limits {
  /** Connections at a time. */
  readonly connections: number
  /** Addresses in one connection. */
  readonly questions: number
  /** Unknown users in one connection: hosts count them, slow down, and hang up. */
  readonly refusals: number
  /** Milliseconds from one new connection to the next. */
  readonly connectEvery: number
  /** Milliseconds from one address to the next, in all connections together. */
  readonly askEvery: number
  /** Addresses in 24 hours, since the first of them. */
  readonly daily: number
}

/** Of hosts that nobody has described. Where an operator sets `askEvery` to 0, addresses are asked for together. */
export const defaults: Limits = {
  connections: 2,
  questions: 8,
  refusals: 4,
  connectEvery: 1_000,
  askEvery: 200,
  daily: Number.POSITIVE_INFINITY
}

/** They all know each other's customers, and remember for long who asked for many. */
const daily = 5_000

const usual: Limits = { ...defaults, daily }
const large: Limits = { ...usual, connections: 3, questions: 10, connectEvery: 500, askEvery: 500 }
const slow: Limits = { ...usual, connections: 1, questions: 4, refusals: 2, connectEvery: 2_000, askEvery: 1_000 }

/** Bounds of each limit, both included. */
export const bounds: Readonly<Record<keyof Limits, { readonly minimum: number; readonly maximum: number }>> = {
  connections: { minimum: 1, maximum: 1_000 },
  questions: { minimum: 1, maximum: 100_000 },
  refusals: { minimum: 1, maximum: 100_000 },
  connectEvery: { minimum: 0, maximum: 3_600_000 },
  askEvery: { minimum: 0, maximum: 3_600_000 },
  daily: { minimum: 1, maximum: 100_000_000 }
}

interface Provider {
  /** As `MailDomain` calls it. */
  readonly name: string
  /** Ends of the names of its hosts. */
  readonly suffixes: ReadonlyArray<string>
  readonly limits: Limits
  /** Whether each customer has hosts of its own name, which answer for nobody else. */
  readonly isPerCustomer?: boolean
}

const provider = (name: string, suffixes: ReadonlyArray<string>, limits: Limits, isPerCustomer = false): Provider => ({
  name,
  suffixes,
  limits,
  isPerCustomer
})

/** The first whose suffix fits. */
const providers: ReadonlyArray<Provider> = [
  provider("google", ["google.com", "googlemail.com"], large),
  provider("outlook", ["olc.protection.outlook.com"], { ...large, connections: 1, askEvery: 1_000 }),
  provider("microsoft365", ["mail.protection.outlook.com", "mx.microsoft"], large, true),
  provider("yahoo", ["yahoodns.net"], { ...slow, questions: 8 }),
  provider("icloud", ["icloud.com"], { ...slow, connections: 2 }),
  provider("mimecast", ["mimecast.com", "mimecast.co.za", "mimecast-offshore.com"], usual),
  provider("proofpoint", ["pphosted.com", "ppe-hosted.com"], usual),
  provider("barracuda", ["barracudanetworks.com"], { ...usual, questions: 3 }),
  provider("trendmicro", ["trendmicro.com", "trendmicro.eu"], usual),
  provider("symantec", ["messagelabs.com"], usual),
  provider("comcast", ["comcast.net"], usual),
  provider("orange", ["orange.fr", "wanadoo.fr"], slow),
  provider("gmx", ["gmx.net", "web.de"], { ...slow, questions: 4 }),
  provider("zoho", ["zoho.com", "zoho.eu"], usual),
  provider("mailru", ["mail.ru"], slow),
  provider("yandex", ["yandex.net", "yandex.ru"], slow),
  provider("tencent", ["qq.com"], slow)
]

/** Hosts that nobody has described, where limits are given by provider. */
const others = "default"

/** What limits can be given for. */
export const names: ReadonlyArray<string> = [others, ...providers.map(({ name }) => name)]

/** Limits that differ from ours, by one of `names`. */
export type Changes = Readonly<Record<string, Partial<Limits> | undefined>>

const has = (host: string, suffix: string): boolean => host === suffix || host.endsWith(`.${suffix}`)

export interface Group {
  /** Hosts with one key are limited together. */
  readonly key: string
  /** `null` for hosts that nobody has described. */
  readonly provider: string | null
  readonly limits: Limits
}

const described = (host: string): Group => {
  const found = providers.find(({ suffixes }) => suffixes.some((suffix) => has(host, suffix)))
  if (found !== undefined)
    return { key: found.isPerCustomer === true ? host : found.name, provider: found.name, limits: found.limits }
  return { key: parse(host).domain ?? host, provider: null, limits: defaults }
}

/** The group of a mail host: its provider's; else that of the registrable domain of its name. */
export const groupOf = remembering(5_000, described)

/** What a group is asked for at a time, where an operator wants it otherwise. */
export const limitsOf = ({ limits, provider }: Group, changes: Changes = {}): Limits => ({
  ...limits,
  ...changes[provider ?? others]
})
