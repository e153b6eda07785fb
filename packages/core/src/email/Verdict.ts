/**
 * What is answered about an address, of what was learnt of it. Pure: the first rule that applies gives status, score and
 * reason; the fields follow from the evidence. `docs/email.md` shows the rules in their order.
 *
 * Gotchas
 * - Only a reply to RCPT is about the mailbox. Whatever is said earlier is about the host, or about us.
 * - What could not be learnt is `unknown`, never `invalid`.
 * - A host that takes every name proves nothing: `is_deliverable` is true, since it took the address, and
 *   `is_safe_to_send` is not.
 */
import { Result } from "effect"
import { format, parse, type EmailAddress } from "./EmailAddress.ts"
import { type EmailResult, type EmailStatus, unknown } from "./EmailResult.ts"
import type { Broken, Evidence, MailDomain, ReplyClass } from "./Evidence.ts"

/** Why an address was judged as it was: for logs, metrics and tests. It names no address. */
export type Reason =
  | "syntax"
  | "address_literal"
  | "spamtrap"
  | "disposable"
  | "reserved_domain"
  | "no_domain"
  | "null_mx"
  | "no_mail_host"
  | "private_hosts"
  | "unknown_at_last"
  | "no_answer_of_name_servers"
  | "rejects_later"
  | "catch_all"
  | "catch_all_not_learnt"
  | "role"
  | "accepted"
  | Exclude<ReplyClass, "accepted" | "busy">
  | Broken

export interface Judged {
  readonly result: EmailResult
  readonly reason: Reason
}

/** What an operator decides. */
export interface Policy {
  /** Whether `sales@` and the like are safe to send to, once they are verified. Never so are `postmaster@` and the like. */
  readonly roles: boolean
}

export const defaults: Policy = { roles: true }

type Applies = (evidence: Evidence, address: EmailAddress) => boolean

export interface Rule {
  readonly reason: Reason
  readonly status: EmailStatus
  /** 0 to 100. */
  readonly score: number
  readonly applies: Applies
}

/** These take every recipient and refuse the unknown ones after DATA, which is never sent. */
const rejectsLater = new Set(["yahoo"])

/** Their own domains (which are free) take no unknown name, so that a probe is not needed. */
const strict = new Set(["google", "outlook", "icloud"])

const providerOf = ({ domain }: Evidence): string | null => (domain._tag === "Hosts" ? domain.provider : null)

/** What the reply to RCPT says of the mailbox; `null` for a reply to anything else. */
const saidOf = ({ conversation }: Evidence): ReplyClass | null =>
  conversation?.reply?.stage === "recipient" ? conversation.reply.class : null

/** A mailbox that gets too much mail is there. */
const isTaken = (evidence: Evidence): boolean => ["accepted", "busy"].includes(saidOf(evidence) ?? "")

const domainIs =
  (tag: MailDomain["_tag"]): Applies =>
  ({ domain }) =>
    domain._tag === tag

const said =
  (what: ReplyClass): Applies =>
  (evidence) =>
    saidOf(evidence) === what

/** Some hosts call a mailbox unknown for now (450), and still do when they are asked for the last time. */
const unknownForNow: Applies = (evidence) =>
  saidOf(evidence) === "unknown_user" && (evidence.conversation?.reply?.code ?? 500) < 500

const mayBeCatchAll: Applies = (evidence) => {
  const known = evidence.conversation?.catch_all === false
  return isTaken(evidence) && !known && !(evidence.listed.free && strict.has(providerOf(evidence) ?? ""))
}

const rule = (reason: Reason, status: EmailStatus, score: number, applies: Applies): Rule => ({
  reason,
  status,
  score,
  applies
})

/** Nothing is known for this reason. */
const open = (reason: Reason, applies: Applies): Rule => rule(reason, "unknown", 0, applies)

/** A reply that says nothing of the mailbox, at any stage. */
const ofUs = (...classes: ReadonlyArray<Exclude<ReplyClass, "accepted" | "busy">>): ReadonlyArray<Rule> =>
  classes.map((each) => open(each, ({ conversation }) => conversation?.reply?.class === each))

const broken = (...ends: ReadonlyArray<Broken>): ReadonlyArray<Rule> =>
  ends.map((each) => open(each, ({ conversation }) => conversation?.broken === each))

/** In the order in which they are asked. */
export const rules: ReadonlyArray<Rule> = [
  rule("address_literal", "invalid", 3, (_, { literal }) => literal),
  rule("spamtrap", "spamtrap", 3, ({ listed }) => listed.spamtrap),
  rule("disposable", "disposable", 30, ({ listed }) => listed.disposable),
  rule("reserved_domain", "invalid", 0, domainIs("Reserved")),
  rule("no_domain", "invalid", 0, domainIs("NoDomain")),
  rule("null_mx", "invalid", 0, domainIs("NullMx")),
  rule("no_mail_host", "invalid", 0, domainIs("NoHost")),
  rule("private_hosts", "invalid", 0, domainIs("Private")),
  open("no_answer_of_name_servers", domainIs("Unanswered")),
  rule("disabled", "disabled", 4, said("disabled")),
  rule("full", "inbox_full", 20, said("full")),
  rule("unknown_at_last", "invalid", 10, unknownForNow),
  rule("unknown_user", "invalid", 3, said("unknown_user")),
  rule("domain_refused", "invalid", 3, said("domain_refused")),
  rule("no_smtputf8", "invalid", 3, ({ conversation }) => conversation?.broken === "no_smtputf8"),
  rule(
    "rejects_later",
    "catch_all",
    60,
    (evidence) => isTaken(evidence) && rejectsLater.has(providerOf(evidence) ?? "")
  ),
  rule("catch_all", "catch_all", 71, (evidence) => isTaken(evidence) && evidence.conversation?.catch_all === true),
  open("catch_all_not_learnt", mayBeCatchAll),
  rule("role", "role_account", 93, (evidence) => isTaken(evidence) && evidence.listed.role !== null),
  rule("accepted", "safe", 98, isTaken),
  ...ofUs("greylisted", "rate_limited", "ip_blocked", "reverse_dns", "sender_refused", "policy", "not_here"),
  ...ofUs("temporary", "protocol"),
  ...broken("port_blocked", "refused", "timed_out", "closed", "tls_failed"),
  // A reply before RCPT that speaks of a mailbox is none that can be understood.
  open("unclear", ({ conversation }) => conversation !== null && conversation.reply !== null),
  open("not_asked", () => true)
]

/** What a verified address loses for what is weaker than usual. */
export const deductions = {
  /** The domain has no MX record; its own address was asked. */
  implicit: 3,
  /** Nobody asked the host for a name that nobody has. */
  unprobed: 3
}

const scoreOf = ({ score, status }: Rule, { conversation, domain }: Evidence): number => {
  if (status !== "safe" && status !== "role_account") return score
  const implicit = domain._tag === "Hosts" && domain.implicit ? deductions.implicit : 0
  return score - implicit - (conversation?.catch_all === null ? deductions.unprobed : 0)
}

/** Whether the domain has MX records; `null` where nobody asked or nobody answered. */
const hasRecords: { readonly [Tag in MailDomain["_tag"]]: boolean | null } = {
  Hosts: true,
  Private: true,
  NullMx: false,
  NoHost: false,
  NoDomain: false,
  Reserved: null,
  Unanswered: null
}

/** A word about the mailbox, whatever it is; only then is what was not said of it known. */
const isWord = (what: ReplyClass | null): boolean =>
  what !== null && ["accepted", "busy", "unknown_user", "disabled", "full"].includes(what)

const catchAllOf = ({ conversation }: Evidence, what: ReplyClass | null): boolean | null =>
  conversation?.catch_all ?? (what === "unknown_user" ? false : null)

const isSafe = (status: EmailStatus, { listed }: Evidence, policy: Policy): boolean =>
  status === "safe" || (status === "role_account" && listed.role === "general" && policy.roles)

/** The answer, and why it is that. */
export const judged = (address: EmailAddress, evidence: Evidence, policy: Policy = defaults): Judged => {
  const { conversation, domain, listed } = evidence
  const decided = rules.find(({ applies }) => applies(evidence, address)) ?? open("not_asked", () => true)
  const what = saidOf(evidence)
  const { reason, status } = decided
  const result: EmailResult = {
    email: format(address),
    domain: address.domain,
    username: address.local,
    status,
    overall_score: String(scoreOf(decided, evidence)),
    mx_records: domain._tag === "Hosts" && domain.implicit ? false : hasRecords[domain._tag],
    is_disabled: isWord(what) ? what === "disabled" : null,
    is_spamtrap: listed.spamtrap,
    is_catch_all: catchAllOf(evidence, what),
    has_inbox_full: isWord(what) ? what === "full" : null,
    is_disposable: listed.disposable,
    is_free_email: listed.free,
    is_deliverable: status !== "unknown" && isTaken(evidence),
    is_role_account: listed.role !== null,
    is_safe_to_send: isSafe(status, evidence, policy),
    is_valid_syntax: true,
    mx_accepts_mail: domain._tag === "Hosts",
    can_connect_smtp: conversation?.connected ?? false
  }
  return { result, reason }
}

/** The seventeen fields and nothing else. */
export const of = (address: EmailAddress, evidence: Evidence, policy: Policy = defaults): EmailResult =>
  judged(address, evidence, policy).result

/** Of a text that is no address. Its diagnosis has no field: it goes to whoever wrote the text. */
export const ofText = (text: string): Judged => ({
  result: { ...unknown(text), status: "invalid", is_valid_syntax: false },
  reason: "syntax"
})

/** The result of a text that is no address; `null` for one that is. */
export const ofNone = (text: string): EmailResult | null => (Result.isSuccess(parse(text)) ? null : ofText(text).result)
