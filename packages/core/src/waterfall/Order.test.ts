import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Order from "./Order.ts"

const share = Schema.Literals([0, 0.05, 0.3, 0.5, 0.9, 1])
const price = Schema.Literals([0, 0.2, 1, 4])
const candidate = Schema.Struct({
  perCall: price,
  perHit: price,
  verify: price,
  hitRate: share,
  passRate: share
})

const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.filter((_, at) => at !== index)).map((rest) => [item, ...rest]))

it.prop(
  "no other order of independent sources costs less on average",
  [Schema.Array(candidate).check(Schema.isMaxLength(4))],
  ([input]) => {
    const candidates = input.map((one, index) => ({ ...one, source: `s${index}` }))
    const best = Order.expectedCost(Order.cheapest(candidates))
    for (const order of permutations(candidates)) assert.isAtMost(best, Order.expectedCost(order) + 1e-9)
  },
  { arbitrary: { runs: 1000 } }
)
