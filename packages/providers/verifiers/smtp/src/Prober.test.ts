import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import * as MailHost from "./fixtures/MailHost.ts"
import * as NameServer from "./fixtures/NameServer.ts"
import * as Prober from "./Prober.ts"
import * as Classifier from "./replies/Classifier.ts"

const classifier = Classifier.make()

const zone: NameServer.Zone = {
  "acme.test": { mx: [[10, "mx.acme.test"]] },
  "mx.acme.test": { a: ["127.0.0.1"] },
  "two.test": {
    mx: [
      [20, "mx.acme.test"],
      [10, "dead.acme.test"]
    ]
  },
  // Nobody listens there.
  "dead.acme.test": { a: ["127.1.2.3"] },
  "second.test": { mx: [[10, "mx.acme.test"]] },
  "nobody.test": { mx: [[0, "."]] },
  "bare.test": {},
  "broken.test": { fault: "servfail" },
  "refused.test": { fault: "refused" },
  "implicit.test": { a: ["127.0.0.1"] },
  "literal.test": { mx: [[10, "192.0.2.7"]] }
}

const limits = { connections: 2, questions: 8, refusals: 4, connectEvery: 0, askEvery: 0 }

const begin = Effect.fnUntraced(function* (answer: MailHost.Answer, more: object = {}) {
  const host = yield* MailHost.start(answer)
  const names = yield* NameServer.start(zone)
  const prober = yield* Prober.make(
    {
      hello: "probe.verifier.test",
      sender: "verify@verifier.test",
      port: host.port,
      dns: { nameServers: [names.server], permit: (address) => address.startsWith("127.") },
      zones: ["test"],
      limits,
      portHosts: [],
      time: { quit: 500 },
      ...more
    },
    classifier
  )
  const of = (...emails: ReadonlyArray<string>) =>
    Effect.map(
      Stream.runCollect(
        prober.many(
          emails.map((email) => {
            const [local = "", domain = ""] = email.split("@")
            return { local, domain, smtputf8: false }
          })
        )
      ),
      (found) => new Map(found.map(([{ domain, local }, learnt]) => [`${local}@${domain}`, learnt]))
    )
  return { host, names, prober, of }
})

const classes = (found: ReadonlyMap<string, Prober.Learnt>) =>
  Object.fromEntries(
    [...found].map(([email, { conversation }]) => [email, conversation?.reply?.class ?? conversation?.broken])
  )

const rcpts = ({ commands }: MailHost.MailHost) => commands.filter((command) => command.startsWith("RCPT"))

describe("Prober", () => {
  it.live("asks real addresses only, where one of them is unknown", () =>
    Effect.gen(function* () {
      const { host, of } = yield* begin(MailHost.knows("mara"))
      const found = yield* of("mara@acme.test", "theo@acme.test")
      assert.deepStrictEqual(classes(found), { "mara@acme.test": "accepted", "theo@acme.test": "unknown_user" })
      assert.strictEqual(found.get("mara@acme.test")?.conversation?.catch_all, false)
      assert.strictEqual(rcpts(host).length, 2)
      assert.strictEqual(host.connections.opened, 1)
    }).pipe(Effect.scoped)
  )

  it.live(
    "asks for two names that nobody has after the real ones, in transactions of their own, once for a domain",
    () =>
      Effect.gen(function* () {
        const { host, of } = yield* begin((command) =>
          MailHost.knows("mara")(command.replace(/<[^@]+@acme/, "<mara@acme"), 1)
        )
        const found = yield* of("mara@acme.test")
        assert.strictEqual(found.get("mara@acme.test")?.conversation?.catch_all, true)
        const dialogue = host.commands
          .filter((command) => /^(MAIL|RSET|RCPT)/.test(command))
          .map((each) => each.slice(0, 4))
        assert.deepStrictEqual(dialogue, ["MAIL", "RCPT", "RSET", "MAIL", "RCPT", "RSET", "MAIL", "RCPT"])
        assert.match(rcpts(host)[0] ?? "", /<mara@acme.test>/)
        const later = yield* of("theo@acme.test")
        assert.strictEqual(later.get("theo@acme.test")?.conversation?.catch_all, true)
        assert.strictEqual(rcpts(host).length, 4)
      }).pipe(Effect.scoped)
  )

  it.live("goes on with the next host where one cannot be reached", () =>
    Effect.gen(function* () {
      const { of } = yield* begin(MailHost.knows("mara"))
      const found = yield* of("mara@two.test", "theo@two.test")
      assert.deepStrictEqual(classes(found), { "mara@two.test": "accepted", "theo@two.test": "unknown_user" })
      assert.strictEqual(found.get("mara@two.test")?.conversation?.host, "mx.acme.test")
    }).pipe(Effect.scoped)
  )

  it.live("asks again in a fresh connection where one breaks after an address", () =>
    Effect.gen(function* () {
      let asked = 0
      const { host, of } = yield* begin((command) => {
        if (command.startsWith("RCPT") && ++asked % 2 === 0) return "close"
        return MailHost.knows("mara")(command, 1)
      })
      const found = yield* of("theo@acme.test", "mara@acme.test", "vera@acme.test")
      assert.deepStrictEqual(classes(found), {
        "theo@acme.test": "unknown_user",
        "mara@acme.test": "accepted",
        "vera@acme.test": "unknown_user"
      })
      assert.isAtLeast(host.connections.opened, 2)
    }).pipe(Effect.scoped)
  )

  it.live("leaves a group alone that is tired of us", () =>
    Effect.gen(function* () {
      const { host, of } = yield* begin((command) =>
        command.startsWith("RCPT")
          ? "451 4.7.650 The mail server has been temporarily rate limited due to IP reputation"
          : MailHost.knows()(command, 1)
      )
      const found = yield* of("mara@acme.test", "mara@second.test")
      assert.deepStrictEqual(classes(found), { "mara@acme.test": "rate_limited", "mara@second.test": "rate_limited" })
      assert.isAtMost(rcpts(host).length, 2)
      const before = rcpts(host).length
      const later = yield* of("theo@acme.test")
      assert.strictEqual(later.get("theo@acme.test")?.conversation?.attempts, 0)
      assert.isAbove(later.get("theo@acme.test")?.rest ?? 0, 800_000)
      assert.strictEqual(rcpts(host).length, before)
    }).pipe(Effect.scoped)
  )

  it.live("says of a closed port that nothing can be reached, and not that addresses are dead", () =>
    Effect.gen(function* () {
      const { host, of, prober } = yield* begin(MailHost.knows("mara"), { portHosts: ["dead.acme.test"] })
      assert.isFalse(yield* prober.port.check)
      const found = yield* of("mara@acme.test")
      assert.deepStrictEqual(classes(found), { "mara@acme.test": "port_blocked" })
      assert.isFalse(found.get("mara@acme.test")?.conversation?.connected)
      assert.strictEqual(host.connections.opened, 0)
    }).pipe(Effect.scoped)
  )

  it.live("tells domains without mail apart", () =>
    Effect.gen(function* () {
      const { of } = yield* begin(MailHost.knows())
      const domains = ["nobody", "bare", "broken", "refused", "literal", "missing"]
      const found = yield* of(...domains.map((each) => `a@${each}.test`), "a@acme.invalid", "a@implicit.test")
      const tags = Object.fromEntries([...found].map(([email, { domain }]) => [email.slice(2), domain._tag]))
      assert.deepEqual(tags, {
        "nobody.test": "NullMx",
        "bare.test": "NoHost",
        "broken.test": "Unanswered",
        "refused.test": "Unanswered",
        "literal.test": "Private",
        "missing.test": "NoDomain",
        "acme.invalid": "Reserved",
        "implicit.test": "Hosts"
      })
    }).pipe(Effect.scoped)
  )

  it.live("shares questions to name servers and keeps their answers", () =>
    Effect.gen(function* () {
      const { names, prober } = yield* begin(MailHost.knows())
      const routes = Effect.forEach(Array.from({ length: 20 }), () => prober.route("acme.test"), {
        concurrency: "unbounded"
      })
      yield* routes
      yield* routes
      assert.deepStrictEqual(names.questions, ["MX acme.test", "A mx.acme.test"])
    }).pipe(Effect.scoped)
  )

  it.live("never has more connections to a group than it may, whoever gives up in the middle", () =>
    Effect.gen(function* () {
      const { host, prober } = yield* begin(MailHost.knows("mara"))
      const target = { local: "mara", domain: "acme.test", smtputf8: false }
      const fibers = yield* Effect.forEach(Array.from({ length: 60 }), () =>
        Effect.forkChild(prober.one(target, () => {}))
      )
      for (const [at, fiber] of fibers.entries()) {
        if (at % 3 === 0) yield* Fiber.interrupt(fiber)
        else if (at % 7 === 0) yield* Effect.sleep(1)
      }
      const rest = fibers.filter((_, at) => at % 3 !== 0)
      const found = yield* Effect.forEach(rest, Fiber.join)
      assert.isTrue(found.every(({ conversation }) => conversation?.reply?.class === "accepted"))
      assert.isAtMost(host.connections.most, 2)
      assert.isAbove(host.connections.opened, 2)
    }).pipe(Effect.scoped)
  )

  it.live("keeps a connection for the next address for a moment, and says goodbye", () =>
    Effect.gen(function* () {
      const { host, prober } = yield* begin(MailHost.knows("mara", "theo"), { time: { quit: 500, idle: 30_000 } })
      const one = (local: string, domain: string) => prober.one({ local, domain, smtputf8: false }, () => {})
      yield* one("mara", "acme.test")
      yield* one("theo", "second.test")
      assert.strictEqual(host.connections.opened, 1)
      const brief = yield* begin(MailHost.knows("mara"), { time: { quit: 500, idle: 20 } })
      yield* brief.prober.one({ local: "mara", domain: "acme.test", smtputf8: false }, () => {})
      while (brief.host.connections.open > 0) yield* Effect.sleep(2)
      assert.strictEqual(brief.host.commands.at(-1), "QUIT")
    }).pipe(Effect.scoped)
  )

  it.live("stops at what a day may have", () =>
    Effect.gen(function* () {
      const { host, of } = yield* begin(MailHost.knows(), { limits: { ...limits, daily: 2 } })
      const found = yield* of("mara@acme.test", "theo@acme.test", "vera@acme.test")
      assert.strictEqual(rcpts(host).length, 2)
      assert.deepStrictEqual(Object.values(classes(found)).toSorted(), ["not_asked", "unknown_user", "unknown_user"])
      assert.isAbove(found.get("vera@acme.test")?.rest ?? 0, 80_000_000)
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing open", () =>
    Effect.gen(function* () {
      const host = yield* MailHost.start((command) =>
        command.startsWith("RCPT") ? null : MailHost.knows()(command, 1)
      )
      const names = yield* NameServer.start(zone)
      const settings = {
        hello: "probe.verifier.test",
        sender: "verify@verifier.test",
        port: host.port,
        limits,
        portHosts: []
      }
      const dns = { nameServers: [names.server], permit: () => true }
      const asking = Effect.scoped(
        Effect.flatMap(Prober.make({ ...settings, dns, zones: ["test"] }, classifier), (prober) =>
          prober.one({ local: "mara", domain: "acme.test", smtputf8: false }, () => {})
        )
      )
      const fiber = yield* Effect.forkChild(asking)
      while (rcpts(host).length === 0) yield* Effect.sleep(2)
      yield* Fiber.interrupt(fiber)
      while (host.connections.open > 0) yield* Effect.sleep(2)
      assert.strictEqual(host.connections.opened, 1)
    }).pipe(Effect.scoped)
  )
})
