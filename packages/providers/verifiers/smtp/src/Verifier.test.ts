import { assert, describe, it } from "@effect/vitest"
import { EmailVerifier } from "@lading/core/email"
import { Clock, Effect, Layer, Stream } from "effect"
import * as MailHost from "./fixtures/MailHost.ts"
import * as NameServer from "./fixtures/NameServer.ts"
import * as Verifier from "./Verifier.ts"

const zone: NameServer.Zone = {
  "acme.test": { mx: [[10, "mx.acme.test"]] },
  "mx.acme.test": { a: ["127.0.0.1"] },
  // Nobody listens there.
  "gone.test": { mx: [[10, "mx.gone.test"]] },
  "mx.gone.test": { a: ["127.1.2.3"] }
}

const begin = Effect.fnUntraced(function* (answer: MailHost.Answer) {
  const host = yield* MailHost.start(answer)
  const { server } = yield* NameServer.start(zone)
  const settings = {
    hello: "probe.verifier.test",
    sender: "verify@verifier.test",
    port: host.port,
    dns: { nameServers: [server], permit: () => true },
    zones: ["test"],
    limits: { connectEvery: 0, askEvery: 0 },
    portHosts: []
  }
  const context = yield* Layer.build(Verifier.layer(settings))
  const verifier = yield* Effect.provide(EmailVerifier.EmailVerifier, context)
  const { bulk } = verifier
  if (bulk._tag !== "Direct") return assert.fail("it asks itself")
  return { host, verifier, bulk }
})

const says =
  (reply: string): MailHost.Answer =>
  (command) =>
    command.startsWith("RCPT") ? reply : MailHost.knows()(command, 1)

describe("Verifier", () => {
  it.live("gives each address once, with what was heard", () =>
    Effect.gen(function* () {
      const { bulk } = yield* begin(MailHost.knows("mara"))
      const emails = ["mara@acme.test", "theo@acme.test", "mara@acme.test", "nothing"]
      const found = yield* Stream.runCollect(bulk.verify(emails, 1))
      const heard = Object.fromEntries(found.map(({ email, result }) => [email, result.status]))
      assert.strictEqual(found.length, 3)
      assert.deepEqual(heard, { "mara@acme.test": "safe", "theo@acme.test": "invalid", nothing: "invalid" })
    }).pipe(Effect.scoped)
  )

  it.live("asks nobody for what is no address, or is thrown away", () =>
    Effect.gen(function* () {
      const { host, bulk } = yield* begin(MailHost.knows())
      const found = yield* Stream.runCollect(bulk.verify(["a@[192.0.2.1]", "a@mailinator.com", "a b@acme.test"], 1))
      const heard = Object.fromEntries(found.map(({ email, result }) => [email, result.status]))
      assert.deepEqual(heard, {
        "a@[192.0.2.1]": "invalid",
        "a@mailinator.com": "disposable",
        "a b@acme.test": "invalid"
      })
      assert.strictEqual(host.connections.opened, 0)
    }).pipe(Effect.scoped)
  )

  it.live("takes a mailbox for unknown that is unknown for now to the last", () =>
    Effect.gen(function* () {
      const { bulk } = yield* begin(says("450 4.1.1 user unknown in relay recipient table"))
      const [first] = yield* Stream.runCollect(bulk.verify(["mara@acme.test"], 1))
      assert.strictEqual(first?._tag, "Again")
      const [last] = yield* Stream.runCollect(bulk.verify(["mara@acme.test"], 4))
      assert.deepInclude(last?.result, { status: "invalid", overall_score: "10" })
    }).pipe(Effect.scoped)
  )

  it.live("asks to be asked again where a host does, later each time, and not for ever", () =>
    Effect.gen(function* () {
      const { bulk } = yield* begin(says("450 4.2.0 greylisted"))
      const waits: Array<number | null> = []
      for (const attempt of [1, 2, 3, 4]) {
        const [found] = yield* Stream.runCollect(bulk.verify(["mara@acme.test"], attempt))
        waits.push(found?._tag === "Again" ? found.after : null)
        assert.strictEqual(found?.result.status, "unknown")
      }
      assert.deepStrictEqual(waits, [...Verifier.patience, null])
    }).pipe(Effect.scoped)
  )

  it.live("asks again later where it was not told whether every name is taken", () =>
    Effect.gen(function* () {
      let isGrey = true
      const { bulk } = yield* begin((command) => {
        const isNobody = command.startsWith("RCPT") && !command.includes("<mara@")
        return isNobody && isGrey ? "450 4.2.0 greylisted" : MailHost.knows("mara")(command, 1)
      })
      const [first] = yield* Stream.runCollect(bulk.verify(["mara@acme.test"], 1))
      assert.deepInclude(first, { _tag: "Again" })
      assert.strictEqual(first?.result.status, "unknown")
      const [last] = yield* Stream.runCollect(bulk.verify(["mara@acme.test"], 4))
      assert.deepInclude(last, { _tag: "Decided" })
      isGrey = false
      const [later] = yield* Stream.runCollect(bulk.verify(["mara@acme.test"], 2))
      assert.strictEqual(later?.result.status, "safe")
    }).pipe(Effect.scoped)
  )

  it.live("is let through by a greylist for a name that nobody has too, after a restart", () =>
    Effect.gen(function* () {
      const contacts = new Set<string>()
      const knows = MailHost.knows("mara")
      const greylist = (command: string) => {
        if (!command.startsWith("RCPT") || contacts.has(command)) return knows(command, 1)
        contacts.add(command)
        return "450 4.2.0 greylisted"
      }
      const attempt = Effect.fnUntraced(function* (times: number) {
        const { bulk } = yield* begin(greylist)
        const [found] = yield* Stream.runCollect(bulk.verify(["mara@acme.test"], times))
        return [found?._tag, found?.result.status]
      }, Effect.scoped)
      assert.deepStrictEqual(yield* attempt(1), ["Again", "unknown"])
      assert.deepStrictEqual(yield* attempt(2), ["Again", "unknown"])
      assert.deepStrictEqual(yield* attempt(3), ["Decided", "safe"])
    })
  )

  it.live("is done with those whose hosts are not there", () =>
    Effect.gen(function* () {
      const { bulk } = yield* begin(MailHost.knows())
      const found = yield* Stream.runCollect(bulk.verify(["a@gone.test", "b@gone.test", "c@gone.test"], 1))
      assert.deepStrictEqual(
        found.map(({ _tag, result }) => [_tag, result.status, result.can_connect_smtp]),
        found.map(() => ["Decided", "unknown", false])
      )
    }).pipe(Effect.scoped)
  )

  it.live("waits as long as a host is left alone", () =>
    Effect.gen(function* () {
      const { bulk } = yield* begin(
        says("451 4.7.650 The mail server has been temporarily rate limited due to IP reputation")
      )
      const [found] = yield* Stream.runCollect(bulk.verify(["mara@acme.test"], 1))
      assert.isAbove(found?._tag === "Again" ? found.after : 0, 800_000)
    }).pipe(Effect.scoped)
  )

  it.live("says what it knows when time is up, and hangs up", () =>
    Effect.gen(function* () {
      const { host, verifier } = yield* begin((command) =>
        command.startsWith("RCPT") ? null : MailHost.knows()(command, 1)
      )
      const start = yield* Clock.currentTimeMillis
      const result = yield* verifier.single("mara@acme.test", start + 300)
      assert.deepInclude(result, { status: "unknown", mx_records: true, can_connect_smtp: true, is_deliverable: false })
      assert.isBelow((yield* Clock.currentTimeMillis) - start, 5_000)
      while (host.connections.open > 0) yield* Effect.sleep(2)
    }).pipe(Effect.scoped)
  )

  it.live("says where the mail of domains goes", () =>
    Effect.gen(function* () {
      const { bulk } = yield* begin(MailHost.knows())
      const hosts = yield* bulk.hosts(["acme.test", "missing.test"])
      assert.deepStrictEqual(
        [...hosts],
        [
          ["acme.test", "acme.test"],
          ["missing.test", ""]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a name that is not the operator's", () =>
    Effect.gen(function* () {
      const settings = { hello: "localhost", sender: "verify@verifier.test" }
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Verifier.layer(settings))))
      assert.include(error.problem, "localhost")
      assert.isFalse(error.retryable)
    })
  )
})
