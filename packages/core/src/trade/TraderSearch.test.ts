import { assert, describe, it } from "@effect/vitest"
import { Trade } from "@lading/testing"
import { Effect } from "effect"
import * as TraderId from "./TraderId.ts"
import * as TraderMatch from "./TraderMatch.ts"
import * as TraderSearch from "./TraderSearch.ts"
import * as TradeStore from "./TradeStore.ts"

const trade = Trade.make({ records: 3000 })
const generated = [...trade.stream()]

/** The number of the trader that most records with this identity mean. */
const meant = new Map<string, number>()
for (const { exporter, importer, record } of generated) {
  for (const [party, number] of [
    [record.importer, importer],
    [record.exporter, exporter]
  ] as const) {
    const id = TraderId.of(party)
    if (id !== null) meant.set(id, number)
  }
}

const store = TradeStore.layerMemory(
  generated.map(({ record }) => record),
  TraderId.of
)

describe("TraderSearch", () => {
  it.effect("finds traders of generated trade under every kind of spelling, and hardly ever another", () =>
    Effect.gen(function* () {
      const numbers = [...new Set(meant.values())].slice(0, 12)
      let [asked, right, wrong, first] = [0, 0, 0, 0]
      for (const number of numbers) {
        for (const spelling of [1, 3, 4, 5, 6, 9]) {
          const name = Trade.spell(1, trade.trader(number), spelling)
          const found = yield* TraderSearch.find({ name, country: null, tax_id: null })
          asked++
          right += Number(found.some(({ trader }) => meant.get(trader.trader_id) === number))
          first += Number(found[0] !== undefined && meant.get(found[0].trader.trader_id) === number)
          wrong += Number(found.some(({ trader }) => meant.get(trader.trader_id) !== number))
        }
      }
      assert.isAtLeast(right / asked, 0.95, `${right} of ${asked}`)
      assert.isAtLeast(first / asked, 0.95, `${first} of ${asked}`)
      assert.isAtMost(wrong / asked, 0.05, `${wrong} of ${asked}`)
    }).pipe(Effect.provide(store))
  )

  it.effect("finds a trader by its tax id, whatever the name, and nobody for a placeholder", () =>
    Effect.gen(function* () {
      const party = generated.map(({ record }) => record.importer).find(({ tax_id }) => tax_id !== null)
      const [found] = yield* TraderSearch.find({ name: "Somebody Else", country: null, tax_id: party?.tax_id ?? null })
      assert.strictEqual(found?.trader.trader_id, party === undefined ? null : TraderId.of(party))
      assert.isTrue(found?.match.reasons.includes("same_tax_id"))
      assert.deepStrictEqual(yield* TraderSearch.find({ name: "TO ORDER", country: null, tax_id: null }), [])
      assert.deepStrictEqual(yield* TraderSearch.find({ name: "  ", country: null, tax_id: null }), [])
      assert.deepStrictEqual(yield* TraderSearch.find({ name: "Qxnobody", country: null, tax_id: null }), [])
    }).pipe(Effect.provide(store))
  )

  it.effect("gives the best first, none below what is asked for", () =>
    Effect.gen(function* () {
      const name = Trade.spell(1, trade.trader([...meant.values()][0] ?? 0), 0)
      const all = yield* TraderSearch.find({ name, country: null, tax_id: null }, 0)
      const scores = all.map(({ match }) => match.score)
      assert.deepStrictEqual(
        scores,
        scores.toSorted((a, b) => b - a)
      )
      assert.isAtMost(all.length, TraderSearch.CANDIDATES)
      const good = yield* TraderSearch.find({ name, country: null, tax_id: null })
      assert.deepStrictEqual(
        good,
        all.filter(({ match }) => match.score >= TraderMatch.THRESHOLD)
      )
    }).pipe(Effect.provide(store))
  )

  it.effect("gives those of the country that was asked for before namesakes of no country with more records", () => {
    const [one] = generated
    assert.isDefined(one)
    const of = (key: string, country: string | null, name: string) => ({
      ...one!.record,
      key,
      importer: { name, country, tax_id: null, address: null }
    })
    const same = "Quorvex Maderas SA"
    // Mistyped, so that by its score alone it would stand behind.
    const records = [of("a", null, same), of("b", null, same), of("c", "PE", "Quorvex Madeas SA"), of("d", "CL", same)]
    const ask = (country: string | null) =>
      Effect.map(TraderSearch.find({ name: same, country, tax_id: null }), (found) =>
        found.map(({ trader }) => trader.country)
      )
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* ask("PE"), ["PE", null])
      assert.deepStrictEqual(yield* ask("CL"), ["CL", null])
      assert.deepStrictEqual((yield* ask(null))[0], null)
    }).pipe(Effect.provide(TradeStore.layerMemory(records, TraderId.of)))
  })
})
