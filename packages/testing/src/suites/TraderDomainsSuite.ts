/** What every store of the domains of traders does. */
import { assert, describe, it } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { TraderDomains } from "@lading/core/trade"
import { Effect, type Layer } from "effect"

let made = 0
const run = Math.random().toString(36).slice(2, 10)

/** A company of its own for each test: stores may be shared. */
const company = () => {
  const word = `nordvik${run}${++made}`
  return {
    nordvik: { trader_id: word, name: `${word} Robotics`, country: "NO" },
    byName: { trader_id: null, name: `${word.toUpperCase()}  ROBOTICS`, country: "NO" },
    at: (sub: string) => `${sub}.${word}.example`,
    domain: `${word}.example`
  }
}

/** `layer` brings the list of those who have objected along. */
export const traderDomainsSuite = <E>(
  name: string,
  layer: Layer.Layer<TraderDomains.TraderDomains | Suppression.Suppression, E>
): void => {
  describe(`TraderDomains: ${name}`, () => {
    it.live("a domain is found by the trader, else by its name in its country, the operator's word first", () =>
      Effect.gen(function* () {
        const { find, learn } = yield* TraderDomains.TraderDomains
        const { byName, nordvik } = company()
        assert.isNull(yield* find(nordvik))
        yield* learn({ ...byName, domain: "learnt.example", origin: "enrichment" })
        assert.strictEqual(yield* find(nordvik), "learnt.example")
        assert.isNull(yield* find({ ...nordvik, country: "SE" }))
        yield* learn({ ...byName, domain: "newer.example", origin: "enrichment" })
        assert.strictEqual(yield* find(nordvik), "newer.example")
        yield* learn({
          trader_id: nordvik.trader_id,
          name: null,
          country: null,
          domain: "own.example",
          origin: "enrichment"
        })
        assert.strictEqual(yield* find(nordvik), "own.example")
        yield* learn({ ...byName, domain: "operator.example", origin: "operator" })
        assert.strictEqual(yield* find(nordvik), "operator.example")
        assert.isNull(yield* find({ trader_id: "' or 1=1 --", name: "' or 1=1 --", country: null }))
      }).pipe(Effect.provide(layer))
    )

    it.live("a domain says whose it is", () =>
      Effect.gen(function* () {
        const { learn, traders } = yield* TraderDomains.TraderDomains
        const { at, byName, domain, nordvik } = company()
        yield* learn({ ...byName, domain, origin: "enrichment" })
        yield* learn({ ...nordvik, domain, origin: "operator" })
        assert.deepStrictEqual(yield* traders(domain), [nordvik, byName])
        assert.deepStrictEqual(yield* traders(at("other")), [])
      }).pipe(Effect.provide(layer))
    )

    it.live("what is erased is gone, and is not learnt again by whoever has objected", () =>
      Effect.gen(function* () {
        const { erase, find, learn } = yield* TraderDomains.TraderDomains
        const suppression = yield* Suppression.Suppression
        const { at, byName, domain, nordvik } = company()
        const entry = { ...byName, domain: at("shop"), origin: "enrichment" as const }
        yield* learn(entry)
        assert.strictEqual(yield* erase([`domain:other-${domain}`]), 0)
        yield* suppression.add(`domain:${domain}`)
        assert.strictEqual(yield* erase([`domain:${domain}`]), 1)
        yield* learn(entry)
        assert.isNull(yield* find(nordvik))
      }).pipe(Effect.provide(layer))
    )
  })
}
