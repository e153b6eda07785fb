/**
 * The sender against real receivers on loopback. The clock is the test's, so that a day of pauses takes no time; only what
 * goes over a socket takes its own.
 */
import { assert, describe, it } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { Redelivery, Webhooks, WebhookUrl } from "@lading/core/net"
import { Effect, Latch, Layer, Logger, Redacted, Result, type Scope } from "effect"
import { Dns, NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import * as Receivers from "../../fixtures/Receivers.ts"
import * as Receiver from "./Receiver.ts"
import * as Sender from "./Sender.ts"

const hosts = {
  "receiver.test": ["127.0.0.1"],
  "inside.example": ["10.0.0.1"],
  "both.example": ["8.8.8.8", "127.0.0.1"]
}
const dns = Layer.succeed(Dns.Dns, Result.getOrThrow(Dns.makeStatic({ hosts })))

/** A sender for as long as the scope is open; over the outbox that is there. */
const sending = (insecure = true, names = dns) =>
  Layer.build(
    Layer.fresh(Sender.layer()).pipe(
      Layer.provide(names),
      Layer.provide(Layer.succeed(WebhookUrl.Policy, { insecure }))
    )
  )

let events = 0
const event = (url: string, more: Partial<Webhooks.Event> = {}): Webhooks.Event => ({
  id: `event-${++events}`,
  account: "acc_1",
  url,
  type: "person.enriched",
  data: { person: { first_name: "Mara" } },
  subjects: [],
  ...more
})

const send = (url: string, more?: Partial<Webhooks.Event>) =>
  Effect.flatMap(Webhooks.Webhooks, ({ send }) => send(event(url, more)))

/** The newest delivery of the account, with its attempts. */
const newest = Effect.fnUntraced(function* (account = "acc_1") {
  const webhooks = yield* Webhooks.Webhooks
  const { deliveries } = yield* webhooks.list(account, 1, 1)
  const found = yield* webhooks.find(account, deliveries[0]?.id ?? "")
  if (found === null) throw new Error("nothing was handed over")
  return found
})

const attempted = Effect.fnUntraced(function* (times: number, account?: string) {
  const context = yield* Effect.context<Webhooks.Webhooks>()
  const tried = Effect.map(newest(account), ({ delivery }) => delivery.attempts >= times)
  yield* Receivers.until(`${times} attempts`, Effect.provideContext(tried, context))
})

/** The state and the problems of all attempts. */
const outcome = (account?: string) =>
  Effect.map(newest(account), ({ attempts, delivery }) => [delivery.state, ...attempts.map(({ problem }) => problem)])

const layerWebhooks = Webhooks.layerMemory.pipe(Layer.provideMerge(Suppression.layerMemory))

const tested = <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof layerWebhooks> | Scope.Scope>) =>
  Effect.andThen(TestClock.setTime(Date.now()), test).pipe(Effect.provide(Layer.fresh(layerWebhooks)))

describe("a receiver", () => {
  it.effect("can verify what it gets with the library of the standard, under each secret that is valid", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start()
        yield* sending()
        const webhooks = yield* Webhooks.Webhooks
        const old = Redacted.value((yield* webhooks.rotate("acc_1")).secret)
        const secret = Redacted.value((yield* webhooks.rotate("acc_1")).secret)
        const other = Redacted.value((yield* webhooks.rotate("acc_2")).secret)
        yield* send(`${receiver.url}/hook?token=1`, { data: { name: "Žofie \ud83d\ude80" } })
        yield* attempted(1)
        const { delivery } = yield* newest()
        const [{ body, headers, path }] = receiver.received as [Receivers.Received]
        for (const valid of [secret, old]) {
          const verified: any = new Webhook(valid).verify(body, headers)
          assert.deepStrictEqual(Object.keys(verified), ["type", "timestamp", "data"])
          assert.deepStrictEqual([verified.type, verified.data], ["person.enriched", { name: "Žofie \ud83d\ude80" }])
        }
        assert.throws(() => new Webhook(other).verify(body, headers))
        assert.throws(() => new Webhook(secret).verify(body.replace("Žofie", "Zofie"), headers))
        assert.throws(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "msg_other" }))
        assert.strictEqual(headers["webhook-signature"]?.split(" ").length, 2)
        assert.deepStrictEqual(
          [path, headers["webhook-id"], headers["content-type"], headers["host"]],
          ["/hook?token=1", delivery.id, "application/json", `127.0.0.1:${receiver.port}`]
        )
        assert.deepStrictEqual([delivery.state, delivery.last?.status], ["delivered", 204])
      })
    )
  )

  it.effect("that fails first gets the same message again, newly signed, after a pause", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start(Receivers.answering(500))
        yield* sending()
        const { secret } = yield* (yield* Webhooks.Webhooks).rotate("acc_1")
        yield* send(receiver.url)
        yield* attempted(1)
        assert.lengthOf(receiver.received, 1)
        receiver.react = Receivers.answering(200)
        yield* TestClock.adjust("5 seconds")
        yield* attempted(2)
        assert.deepStrictEqual(yield* outcome(), ["delivered", "status", null])
        const [first, second] = receiver.received as [Receivers.Received, Receivers.Received]
        assert.strictEqual(second.body, first.body)
        assert.strictEqual(second.headers["webhook-id"], first.headers["webhook-id"])
        assert.notStrictEqual(second.headers["webhook-timestamp"], first.headers["webhook-timestamp"])
        new Webhook(Redacted.value(secret)).verify(second.body, second.headers)
      })
    )
  )

  it.effect("that never takes it is tried eight times within a day, once at its end, and then no more", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start(Receivers.answering(503))
        yield* sending()
        yield* send(receiver.url)
        for (const [index, pause] of Redelivery.pauses.entries()) {
          yield* attempted(index + 1)
          const { delivery } = yield* newest()
          assert.isAtMost((delivery.next_at ?? 0) - delivery.last!.at - delivery.last!.duration, pause)
          yield* TestClock.adjust(pause)
        }
        yield* attempted(8)
        const { delivery } = yield* newest()
        assert.strictEqual(delivery.next_at, delivery.created_at + 24 * 3_600_000)
        yield* TestClock.adjust("5 hours")
        yield* attempted(9)
        assert.deepStrictEqual(yield* outcome(), ["failed", ...Array.from({ length: 9 }, () => "status" as const)])
        yield* TestClock.adjust("3 days")
        assert.lengthOf(receiver.received, 9)
      })
    )
  )

  it.effect("that asks to be left alone is, and one that asks for too long gets a last attempt at the end", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start(Receivers.answering(429, { "retry-after": "7200" }))
        yield* sending()
        yield* send(receiver.url)
        yield* attempted(1)
        yield* TestClock.adjust("1 hour")
        yield* TestClock.adjust("59 minutes")
        assert.lengthOf(receiver.received, 1)
        receiver.react = Receivers.answering(503, { "retry-after": "999999" })
        yield* TestClock.adjust("1 minute")
        yield* attempted(2)
        const { delivery } = yield* newest()
        assert.strictEqual(delivery.next_at, delivery.created_at + 24 * 3_600_000)
        yield* TestClock.adjust("1 day")
        yield* attempted(3)
        assert.strictEqual((yield* newest()).delivery.state, "failed")
      })
    )
  )

  it.effect("that is gone (410) is not tried again", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start(Receivers.answering(410))
        yield* sending()
        yield* send(receiver.url)
        yield* attempted(1)
        assert.deepStrictEqual(yield* outcome(), ["failed", "gone"])
      })
    )
  )

  it.effect("that redirects has failed: nobody is followed", () =>
    tested(
      Effect.gen(function* () {
        const inside = yield* Receivers.start()
        const receiver = yield* Receivers.start(Receivers.answering(307, { location: `${inside.url}/admin` }))
        yield* sending()
        yield* send(receiver.url)
        yield* attempted(1)
        assert.deepStrictEqual(yield* outcome(), ["waiting", "redirect"])
        assert.strictEqual(inside.open.most, 0)
      })
    )
  )

  it.effect("that hangs is given up after twenty seconds, and its connection is closed", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start(null)
        yield* sending()
        yield* send(receiver.url)
        yield* Receivers.until("it was asked", () => receiver.received.length === 1)
        yield* TestClock.adjust("19 seconds")
        assert.deepStrictEqual(yield* outcome(), ["waiting"])
        yield* TestClock.adjust("1 second")
        yield* attempted(1)
        assert.deepStrictEqual(yield* outcome(), ["waiting", "timeout"])
        yield* Receivers.until("it was let go", () => receiver.open.now === 0)
      })
    )
  )

  it.effect("that floods is cut off, and has taken it all the same", () =>
    tested(
      Effect.gen(function* () {
        let sent = 0
        const receiver = yield* Receivers.start((response) => {
          const flood = (): void => {
            if (response.destroyed || sent > 50_000_000) return
            sent += 65_536
            response.write("x".repeat(65_536), () => setImmediate(flood))
          }
          response.writeHead(200)
          flood()
        })
        yield* sending()
        yield* send(receiver.url)
        yield* attempted(1)
        assert.deepStrictEqual(yield* outcome(), ["delivered", null])
        yield* Receivers.until("it was cut off", () => receiver.open.now === 0)
        assert.isBelow(sent, 50_000_000)
      })
    )
  )

  it.live(
    "that answers 2xx and sends the rest slowly has taken it, though its body comes after the time that there is",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const receiver = yield* Receivers.start((response) => {
            response.writeHead(202)
            response.write("slowly")
          })
          const { url } = receiver
          const means = { dns: yield* Dns.Dns, policy: { insecure: true }, timeout: 900 }
          const began = performance.now()
          const outcome = yield* Receiver.post(means, { url, headers: {}, body: "{}", stands: Effect.succeed(true) })
          assert.deepStrictEqual(outcome, { status: 202, problem: null, retryAfter: null })
          assert.isAbove(performance.now() - began, 900)
          yield* Receivers.until("it was cut off", () => receiver.open.now === 0)
        })
      ).pipe(Effect.provide(dns))
  )

  it.effect("that is not there, or breaks off, is tried again", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start((response) => void response.destroy())
        yield* sending()
        yield* send(receiver.url)
        yield* attempted(1)
        assert.deepStrictEqual(yield* outcome(), ["waiting", "connection"])
        yield* send("http://127.0.0.1:1/", { account: "acc_2" })
        yield* attempted(1, "acc_2")
        assert.deepStrictEqual(yield* outcome("acc_2"), ["waiting", "connection"])
        yield* send("http://nobody.example/", { account: "acc_3" })
        yield* attempted(1, "acc_3")
        assert.deepStrictEqual(yield* outcome("acc_3"), ["waiting", "host_not_found"])
      })
    )
  )
})

describe("where it is sent to", () => {
  it.effect("is the address that was looked up and judged, under the name that was given", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start()
        yield* sending()
        // Nobody but the resolver of this test knows the name.
        yield* send(`http://receiver.test:${receiver.port}/`)
        yield* attempted(1)
        assert.deepStrictEqual(yield* outcome(), ["delivered", null])
        assert.strictEqual(receiver.received[0]?.headers["host"], `receiver.test:${receiver.port}`)
      })
    )
  )

  it.effect("is nobody any more, once somebody in it has objected while the receiver was looked up", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start()
        const asked = yield* Latch.make(false)
        const found = yield* Latch.make(false)
        const slow = Dns.make({
          lookup: () =>
            asked.open.pipe(Effect.andThen(found.await), Effect.as([NetAddress.ipFromStringUnsafe("127.0.0.1")]))
        })
        yield* sending(true, Layer.succeed(Dns.Dns, slow))
        yield* send(`http://slow.test:${receiver.port}/`, { subjects: ["email:mara@acme.example"] })
        yield* asked.await
        yield* (yield* Suppression.Suppression).add("email:mara@acme.example")
        yield* (yield* Webhooks.Webhooks).erase(["email:mara@acme.example"])
        yield* found.open
        yield* send(`${receiver.url}/other`, { account: "acc_2" })
        yield* attempted(1, "acc_2")
        assert.deepStrictEqual(
          receiver.received.map(({ path }) => path),
          ["/other"]
        )
      })
    )
  )

  it.effect("is never, unless an operator says so, inside, over http or on another port", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start()
        yield* sending(false)
        for (const url of [
          receiver.url,
          `https://127.0.0.1:${receiver.port}/`,
          `https://receiver.test:${receiver.port}/`,
          "https://receiver.test/",
          "https://inside.example/",
          "https://both.example/",
          "https://169.254.169.254/latest",
          "https://[::1]/",
          "https://localhost/"
        ]) {
          const account = `acc_${url}`
          yield* send(url, { account })
          yield* attempted(1, account)
          assert.deepStrictEqual(yield* outcome(account), ["waiting", "address_refused"], url)
        }
        assert.strictEqual(receiver.open.most, 0)
      })
    )
  )
})

describe("many deliveries", () => {
  it.effect("to a dead receiver hold up nobody else's, and come to it four at a time", () =>
    tested(
      Effect.gen(function* () {
        const dead = yield* Receivers.start(null)
        const alive = yield* Receivers.start()
        yield* sending()
        for (let at = 0; at < 80; at++) yield* send(dead.url)
        yield* send(alive.url)
        yield* send(alive.url, { account: "acc_2" })
        yield* Receivers.until("the others have arrived", () => alive.received.length === 2)
        yield* Receivers.until("the dead one was asked", () => dead.received.length === 4)
        assert.strictEqual(dead.open.most, 4)
        yield* TestClock.adjust("20 seconds")
        yield* Receivers.until("the next ones are asked", () => dead.received.length === 8)
        assert.isAtMost(dead.open.most, 8)
        // It comes back: the sender does not wait for it when it stops.
        dead.react = Receivers.answering(204)
        dead.drop()
        yield* Receivers.until("the rest has arrived", () => dead.received.length >= 80)
      })
    )
  )

  it.effect("all arrive once, as fast as there is room, and what is in the air at a stop is given back", () =>
    tested(
      Effect.gen(function* () {
        const receiver = yield* Receivers.start()
        const webhooks = yield* Webhooks.Webhooks
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* sending()
            for (let at = 0; at < 200; at++) yield* send(receiver.url)
            yield* Receivers.until("all have arrived", () => receiver.received.length === 200)
            receiver.react = null
            yield* send(receiver.url)
            yield* Receivers.until("it is in the air", () => receiver.received.length === 201)
            yield* Effect.forkDetach(
              Effect.andThen(
                Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50))),
                TestClock.adjust("3 seconds")
              )
            )
          })
        )
        const ids = receiver.received.map(({ headers }) => headers["webhook-id"])
        assert.strictEqual(new Set(ids).size, 201)
        const { deliveries } = yield* webhooks.list("acc_1", 1, 1)
        assert.strictEqual(deliveries[0]?.state, "waiting")
        receiver.react = Receivers.answering(200)
        yield* sending()
        yield* attempted(1)
        assert.deepStrictEqual(yield* outcome(), ["delivered", null])
        assert.lengthOf(receiver.received, 202)
      })
    )
  )
})

it.effect("no log line holds a secret, a path or a body", () => {
  const lines: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
  return tested(
    Effect.gen(function* () {
      const receiver = yield* Receivers.start(Receivers.answering(500))
      const gone = yield* Receivers.start(Receivers.answering(410))
      yield* sending()
      const { secret } = yield* (yield* Webhooks.Webhooks).rotate("acc_1")
      yield* send(`${receiver.url}/marker-of-a-path?marker-of-a-query`, { data: "marker-of-a-body" })
      yield* attempted(1)
      yield* send(`${gone.url}/marker-of-a-path`, { account: "acc_2" })
      yield* attempted(1, "acc_2")
      const logs = lines.join("\n")
      assert.include(logs, `127.0.0.1:${receiver.port}`)
      assert.include(logs, "webhook given up")
      assert.notInclude(logs, "marker-of")
      assert.notInclude(logs, Redacted.value(secret).slice(6))
      assert.notInclude(logs, "whsec_")
    })
  ).pipe(Effect.provide(logger))
})
