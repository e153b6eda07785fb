/** What every vault does. */
import { assert, describe, it } from "@effect/vitest"
import { Vault } from "@lading/core/account"
import { Effect, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"

let made = 0
const run = Math.random().toString(36).slice(2, 10)

/** An account of its own for each test: stores may be shared. */
const account = () => `acc_${run}_${++made}`

const apiKey = (text: string): Vault.Secret => ({ _tag: "ApiKey", key: Redacted.make(text) })

const client = (id: string, secret: string): Vault.Secret => ({
  _tag: "Client",
  id: Redacted.make(id),
  secret: Redacted.make(secret)
})

const hunter = { slot: "provider_c", adapter: "hunter" }
const snov = { slot: "provider_b", adapter: "snov" }

const key = (place: Vault.Place, credential: Vault.Secret): Vault.NewKey => ({
  ...place,
  credential,
  saved_by: "key_1",
  checked_at: null
})

/** The parts of a credential, to compare it by. */
const partsOf = (credential: Vault.Secret | null | undefined) => {
  if (credential === null || credential === undefined) return credential
  return credential._tag === "ApiKey"
    ? [Redacted.value(credential.key)]
    : [Redacted.value(credential.id), Redacted.value(credential.secret)]
}

export const vaultSuite = <E>(name: string, layer: Layer.Layer<Vault.Vault, E>): void => {
  describe(`Vault: ${name}`, () => {
    it.effect("a key that is kept is found by its account, of either shape, whatever characters it has", () =>
      Effect.gen(function* () {
        const vault = yield* Vault.Vault
        const mine = account()
        yield* vault.ready
        yield* vault.save(mine, key(hunter, apiKey("' or 1=1 -- \u00fc")))
        yield* vault.save(mine, key(snov, client("id", "secret")))
        const found = yield* vault.find(mine, [hunter, snov])
        assert.deepStrictEqual(partsOf(found.get("provider_c")), ["' or 1=1 -- \u00fc"])
        assert.deepStrictEqual(partsOf(found.get("provider_b")), ["id", "secret"])
        assert.strictEqual((yield* vault.find(account(), [hunter, snov])).size, 0)
        assert.deepStrictEqual([...(yield* vault.find(mine, [snov])).keys()], ["provider_b"])
        assert.strictEqual((yield* vault.find(mine, [])).size, 0)
      }).pipe(Effect.provide(layer))
    )

    it.effect("a key of another adapter is said to be there, and is not given", () =>
      Effect.gen(function* () {
        const vault = yield* Vault.Vault
        const mine = account()
        yield* vault.save(mine, key(hunter, apiKey("hunter-key")))
        const found = yield* vault.find(mine, [{ slot: "provider_c", adapter: "apollo" }])
        assert.deepStrictEqual([...found], [["provider_c", null]])
      }).pipe(Effect.provide(layer))
    )

    it.effect("a list shows when, by whom and the end of a long key, and no more of it", () =>
      Effect.gen(function* () {
        const vault = yield* Vault.Vault
        const mine = account()
        yield* TestClock.setTime(1_790_000_000_000)
        const saved = yield* vault.save(mine, {
          ...key(hunter, apiKey("0123456789abcdef")),
          checked_at: 1_789_999_999_000
        })
        yield* vault.save(mine, key(snov, client("short-id", "a-long-client-secret-of-somebody")))
        const list = yield* vault.list(mine)
        const [first, second] = list
        assert.deepStrictEqual(first, {
          ...snov,
          credential: "Client",
          hint: null,
          saved_at: 1_790_000_000_000,
          saved_by: "key_1",
          checked_at: null
        })
        assert.deepStrictEqual(second, saved)
        assert.deepStrictEqual(saved, {
          ...hunter,
          credential: "ApiKey",
          hint: "cdef",
          saved_at: 1_790_000_000_000,
          saved_by: "key_1",
          checked_at: 1_789_999_999_000
        })
        assert.notInclude(JSON.stringify(list), "0123")
        assert.deepStrictEqual(yield* vault.list(account()), [])
      }).pipe(Effect.provide(layer))
    )

    it.effect("a key takes the place of the one before it, whatever vendor that was for", () =>
      Effect.gen(function* () {
        const vault = yield* Vault.Vault
        const mine = account()
        yield* vault.save(mine, key(hunter, apiKey("first")))
        yield* vault.save(mine, key({ slot: "provider_c", adapter: "snov" }, client("id", "second")))
        assert.deepStrictEqual([...(yield* vault.find(mine, [hunter]))], [["provider_c", null]])
        const found = yield* vault.find(mine, [{ slot: "provider_c", adapter: "snov" }])
        assert.deepStrictEqual(partsOf(found.get("provider_c")), ["id", "second"])
        assert.strictEqual((yield* vault.list(mine)).length, 1)
      }).pipe(Effect.provide(layer))
    )

    it.effect("a key that is removed is gone, and another account's stays", () =>
      Effect.gen(function* () {
        const vault = yield* Vault.Vault
        const [mine, other] = [account(), account()]
        yield* vault.save(mine, key(hunter, apiKey("mine")))
        yield* vault.save(other, key(hunter, apiKey("other")))
        assert.isFalse(yield* vault.remove(mine, "provider_a"))
        assert.isTrue(yield* vault.remove(mine, "provider_c"))
        assert.isFalse(yield* vault.remove(mine, "provider_c"))
        assert.strictEqual((yield* vault.find(mine, [hunter])).size, 0)
        assert.deepStrictEqual(partsOf((yield* vault.find(other, [hunter])).get("provider_c")), ["other"])
      }).pipe(Effect.provide(layer))
    )

    it.effect("of many that are saved at once one stays, whole", () =>
      Effect.gen(function* () {
        const vault = yield* Vault.Vault
        const mine = account()
        const pairs = Array.from({ length: 20 }, (_, at) => at)
        yield* Effect.forEach(pairs, (at) => vault.save(mine, key(snov, client(`id-${at}`, `secret-${at}`))), {
          concurrency: "unbounded",
          discard: true
        })
        const [id, secret] = partsOf((yield* vault.find(mine, [snov])).get("provider_b")) ?? []
        assert.strictEqual(id?.replace("id", "secret"), secret)
        assert.strictEqual((yield* vault.list(mine)).length, 1)
      }).pipe(Effect.provide(layer))
    )
  })
}
