/**
 * Asks the mail hosts of a group in one session: what several domains want to know goes into one write, each address in a
 * transaction of its own. What a reply means is the classifier's affair; what comes next, the inquiry's.
 */
import type { Evidence } from "@lading/core/email"
import { Effect } from "effect"
import type { Opened, Told } from "./Connection.ts"
import type { Gate } from "./Gate.ts"
import { ABOUT_MAILBOX, type Inquiry, type Item, type Saying, sayingOf, type Target } from "./Inquiry.ts"
import type { Read } from "./Readings.ts"
import type { Session } from "./Session.ts"

export interface Asking<T extends Target> {
  readonly session: Session
  readonly gate: Gate<Session>
  readonly read: Read
  /** The next domain to be asked about, or none. */
  readonly next: () => Inquiry<T> | undefined
  /** Hands on what was learnt by now. */
  readonly flush: Effect.Effect<void>
}

interface Question<T extends Target> {
  readonly inquiry: Inquiry<T>
  readonly item: Item<T>
}

const TIRED: ReadonlySet<Evidence.ReplyClass> = new Set(["rate_limited", "ip_blocked"])

/** What was said, and what the session knows from now on. */
const read = <T extends Target>(
  { read, session }: Asking<T>,
  { inquiry, item }: Question<T>,
  told: Told,
  host: string
): Saying => {
  if (told._tag !== "Replied") return sayingOf(told)
  const { provider } = inquiry.route.group
  const recipient = `${item.local}@${inquiry.domain}`
  const { atLast, reply } = read(told.reply, {
    stage: told.stage,
    provider,
    served: session.served(host),
    recipient
  })
  if (reply.stage === "recipient" && reply.class === "accepted") session.accepted(host)
  if (reply.stage === "recipient" && reply.code >= 500) session.refused()
  return { reply, broken: null, atLast }
}

/** What the last word about an address says of what its host thinks of us. */
const heed = <T extends Target>({ gate }: Asking<T>, { reply }: Saying): void => {
  if (reply === null) return
  if (TIRED.has(reply.class)) gate.tire(reply)
  else if (ABOUT_MAILBOX.has(reply.class)) gate.recover()
}

/** What a session with some domains knows of what it does. */
class Round<T extends Target> {
  readonly #asking: Asking<T>
  #active: ReadonlyArray<Inquiry<T>> = []

  constructor(asking: Asking<T>) {
    this.#asking = asking
  }

  /** The domain whose turn it is. */
  lead(): Inquiry<T> | undefined {
    this.#active = this.#active.filter(({ isOpen }) => isOpen)
    return this.#active[0] ?? this.#begin()
  }

  #begin(): Inquiry<T> | undefined {
    const next = this.#asking.next()
    if (next !== undefined) this.#active = [...this.#active, next]
    return next
  }

  /** As many questions as may be asked at once where the session is: of those that wait, then of new ones that fit. */
  gather(): ReadonlyArray<Question<T>> {
    const { session } = this.#asking
    const found: Array<Question<T>> = []
    const room = Math.max(1, session.room)
    const take = (inquiry: Inquiry<T>) => {
      while (found.length < room) {
        const item = inquiry.take()
        if (item === undefined) return
        found.push({ inquiry, item })
      }
    }
    for (const inquiry of this.#active) if (found.length < room && inquiry.isAt(session)) take(inquiry)
    while (found.length < room) {
      const next = this.#begin()
      if (next === undefined || !next.isAt(session)) return found
      take(next)
    }
    return found
  }

  /** A host could not be asked. */
  refused(lead: Inquiry<T>, told: Exclude<Opened, null>, host: string): void {
    const { session } = this.#asking
    if (session.greeted) lead.greeted(host)
    const item = lead.take()
    if (item === undefined) return
    const saying = read(this.#asking, { inquiry: lead, item }, told, host)
    const { isDecided } = lead.hear(item, told, saying, { host, isFresh: true })
    if (isDecided) heed(this.#asking, saying)
    session.renew()
    lead.turn()
  }

  /** The answers to what was gathered. */
  heard(questions: ReadonlyArray<Question<T>>, told: ReadonlyArray<Told>, host: string, isFresh: boolean): void {
    const { session } = this.#asking
    let isOver = false
    for (const [at, question] of questions.entries()) {
      const { inquiry, item } = question
      const answer = told[at] ?? { _tag: "Unheard" }
      if (answer._tag === "Unheard") {
        inquiry.putBack(item)
        continue
      }
      const saying = read(this.#asking, question, answer, host)
      const { isDecided, step } = inquiry.hear(item, answer, saying, { host, isFresh: isFresh && at === 0 })
      if (isDecided) heed(this.#asking, saying)
      if (step === "again" && answer._tag === "Replied" && answer.reply.code !== 421) session.wary()
      isOver ||= step !== "done"
    }
    if (isOver) session.renew()
    for (const inquiry of new Set(questions.map((each) => each.inquiry))) inquiry.turn()
  }
}

/** Asks until there is nothing to ask now. */
export const ask = Effect.fnUntraced(function* <T extends Target>(asking: Asking<T>) {
  const { flush, gate, session } = asking
  const round = new Round(asking)
  for (let lead = round.lead(); lead !== undefined; lead = round.lead()) {
    const pause = gate.pause
    if (pause !== null) {
      lead.pause(pause)
      yield* flush
      continue
    }
    const endpoint = lead.endpoint(session)
    const refused = yield* session.ready(endpoint)
    if (refused !== null) round.refused(lead, refused, endpoint.host)
    else {
      lead.greeted(endpoint.host)
      const isFresh = session.questions === 0
      const questions = round.gather()
      for (const { inquiry } of questions) inquiry.greeted(endpoint.host)
      const told = yield* session.ask(
        questions.map(({ inquiry, item }) => ({
          recipient: `${item.local}@${inquiry.domain}`,
          smtputf8: item.smtputf8,
          isApart: item.target === null
        }))
      )
      round.heard(questions, told, endpoint.host, isFresh)
    }
    yield* flush
  }
})
