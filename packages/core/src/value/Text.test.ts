import { assert, it } from "@effect/vitest"
import * as Script from "./Script.ts"
import * as Text from "./Text.ts"

it("compares without case, accents and spare spaces", () => {
  for (const text of ["Café Noir", "CAFE\u0301  noir", " ｃａｆé noir "])
    assert.strictEqual(Text.key(text), "cafe noir")
  assert.strictEqual(Text.key("ΑΘΉΝΑ"), Text.key("αθηνα"))
  assert.strictEqual(Text.key("Алёна"), Text.key("алена"))
  assert.strictEqual(Text.key("İstanbul"), "istanbul")
})

it("keeps marks that are letters or tell words apart", () => {
  for (const [a, b] of [
    ["グラス", "クラス"],
    ["ไม่", "ไม้"],
    ["दिन", "दान"]
  ] as const) {
    assert.notStrictEqual(Text.key(a), Text.key(b))
    assert.deepStrictEqual(Text.words(a), [a])
  }
  assert.strictEqual(Text.key("ｸﾞﾗｽ"), "グラス")
  assert.strictEqual(Text.key("서울".normalize("NFD")), "서울")
})

it("keeps letters of their own in keys, and gives every way of writing them as spellings of a name", () => {
  assert.notStrictEqual(Text.key("Bø"), Text.key("Bo"))
  assert.deepStrictEqual(Text.spellings("Muller"), ["muller"])
  assert.deepStrictEqual(Text.spellings("Müller"), ["muller", "mueller"])
  assert.deepStrictEqual(Text.spellings("Mu\u0308ller"), ["muller", "mueller"])
  assert.deepStrictEqual(Text.spellings("SØREN"), ["soren", "soeren"])
  assert.deepStrictEqual(Text.spellings("Weiß"), ["weiss"])
  assert.deepStrictEqual(Text.spellings("Łukasz"), ["lukasz"])
  assert.deepStrictEqual(Text.spellings("Đorđe Þór Œuvre Ayşe Işık"), ["dorde thor oeuvre ayse isik"])
})

it("takes time in proportion to the text, whatever it is", () => {
  const started = performance.now()
  for (const text of [
    "e" + "\u0301".repeat(500_000),
    "\u0301".repeat(500_000),
    " ".repeat(500_000),
    "ü".repeat(500_000)
  ]) {
    Text.key(text)
    Text.words(text)
    Text.spellings(text)
  }
  assert.isBelow(performance.now() - started, 5_000)
})

it("knows whether two texts have a script in common", () => {
  assert.isTrue(Script.shared("Weber", "Müller"))
  assert.isTrue(Script.shared("Weber (Вебер)", "Вебер"))
  assert.isTrue(Script.shared("12", "Вебер"))
  assert.isFalse(Script.shared("Вебер", "Weber"))
  assert.isFalse(Script.shared("太郎", "Taro"))
})
