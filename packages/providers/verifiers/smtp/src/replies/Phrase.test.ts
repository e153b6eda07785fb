import { assert, describe, it } from "@effect/vitest"
import * as Phrase from "./Phrase.ts"
import * as PhraseIndex from "./PhraseIndex.ts"
import * as Words from "./Words.ts"

const isIn = (phrase: string, text: string): boolean => PhraseIndex.make([phrase]).found(Words.of(text)).has(phrase)

describe("Phrase", () => {
  it("finds words one behind the other", () => {
    assert.isTrue(isIn("user unknown", "550 The USER unknown here"))
    assert.isFalse(isIn("user unknown", "unknown user"))
    assert.isFalse(isIn("user unknown", "user is unknown"))
  })

  it("knows alternatives, beginnings of words, and words that may be missing", () => {
    assert.isTrue(isIn("user|mailbox unknown", "mailbox unknown"))
    assert.isTrue(isIn("greylist*", "Greylisting in action"))
    assert.isTrue(isIn("recipient is? banned", "recipient banned"))
    assert.isTrue(isIn("recipient is? banned", "recipient is banned"))
    assert.isFalse(isIn("recipient is? banned", "recipient was banned"))
  })

  it("leaves up to four words out, within a sentence", () => {
    assert.isTrue(isIn("user .. unknown", "user of this house is unknown"))
    assert.isFalse(isIn("user .. unknown", "user of this very house is unknown"))
    assert.isFalse(isIn("user .. unknown", "No user. Reason unknown"))
  })

  it("knows the beginning and the end of a text", () => {
    assert.isTrue(isIn("^ blocked", "Blocked by us"))
    assert.isFalse(isIn("^ blocked", "was blocked"))
    assert.isTrue(isIn("blocked $", "(a@b.example:blocked). mx.example"))
    assert.isFalse(isIn("blocked $", "blocked. Why?"))
  })

  it("knows parts of names of hosts from words", () => {
    assert.isTrue(isIn("@zen", "see zen.lists.example"))
    assert.isFalse(isIn("zen", "see zen.lists.example"))
    assert.isFalse(isIn("@zen", "zen"))
  })

  it("knows signs that are written without blanks", () => {
    assert.isTrue(isIn("用户不存在", "错误：用户不存在，请检查"))
    assert.isFalse(isIn("用户不存在", "用户存在"))
  })

  it("takes a word with one wrong letter for the one that is meant, and no other", () => {
    for (const text of ["recipent unknown", "recipient unknwon", "reccipient unknown", "recipiant unknown"])
      assert.isTrue(isIn("recipient unknown", text), text)
    for (const text of ["recent unknown", "recipient known", "recipient unkn"])
      assert.isFalse(isIn("recipient unknown", text), text)
  })

  it("refuses what it does not know, and says what it expects", () => {
    assert.isNull(Phrase.problem("user|mailbox .. not found $"))
    assert.include(Phrase.problem("user (unknown)+") ?? "", '"(unknown)+"')
    assert.include(Phrase.problem(".. unknown") ?? "", "begins with a word")
    assert.include(Phrase.problem("a .. b .. c .. d .. e .. f") ?? "", "at most 4")
    assert.isNotNull(Phrase.problem(""))
  })
})
