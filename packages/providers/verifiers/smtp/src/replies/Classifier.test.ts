import { assert, describe, it } from "@effect/vitest"
import type { Evidence } from "@lading/core/email"
import { performance } from "node:perf_hooks"
import * as Labelled from "../fixtures/Labelled.ts"
import * as PlainReaders from "../fixtures/PlainReaders.ts"
import * as Classifier from "./Classifier.ts"
import { OF_MAILBOX, OF_US } from "./Rule.ts"
import * as Words from "./Words.ts"

const classifier = Classifier.make()
const aside = Labelled.read("aside")
const forRules = Labelled.read("rules")

type Read = (said: Classifier.Said) => Evidence.ReplyClass
const ours: Read = (said) => classifier.read(said).class

/** What a verdict is made of, whatever the class: plain readers know no more. */
const outcome = (read: Evidence.ReplyClass): string => {
  if (read === "accepted" || read === "busy") return "exists"
  if (read === "unknown_user" || read === "disabled") return "dead"
  return read === "full" ? "full" : "open"
}

const measure = (rows: ReadonlyArray<Labelled.Labelled>, read: Read) => {
  const all = rows.map((row) => ({ row, got: read(row.said) }))
  const aboutUs = all.filter(({ row }) => OF_US.has(row.class))
  const share = (some: number, of: number) => Math.round((1000 * some) / of) / 10
  return {
    classes: share(all.filter(({ row, got }) => got === row.class).length, all.length),
    outcomes: share(all.filter(({ row, got }) => outcome(got) === outcome(row.class)).length, all.length),
    blamed: aboutUs.filter(({ got }) => OF_MAILBOX.has(got)).length,
    aboutUs: aboutUs.length,
    misses: all.filter(({ row, got }) => got !== row.class)
  }
}

const print = (part: string, name: string, { classes, outcomes, blamed, aboutUs }: ReturnType<typeof measure>) =>
  console.log(
    `${part}: ${name}: ${classes} % of classes, ${outcomes} % of outcomes, ${blamed} of ${aboutUs} of ours blamed on the recipient`
  )

const said = (code: number, enhanced: string | null, text: string, more: Partial<Classifier.Said> = {}) =>
  classifier.read({ stage: "recipient", code, enhanced, text, provider: null, served: false, ...more })

describe("Classifier", () => {
  it("reads the replies that no rule was made after", () => {
    const found = measure(aside, ours)
    print(`${aside.length} aside`, "ours", found)
    for (const { row, got } of found.misses)
      console.log(`  ${row.class}, read as ${got}: ${row.said.code} ${row.said.enhanced ?? "-"} ${row.said.text}`)
    assert.isAtLeast(found.classes, 99.6)
    assert.isAtLeast(found.outcomes, 99.6)
    assert.strictEqual(found.blamed, 0)
  })

  it("reads the replies that rules were made after", () => {
    const found = measure(forRules, ours)
    print(`${forRules.length} for rules`, "ours", found)
    assert.deepStrictEqual(found.misses, [])
  })

  it("reads better than plain readers do, and blames recipients less", () => {
    const best = measure(aside, ours)
    for (const [name, read] of Object.entries(PlainReaders)) {
      const found = measure(aside, read)
      print(`${aside.length} aside`, name, found)
      assert.isBelow(found.outcomes, best.outcomes, name)
      assert.isAbove(found.blamed, best.blamed, name)
    }
  })

  it("is measured by replies that are not among those for rules", () => {
    const key = ({ said }: Labelled.Labelled) =>
      `${said.stage} ${said.code} ${said.enhanced} ${said.provider} ${said.served} ${Words.of(said.text).join(" ")}`
    const known = new Set(forRules.map(key))
    assert.deepStrictEqual(
      aside.map(key).filter((one) => known.has(one) && !one.endsWith(" .")),
      []
    )
    assert.isAtLeast(aside.length / (aside.length + forRules.length), 0.4)
    assert.isAtLeast(aside.length + forRules.length, 400)
  })

  it("has no rule that decides none of the labelled replies", () => {
    const used = new Set([...aside, ...forRules].map((row) => classifier.read(row.said).rule))
    assert.deepStrictEqual(
      classifier.rules.map(({ name }) => name).filter((name) => !used.has(name)),
      []
    )
    assert.strictEqual(new Set(classifier.rules.map(({ name }) => name)).size, classifier.rules.length)
  })

  it("says nothing of the mailbox before RCPT, whatever a host says", () => {
    for (const stage of ["connect", "hello", "starttls", "mail"] as const) {
      for (const row of [...aside, ...forRules]) {
        const reading = classifier.read({ ...row.said, stage })
        assert.isFalse(OF_MAILBOX.has(reading.class), `${stage} ${row.said.text}`)
        assert.isFalse(reading.at_last !== null && OF_MAILBOX.has(reading.at_last), `${stage} ${row.said.text}`)
      }
    }
  })

  it("takes what is of us for ours, whatever code of RFC 3463 is put before it", () => {
    const texts = [...aside, ...forRules].filter((row) => OF_US.has(row.class) && row.said.text.length > 30)
    const sure = texts.filter((row) => ours(row.said) !== "policy" && classifier.read(row.said).rule !== "sender_code")
    for (const row of sure) {
      const read = ours({ ...row.said, enhanced: `${Math.trunc(row.said.code / 100)}.1.1` })
      assert.isFalse(OF_MAILBOX.has(read), `${read}: ${row.said.text}`)
    }
  })

  it("asks again for a user that is unknown with 4xx, and says what it may mean at last", () => {
    assert.deepStrictEqual(said(450, "4.1.1", "user unknown in relay recipient table"), {
      class: "temporary",
      rule: "unknown_user_for_now",
      at_last: "unknown_user"
    })
    assert.deepStrictEqual(said(450, "4.2.1", "this account is disabled"), {
      class: "temporary",
      rule: "disabled_for_now",
      at_last: "disabled"
    })
    assert.strictEqual(said(450, "4.2.0", "greylisted").at_last, null)
  })

  it("makes the same of a reply in several lines, with codes in each", () => {
    const lines = "5.1.1 The email account\n5.1.1 that was asked for does\n5.1.1 not exist"
    assert.strictEqual(said(550, null, lines).rule, said(550, "5.1.1", lines.replaceAll("5.1.1 ", "")).rule)
    assert.strictEqual(said(550, null, lines).class, "unknown_user")
  })

  it("takes an operator's rules first", () => {
    const own = Classifier.make([
      {
        name: "house_style",
        says: "Our partner's way.",
        stages: ["recipient"],
        phrases: ["returned to stock"],
        class: "disabled"
      }
    ])
    const reply = { stage: "recipient", code: 550, enhanced: "5.1.1", provider: null, served: false } as const
    assert.strictEqual(own.read({ ...reply, text: "User returned to stock" }).rule, "house_style")
    assert.strictEqual(own.read({ ...reply, text: "User unknown" }).rule, "unknown_user")
  })

  it("reads replies that are made to hang it", () => {
    const hostile = [
      "user ".repeat(20_000),
      "user not ".repeat(10_000),
      "a".repeat(100_000),
      "<".repeat(100_000),
      "@".repeat(100_000),
      "1.".repeat(50_000),
      "https://".repeat(10_000),
      "E-".repeat(50_000),
      "用户".repeat(50_000),
      "no.such.".repeat(10_000),
      `${"unknown ".repeat(400)}.`,
      "too many ".repeat(10_000)
    ]
    const start = performance.now()
    for (let round = 0; round < 10; round++) for (const text of hostile) said(550, null, text)
    const each = (performance.now() - start) / (10 * hostile.length)
    console.log(`a hostile reply took ${each.toFixed(2)} ms`)
    assert.isBelow(each, 100)
  })

  it("reads thousands of replies a second", () => {
    const rows = [...aside, ...forRules]
    for (const row of rows) classifier.read(row.said)
    const rounds = 20
    const start = performance.now()
    for (let round = 0; round < rounds; round++) for (const row of rows) classifier.read(row.said)
    const rate = (rounds * rows.length) / ((performance.now() - start) / 1000)
    console.log(`${Math.round(rate)} replies a second`)
    assert.isAbove(rate, 1_000)
  })
})
