import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as EmailAddress from "./EmailAddress.ts"
import { EmailResult } from "./EmailResult.ts"
import type { Evidence, ReplyClass, Stage } from "./Evidence.ts"
import * as Evidences from "../fixtures/email/Evidences.ts"
import * as Verdict from "./Verdict.ts"

const address = Result.getOrThrow(EmailAddress.parse("Mara.Ellison@acme.example"))
const judged = (evidence: Evidence) => Verdict.judged(address, evidence)

const nothing = { disposable: false, free: false, role: null, relay: false, spamtrap: false }
const hosts = { _tag: "Hosts", implicit: false, provider: null } as const
const answered = (
  kind: ReplyClass,
  {
    catch_all = false,
    code = 550,
    stage = "recipient"
  }: { catch_all?: boolean | null; code?: number; stage?: Stage } = {}
): Evidence => ({
  listed: nothing,
  domain: hosts,
  conversation: {
    host: "mx.acme.example",
    connected: true,
    reply: { stage, code, enhanced: null, class: kind },
    broken: null,
    catch_all,
    attempts: 1
  }
})
const short = (evidence: Evidence) => {
  const { reason, result } = judged(evidence)
  return [reason, result.status, result.overall_score, result.is_deliverable, result.is_safe_to_send]
}

describe("of all that can be learnt", () => {
  const all = Evidences.all()
  const verdicts = all.map((evidence) => ({ evidence, ...judged(evidence) }))

  it("each is judged in seventeen fields and its status, by every rule there is", () => {
    assert.isAbove(all.length, 50_000)
    assert.lengthOf(Object.keys(EmailResult.fields), 18)
    for (const { result } of verdicts.filter((_, index) => index % 97 === 0))
      assert.deepStrictEqual(Schema.decodeUnknownSync(EmailResult)(result), result)
    const reached = new Set(verdicts.map(({ reason }) => reason))
    const unreached = Verdict.rules.filter(({ reason }) => !reached.has(reason)).map(({ reason }) => reason)
    // The address decides, not what was learnt.
    assert.deepStrictEqual(unreached, ["address_literal"])
  })

  it("what was not learnt of the mailbox is unknown to its fields, and an address that nobody took is not deliverable", () => {
    const words = new Set<ReplyClass>(["accepted", "busy", "unknown_user", "disabled", "full"])
    for (const { evidence, reason, result } of verdicts) {
      const reply = evidence.conversation?.reply
      const word = reply?.stage === "recipient" && words.has(reply.class) ? reply.class : null
      const label = () => JSON.stringify({ evidence, reason })
      if ((word === null) !== (result.has_inbox_full === null)) assert.fail(label())
      if ((word === null) !== (result.is_disabled === null)) assert.fail(label())
      if (result.is_deliverable && word !== "accepted" && word !== "busy") assert.fail(label())
      if (result.is_safe_to_send && !(result.is_deliverable && result.mx_accepts_mail)) assert.fail(label())
      if (result.is_safe_to_send && (result.is_disposable || result.is_spamtrap === true)) assert.fail(label())
      if (result.is_safe_to_send && result.is_catch_all === true) assert.fail(label())
      if (result.status === "unknown" && (result.overall_score !== "0" || result.is_deliverable)) assert.fail(label())
      if (result.status === "invalid" && Number(result.overall_score) > 10) assert.fail(label())
    }
  })

  it("only a word to RCPT, a domain without hosts, a list or SMTPUTF8 makes an address bad", () => {
    for (const { evidence, reason, result } of verdicts) {
      if (!["invalid", "disabled", "inbox_full"].includes(result.status)) continue
      const { conversation, domain } = evidence
      const known = domain._tag !== "Hosts" && domain._tag !== "Unanswered"
      const bad = conversation?.reply?.stage === "recipient" || conversation?.broken === "no_smtputf8"
      if (!known && !bad) assert.fail(JSON.stringify({ evidence, reason }))
    }
  })
})

describe("an address", () => {
  it("is safe when its host takes it and nobody else's", () => {
    const { reason, result } = judged(answered("accepted", { code: 250 }))
    assert.strictEqual(reason, "accepted")
    assert.deepStrictEqual(result, {
      email: "Mara.Ellison@acme.example",
      domain: "acme.example",
      username: "Mara.Ellison",
      status: "safe",
      overall_score: "98",
      mx_records: true,
      is_disabled: false,
      is_spamtrap: false,
      is_catch_all: false,
      has_inbox_full: false,
      is_disposable: false,
      is_free_email: false,
      is_deliverable: true,
      is_role_account: false,
      is_safe_to_send: true,
      is_valid_syntax: true,
      mx_accepts_mail: true,
      can_connect_smtp: true
    })
    assert.deepStrictEqual(short(answered("busy", { code: 450 })), ["accepted", "safe", "98", true, true])
    const implicit = { ...answered("accepted"), domain: { ...hosts, implicit: true } }
    assert.deepStrictEqual(short(implicit), ["accepted", "safe", "95", true, true])
    assert.isFalse(judged(implicit).result.mx_records)
  })

  it("is not known to be safe while nobody knows whether its host takes every name, but for some consumers' hosts", () => {
    const unprobed = answered("accepted", { catch_all: null })
    assert.deepStrictEqual(short(unprobed), ["catch_all_not_learnt", "unknown", "0", false, false])
    const google = { ...unprobed, domain: { ...hosts, provider: "google" } }
    // A company's own domain at the same hosts takes every name more often than not at others.
    assert.deepStrictEqual(short(google), ["catch_all_not_learnt", "unknown", "0", false, false])
    assert.deepStrictEqual(short({ ...google, listed: { ...nothing, free: true } }), [
      "accepted",
      "safe",
      "95",
      true,
      true
    ])
  })

  it("is taken and not safe where its host takes every name, now or until DATA", () => {
    assert.deepStrictEqual(short(answered("accepted", { catch_all: true })), [
      "catch_all",
      "catch_all",
      "71",
      true,
      false
    ])
    for (const catch_all of [null, false, true]) {
      const yahoo = { ...answered("accepted", { catch_all }), domain: { ...hosts, provider: "yahoo" } }
      assert.deepStrictEqual(short(yahoo), ["rejects_later", "catch_all", "60", true, false])
    }
    const gone = { ...answered("unknown_user"), domain: { ...hosts, provider: "yahoo" } }
    assert.deepStrictEqual(short(gone), ["unknown_user", "invalid", "3", false, false])
  })

  it("of a role is safe if it is read and the operator says so", () => {
    const role = (role: "general" | "never") => ({ ...answered("accepted"), listed: { ...nothing, role } })
    assert.deepStrictEqual(short(role("general")), ["role", "role_account", "93", true, true])
    assert.deepStrictEqual(short(role("never")), ["role", "role_account", "93", true, false])
    assert.isFalse(Verdict.of(address, role("general"), { roles: false }).is_safe_to_send)
  })

  it("is invalid when its host knows no such mailbox, and less surely so when it said it for now", () => {
    assert.deepStrictEqual(short(answered("unknown_user")), ["unknown_user", "invalid", "3", false, false])
    assert.isFalse(judged(answered("unknown_user", { catch_all: null })).result.is_catch_all)
    const forNow = answered("unknown_user", { code: 450 })
    assert.deepStrictEqual(short(forNow), ["unknown_at_last", "invalid", "10", false, false])
  })

  it("is not blamed for what is said of us, or before RCPT", () => {
    for (const kind of ["ip_blocked", "reverse_dns", "sender_refused", "rate_limited", "policy", "greylisted"] as const)
      assert.deepStrictEqual(short(answered(kind)), [kind, "unknown", "0", false, false])
    for (const stage of ["connect", "hello", "starttls", "mail"] as const)
      assert.deepStrictEqual(short(answered("unknown_user", { stage })), ["unclear", "unknown", "0", false, false])
  })

  it("is first what a list says of it", () => {
    const both = { ...answered("unknown_user"), listed: { ...nothing, disposable: true, spamtrap: true } }
    assert.deepStrictEqual(short(both).slice(0, 3), ["spamtrap", "spamtrap", "3"])
    const taken = { ...answered("accepted"), listed: { ...nothing, disposable: true } }
    assert.deepStrictEqual(short(taken), ["disposable", "disposable", "30", true, false])
  })

  it("at a host by its number is invalid, whatever the host says", () => {
    const literal = Result.getOrThrow(EmailAddress.parse("mara@[192.0.2.1]"))
    const { reason, result } = Verdict.judged(literal, answered("accepted"))
    assert.deepStrictEqual([reason, result.status, result.is_valid_syntax], ["address_literal", "invalid", true])
  })

  it("that is none has an answer too", () => {
    const { reason, result } = Verdict.ofText("mara@@acme.example")
    assert.deepStrictEqual(Schema.decodeUnknownSync(EmailResult)(result), result)
    assert.deepStrictEqual(
      [reason, result.status, result.overall_score, result.is_valid_syntax, result.domain, result.username],
      ["syntax", "invalid", "0", false, "acme.example", "mara@"]
    )
    assert.deepStrictEqual([Verdict.ofText("mara").result.username, Verdict.ofText("mara").result.domain], ["mara", ""])
  })
})
