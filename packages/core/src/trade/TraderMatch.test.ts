import { assert, describe, it } from "@effect/vitest"
import * as TraderMatch from "./TraderMatch.ts"

const known = (name: string, more: Partial<TraderMatch.Known> = {}): TraderMatch.Known => ({
  name,
  aliases: [],
  country: null,
  tax_ids: [],
  ...more
})
const wanted = (name: string, more: Partial<TraderMatch.Wanted> = {}): TraderMatch.Wanted => ({
  name,
  country: null,
  tax_id: null,
  ...more
})
const match = (a: string, b: string) => TraderMatch.score(wanted(a), known(b))
const matches = (a: string, b: string) => match(a, b).score >= TraderMatch.THRESHOLD

describe("TraderMatch", () => {
  it("is the same asked the other way round, 1 at most and 0 at least", () => {
    const names = [
      "Quillmere Foods SAC",
      "QUILMERE FOODS",
      "Belka 12",
      "Belka 13 Ltd",
      "TO ORDER",
      "",
      "上海霖湖",
      "Дальмирис",
      "Dalmiris",
      "HBT",
      "Halden Bright Tex"
    ]
    for (const a of names) {
      for (const b of names) {
        const { score } = match(a, b)
        assert.closeTo(score, match(b, a).score, 1e-9, `${a} | ${b}`)
        assert.isTrue(score >= 0 && score <= 1)
      }
    }
  })

  it("takes spellings for one trader's", () => {
    for (const [a, b] of [
      ["Quillmere Foods SAC", "QUILMERE FOODS"],
      ["Foods Belkatorin", "Belkatorin Foods Ltd"],
      ["Sun Drake Imports", "Sundrake Imports"],
      ["Quorvane Intl Trdg", "Quorvane International Trading"],
      ["SHENZHEN VOLTAREEF ELECTRONIC TECHN", "Shenzhen Voltareef Electronic Technology Co Ltd"],
      ["HBT Industries", "Halden Bright Textiles Industries"],
      ["ООО Дальмирис", "Dalmiris LLC"],
      ["Dorabella Imports", "Importadora Dorabella"]
    ] as const) {
      assert.isTrue(matches(a, b), `${a} | ${b}: ${match(a, b).score}`)
    }
  })

  it("holds others apart, and says why", () => {
    for (const [a, b, reason] of [
      ["Gruvdal Factory 12", "Gruvdal Factory 13", "numbers_differ"],
      ["Acmerol Foods Peru", "Acmerol Foods Chile", "places_differ"],
      ["Acmerol Foods", "Acmerol Textiles", "business_differs"],
      ["TO ORDER", "TO ORDER", "no_name"]
    ] as const) {
      assert.isFalse(matches(a, b), `${a} | ${b}: ${match(a, b).score}`)
      assert.include(match(a, b).reasons, reason)
    }
    assert.isFalse(matches("General Trading", "General Transport"))
    assert.isFalse(matches("Quillmere Foods", "Harrowvane Foods"))
    assert.isFalse(matches("Minova", "Minora"))
  })

  it("weighs words by how rare they are", () => {
    const rarity = TraderMatch.rarityOf({
      traders: 1_000_000,
      counts: new Map([
        ["golden", 200_000],
        ["qxorvane", 1]
      ])
    })
    const rare = TraderMatch.score(wanted("Golden Qxorvane"), known("Qxorvane"), rarity).score
    const frequent = TraderMatch.score(wanted("Golden Qxorvane"), known("Golden"), rarity).score
    assert.isAbove(rare, TraderMatch.THRESHOLD)
    assert.isBelow(frequent, 0.5)
  })

  it("takes the name that fits best, and lets country and tax id speak", () => {
    const trader = known("Quillmere Holding", {
      aliases: ["QLM SA", "Quillmere Foods"],
      country: "PE",
      tax_ids: ["20555123456"]
    })
    const score = (more: Partial<TraderMatch.Wanted>) => TraderMatch.score(wanted("QUILLMERE FOODS", more), trader)
    assert.strictEqual(score({}).name, "Quillmere Foods")
    assert.isAbove(score({ country: "PE" }).score, score({}).score)
    assert.isBelow(score({ country: "CL" }).score, TraderMatch.THRESHOLD)
    assert.include(score({ country: "CL" }).reasons, "country_differs")
    assert.isBelow(score({ country: "PE", tax_id: "20999999991" }).score, 0.5)
    assert.isBelow(score({ tax_id: "20999999991" }).score, 1)
    const other = TraderMatch.score(wanted("Something Else", { tax_id: "20-555123456" }), trader)
    assert.isAbove(other.score, 0.98)
    assert.include(other.reasons, "same_tax_id")
  })
})
