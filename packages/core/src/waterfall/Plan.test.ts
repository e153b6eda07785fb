import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import { CompanySubject } from "../company/index.ts"
import { ScriptedSource } from "@lading/testing"
import * as Plan from "./Plan.ts"
import type { Slot } from "./Slots.ts"
import * as Source from "./Source.ts"

const key: Source.Credential = { _tag: "ApiKey", key: Redacted.make("k") }
const found = () => Effect.succeed(Source.hit({ name: "Acme" }, {}))
const keyed = ScriptedSource.make({ company: found, credential: "ApiKey" })

const slot = (name: string, over: Partial<Slot> = {}): Slot => ({
  name,
  source: keyed,
  credential: key,
  byokOnly: false,
  ...over
})

const plan = (order: ReadonlyArray<Slot>, over: Partial<Plan.Input<"company", never>> = {}) =>
  Plan.make({
    subject: CompanySubject,
    identity: { domain: "acme.example", name: null },
    mode: "first_match",
    order,
    byok: new Map(),
    suppressed: false,
    prices: PriceBook.standard,
    attempts: 3,
    ...over
  } as Plan.Input<"company", never>)

const reasons = (made: Plan.Plan<"company">) => made.skips.map(({ source, reason }) => `${source} ${reason}`)

describe("a source of the order is skipped", () => {
  it("as not_configured while nothing is bound to its slot, and where the platform has no key for it", () => {
    assert.deepStrictEqual(reasons(plan([slot("a", { source: null }), slot("b", { credential: null })])), [
      "a not_configured",
      "b not_configured"
    ])
  })

  it("as <source>_requires_byok where only the caller's own key counts, whatever the platform has", () => {
    assert.deepStrictEqual(reasons(plan([slot("provider_d", { byokOnly: true })])), [
      "provider_d provider_d_requires_byok"
    ])
    assert.deepStrictEqual(reasons(plan([slot("d", { byokOnly: true })], { byok: new Map([["d", key]]) })), [])
  })

  it("as unsupported_operation where its adapter does not serve companies", () => {
    const people = ScriptedSource.make({ person: () => Effect.succeed(Source.miss) })
    assert.deepStrictEqual(reasons(plan([slot("a", { source: people })])), ["a unsupported_operation"])
  })

  it("as suppressed when the subject objected, and as invalid_input when the vendor cannot work with the identity", () => {
    assert.deepStrictEqual(reasons(plan([slot("a")], { suppressed: true })), ["a suppressed"])
    const picky = ScriptedSource.make({ company: found, accepts: false })
    assert.deepStrictEqual(reasons(plan([slot("a", { source: picky })])), ["a invalid_input"])
  })

  it("for what it is before for what is asked: nothing bound wins over suppressed", () => {
    assert.deepStrictEqual(reasons(plan([slot("a", { source: null })], { suppressed: true })), ["a not_configured"])
  })
})

describe("a quote", () => {
  const kinds = ["per_call", "per_hit", "per_field_hit"] as const
  const result = Schema.Union([
    Schema.TaggedStruct("Hit", {
      fields: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 15 })),
      attempts: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 }))
    }),
    Schema.TaggedStruct("Miss", { attempts: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 })) }),
    Schema.TaggedStruct("Failed", {}),
    Schema.TaggedStruct("Cached", {})
  ])
  const step = Schema.Struct({
    kind: Schema.Literals(kinds),
    price: Schema.Literals([0, 0.000001, 0.25, 1, 7.5]),
    repeatable: Schema.Boolean,
    ownKey: Schema.Boolean,
    result
  })

  it.prop(
    "covers whatever the same plan can come to under the same prices",
    { mode: Plan.Mode, steps: Schema.Array(step).check(Schema.isMaxLength(4)) },
    ({ mode, steps }) => {
      const slots = steps.map(({ kind, repeatable }, index) =>
        slot(`s${index}`, {
          source: ScriptedSource.make({ company: found, kind, repeatable, credential: "ApiKey" })
        })
      )
      const prices: PriceBook.PriceBook = {
        ...PriceBook.standard,
        company: {
          platform: 0.1,
          source: 1,
          sources: Object.fromEntries(steps.map(({ price }, index) => [`s${index}`, price]))
        }
      }
      const byok = new Map(steps.flatMap(({ ownKey }, index) => (ownKey ? [[`s${index}`, key] as const] : [])))
      const made = plan(slots, { mode, prices, byok })
      let owed = 0
      for (const [index, { price, serve }] of made.steps.entries()) {
        const ended = steps[index]?.result
        if (ended === undefined) continue
        const attempts = serve.repeatable ? 3 : 1
        const charged = PriceBook.charge(
          prices,
          price,
          "attempts" in ended ? { ...ended, attempts: Math.min(ended.attempts, attempts) } : ended
        )
        owed += charged
        if (price.ownKey) assert.strictEqual(charged, 0)
        if (ended._tag === "Miss" && price.kind !== "per_call") assert.strictEqual(charged, 0)
        if (ended._tag === "Failed" || ended._tag === "Cached") assert.strictEqual(charged, 0)
        if (mode === "first_match" && ended._tag === "Hit") break
      }
      assert.isAtMost(owed + made.platformFee, Plan.quote(made, prices))
    },
    { arbitrary: { runs: 500 } }
  )

  it("of a first_match over sources that cost a hit is one source, not all of them", () => {
    const made = plan([slot("a"), slot("b"), slot("c")])
    assert.strictEqual(Credits.toNumber(Plan.quote(made, PriceBook.standard)), 1.1)
    assert.strictEqual(Credits.toNumber(Plan.quote({ ...made, mode: "aggregate" }, PriceBook.standard)), 3.1)
  })
})
