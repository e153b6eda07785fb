/** What every store of webhooks must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { Outbox, WebhookMessage, Webhooks } from "@lading/core/net"
import { Clock, Effect, Fiber, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"

let events = 0
const unique = (name: string): string => `${name}-${process.pid}-${Date.now()}-${++events}`

const event = (more: Partial<Webhooks.Event> = {}): Webhooks.Event => ({
  id: unique("event"),
  account: unique("acc"),
  url: "https://receiver.example/hook?token=1",
  type: "person.enriched",
  data: { text: "ü\u0000\ud800 '\"" },
  subjects: [],
  ...more
})

const claiming: Outbox.Claiming = { limit: 100, lease: 60_000, perLane: 10, perAccount: 50, running: [] }

const minute = 60_000
const delivered = (at: number): Webhooks.Attempt => ({ at, duration: 12, status: 204, problem: null })
const failed = (at: number): Webhooks.Attempt => ({ at, duration: 12, status: 500, problem: "status" })

/** What is due for these accounts; what is due for others is nobody's business here. */
const claim = Effect.fnUntraced(function* (accounts: ReadonlyArray<string>, more: Partial<Outbox.Claiming> = {}) {
  const outbox = yield* Outbox.Outbox
  const { due } = yield* outbox.claim({ ...claiming, ...more })
  return due.filter(({ account }) => accounts.includes(account))
})

const one = Effect.fnUntraced(function* (account: string) {
  const due = yield* claim([account])
  assert.lengthOf(due, 1)
  return due[0]!
})

/** Only delivery of the account. */
const only = Effect.fnUntraced(function* (account: string) {
  const webhooks = yield* Webhooks.Webhooks
  const { deliveries, total } = yield* webhooks.list(account, 1, 10)
  assert.deepStrictEqual([deliveries.length, total], [1, 1])
  return deliveries[0]!
})

/** Ends whatever is due, so that one test's rest is not another's. */
const drain = Effect.gen(function* () {
  const outbox = yield* Outbox.Outbox
  yield* TestClock.adjust("2 minutes")
  const now = yield* Clock.currentTimeMillis
  for (;;) {
    const { due } = yield* outbox.claim({ ...claiming, perLane: 1000, perAccount: 1000 })
    if (due.length === 0) return
    yield* Effect.forEach(due, (each) => outbox.end(each, delivered(now), null))
  }
})

/** Registers the suite. The services are those of one store, and the list of who has objected that it heeds. */
export const webhooksSuite = <E>(
  name: string,
  layer: Layer.Layer<Webhooks.Webhooks | Outbox.Outbox | Suppression.Suppression, E>
) =>
  withLayer(layer, { timeout: "60 seconds" })(`Webhooks: ${name}`, (it) => {
    it.effect("what is handed over is due at once, as the body that is signed, with a secret", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        yield* TestClock.adjust("20000 days")
        const now = yield* Clock.currentTimeMillis
        const sent = event()
        yield* webhooks.send(sent)
        const due = yield* one(sent.account)
        assert.match(due.id, /^msg_[A-Za-z0-9_-]+$/)
        assert.deepInclude({ ...due }, { account: sent.account, tried: 0, expires_at: now + WebhookMessage.patience })
        assert.strictEqual(due.content?.url, sent.url)
        assert.deepStrictEqual(JSON.parse(due.content?.body ?? ""), {
          type: sent.type,
          timestamp: new Date(now).toISOString(),
          data: sent.data
        })
        assert.match(Redacted.value(due.content!.secrets[0]!), /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.lengthOf(due.content!.secrets, 1)
        assert.deepStrictEqual(yield* only(sent.account), {
          id: due.id,
          type: sent.type,
          url: sent.url,
          state: "waiting",
          created_at: now,
          next_at: now + claiming.lease,
          attempts: 0,
          last: null
        })
        yield* drain
      })
    )

    it.effect("the same id of the same account is one event, of another account another one", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const first = event()
        const other = { ...first, account: unique("acc") }
        yield* Effect.all([first, { ...first, type: "changed" }, first, other].map(webhooks.send), {
          concurrency: "unbounded"
        })
        const due = yield* claim([first.account, other.account])
        assert.lengthOf(due, 2)
        assert.notStrictEqual(due[0]!.id, due[1]!.id)
        yield* drain
        yield* webhooks.send(first)
        assert.lengthOf(yield* claim([first.account]), 0)
      })
    )

    it.effect("what is claimed is nobody else's, until the claim runs out", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const outbox = yield* Outbox.Outbox
        const sent = event()
        yield* webhooks.send(sent)
        const first = yield* one(sent.account)
        yield* TestClock.adjust(claiming.lease - 1)
        assert.lengthOf(yield* claim([sent.account]), 0)
        yield* TestClock.adjust(1)
        const second = yield* one(sent.account)
        assert.strictEqual(second.id, first.id)
        assert.notStrictEqual(second.claim, first.claim)
        const now = yield* Clock.currentTimeMillis
        // The first one comes late, without success: the second goes on.
        yield* outbox.end(first, failed(now), null)
        assert.strictEqual((yield* only(sent.account)).state, "waiting")
        yield* outbox.release(first)
        assert.lengthOf(yield* claim([sent.account]), 0)
        yield* outbox.end(second, failed(now), now + minute)
        // With success it has arrived, whoever is at it.
        yield* outbox.end(first, delivered(now), null)
        assert.deepInclude({ ...(yield* only(sent.account)) }, { state: "delivered", next_at: null, attempts: 3 })
        yield* drain
      })
    )

    it.effect("many who claim at once get each delivery once", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const account = unique("acc")
        yield* Effect.forEach(Array.from({ length: 60 }), () => webhooks.send(event({ account })), { concurrency: 10 })
        const claims = yield* Effect.all(
          Array.from({ length: 12 }, () => claim([account], { limit: 5, perLane: 60, perAccount: 60 })),
          { concurrency: "unbounded" }
        )
        const rest = yield* claim([account], { perLane: 60, perAccount: 60 })
        const ids = [...claims.flat(), ...rest].map(({ id }) => id)
        assert.lengthOf(ids, 60)
        assert.strictEqual(new Set(ids).size, 60)
        yield* drain
      })
    )

    it.effect("one receiver and one account have so many in the air and no more, and accounts take turns", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const [busy, quiet] = [unique("acc"), unique("acc")]
        for (const host of ["a", "b", "c"]) {
          for (let n = 0; n < 4; n++) {
            yield* webhooks.send(event({ account: busy, url: `https://${host}.example/${n}` }))
          }
        }
        yield* TestClock.adjust(1)
        yield* webhooks.send(event({ account: quiet }))
        const first = yield* claim([busy, quiet], { limit: 2, perLane: 2, perAccount: 5 })
        assert.sameMembers(
          first.map(({ account }) => account),
          [busy, quiet]
        )
        const second = yield* claim([busy, quiet], { perLane: 2, perAccount: 5, running: first })
        // Four more of this account, and of no receiver more than two in all.
        assert.lengthOf(second, 4)
        const lanes = [...first, ...second].filter(({ account }) => account === busy).map(({ lane }) => lane)
        for (const lane of lanes) assert.isAtMost(lanes.filter((other) => other === lane).length, 2)
        assert.lengthOf(yield* claim([busy], { perLane: 2, perAccount: 5, running: [...first, ...second] }), 0)
        assert.lengthOf(yield* claim([busy], { limit: 0 }), 0)
        yield* drain
      })
    )

    it.effect("a failed attempt waits for the next one, and all of them are in the log", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const outbox = yield* Outbox.Outbox
        const sent = event()
        yield* webhooks.send(sent)
        const due = yield* one(sent.account)
        const now = yield* Clock.currentTimeMillis
        yield* outbox.end(due, failed(now), now + 5 * minute)
        assert.strictEqual((yield* outbox.claim({ ...claiming, limit: 0 })).next_at, now + 5 * minute)
        assert.isAtLeast(yield* outbox.waiting, 1)
        yield* TestClock.adjust(5 * minute)
        const again = yield* one(sent.account)
        assert.deepStrictEqual([again.tried, again.content?.body], [1, due.content?.body])
        const timeout: Webhooks.Attempt = { at: now + 5 * minute, duration: 20_000, status: null, problem: "timeout" }
        yield* outbox.end(again, timeout, null)
        const found = yield* webhooks.find(sent.account, due.id)
        assert.deepStrictEqual(found?.attempts, [failed(now), timeout])
        assert.deepStrictEqual(found?.delivery, yield* only(sent.account))
        assert.deepInclude(
          { ...found?.delivery },
          { state: "failed", next_at: null, attempts: 2, last: timeout, created_at: now }
        )
      })
    )

    it.effect("what is given back is due at once", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const outbox = yield* Outbox.Outbox
        const sent = event()
        yield* webhooks.send(sent)
        const due = yield* one(sent.account)
        yield* outbox.release(due)
        assert.strictEqual((yield* one(sent.account)).id, due.id)
        yield* drain
      })
    )

    it.effect("a replay sends again for another day, and keeps what was tried", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const outbox = yield* Outbox.Outbox
        const sent = event()
        yield* webhooks.send(sent)
        const due = yield* one(sent.account)
        yield* outbox.end(due, delivered(yield* Clock.currentTimeMillis), null)
        yield* TestClock.adjust("6 days")
        const now = yield* Clock.currentTimeMillis
        assert.isNull(yield* webhooks.replay(unique("acc"), due.id))
        assert.isNull(yield* webhooks.replay(sent.account, "msg_nobody"))
        assert.deepInclude({ ...(yield* webhooks.replay(sent.account, due.id)) }, { state: "waiting", next_at: now })
        const again = yield* one(sent.account)
        assert.deepInclude({ ...again }, { id: due.id, tried: 0, expires_at: now + WebhookMessage.patience })
        // Already in the air: nobody else sends it beside that.
        yield* webhooks.replay(sent.account, due.id)
        assert.lengthOf(yield* claim([sent.account]), 0)
        yield* outbox.end(again, delivered(now), null)
        assert.strictEqual((yield* only(sent.account)).attempts, 2)
        yield* TestClock.adjust("36 hours")
        yield* webhooks.sweep
        assert.isNotNull(yield* webhooks.find(sent.account, due.id))
      })
    )

    it.effect(
      "a replay of what is in the air is not lost when that attempt fails: it is due at once, from the start",
      () =>
        Effect.gen(function* () {
          const webhooks = yield* Webhooks.Webhooks
          const outbox = yield* Outbox.Outbox
          for (const [before, next] of [
            [0, null],
            [3, null],
            [3, 9 * minute]
          ] as const) {
            const sent = event()
            yield* webhooks.send(sent)
            for (let tried = 0; tried < before; tried++) {
              const now = yield* Clock.currentTimeMillis
              yield* outbox.end(yield* one(sent.account), failed(now), now)
            }
            const last = yield* one(sent.account)
            yield* TestClock.adjust(1)
            const now = yield* Clock.currentTimeMillis
            yield* webhooks.replay(sent.account, last.id)
            yield* outbox.end(last, failed(now), next === null ? null : now + next)
            assert.deepInclude({ ...(yield* only(sent.account)) }, { state: "waiting", next_at: now })
            const again = yield* one(sent.account)
            assert.deepInclude({ ...again }, { tried: 0, expires_at: now + WebhookMessage.patience })
            yield* outbox.end(again, failed(now), null)
            assert.strictEqual((yield* only(sent.account)).state, "failed")
          }
        })
    )

    it.effect("an event about somebody who has objected is not taken over", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const suppression = yield* Suppression.Suppression
        const account = unique("acc")
        const mara = `email:${unique("mara")}@acme.example`
        yield* suppression.add(mara)
        yield* webhooks.send(event({ account, subjects: ["domain:other.example", mara] }))
        yield* webhooks.send(event({ account, subjects: ["domain:other.example"], type: "other" }))
        assert.strictEqual((yield* only(account)).type, "other")
        yield* drain
      })
    )

    it.effect(
      "an event about somebody who objects while it waits, or is in the air, is not sent and is forgotten",
      () =>
        Effect.gen(function* () {
          const webhooks = yield* Webhooks.Webhooks
          const outbox = yield* Outbox.Outbox
          const suppression = yield* Suppression.Suppression
          const account = unique("acc")
          const mara = `email:${unique("mara")}@acme.example`
          const about = (more: Partial<Webhooks.Event>) => webhooks.send(event({ account, ...more }))
          yield* about({ subjects: [mara] })
          const flying = yield* one(account)
          yield* about({ subjects: ["domain:other.example", mara] })
          yield* about({ subjects: ["domain:other.example"], type: "other" })
          assert.isTrue(yield* outbox.stands(flying))
          yield* suppression.add(mara)
          assert.isFalse(yield* outbox.stands(flying))
          const other = yield* one(account)
          assert.isTrue(yield* outbox.stands(other))
          yield* outbox.end(other, delivered(yield* Clock.currentTimeMillis), null)
          yield* outbox.end(flying, failed(yield* Clock.currentTimeMillis), yield* Clock.currentTimeMillis)
          assert.lengthOf(yield* claim([account]), 0)
          assert.strictEqual((yield* only(account)).type, "other")
        })
    )

    it.effect("what is erased, or claimed by somebody else since, may not be sent any more", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const outbox = yield* Outbox.Outbox
        const mara = `email:${unique("mara")}@acme.example`
        const sent = event({ subjects: [mara] })
        yield* webhooks.send(sent)
        const first = yield* one(sent.account)
        yield* TestClock.adjust(claiming.lease)
        const second = yield* one(sent.account)
        assert.deepStrictEqual([yield* outbox.stands(first), yield* outbox.stands(second)], [false, true])
        yield* webhooks.erase([mara])
        assert.isFalse(yield* outbox.stands(second))
        yield* drain
      })
    )

    it.effect("the log is the account's own, the newest first, page by page", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const [account, other] = [unique("acc"), unique("acc")]
        for (const type of ["a", "b", "c"]) {
          yield* webhooks.send(event({ account, type }))
          yield* TestClock.adjust(1)
        }
        yield* webhooks.send(event({ account: other }))
        const types = Effect.fnUntraced(function* (page: number) {
          const { deliveries, total } = yield* webhooks.list(account, page, 2)
          assert.strictEqual(total, 3)
          return deliveries.map(({ type }) => type)
        })
        assert.deepStrictEqual(yield* types(1), ["c", "b"])
        assert.deepStrictEqual(yield* types(2), ["a"])
        assert.deepStrictEqual(yield* types(3), [])
        const { id } = yield* only(other)
        assert.isNull(yield* webhooks.find(account, id))
        assert.isNotNull(yield* webhooks.find(other, id))
        yield* drain
      })
    )

    it.effect("a rotated secret signs beside the new one for a day, and not longer", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const account = unique("acc")
        const secrets = Effect.gen(function* () {
          yield* webhooks.send(event({ account }))
          const due = yield* one(account)
          yield* drain
          return due.content!.secrets.map(Redacted.value)
        })
        const first = yield* webhooks.rotate(account)
        assert.isNull(first.previous_valid_until)
        assert.deepStrictEqual(yield* secrets, [Redacted.value(first.secret)])
        const second = yield* webhooks.rotate(account)
        assert.strictEqual(second.previous_valid_until, (yield* Clock.currentTimeMillis) + WebhookMessage.patience)
        assert.deepStrictEqual(
          yield* secrets,
          [second, first].map(({ secret }) => Redacted.value(secret))
        )
        yield* TestClock.adjust(WebhookMessage.patience)
        yield* webhooks.sweep
        assert.deepStrictEqual(yield* secrets, [Redacted.value(second.secret)])
        const many = yield* Effect.all(
          Array.from({ length: 8 }, () => webhooks.rotate(account)),
          { concurrency: "unbounded" }
        )
        const valid = yield* secrets
        assert.lengthOf(valid, WebhookMessage.secretsAtOnce)
        assert.strictEqual(new Set(valid).size, WebhookMessage.secretsAtOnce)
        assert.includeMembers(
          many.map(({ secret }) => Redacted.value(secret)),
          valid
        )
      })
    )

    it.effect("an account that has none gets one secret, however many events come at once", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const account = unique("acc")
        yield* Effect.all(
          [webhooks.rotate(account), ...Array.from({ length: 8 }, () => webhooks.send(event({ account })))],
          {
            concurrency: "unbounded"
          }
        )
        const due = yield* claim([account])
        assert.lengthOf(due, 8)
        assert.isAtMost(new Set(due.map(({ content }) => Redacted.value(content!.secrets[0]!))).size, 1)
        yield* drain
      })
    )

    it.effect("forgets every event that speaks of an erased subject, and nothing else", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const outbox = yield* Outbox.Outbox
        const account = unique("acc")
        const mara = `email:${unique("mara")}@acme.example`
        yield* webhooks.send(event({ account, subjects: ["domain:acme.example", mara] }))
        const due = yield* one(account)
        yield* webhooks.send(event({ account, subjects: [`${mara}.other`], type: "other" }))
        assert.strictEqual(yield* webhooks.erase([mara]), 1)
        assert.strictEqual((yield* only(account)).type, "other")
        // It was in the air: that it has ended is nobody's business any more.
        yield* outbox.end(due, delivered(yield* Clock.currentTimeMillis), null)
        assert.isNull(yield* webhooks.find(account, due.id))
        yield* drain
      })
    )

    it.effect("keeps an event for a week, and the sweep forgets and counts it", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        yield* drain
        yield* TestClock.adjust("30 days")
        yield* webhooks.sweep
        const sent = event()
        yield* webhooks.send(sent)
        const { id } = yield* only(sent.account)
        yield* drain
        yield* TestClock.adjust(WebhookMessage.keeping - 2 * minute - 1)
        assert.isNotNull(yield* webhooks.find(sent.account, id))
        assert.strictEqual(yield* webhooks.sweep, 0)
        yield* TestClock.adjust(1)
        assert.isNull(yield* webhooks.find(sent.account, id))
        assert.isNull(yield* webhooks.replay(sent.account, id))
        assert.strictEqual((yield* webhooks.list(sent.account, 1, 10)).total, 0)
        assert.strictEqual(yield* webhooks.sweep, 1)
      })
    )

    it.effect("a sender that waits is woken by what is handed over, also when it came before", () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const outbox = yield* Outbox.Outbox
        yield* webhooks.send(event())
        yield* outbox.handedOver
        const waiting = yield* Effect.forkChild(outbox.handedOver, { startImmediately: true })
        assert.isUndefined(waiting.pollUnsafe())
        yield* webhooks.send(event())
        yield* Fiber.join(waiting)
        yield* drain
      })
    )
  })
