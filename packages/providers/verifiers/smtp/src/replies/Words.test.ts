import { assert, describe, it } from "@effect/vitest"
import * as Words from "./Words.ts"

const cases: ReadonlyArray<readonly [what: string, text: string, words: string]> = [
  ["codes and addresses", "5.1.1 <anna@north.example>: User unknown", "user unknown ."],
  ["an address without brackets", "no-such-user@full.example: mailbox full", "mailbox full ."],
  ["IPs", "Client [192.0.2.7] and 2001:db8::25 refused", "client and refused ."],
  ["hosts, of which the parts are kept apart", "listed at zen.lists.example", "listed at . @zen @lists @example"],
  [
    "URLs, of which Google's reason is kept",
    "Not here https://mail.example/?p=NoSuchUser x",
    "not here . no such user . x . @mail @example"
  ],
  ["names of faults", "RESOLVER.ADR.RecipientNotFound; gone", "resolver adr recipient not found . gone ."],
  ["a blank that is missing", "user unknown.Please go", "user unknown please go ."],
  ["lines", "The mailbox\ndoes not\r\nexist", "the mailbox does not exist ."],
  ["contractions", "It doesn't, dosn’t and can't exist", "it does not dos not and ca not exist ."],
  ["accents and their absence", "Boîte pleine, Empfänger, pełna", "boite pleine empfanger pelna ."],
  ["signs without blanks", "用户不存在。IP被拒绝", "用 户 不 存 在 . ip 被 拒 绝 ."],
  ["e-mail", "E-Mail-Adresse, e-mail", "email adresse email ."],
  ["tickets", "denied AS(201806281)", "denied as201806281 ."],
  ["nothing", "", "."]
]

describe("Words", () => {
  for (const [what, text, words] of cases)
    it(`reads ${what}`, () => assert.strictEqual(Words.of(text).join(" "), words))

  it("finds codes of RFC 3463 where hosts put them, and takes no IP for one", () => {
    assert.strictEqual(Words.enhanced(550, "#5.1.0 Address rejected"), "5.1.0")
    assert.strictEqual(Words.enhanced(550, "sorry (#5.1.1)"), "5.1.1")
    assert.strictEqual(Words.enhanced(550, "host said: 550-5.7.1 no"), "5.7.1")
    assert.strictEqual(Words.enhanced(450, "450 5.1.1 unknown"), null)
    assert.strictEqual(Words.enhanced(550, "rejected 5.7.1.100"), null)
  })
})
