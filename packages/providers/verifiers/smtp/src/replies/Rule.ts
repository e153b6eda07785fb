/**
 * One rule for reading replies, as data: when it fits, and what the reply then is. Rules are asked in their order, and the
 * first that fits decides. What a rule does not name is the same to it; all that it names must fit.
 */
import { Evidence } from "@lading/core/email"
import { Schema } from "effect"
import * as Phrase from "./Phrase.ts"

/** Classes that say something of the mailbox: only a reply to RCPT can. */
export const OF_MAILBOX: ReadonlySet<Evidence.ReplyClass> = new Set(["unknown_user", "disabled", "full", "busy"])

/** Classes that say something of us: never to be laid on the recipient. */
export const OF_US: ReadonlySet<Evidence.ReplyClass> = new Set([
  "ip_blocked",
  "reverse_dns",
  "sender_refused",
  "rate_limited",
  "policy"
])

const Text = Schema.String.check(
  Schema.makeFilter((text: string) => text.trim() !== "" || "Expected a text that is not empty")
)

const Name = Schema.String.check(
  Schema.makeFilter((text: string) => /^[a-z][a-z0-9_]{1,60}$/.test(text) || "Expected a name such as no_such_user")
)

/** `550`, or `5xx`, `55x`. */
const CodePattern = Schema.String.check(
  Schema.makeFilter((text: string) => /^[2-5](?:\d\d|\dx|xx)$/.test(text) || "Expected a code such as 550, 55x or 5xx")
)

/** `5.1.1`, `x.2.2` (any class), `5.7.x` (any detail), `5.7.606-649`, or `none` for a reply without one. */
const EnhancedPattern = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      text === "none" ||
      /^[245x]\.(?:\d{1,3}|x)\.(?:\d{1,3}(?:-\d{1,3})?|x)$/.test(text) ||
      "Expected a code such as 5.1.1, x.2.2, 5.7.x, 5.7.606-649, or none"
  )
)

const PhraseText = Schema.String.check(Schema.makeFilter((text: string) => Phrase.problem(text) ?? true))

const some = <S extends Schema.Top>(item: S) => Schema.Array(item).check(Schema.isMinLength(1))

export const Rule = Schema.Struct({
  name: Name,
  /** The rule in a sentence. */
  says: Text,
  stages: Schema.optionalKey(some(Evidence.Stage)),
  codes: Schema.optionalKey(some(CodePattern)),
  enhanced: Schema.optionalKey(some(EnhancedPattern)),
  /** Groups of hosts, `google`. */
  providers: Schema.optionalKey(some(Text)),
  /** Whether the host took another recipient in this session. */
  served: Schema.optionalKey(Schema.Boolean),
  /** One of them is in the text. */
  phrases: Schema.optionalKey(some(PhraseText)),
  /** None of them is. */
  except: Schema.optionalKey(some(PhraseText)),
  class: Evidence.ReplyClass,
  /** What a reply may be taken for, with little confidence, that is the same after the last repetition. */
  at_last: Schema.optionalKey(Evidence.ReplyClass)
}).check(
  Schema.makeFilter(({ class: found, at_last, stages }) => {
    const isOfMailbox = OF_MAILBOX.has(found) || (at_last !== undefined && OF_MAILBOX.has(at_last))
    const isOfRecipient = stages !== undefined && stages.every((stage) => stage === "recipient")
    return (
      !isOfMailbox || isOfRecipient || `Expected stages to be [recipient], since ${at_last ?? found} is of the mailbox`
    )
  })
)
export type Rule = typeof Rule.Type
