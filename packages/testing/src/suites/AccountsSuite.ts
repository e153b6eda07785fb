/** What every store of accounts and keys must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Accounts, ApiKey, Scope } from "@lading/core/account"
import { Clock, Effect, type Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"

let names = 0
const newName = (): string => `account ${process.pid} ${Date.now()} ${++names}`

const newDigest = Effect.flatMap(ApiKey.generate, ApiKey.digest).pipe(
  Effect.provide([SecureRandom.layerWebCrypto, Digest.layerWebCrypto]),
  Effect.orDie
)

const newKey = Effect.fnUntraced(function* (expires_at: number | null = null) {
  const accounts = yield* Accounts.Accounts
  const account = yield* accounts.ensure(newName())
  const digest = yield* newDigest
  const id = yield* accounts.addKey({
    account: account.id,
    digest,
    scopes: ["company", "email"],
    expires_at,
    label: "test"
  })
  return { account, digest, id }
})

/** Registers the suite. */
export const accountsSuite = <E>(name: string, layer: Layer.Layer<Accounts.Accounts, E>) =>
  withLayer(layer, { timeout: "60 seconds" })(`Accounts: ${name}`, (it) => {
    it.effect("a name stands for one account, also when it is made twice at once", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const name = newName()
        const made = yield* Effect.all(
          Array.from({ length: 5 }, () => accounts.ensure(name)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(made.map(({ id }) => id)).size, 1)
        assert.strictEqual(made[0]?.name, name)
        assert.notStrictEqual((yield* accounts.ensure(newName())).id, made[0]?.id)
      })
    )

    it.effect("the keys of an account are listed without what opens it, revoked ones marked", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const { account, digest, id } = yield* newKey(4_000_000_000_000)
        const key = { id, label: "test", scopes: ["company", "email"] as const, expires_at: 4_000_000_000_000 }
        const listed = yield* accounts.listKeys(account.id)
        assert.deepStrictEqual(listed, [{ ...key, revoked: false }])
        assert.notInclude(JSON.stringify(listed), digest)
        yield* accounts.revokeKey(id)
        assert.deepStrictEqual(yield* accounts.listKeys(account.id), [{ ...key, revoked: true }])
        assert.deepStrictEqual(yield* accounts.listKeys("nobody"), [])
      })
    )

    it.effect("a key opens its account with its scopes", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const { account, digest, id } = yield* newKey()
        const principal = {
          account: account.id,
          key: id,
          scopes: ["company", "email"] satisfies ReadonlyArray<Scope.Scope>,
          limits: Accounts.usual
        }
        assert.deepStrictEqual(yield* accounts.authenticate(digest), principal)
        assert.deepStrictEqual(yield* accounts.authenticate(digest), principal)
      })
    )

    it.effect(
      "what an account may send is told with each of its keys from that moment, though it was used just before",
      () =>
        Effect.gen(function* () {
          const accounts = yield* Accounts.Accounts
          const { account, digest } = yield* newKey()
          const other = yield* newKey()
          const told = (digest: string) => Effect.map(accounts.authenticate(digest), (principal) => principal?.limits)
          assert.deepStrictEqual(
            [yield* told(digest), yield* accounts.limits(account.id)],
            [Accounts.usual, Accounts.usual]
          )
          for (const limits of [
            { requests_per_minute: 5000, requests_at_once: 0 },
            { requests_per_minute: null, requests_at_once: 7 },
            Accounts.usual
          ]) {
            assert.isTrue(yield* accounts.setLimits(account.id, limits))
            assert.deepStrictEqual([yield* told(digest), yield* accounts.limits(account.id)], [limits, limits])
            assert.deepStrictEqual(yield* told(other.digest), Accounts.usual)
          }
          assert.isFalse(yield* accounts.setLimits("acc_unknown", Accounts.usual))
          assert.isNull(yield* accounts.limits("acc_unknown"))
        })
    )

    it.effect("a digest that was never added opens nothing, and opens once it is added", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const digest = yield* newDigest
        assert.isNull(yield* accounts.authenticate(digest))
        const { id } = yield* accounts.ensure(newName())
        yield* accounts.addKey({ account: id, digest, scopes: [], expires_at: null, label: "late" })
        assert.strictEqual((yield* accounts.authenticate(digest))?.account, id)
      })
    )

    it.effect("a key without scopes has none", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const { id } = yield* accounts.ensure(newName())
        const digest = yield* newDigest
        yield* accounts.addKey({ account: id, digest, scopes: [], expires_at: null, label: "none" })
        assert.deepStrictEqual((yield* accounts.authenticate(digest))?.scopes, [])
      })
    )

    it.effect("adding a digest again gives the same key and changes nothing", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const { account, digest, id } = yield* newKey()
        const again = { account: account.id, digest, scopes: Scope.all, expires_at: null, label: "again" }
        assert.strictEqual(yield* accounts.addKey(again), id)
        assert.deepStrictEqual((yield* accounts.authenticate(digest))?.scopes, ["company", "email"])
      })
    )

    it.effect("a key of an unknown account is refused", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const digest = yield* newDigest
        const key = { account: "acc_unknown", digest, scopes: Scope.all, expires_at: null, label: "lost" }
        assert.strictEqual((yield* Effect.flip(accounts.addKey(key)))._tag, "AccountsUnavailable")
        assert.isNull(yield* accounts.authenticate(digest))
      })
    )

    it.effect("a key that expires opens nothing from that moment, though it was used just before", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const { digest } = yield* newKey((yield* Clock.currentTimeMillis) + 1_000)
        yield* TestClock.adjust(999)
        assert.isNotNull(yield* accounts.authenticate(digest))
        yield* TestClock.adjust(1)
        assert.isNull(yield* accounts.authenticate(digest))
      })
    )

    it.effect("a revoked key opens nothing from that moment, though it was used just before", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts.Accounts
        const { digest, id } = yield* newKey()
        assert.isNotNull(yield* accounts.authenticate(digest))
        assert.isTrue(yield* accounts.revokeKey(id))
        assert.isNull(yield* accounts.authenticate(digest))
        assert.isTrue(yield* accounts.revokeKey(id))
        assert.isFalse(yield* accounts.revokeKey("key_unknown"))
      })
    )
  })
