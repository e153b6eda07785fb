/**
 * What the mail hosts of one domain say of addresses there: the real ones first, and only if one was accepted and none was
 * unknown a name that nobody has, in a transaction of its own. What a reply means is the classifier's affair.
 *
 * Gotchas
 * - A reply about us in a connection that was asked before may be about that connection (too many unknown users, too
 *   many recipients): the address is asked for once more in a fresh one.
 * - A host that breaks before it said anything is followed by the next; one that refused us is not.
 */
import type { Evidence } from "@lading/core/email"
import { Effect } from "effect"
import { type CatchAll, nobody } from "./CatchAll.ts"
import type { Classifier } from "./replies/Classifier.ts"
import type { Told } from "./Connection.ts"
import type { Gate } from "./Gate.ts"
import type { Route } from "./MailDns.ts"
import { enhanced, text } from "./Reply.ts"
import type { Session } from "./Session.ts"

export type Hosts = Extract<Route, { readonly _tag: "Hosts" }>

export interface Target {
  readonly local: string
  readonly smtputf8: boolean
}

/** What was said of an address. */
export interface Heard {
  readonly conversation: Evidence.Conversation
  /** What the reply may be taken for if nobody asks again. */
  readonly atLast: Evidence.ReplyClass | null
}

export interface Asking {
  readonly domain: string
  readonly route: Hosts
  readonly session: Session
  readonly gate: Gate
  readonly catchAll: CatchAll
  readonly classifier: Classifier
  /** Told of addresses that were accepted, before it is known what that is worth. */
  readonly seen: (heard: Heard) => void
}

/** What ended the last host that was there to ask: it stands for every address after it. */
interface Lost {
  saying: Saying | null
}

type Saying = Pick<Evidence.Conversation, "reply" | "broken"> & { readonly atLast: Evidence.ReplyClass | null }

type Onwards = "done" | "again" | "next"

/** Connections that an address may cost. */
const TRIES = 6

/** Accepted addresses that wait for what others tell of the domain, before a name that nobody has is asked for. */
const HELD = 5

const ABOUT_MAILBOX: ReadonlySet<Evidence.ReplyClass> = new Set([
  "accepted",
  "unknown_user",
  "disabled",
  "full",
  "busy",
  "greylisted"
])

/** A host that says so means us: its neighbours say the same. */
const ABOUT_US: ReadonlySet<Evidence.ReplyClass> = new Set(["ip_blocked", "reverse_dns", "sender_refused", "policy"])

const TIRED: ReadonlySet<Evidence.ReplyClass> = new Set(["rate_limited", "ip_blocked"])

const EXISTS: ReadonlySet<Evidence.ReplyClass> = new Set(["accepted", "busy"])

const broken = (how: Evidence.Broken): Saying => ({ reply: null, broken: how, atLast: null })

const sayingOf = ({ classifier, route, session }: Asking, told: Told): Saying => {
  switch (told._tag) {
    case "Ended":
      return broken(told.how)
    case "NoSmtpUtf8":
      return broken("no_smtputf8")
    case "NoReset":
      return broken("closed")
    case "Unsayable":
      return broken("not_asked")
    case "Replied": {
      const { reply, stage } = told
      const said = { stage, code: reply.code, enhanced: enhanced(reply), text: text(reply) }
      const reading = classifier.read({ ...said, provider: route.group.provider, served: session.served })
      return {
        reply: { stage, code: reply.code, enhanced: said.enhanced, class: reading.class },
        broken: null,
        atLast: reading.at_last
      }
    }
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

/** Asks for one address, in as many connections as it takes. */
const hear = Effect.fnUntraced(function* (asking: Asking, lost: Lost, target: Target) {
  const { domain, gate, route, session } = asking
  const recipient = `${target.local}@${domain}`
  let saying = lost.saying ?? broken("not_asked")
  let attempts = 0
  while (lost.saying === null && attempts < TRIES) {
    attempts++
    const refused = yield* session.ready()
    const isFresh = session.questions === 0 || session.isRepeating
    const told = refused ?? (yield* session.ask({ recipient, smtputf8: target.smtputf8 }))
    saying = sayingOf(asking, told)
    const step = onwards(told, saying, isFresh)
    session.isRepeating = step === "again"
    if (step === "done") break
    if (step === "again") session.renew()
    else if (!session.next()) lost.saying = saying
  }
  const { reply } = saying
  if (reply !== null && reply.stage === "recipient") {
    if (reply.class === "accepted") session.served = true
    if (reply.code >= 500) session.refused()
  }
  if (reply !== null && TIRED.has(reply.class)) gate.tire(reply)
  else if (reply !== null && ABOUT_MAILBOX.has(reply.class)) gate.recover()
  const last = route.hosts.at(-1)?.name ?? ""
  return { saying, host: session.host === "" ? last : session.host, attempts }
})

const conversation = (
  { session }: Asking,
  { saying, host, attempts }: { readonly saying: Saying; readonly host: string; readonly attempts: number },
  catchAll: boolean | null
): Heard => ({
  conversation: {
    host,
    connected: session.greeted,
    reply: saying.reply,
    broken: saying.broken,
    catch_all: catchAll,
    attempts
  },
  atLast: saying.atLast
})

/** Asks for a name that nobody has; remembers what that says of the domain. */
const probe = Effect.fnUntraced(function* (asking: Asking, lost: Lost) {
  const local = yield* nobody
  const { saying } = yield* hear(asking, lost, { local, smtputf8: false })
  const said = saying.reply?.stage === "recipient" ? saying.reply.class : null
  if (said !== "accepted" && said !== "unknown_user" && said !== "disabled") return null
  asking.catchAll.note(asking.domain, said === "accepted")
  return said === "accepted"
})

/** While the group is left alone, its last word stands for all its hosts. */
const paused = ({ gate, route }: Asking): Heard | null => {
  const pause = gate.pause
  if (pause === null) return null
  const { name } = route.hosts[0]
  const { reply } = pause
  return {
    conversation: { host: name, connected: false, reply, broken: null, catch_all: null, attempts: 0 },
    atLast: null
  }
}

/** Each target as soon as everything is known of it; those that were accepted may wait for what the others tell. */
export const ask = Effect.fnUntraced(function* <T extends Target>(
  asking: Asking,
  targets: ReadonlyArray<T>,
  emit: (target: T, heard: Heard) => Effect.Effect<void>
) {
  const { catchAll, domain, route, session } = asking
  session.visit(route.hosts)
  const lost: Lost = { saying: null }
  const held: Array<readonly [T, Effect.Success<ReturnType<typeof hear>>]> = []
  const release = Effect.fnUntraced(function* (isCatchAll: boolean | null) {
    for (const [target, heard] of held.splice(0)) yield* emit(target, conversation(asking, heard, isCatchAll))
  })
  let probed = false
  for (const [at, target] of targets.entries()) {
    const rest = paused(asking)
    if (rest !== null) {
      yield* emit(target, rest)
      continue
    }
    const heard = yield* hear(asking, lost, target)
    const said = heard.saying.reply?.stage === "recipient" ? heard.saying.reply.class : null
    if (said === "unknown_user") catchAll.note(domain, false)
    if (said !== null && EXISTS.has(said)) {
      held.push([target, heard])
      asking.seen(conversation(asking, heard, null))
    } else yield* emit(target, conversation(asking, heard, catchAll.of(domain)))
    const isDue = held.length >= HELD || at === targets.length - 1
    if (held.length > 0 && !probed && isDue && catchAll.of(domain) === null) {
      probed = true
      yield* probe(asking, lost)
    }
    if (probed || catchAll.of(domain) !== null) yield* release(catchAll.of(domain))
  }
  yield* release(catchAll.of(domain))
})
