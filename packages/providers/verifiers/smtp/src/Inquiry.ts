/**
 * What is to be learnt of the addresses of one domain, and what is still to be asked for it: the real ones first, and only if
 * one was accepted and none was unknown a name that nobody has, then another of a different shape where that was accepted
 * too. It asks nobody itself, so that a connection can be asked for several domains at once.
 *
 * Gotchas
 * - A reply about us in a connection that was asked before may be about that connection (too many unknown users, too
 *   many recipients): the address is asked for once more in a fresh one.
 * - A host that breaks before it said anything is followed by the next; one that refused us is not.
 */
import type { Evidence } from "@lading/core/email"
import { type CatchAll, nobody, type Outcome } from "./CatchAll.ts"
import type { Told } from "./Connection.ts"
import type { Pause } from "./Gate.ts"
import type { Route } from "./MailDns.ts"
import type { Endpoint, Session } from "./Session.ts"

export type Hosts = Extract<Route, { readonly _tag: "Hosts" }>

export interface Target {
  readonly local: string
  readonly smtputf8: boolean
}

export type Saying = Pick<Evidence.Conversation, "reply" | "broken"> & { readonly atLast: Evidence.ReplyClass | null }

/** What was said of an address. */
export interface Heard {
  readonly conversation: Evidence.Conversation
  /** What the reply may be taken for if nobody asks again. */
  readonly atLast: Evidence.ReplyClass | null
  /** It was taken, and whether every name is has to be asked later. */
  readonly isPutOff: boolean
}

/** One address to be asked for, real or not. */
export interface Item<T extends Target> {
  /** `null` for a name that nobody has. */
  readonly target: T | null
  readonly local: string
  readonly smtputf8: boolean
  /** Connections that it was asked for in. */
  attempts: number
}

/** What is done after an answer: there is no more to it; it is asked again in a fresh connection, or at the next host. */
export type Onwards = "done" | "again" | "next"

export interface Asked<T extends Target> {
  readonly domain: string
  readonly route: Hosts
  readonly targets: ReadonlyArray<T>
  readonly emit: (target: T, heard: Heard) => void
  /** Told of what is known before it is decided. */
  readonly seen?: (heard: Heard) => void
}

interface Answered<T> {
  readonly target: T
  readonly saying: Saying
  readonly host: string
  readonly attempts: number
}

/** Connections that an address may cost. */
const TRIES = 6

/** Accepted addresses that wait for what others tell of the domain, before a name that nobody has is asked for. */
const HELD = 5

export const ABOUT_MAILBOX: ReadonlySet<Evidence.ReplyClass> = new Set([
  "accepted",
  "unknown_user",
  "disabled",
  "full",
  "busy",
  "greylisted"
])

/** A host that says so means us: its neighbours say the same. */
const ABOUT_US: ReadonlySet<Evidence.ReplyClass> = new Set(["ip_blocked", "reverse_dns", "sender_refused", "policy"])

const EXISTS: ReadonlySet<Evidence.ReplyClass> = new Set(["accepted", "busy"])

/** What may be another answer a few minutes later. */
export const FOR_NOW: ReadonlySet<Evidence.ReplyClass> = new Set([
  "greylisted",
  "temporary",
  "rate_limited",
  "protocol"
])

const broken = (how: Evidence.Broken): Saying => ({ reply: null, broken: how, atLast: null })

/** What an answer says that is no reply. */
export const sayingOf = (told: Exclude<Told, { readonly _tag: "Replied" }>): Saying => {
  switch (told._tag) {
    case "Ended":
      return broken(told.how)
    case "NoSmtpUtf8":
      return broken("no_smtputf8")
    case "NoReset":
    case "Unheard":
      return broken("closed")
    case "Unsayable":
      return broken("not_asked")
  }
}

const onwards = (told: Told, { reply }: Saying, isFresh: boolean): Onwards => {
  if (told._tag === "NoReset") return "again"
  if (told._tag === "Ended") return told.how === "tls_failed" || !isFresh ? "again" : "next"
  if (told._tag !== "Replied" || reply === null) return "done"
  if (reply.stage === "recipient" && ABOUT_MAILBOX.has(reply.class)) return "done"
  if (!isFresh) return "again"
  return reply.stage === "recipient" || ABOUT_US.has(reply.class) ? "done" : "next"
}

/** What a recipient's reply says; `null` where it came to none. */
const saidOf = ({ reply }: Saying): Evidence.ReplyClass | null => (reply?.stage === "recipient" ? reply.class : null)

export class Inquiry<T extends Target> {
  readonly domain: string
  readonly route: Hosts
  readonly hosts: ReadonlySet<string>
  /** Fulfilled when somebody else has found out whether the domain takes every name; `null` while nobody is waited for. */
  waiting: Promise<Outcome> | null = null
  readonly #asked: Asked<T>
  readonly #catchAll: CatchAll
  readonly #sender: string
  readonly #endpoints: ReadonlyArray<Endpoint>
  #at = 0
  #queue: Array<Item<T>>
  /** To be asked for again, before all others. */
  #again: Array<Item<T>> = []
  #air = 0
  #held: Array<Answered<T>> = []
  /** Whether any of its hosts greeted. */
  #greeted = false
  /** Names that nobody has which it asked for. */
  #nobodies: 0 | 1 | 2 = 0
  #isProbing = false
  #isPutOff = false
  /** What ended the last host that was there to ask, or was said before any address: it stands for every address after it. */
  #lost: Saying | null = null

  /** `sender`: who asks. */
  constructor(asked: Asked<T>, catchAll: CatchAll, sender: string) {
    this.#asked = asked
    this.#catchAll = catchAll
    this.#sender = sender
    this.domain = asked.domain
    this.route = asked.route
    this.hosts = new Set(asked.route.hosts.map(({ name }) => name))
    this.#endpoints = asked.route.hosts.flatMap(({ addresses, name }) =>
      addresses.map((address) => ({ host: name, address }))
    )
    this.#queue = asked.targets.map((target) => ({
      target,
      local: target.local,
      smtputf8: target.smtputf8,
      attempts: 0
    }))
  }

  /** Whether there is something to ask now. */
  get isOpen(): boolean {
    return this.#queue.length > 0
  }

  get isDone(): boolean {
    return this.#queue.length === 0 && this.#held.length === 0 && this.#air === 0
  }

  /** Where to ask: where the session is, if that is one of its hosts. */
  endpoint({ endpoint }: Session): Endpoint {
    const same = this.#endpoints.findIndex(
      ({ address, host }) => endpoint !== null && address === endpoint.address && host === endpoint.host
    )
    if (same !== -1) this.#at = same
    return this.#endpoints[this.#at] ?? { host: "", address: "" }
  }

  /** Whether it may be asked where the session is. */
  isAt({ endpoint }: Session): boolean {
    return (
      endpoint !== null &&
      this.#endpoints.some(({ address, host }) => address === endpoint.address && host === endpoint.host)
    )
  }

  /** A host greeted. Who cannot wait for more knows that. */
  greeted(host: string): void {
    if (this.#greeted) return
    this.#greeted = true
    this.#asked.seen?.(this.#heard({ saying: broken("timed_out"), host, attempts: 1 }, null))
  }

  /** The next to be asked for. */
  take(): Item<T> | undefined {
    const item = this.#queue.shift()
    if (item !== undefined) this.#air++
    return item
  }

  /** It was not asked for after all. */
  putBack(item: Item<T>): void {
    this.#air--
    this.#again.push(item)
  }

  /** What came of it at a host, in a connection that was `isFresh` or had been asked before; whether that decides it. */
  hear(
    item: Item<T>,
    told: Told,
    saying: Saying,
    { host, isFresh }: { readonly host: string; readonly isFresh: boolean }
  ): { readonly step: Onwards; readonly isDecided: boolean } {
    this.#air--
    item.attempts++
    const step = onwards(told, saying, isFresh)
    if (step === "next" && this.#at + 1 < this.#endpoints.length) this.#at++
    else if (step === "next" || (step === "done" && saying.reply !== null && saying.reply.stage !== "recipient"))
      this.#lost = saying
    const isDecided = step === "done" || this.#lost !== null || item.attempts >= TRIES
    if (isDecided) this.#decide(item, { saying, host, attempts: item.attempts })
    else this.#again.push(item)
    return { step, isDecided }
  }

  #decide({ target }: Item<T>, answered: Omit<Answered<T>, "target">): void {
    const said = saidOf(answered.saying)
    if (target === null) return this.#probed(answered.saying)
    if (said === "unknown_user") this.#catchAll.note(this.domain, false)
    if (said === null || !EXISTS.has(said))
      return this.#asked.emit(target, this.#heard(answered, this.#catchAll.of(this.domain)))
    this.#held.push({ target, ...answered })
    this.#asked.seen?.(this.#heard(answered, null))
  }

  /** After the answers of one write: what comes next. */
  turn(): void {
    this.#queue = this.#again.length === 0 ? this.#queue : [...this.#again, ...this.#queue]
    this.#again = []
    if (this.#lost !== null) {
      const { host } = this.#endpoints[this.#at] ?? { host: "" }
      return this.#giveUp(this.#lost, host)
    }
    const known = this.#catchAll.of(this.domain)
    if (known !== null) this.#release(known)
    else if (this.#isProbeDue) this.#probe()
  }

  get #isProbeDue(): boolean {
    if (this.#held.length === 0 || this.#isProbing || this.waiting !== null) return false
    return this.#held.length >= HELD || (this.#queue.length === 0 && this.#air === 0)
  }

  /** Asks for a name that nobody has, unless somebody does already, or there is nobody to ask. */
  #probe(): void {
    if (this.#nobodies !== 0 || this.#lost !== null) return this.#release(null)
    this.waiting = this.#catchAll.claim(this.domain)
    if (this.waiting !== null) return
    this.#isProbing = true
    this.#askForNobody(1)
  }

  #askForNobody(shape: 1 | 2): void {
    this.#nobodies = shape
    const local = nobody(this.#sender, this.domain, shape)
    this.#queue.unshift({ target: null, local, smtputf8: false, attempts: 0 })
  }

  /** What a name that nobody has was answered. Only two that were taken show that every name is. */
  #probed(saying: Saying): void {
    const said = saidOf(saying)
    const isUnknown = said === "unknown_user" || said === "disabled"
    if (said === "accepted" && this.#nobodies === 1) return this.#askForNobody(2)
    this.#isPutOff = said === null || FOR_NOW.has(said)
    if (isUnknown || said === "accepted") this.#catchAll.note(this.domain, !isUnknown)
    this.#end(isUnknown || said === "accepted" ? "learnt" : "not_learnt")
    this.#release(this.#catchAll.of(this.domain))
  }

  #end(outcome: Outcome): void {
    if (this.#isProbing) this.#catchAll.end(this.domain, outcome)
    this.#isProbing = false
  }

  /** Somebody else has found out, or could not. */
  told(outcome: Outcome): void {
    this.waiting = null
    if (outcome === "not_learnt") this.#isPutOff = true
    const known = this.#catchAll.of(this.domain)
    if (known !== null || outcome !== "given_up") this.#release(known)
    else this.turn()
  }

  #release(isCatchAll: boolean | null): void {
    for (const { target, ...answered } of this.#held.splice(0))
      this.#asked.emit(target, this.#heard(answered, isCatchAll))
  }

  /** This stands for those that were not asked for. */
  #giveUp(saying: Saying, host: string): void {
    this.#isPutOff = true
    const known = this.#catchAll.of(this.domain)
    for (const { target } of this.#queue.splice(0))
      if (target !== null) this.#asked.emit(target, this.#heard({ saying, host, attempts: 0 }, known))
    this.#end("not_learnt")
    this.#release(known)
  }

  /** While the group is left alone, its last word stands for all its hosts. */
  pause({ reply }: Pause): void {
    const saying: Saying = { reply, broken: reply === null ? "not_asked" : null, atLast: null }
    this.#giveUp(saying, this.route.hosts[0].name)
  }

  /** Nobody behind our port can be asked. */
  unreachable(): void {
    this.#giveUp(broken("port_blocked"), this.route.hosts[0].name)
  }

  /** Nobody waits for it any more. */
  abandon(): void {
    this.#end("given_up")
  }

  #heard({ attempts, host, saying }: Omit<Answered<T>, "target">, isCatchAll: boolean | null): Heard {
    const { atLast, broken, reply } = saying
    const said = saidOf(saying)
    return {
      conversation: { host, connected: this.#greeted, reply, broken, catch_all: isCatchAll, attempts },
      atLast,
      isPutOff: isCatchAll === null && this.#isPutOff && said !== null && EXISTS.has(said)
    }
  }
}
