/**
 * Many addresses over many domains and hosts, with the verdict that each deserves: for tests that kill a run and look at what
 * is missing or was asked twice, and for benches. The same seed gives the same addresses, hosts and verdicts everywhere.
 *
 * Gotcha: domains end in `.test`, so that a verifier has to be told to ask for them at all.
 */
import type { EmailResult } from "@lading/core/email"
import { Dice } from "../trade/Dice.ts"
import type { WorldDomain, WorldSpec } from "./MailWorld.ts"
import type { Mailbox } from "./Persona.ts"
import type { PersonaName } from "./Personas.ts"
import type { Name } from "./Zone.ts"

/** What is so of a domain; `greylist` knows its mailboxes after five minutes. */
export type DomainKind =
  | "known"
  | "accept_all"
  | "greylist"
  | "null_mx"
  | "no_host"
  | "no_domain"
  | "servfail"
  | "refused"

export interface PopulationSpec {
  readonly seed?: number
  readonly addresses: number
  readonly domains: number
  readonly hosts: number
  /** How many of the domains are of a kind, in proportion. */
  readonly kinds?: Partial<Readonly<Record<DomainKind, number>>>
  /** What the hosts are, in turn. They answer for mailboxes truly, each in its way. */
  readonly personas?: readonly [PersonaName, ...ReadonlyArray<PersonaName>]
}

export interface MailPopulation {
  /** For `MailWorld.start`. */
  readonly world: WorldSpec
  /** Each once, domains mixed. */
  readonly addresses: ReadonlyArray<string>
  /** The status that each of `addresses` deserves, once greylists have let it through. */
  readonly expected: ReadonlyMap<string, EmailResult.EmailStatus>
  /** What is so of the domain of an address. */
  readonly kindOf: (address: string) => DomainKind
}

/** About as business lists are, but with more of what is hard. */
const KINDS: Readonly<Record<DomainKind, number>> = {
  known: 72,
  accept_all: 15,
  greylist: 0,
  null_mx: 3,
  no_host: 2,
  no_domain: 5,
  servfail: 1,
  refused: 2
}

const PERSONAS: NonNullable<PopulationSpec["personas"]> = [
  "strict",
  "plain",
  "one_recipient",
  "one_domain",
  "closes_after_8",
  "helo_only",
  "no_pipelining",
  "exchange"
]

/** Shares of mailboxes in a domain that knows them. */
const MAILBOXES: ReadonlyArray<readonly [Mailbox, number]> = [
  ["exists", 66],
  ["unknown", 26],
  ["disabled", 4],
  ["full", 4]
]

const FIRST = [
  "ada",
  "bea",
  "cyril",
  "dunja",
  "emil",
  "farah",
  "goran",
  "hedda",
  "ilse",
  "jonas",
  "kaja",
  "lorenz"
] as const
const LAST = ["abel", "brandt", "castell", "dorn", "eklund", "farkas", "gruber", "holm", "ivers", "jansen"] as const

/** Of a domain without a conversation, or with one that says the same of every name. */
const BY_KIND: Partial<Readonly<Record<DomainKind, EmailResult.EmailStatus>>> = {
  accept_all: "catch_all",
  null_mx: "invalid",
  no_host: "invalid",
  no_domain: "invalid",
  servfail: "unknown",
  refused: "unknown"
}

const BY_MAILBOX: Partial<Readonly<Record<Mailbox, EmailResult.EmailStatus>>> = {
  exists: "safe",
  unknown: "invalid",
  disabled: "disabled",
  full: "inbox_full"
}

/** Where nobody listens. */
const GONE = "mx.gone.test"

const NAMES: Partial<Readonly<Record<DomainKind, Name>>> = {
  null_mx: { mx: [{ preference: 0, exchange: "" }] },
  no_host: {},
  no_domain: { fault: "nxdomain" },
  servfail: { fault: "servfail" }
}

/** One of the rows, in proportion to their numbers. */
const drawn = <A>(dice: Dice, rows: ReadonlyArray<readonly [A, number]>, otherwise: A): A => {
  let left = dice.next() * rows.reduce((sum, [, share]) => sum + share, 0)
  for (const [row, share] of rows) {
    left -= share
    if (left < 0) return row
  }
  return otherwise
}

/** What `Dice.of` tells subjects apart by. */
const ABOUT = { domain: 1, address: 2 }

export const make = (spec: PopulationSpec): MailPopulation => {
  const { addresses: count, domains, hosts, personas = PERSONAS, seed = 1 } = spec
  const shares: Readonly<Record<string, number>> = { ...KINDS, ...spec.kinds }
  const dice = new Dice()
  const kinds = Array.from({ length: domains }, (_, n) => {
    dice.of(seed, ABOUT.domain, n)
    // The keys of both records are kinds.
    const rows = Object.entries(shares) as ReadonlyArray<readonly [DomainKind, number]>
    return drawn(dice, rows, "known")
  })
  const mailboxes = kinds.map((): Record<string, Mailbox> => ({}))
  const addresses: Array<string> = []
  const expected = new Map<string, EmailResult.EmailStatus>()
  for (let n = 0; n < count; n++) {
    const domain = n % domains
    const turn = Math.floor(n / domains)
    dice.of(seed, ABOUT.address, n)
    const role = turn === 0 && dice.maybe(0.1)
    const local = role ? "sales" : `${dice.pick(FIRST)}.${dice.pick(LAST)}${turn}`
    const mailbox = drawn(dice, MAILBOXES, "exists")
    const kind = kinds[domain] ?? "known"
    const address = `${local}@${nameOf(domain)}`
    const own = mailboxes[domain]
    if (own !== undefined && BY_KIND[kind] === undefined && mailbox !== "unknown") own[local] = mailbox
    addresses.push(address)
    const status = BY_KIND[kind] ?? BY_MAILBOX[mailbox] ?? "unknown"
    expected.set(address, status === "safe" && role ? "role_account" : status)
  }
  return { world: worldOf(kinds, mailboxes, hosts, personas), addresses, expected, kindOf: kindIn(kinds) }
}

const nameOf = (domain: number) => `firm${domain}.test`

const hostOf = (host: number) => `mx.host${host}.test`

const kindIn = (kinds: ReadonlyArray<DomainKind>) => (address: string) => {
  const kind = kinds[Number(/@firm(\d+)\.test$/.exec(address)?.[1] ?? Number.NaN)]
  if (kind === undefined) throw new Error(`${address} is not of this population`)
  return kind
}

const worldOf = (
  kinds: ReadonlyArray<DomainKind>,
  mailboxes: ReadonlyArray<Readonly<Record<string, Mailbox>>>,
  hosts: number,
  personas: readonly [PersonaName, ...ReadonlyArray<PersonaName>]
): WorldSpec => {
  const domains: Record<string, WorldDomain> = {}
  const zone: Record<string, Name> = {}
  for (const [n, kind] of kinds.entries()) {
    const known = NAMES[kind]
    if (known !== undefined) zone[nameOf(n)] = known
    else
      domains[nameOf(n)] = {
        host: kind === "refused" ? GONE : hostOf(n % hosts),
        mailboxes: mailboxes[n] ?? {},
        ...(kind === "accept_all" || kind === "greylist" ? { persona: kind } : {})
      }
  }
  return {
    hosts: Object.fromEntries([
      ...Array.from({ length: hosts }, (_, n) => [hostOf(n), personas[n % personas.length] ?? personas[0]] as const),
      [GONE, "refused"]
    ]),
    domains,
    zone
  }
}
