import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as TraderId from "./TraderId.ts"
import * as TraderKeys from "./TraderKeys.ts"

const id = (name: string | null, country: string | null = "PE", tax_id: string | null = null) =>
  TraderId.of({ name, country, tax_id })

/** Invented words that are in no list: with a `q` and an `x`. */
const wordOf = (number: number): string =>
  `qx${[...number.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("")}`
const int = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const numbers = Schema.Array(int(700, 300_000_000)).check(Schema.isMinLength(1), Schema.isMaxLength(4))
const wordsOf = (some: ReadonlyArray<number>): ReadonlyArray<string> => [...new Set(some.map(wordOf))]
const form = Schema.Literals([
  "",
  " S.A.C.",
  " SAC",
  " S.A.",
  " Ltda.",
  " Co., Ltd.",
  " GmbH",
  " LLC",
  " Sociedad Anonima Cerrada",
  " Pvt Ltd"
])
const gap = Schema.Literals([" ", "  ", "-", ", ", " & ", " / "])
const runs = { arbitrary: { runs: 2000 } }

const accented: Readonly<Record<string, string>> = {
  a: "á",
  e: "ê",
  i: "ï",
  o: "ö",
  u: "ü",
  n: "ñ",
  c: "ç",
  s: "š",
  l: "ł"
}

describe("TraderId", () => {
  it.prop(
    "is one for spellings that differ in case, accents, punctuation, order and legal form",
    [numbers, form, form, gap, Schema.Boolean],
    ([some, one, another, gap, turned]) => {
      const words = wordsOf(some)
      const spelled = (turned ? words.toReversed() : words)
        .join(gap)
        .replace(/[aeiouncsl]/g, (letter, at: number) => (at % 3 === 0 ? (accented[letter] ?? letter) : letter))
      assert.strictEqual(id(`${spelled}${one}`.toUpperCase()), id(words.join(" ") + another))
    },
    runs
  )

  const known = new Map<string, string>()
  it.prop(
    "is another one for other words, numbers, countries, and a decimal number that fits 64 bits",
    [numbers, int(1, 999), Schema.Literals(["PE", "CL", ""])],
    ([some, number, land]) => {
      const [words, country] = [wordsOf(some), land === "" ? null : land]
      const found = id(`${words.join(" ")} ${number} SA`, country) ?? ""
      assert.match(found, /^[1-9]\d{0,19}$/)
      assert.isTrue(BigInt(found) < 2n ** 64n)
      const text = JSON.stringify([words.toSorted(), number, country])
      assert.strictEqual(known.get(found) ?? text, text)
      known.set(found, text)
      assert.notStrictEqual(found, id(`${words.join(" ")} ${number + 1} SA`, country))
      assert.notStrictEqual(found, id(`${words.join(" ")} SA`, country))
    },
    runs
  )

  it("is by tax id where there is one, whatever the name, and nobody's for placeholders", () => {
    assert.strictEqual(id("Quillmere Foods", "PE", "20-555.123456"), id("QUILLMERE", "PE", "20555123456"))
    assert.strictEqual(id(null, "PE", "20555123456"), id("TO ORDER", "pe", "20555123456"))
    assert.notStrictEqual(id("Quillmere", "PE", "20555123456"), id("Quillmere", "CO", "20555123456"))
    assert.strictEqual(id("Quillmere", "PE", "00000000000"), id("Quillmere"))
    assert.strictEqual(id("Quillmere", "PE", " - "), id("Quillmere"))
    for (const nobody of [null, "", "  ", "-", "TO ORDER", "N/A", "SAME AS CONSIGNEE", "NO DISPONIBLE"]) {
      assert.isNull(id(nobody), String(nobody))
    }
  })

  it("stays what it is: stores are filled with these", () => {
    assert.deepStrictEqual(
      [
        id("Quillmere Foods S.A.C."),
        id("Quillmere Foods S.A.C.", null),
        id("Quillmere Foods", "PE", "20555123456"),
        id("上海霖湖贸易有限公司", "CN"),
        id("ООО «Дальмирис»", "RU")
      ],
      [
        "4923941146759074724",
        "9260517918702368289",
        "10990695465401672986",
        "4337054894248634232",
        "16389309897986347431"
      ]
    )
  })

  it("has no two names of half a million in one identity", () => {
    const seen = new Set<string>()
    for (let number = 0; number < 500_000; number++) seen.add(id(`qx${number.toString(36)} foods`, "PE") ?? "")
    assert.strictEqual(seen.size, 500_000)
  })
})

describe("TraderKeys", () => {
  it.prop(
    "are at most a dozen, the same for spellings of one name, and shared by names with one mistake",
    [numbers, form, int(0, 1000)],
    ([some, form, seed]) => {
      const words = wordsOf(some)
      const whole = words.join(" ")
      const keys = TraderKeys.ofName(whole + form)
      assert.isAtMost(keys.length, TraderKeys.MOST)
      assert.strictEqual(new Set(keys).size, keys.length)
      assert.deepStrictEqual(TraderKeys.ofName(whole.toUpperCase()), TraderKeys.ofName(whole))
      const [first = ""] = words
      if (first.length < 8 && words.length === 1) return
      const at = 2 + (seed % (first.length - 3))
      const mistyped = [first.slice(0, at) + first.slice(at + 1), ...words.slice(1)].join(" ")
      assert.isTrue(
        TraderKeys.ofName(mistyped).some((key) => keys.includes(key)),
        `${whole} | ${mistyped}`
      )
    },
    runs
  )

  it("are none of a placeholder, and of a tax id one", () => {
    assert.deepStrictEqual(TraderKeys.of({ name: "TO ORDER", tax_id: null }), [])
    assert.deepStrictEqual(TraderKeys.of({ name: null, tax_id: "20-555.123456" }), ["#20555123456"])
  })

  it("that are chosen are the rarest, weigh the more the rarer, and reach so many traders at most", () => {
    const chosen = TraderKeys.chosen({
      traders: 1_000_000,
      counts: new Map([
        ["often", 15_000],
        ["everywhere", 600_000],
        ["rare", 2],
        ["seldom", 4000]
      ])
    })
    assert.deepStrictEqual(chosen, [
      { key: "rare", weight: 19 },
      { key: "seldom", weight: 8 },
      { key: "often", weight: 7 }
    ])
  })
})
