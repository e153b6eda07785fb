import { assert, describe, it } from "@effect/vitest"
import { MailWorld } from "@lading/testing/mail"
import { Effect, Fiber, Stream } from "effect"
import * as Prober from "./Prober.ts"
import * as Classifier from "./replies/Classifier.ts"

const classifier = Classifier.make()

const mailboxes = { mara: "exists", full: "full", gone: "disabled" } as const

type World = Parameters<typeof MailWorld.start>[0]

const begin = Effect.fnUntraced(function* (spec: World, more: object = {}) {
  const world = yield* MailWorld.start(spec)
  const prober = yield* Prober.make(
    {
      hello: "probe.verifier.test",
      sender: "verify@verifier.test",
      port: world.smtp.port,
      dns: { nameServers: [world.dns.server], permit: () => true },
      zones: ["test"],
      limits: { connections: 2, questions: 8, refusals: 4, connectEvery: 0, askEvery: 0 },
      portHosts: [],
      time: { quit: 500 },
      ...more
    },
    classifier
  )
  const heard = (domain: string, ...locals: ReadonlyArray<string>) =>
    Effect.map(Stream.runCollect(prober.many(locals.map((local) => ({ local, domain, smtputf8: false })))), (found) =>
      Object.fromEntries(
        found.map(([{ local }, { conversation }]) => [
          local,
          conversation?.reply ? `${conversation.reply.stage} ${conversation.reply.code}` : `${conversation?.broken}`
        ])
      )
    )
  return { world, prober, heard }
})

/** Who knows its mailboxes and says so gets the same answers out of us, however it speaks. */
const clear = [
  "strict",
  "plain",
  "random_first_trap",
  "closes_after_refusal",
  "one_recipient",
  "one_domain",
  "closes_after_8",
  "closes_after_2",
  "impatient",
  "helo_only",
  "no_pipelining",
  "tls",
  "tls_expired",
  "tls_required",
  "tls_refused",
  "tls_garbage",
  "tls_closes",
  "utf8",
  "eight_bit",
  "no_text",
  "byte_by_byte",
  "bare_line_feeds",
  "long_lines",
  "no_goodbye",
  "stays_after_quit",
  "no_reset",
  "google",
  "outlook"
] as const

describe("Personas", () => {
  for (const persona of clear)
    it.live(`finds out who is there at a host that is ${persona}`, () =>
      Effect.gen(function* () {
        const { heard, world } = yield* begin({ domains: { "acme.test": { persona, mailboxes } } })
        const found = yield* heard("acme.test", "mara", "nobody", "other")
        assert.deepEqual(found, { mara: "recipient 250", nobody: "recipient 550", other: "recipient 550" })
        // Two that are unknown tell that the domain does not take everybody.
        assert.isAtMost((yield* world.smtp.recipients).size, 3)
      }).pipe(Effect.scoped)
    )

  const others = {
    accept_all: "recipient 250",
    exchange_open_edge: "recipient 250",
    refused: "refused",
    greylist: "recipient 450",
    greets_with_421: "connect 421",
    greets_with_554: "connect 554",
    blocks_at_mail: "mail 550",
    endless_line: "closed",
    endless_reply: "closed",
    not_smtp: "closed",
    mixed_codes: "recipient 251"
  } as const
  for (const [persona, said] of Object.entries(others))
    it.live(`hears "${said}" of a host that is ${persona}`, () =>
      Effect.gen(function* () {
        // A name of the table: `Object.entries` forgets that.
        const spec = { domains: { "acme.test": { persona: persona as keyof typeof others, mailboxes } } }
        const { heard } = yield* begin(spec)
        assert.deepStrictEqual(yield* heard("acme.test", "mara"), { mara: said })
      }).pipe(Effect.scoped)
    )

  it.live("uses TLS where it is offered, and asks in the clear where it fails", () =>
    Effect.gen(function* () {
      const domains = { "safe.test": { persona: "tls" }, "odd.test": { persona: "tls_garbage" } } as const
      const { heard, world } = yield* begin({ domains })
      yield* heard("safe.test", "nobody")
      const safe = yield* world.smtp.commands
      assert.deepStrictEqual(
        safe.slice(0, 3).map((each) => each.slice(0, 8)),
        ["EHLO pro", "STARTTLS", "EHLO pro"]
      )
      yield* world.smtp.clear
      yield* heard("odd.test", "nobody")
      yield* heard("odd.test", "other")
      assert.strictEqual(yield* world.smtp.count("STARTTLS"), 1)
    }).pipe(Effect.scoped)
  )

  it.live("never has more connections to a group than it may, over many domains and interruptions", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 24 }, (_, at) => `shop${at}.test`)
      const domains = Object.fromEntries(names.map((name) => [name, { host: "mx.acme.test", mailboxes }]))
      const { prober, world } = yield* begin({ hosts: { "mx.acme.test": "strict" }, domains })
      const targets = names.flatMap((domain) => ["mara", "nobody"].map((local) => ({ local, domain, smtputf8: false })))
      const lists = yield* Effect.forEach([0, 1, 2, 3, 4, 5], () =>
        Effect.forkChild(Stream.runCollect(prober.many(targets)))
      )
      const singles = yield* Effect.forEach(targets, (target) => Effect.forkChild(prober.one(target, () => {})))
      for (const fiber of lists.slice(3)) yield* Fiber.interrupt(fiber)
      for (const [at, fiber] of singles.slice(0, 30).entries()) {
        if (at % 4 === 0) yield* Effect.sleep(1)
        yield* Fiber.interrupt(fiber)
      }
      for (const fiber of lists.slice(0, 3)) assert.strictEqual((yield* Fiber.join(fiber)).length, targets.length)
      for (const fiber of singles.slice(30)) yield* Fiber.join(fiber)
      const { most, opened } = yield* world.smtp.connections(world.address("mx.acme.test"))
      assert.isAtMost(most, 2)
      assert.isAbove(opened, 20)
    }).pipe(Effect.scoped)
  )

  it.live("asks for addresses of several domains in one write, where there is no pace", () =>
    Effect.gen(function* () {
      const names = ["one.test", "two.test", "three.test"]
      const domains = Object.fromEntries(names.map((name) => [name, { host: "mx.acme.test", mailboxes }]))
      const early = Effect.fnUntraced(function* (askEvery: number) {
        const limits = { connections: 1, connectEvery: 0, askEvery }
        const { prober, world } = yield* begin({ hosts: { "mx.acme.test": "strict" }, domains }, { limits })
        yield* Stream.runDrain(prober.many(names.map((domain) => ({ local: "nobody", domain, smtputf8: false }))))
        const exchanges = yield* world.smtp.exchanges
        return exchanges.filter(({ command, early }) => command === "RSET" && early).length
      })
      assert.strictEqual(yield* early(0), 2)
      assert.strictEqual(yield* early(1), 0)
    }).pipe(Effect.scoped)
  )

  it.live("shares a connection between the domains of a host, each in transactions of its own", () =>
    Effect.gen(function* () {
      const names = ["one.test", "two.test", "three.test"]
      const domains = Object.fromEntries(names.map((name) => [name, { host: "mx.acme.test", mailboxes }]))
      const { prober, world } = yield* begin(
        { hosts: { "mx.acme.test": "one_domain" }, domains },
        { limits: { connections: 1, connectEvery: 0, askEvery: 0 } }
      )
      const targets = names.map((domain) => ({ local: "nobody", domain, smtputf8: false }))
      const found = yield* Stream.runCollect(prober.many(targets))
      assert.isTrue(found.every(([, { conversation }]) => conversation?.reply?.class === "unknown_user"))
      assert.strictEqual((yield* world.smtp.connections()).opened, 1)
    }).pipe(Effect.scoped)
  )
})
