import { assert, describe, it } from "@effect/vitest"
import { TradeFilter, TraderId } from "@lading/core/trade"
import { Effect } from "effect"
import * as Trade from "./index.ts"

const trade = Trade.make({ records: 20_000, months: 36, from: "2023-01" })
const store = Trade.store([...trade.stream()])
const { all } = TradeFilter
const window = (limit: number) => ({ page: 1, limit })

describe("the store over generated trade", () => {
  it.effect("has traders with partners that are active, new and lost", () =>
    Effect.gen(function* () {
      const { list } = yield* store.traders({ filter: all, role: "importer", name: null, window: window(20) })
      const status = yield* store.status(list.map(({ trader_id }) => ({ trader_id, role: "importer" })))
      const having = (which: "active" | "new_add" | "potential") => status.filter((one) => one[which] > 0).length
      assert.isTrue(having("active") > 15, `${having("active")}`)
      assert.isTrue(having("new_add") > 5, `${having("new_add")}`)
      assert.isTrue(having("potential") > 5, `${having("potential")}`)
      for (const { active, new_add } of status) assert.isTrue(new_add <= active)
    })
  )

  it.effect("knows a trader under the names of many spellings, its own first", () =>
    Effect.gen(function* () {
      const { list } = yield* store.traders({ filter: all, role: "importer", name: null, window: window(5) })
      for (const { trader_id } of list) {
        const details = yield* store.details(trader_id)
        const { word } = trade.trader(Number(trader_id) - 1)
        assert.isTrue(details?.name.toUpperCase().startsWith(word.toUpperCase()))
        assert.isTrue((details?.aliases.length ?? 0) > 3)
      }
    })
  )

  it.effect("its parts make its sums: months, ports and traders count every record that says them once", () =>
    Effect.gen(function* () {
      const records = (yield* store.records({
        filter: all,
        sort: { by: "date", order: "asc" },
        window: window(1),
        after: null
      })).total
      const months = yield* store.statistics({ filter: all, group_by: ["month"], hs_level: 6, window: window(100) })
      assert.strictEqual(months.total, 36)
      assert.strictEqual(
        months.list.reduce((sum, one) => sum + one.trade_count, 0),
        records
      )
      const coffee = yield* store.marketTrend({ role: "importer", product: "coffee", from: null, to: null })
      assert.strictEqual(
        coffee.points.reduce((sum, one) => sum + one.trade_count, 0),
        coffee.trade_count
      )
      assert.isTrue(coffee.trade_count > 20)
    })
  )
})

describe("the identities of generated traders", () => {
  const ids = (number: number) => {
    const trader = trade.trader(number)
    return Array.from({ length: Trade.SPELLINGS }, (_, spelling) => ({
      kind: Trade.kindOf(spelling),
      id: TraderId.of({ name: Trade.spell(1, trader, spelling).toUpperCase(), country: trader.land, tax_id: null })
    }))
  }
  const traders = Array.from({ length: 384 }, (_, number) => ids(number))

  it("are one for spellings with another legal form or none, in another order, or with other punctuation", () => {
    for (const kind of ["other form", "no form", "reordered", "punctuated"] as const) {
      const spelled = traders.flatMap((all) =>
        all.filter((one) => one.kind === kind).map(({ id }) => id === all[0]?.id)
      )
      const share = spelled.filter(Boolean).length / spelled.length
      assert.isAtLeast(share, 0.98, kind)
    }
  })

  it("are never one for two traders", () => {
    const owners = new Map<string | null, Set<number>>()
    traders.forEach((all, number) => all.forEach(({ id }) => owners.set(id, (owners.get(id) ?? new Set()).add(number))))
    assert.deepStrictEqual(
      [...owners.values()].filter(({ size }) => size > 1),
      []
    )
    assert.isFalse(owners.has(null))
  })
})
