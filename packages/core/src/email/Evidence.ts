/**
 * What was learnt of a mail address, before anybody judges it: what its domain says, which lists it is on, and how far a
 * conversation with its mail host came. `Verdict` makes the answer of it.
 *
 * Facts only: nothing here is a guess, and what was not asked is `null`.
 */
import { Schema } from "effect"

/** Where in a conversation a reply was given; `connect` is the greeting. */
export const Stage = Schema.Literals(["connect", "hello", "starttls", "mail", "recipient"])
export type Stage = typeof Stage.Type

/**
 * What a reply is about.
 *
 * - of the mailbox: `accepted`, `unknown_user`, `disabled`, `full`, `busy` (it exists and gets too much mail now)
 * - of us: `ip_blocked`, `reverse_dns`, `sender_refused`, `rate_limited`, `policy`
 * - of the host: `not_here` (does not serve the domain), `domain_refused` (the domain takes no mail), `greylisted`,
 *   `temporary`, `protocol`
 * - `unclear`: cannot be told
 */
export const ReplyClass = Schema.Literals([
  "accepted",
  "unknown_user",
  "disabled",
  "full",
  "busy",
  "greylisted",
  "rate_limited",
  "ip_blocked",
  "reverse_dns",
  "sender_refused",
  "policy",
  "not_here",
  "domain_refused",
  "temporary",
  "protocol",
  "unclear"
])
export type ReplyClass = typeof ReplyClass.Type

/** A reply as it was read. Its text is not kept: it quotes the address. */
export const Reply = Schema.Struct({
  stage: Stage,
  /** RFC 5321, 4.2. */
  code: Schema.Int,
  /** RFC 3463, `5.1.1`. */
  enhanced: Schema.NullOr(Schema.String),
  class: ReplyClass
})
export type Reply = typeof Reply.Type

/** Why a conversation ended without a word about the mailbox; `no_smtputf8` where the host cannot be told the address. */
export const Broken = Schema.Literals([
  "port_blocked",
  "refused",
  "timed_out",
  "closed",
  "tls_failed",
  "no_smtputf8",
  "not_asked"
])
export type Broken = typeof Broken.Type

/** What was said by the mail hosts of a domain, the last of them that was asked. */
export const Conversation = Schema.Struct({
  /** Name of the mail host. */
  host: Schema.String,
  /** Whether a greeting (220) was read from any of them. */
  connected: Schema.Boolean,
  /** What ended it: the reply to RCPT, or that of an earlier stage; `null` where it broke. */
  reply: Schema.NullOr(Reply),
  broken: Schema.NullOr(Broken),
  /** Whether the host takes mail for any name: what it said to one that nobody has. `null` where that was not learnt. */
  catch_all: Schema.NullOr(Schema.Boolean),
  /** How often it was asked. */
  attempts: Schema.Int
})
export type Conversation = typeof Conversation.Type

/** Where mail for a domain goes (RFC 5321, 5.1; RFC 7505). */
export const MailDomain = Schema.Union([
  /**
   * There are hosts; `implicit` where the domain has no MX record but an address of its own. `provider` names who runs
   * them: `google`, `outlook` (consumers), `microsoft365`, `yahoo`, `icloud` and others.
   */
  Schema.TaggedStruct("Hosts", { implicit: Schema.Boolean, provider: Schema.NullOr(Schema.String) }),
  /** A null MX: it says that it takes no mail. */
  Schema.TaggedStruct("NullMx", {}),
  /** It exists, and there is nobody to take mail. */
  Schema.TaggedStruct("NoHost", {}),
  Schema.TaggedStruct("NoDomain", {}),
  /** A name that can never be somebody's (RFC 2606, RFC 6761). */
  Schema.TaggedStruct("Reserved", {}),
  /** All hosts are addresses that are not public, so none was asked. */
  Schema.TaggedStruct("Private", {}),
  /** The name servers gave no answer. */
  Schema.TaggedStruct("Unanswered", {})
])
export type MailDomain = typeof MailDomain.Type

/** What lists say of an address. */
export const Listed = Schema.Struct({
  disposable: Schema.Boolean,
  free: Schema.Boolean,
  /** `general` as `sales@`, `never` where no offer should be sent (`postmaster@`, `no-reply@`). */
  role: Schema.NullOr(Schema.Literals(["general", "never"])),
  /** A service that hands mail on under names of its own; not disposable. */
  relay: Schema.Boolean,
  /** Only what the operator's own list says: it cannot be learnt from a mail host. */
  spamtrap: Schema.Boolean
})
export type Listed = typeof Listed.Type

/** Of an address whose syntax is right. */
export const Evidence = Schema.Struct({
  listed: Listed,
  domain: MailDomain,
  /** `null` where nobody was asked. */
  conversation: Schema.NullOr(Conversation)
})
export type Evidence = typeof Evidence.Type
