import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { createTransport } from "nodemailer"
import * as Client from "../fixtures/SmtpClient.ts"
import * as MailHosts from "./MailHosts.ts"
import type { Persona } from "./Persona.ts"
import { type PersonaName, personas } from "./Personas.ts"

const acme: MailHosts.HostSpec["domains"] = {
  "acme.test": {
    mailboxes: { ada: "exists", bea: "exists", cy: "disabled", dan: "full", eve: "busy", fay: "sender_refused" }
  }
}

const address = "127.19.0.1"

/** A host of this persona, and a client that it greeted. */
const host = Effect.fnUntraced(function* (
  persona: PersonaName | Persona,
  options?: MailHosts.Options
): Effect.fn.Return<
  { hosts: MailHosts.MailHosts; connect: (from?: string) => Effect.Effect<Client.Client, never, Scope.Scope> },
  never,
  Scope.Scope
> {
  const hosts = yield* MailHosts.start([{ name: "mx.acme.test", address, persona, domains: acme }], options)
  return { hosts, connect: (from) => Client.connect(address, hosts.port, from) }
})

/** A conversation up to MAIL, and what it got for each command. */
const greeted = Effect.fnUntraced(function* (client: Client.Client) {
  return [
    yield* client.read,
    yield* client.say("EHLO probe.client.test"),
    yield* client.say("MAIL FROM:<verify@client.test>")
  ]
})

const rcpt = (local: string, domain = "acme.test") => `RCPT TO:<${local}@${domain}>`

const code = (reply: string | null) => reply?.slice(0, 3) ?? null

/** Codes of RCPTs in one transaction. */
const asking = (client: Client.Client, ...locals: ReadonlyArray<string>) =>
  Effect.forEach(locals, (local) => Effect.map(client.say(rcpt(...(local.split("@") as [string]))), code))

const until = (condition: Effect.Effect<boolean>) =>
  Effect.promise(async () => {
    while (!(await Effect.runPromise(condition))) await new Promise((resolve) => setImmediate(resolve))
  })

describe("MailHosts", () => {
  it.live("says what is so of each mailbox, and writes the conversation down", () =>
    Effect.gen(function* () {
      const { connect, hosts } = yield* host("strict")
      const client = yield* connect("127.0.0.7")
      assert.deepStrictEqual(yield* greeted(client), [
        "220 mx.acme.test ESMTP",
        "250-mx.acme.test\n250-PIPELINING\n250-SIZE 10240000\n250-ENHANCEDSTATUSCODES\n250 8BITMIME",
        "250 2.1.0 Ok"
      ])
      assert.deepStrictEqual(
        yield* asking(client, "ada", "Ada", "nobody", "cy", "dan", "eve", "fay", "ada@elsewhere.test"),
        ["250", "250", "550", "550", "452", "450", "554", "554"]
      )
      assert.include(yield* client.say(rcpt("nobody")), "<nobody@acme.test>")
      assert.strictEqual(yield* client.say("QUIT"), "221 2.0.0 Bye")
      assert.strictEqual(yield* client.read, null)
      const exchanges = yield* hosts.exchanges
      assert.deepInclude(exchanges[0], { host: address, client: "127.0.0.7", command: null, connection: 1 })
      assert.deepInclude(exchanges[1], { command: "EHLO probe.client.test", early: false, secure: false })
      assert.strictEqual((yield* hosts.commands).length, 12)
      assert.strictEqual(yield* hosts.count("RCPT"), 9)
      assert.strictEqual(yield* hosts.asked("nobody@acme.test"), 2)
    })
  )

  it.live("has every persona answer or be silent as its row says, and none crash", () =>
    Effect.gen(function* () {
      for (const name of Object.keys(personas) as Array<PersonaName>) {
        const { greetingAfter, listens, endless } = personas[name] as Persona
        if (listens === false || greetingAfter === null || endless !== undefined) continue
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { connect } = yield* host(name, { pace: 0 })
            const client = yield* connect()
            const said = yield* greeted(client)
            assert.match(said[0] ?? "", /^(220|4|5|\+OK)/, name)
          })
        )
      }
    })
  )

  it.live("refuses connections where nobody listens", () =>
    Effect.gen(function* () {
      const hosts = yield* MailHosts.start([
        { name: "mx.acme.test", address, domains: acme },
        { name: "mx.gone.test", address: "127.19.0.2", persona: "refused", domains: {} }
      ])
      yield* Client.connect(address, hosts.port)
      const exit = yield* Effect.exit(Client.connect("127.19.0.2", hosts.port))
      assert.include(JSON.stringify(exit), "ECONNREFUSED")
    })
  )

  it.live("keeps commands in order and wants them right", () =>
    Effect.gen(function* () {
      const { connect } = yield* host("strict")
      const client = yield* connect()
      yield* client.read
      const replies = yield* Effect.forEach(
        [
          "MAIL FROM:<a@b.test>",
          "EHLO",
          "EHLO me.test",
          rcpt("ada"),
          "MAIL FROM:a@b.test",
          "MAIL FROM:<a@b.test> SMTPUTF8",
          "MAIL FROM:<a@b.test> SIZE=100",
          "MAIL FROM:<a@b.test>",
          "RCPT TO:ada@acme.test",
          rcpt("ada"),
          "RSET",
          rcpt("ada"),
          "VRFY ada",
          "WHAT"
        ],
        (line) => client.say(line)
      )
      assert.strictEqual(replies.map(code).join(" "), "503 501 250 503 501 555 250 503 501 250 250 503 252 500")
    })
  )

  it.live("answers a pipelined group in one piece, and marks what came early", () =>
    Effect.gen(function* () {
      const { connect, hosts } = yield* host("strict")
      const client = yield* connect()
      yield* client.read
      yield* client.say("EHLO me.test")
      const before = client.pieces()
      yield* client.say("MAIL FROM:<a@b.test>", rcpt("ada"), rcpt("nobody"))
      assert.deepStrictEqual([code(yield* client.read), code(yield* client.read)], ["250", "550"])
      assert.strictEqual(client.pieces() - before, 1)
      assert.deepStrictEqual(
        (yield* hosts.exchanges).map(({ early }) => early),
        [false, false, false, true, true]
      )
    })
  )

  it.live("counts connections, open and at most, for all, a host, and a client of it", () =>
    Effect.gen(function* () {
      const { connect, hosts } = yield* host("strict")
      const first = yield* connect("127.0.0.3")
      const second = yield* connect("127.0.0.4")
      yield* Effect.forEach([first, second], greeted)
      yield* first.close
      yield* until(Effect.map(hosts.connections(), ({ open }) => open === 1))
      assert.deepStrictEqual(yield* hosts.connections(address), { opened: 2, open: 1, most: 2 })
      assert.deepStrictEqual(yield* hosts.connections(address, "127.0.0.3"), { opened: 1, open: 0, most: 1 })
      yield* hosts.hangUp
      assert.strictEqual(yield* second.read, null)
    })
  )

  for (const verb of ["DATA", "BDAT 10 LAST"]) {
    it.live(`ends its scope with a defect when ${verb} came`, () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(
          Effect.scoped(
            Effect.gen(function* () {
              const { connect } = yield* host("strict")
              const client = yield* connect()
              yield* greeted(client)
              yield* client.say(rcpt("ada"))
              assert.strictEqual(code(yield* client.say(verb)), "554")
            })
          )
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.include(String(Exit.isFailure(exit) ? exit.cause : ""), "A message was sent")
      })
    )
  }

  it.live("speaks with nodemailer, over TLS too, and refuses its message", () =>
    Effect.gen(function* () {
      for (const persona of ["strict", "tls", "helo_only"] as const) {
        const exit = yield* Effect.exit(
          Effect.scoped(
            Effect.gen(function* () {
              const { hosts } = yield* host(persona)
              const transport = createTransport({
                host: address,
                port: hosts.port,
                tls: { rejectUnauthorized: false }
              })
              assert.isTrue(yield* Effect.promise(() => transport.verify()))
              const message = { from: "a@b.test", to: "ada@acme.test", text: "hello" }
              const problem = yield* Effect.promise(() => transport.sendMail(message).then(String, String))
              assert.include(problem, "554")
              assert.strictEqual((yield* hosts.exchanges).at(-1)?.secure, persona === "tls")
            })
          )
        )
        assert.include(String(Exit.isFailure(exit) ? exit.cause : ""), "A message was sent", persona)
      }
    })
  )
})

describe("Personas", () => {
  it.effect("greylist (client, sender, recipient) until the clock says so", () =>
    Effect.gen(function* () {
      const { connect, hosts } = yield* host("greylist")
      const client = yield* connect("127.0.0.5")
      const other = yield* connect("127.0.0.6")
      yield* Effect.forEach([client, other], greeted)
      assert.deepStrictEqual(yield* asking(client, "ada", "nobody"), ["450", "450"])
      yield* TestClock.adjust("299 seconds")
      assert.deepStrictEqual(yield* asking(client, "ada"), ["450"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* asking(client, "ada", "nobody", "bea"), ["250", "550", "450"])
      assert.deepStrictEqual(yield* asking(other, "ada"), ["450"])
      yield* hosts.elapse("5 minutes")
      assert.deepStrictEqual(yield* asking(other, "ada"), ["250"])
      yield* client.say("RSET")
      yield* client.say("MAIL FROM:<somebody.else@client.test>")
      assert.deepStrictEqual(yield* asking(client, "ada"), ["450"])
    })
  )

  it.effect("wait by the clock of the test", () =>
    Effect.gen(function* () {
      const { connect, hosts } = yield* host("slow_greeting")
      const client = yield* connect()
      yield* until(Effect.map(hosts.waiting, (waiting) => waiting === 1))
      yield* TestClock.adjust("19 seconds")
      assert.strictEqual(yield* hosts.waiting, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* client.read, "220 mx.acme.test ESMTP")
    })
  )

  it.effect("are as far away as is said, for a pipelined group as for one command", () =>
    Effect.gen(function* () {
      const { connect, hosts } = yield* host("strict", { latency: 50 })
      const client = yield* connect()
      const arrives = Effect.fnUntraced(function* (said: Effect.Effect<string | null>) {
        const asked = yield* Effect.forkChild(said)
        yield* until(Effect.map(hosts.waiting, (waiting) => waiting === 1))
        yield* TestClock.adjust(49)
        assert.strictEqual(yield* hosts.waiting, 1)
        yield* TestClock.adjust(1)
        return code(yield* Fiber.join(asked))
      })
      assert.strictEqual(yield* arrives(client.read), "220")
      assert.strictEqual(yield* arrives(client.say("EHLO me.test")), "250")
      assert.strictEqual(yield* arrives(client.say("MAIL FROM:<a@b.test>", rcpt("ada"), rcpt("nobody"))), "250")
      assert.deepStrictEqual([code(yield* client.read), code(yield* client.read)], ["250", "550"])
      assert.strictEqual(yield* arrives(client.say("QUIT")), "221")
      assert.isNull(yield* client.read)
    })
  )

  it.effect("slow down with each error, and end at the twentieth", () =>
    Effect.gen(function* () {
      const { connect, hosts } = yield* host("tarpit")
      const client = yield* connect()
      yield* greeted(client)
      const names = Array.from({ length: 10 }, (_, n) => `nobody${n}`)
      assert.deepStrictEqual(new Set(yield* asking(client, ...names)), new Set(["550"]))
      for (let error = 11; error < 20; error++) {
        const asked = yield* Effect.forkChild(client.say(rcpt(`nobody${error}`)))
        yield* until(Effect.map(hosts.waiting, (waiting) => waiting === 1))
        yield* TestClock.adjust((error - 10) * 1_000 - 1)
        assert.strictEqual(yield* hosts.waiting, 1)
        yield* TestClock.adjust(1)
        assert.strictEqual(code(yield* Fiber.join(asked)), "550")
      }
      assert.strictEqual(code(yield* client.say(rcpt("last"))), "421")
      assert.strictEqual(yield* client.read, null)
    })
  )

  /** Codes of RCPTs in one transaction, and whether the connection is there then. */
  const rows: ReadonlyArray<readonly [PersonaName, ReadonlyArray<string>, ReadonlyArray<string | null>, boolean]> = [
    ["accept_all", ["ada", "nobody", "cy"], ["250", "250", "550"], true],
    ["yahoo", ["ada", "nobody", "cy"], ["250", "250", "250"], true],
    ["exchange_open_edge", ["nobody"], ["250"], true],
    ["exchange", ["ada", "nobody"], ["250", "550"], true],
    [
      "google",
      ["ada", "nobody", "cy", "dan", "eve", "ada@other.test"],
      ["250", "550", "550", "452", "450", "451"],
      true
    ],
    ["random_first_trap", ["ada", "nobody", "ada"], ["250", "550", "550"], true],
    ["closes_after_refusal", ["ada", "nobody", "ada"], ["250", "550", null], false],
    ["one_recipient", ["ada", "bea"], ["250", "452"], true],
    ["outlook", ["nobody", "ada"], ["550", "452"], true],
    ["one_domain", ["ada", "bea", "ada@other.test"], ["250", "250", "451"], true],
    ["closes_after_2", ["ada", "bea", "ada"], ["250", "250", "421"], false],
    ["impatient", ["a", "b", "c", "d"], ["550", "550", "550", "421"], false],
    ["mimecast", ["ada"], ["451"], true],
    ["blocks_at_recipient", ["ada", "nobody"], ["554", "554"], true],
    ["limits_rate", ["ada"], ["451"], true],
    ["no_text", ["ada", "nobody"], ["250", "550"], true],
    ["byte_by_byte", ["ada", "nobody"], ["250", "550"], true],
    ["bare_line_feeds", ["ada", "nobody"], ["250", "550"], true],
    ["mixed_codes", ["ada", "nobody"], ["250", "451"], true]
  ]
  for (const [persona, asked, codes, stays] of rows) {
    it.live(`${persona}: ${personas[persona].about}`, () =>
      Effect.gen(function* () {
        const { connect } = yield* host(persona)
        const client = yield* connect()
        assert.strictEqual(code((yield* greeted(client))[2]!), "250")
        assert.deepStrictEqual(yield* asking(client, ...asked), codes)
        assert.strictEqual((yield* client.say("NOOP")) !== null, stays)
      })
    )
  }

  /** Codes of greeting, EHLO and MAIL. */
  const beginnings: ReadonlyArray<readonly [PersonaName, ReadonlyArray<string | null>]> = [
    ["greets_with_554", ["554", null, null]],
    ["greets_with_421", ["421", null, null]],
    ["blocks_in_greeting", ["554", null, null]],
    ["needs_reverse_name_first", ["554", null, null]],
    ["helo_only", ["220", "502", "503"]],
    ["blocks_at_mail", ["220", "250", "550"]],
    ["refuses_sender", ["220", "250", "553"]],
    ["tls_required", ["220", "250", "530"]],
    ["not_smtp", ["+OK", null, null]]
  ]
  for (const [persona, codes] of beginnings) {
    it.live(`${persona}: ${personas[persona].about}`, () =>
      Effect.gen(function* () {
        const { connect } = yield* host(persona, { reverseNames: { "127.0.0.9": "probe.client.test" } })
        assert.deepStrictEqual((yield* greeted(yield* connect("127.0.0.8"))).map(code), codes)
      })
    )
  }

  it.live("take clients that have a reverse name", () =>
    Effect.gen(function* () {
      const reverseNames = { "127.0.0.9": "probe.client.test" }
      for (const persona of ["needs_reverse_name", "needs_reverse_name_first"] as const) {
        const { connect } = yield* host(persona, { reverseNames })
        const client = yield* connect("127.0.0.9")
        yield* greeted(client)
        assert.deepStrictEqual(yield* asking(client, "ada"), ["250"])
      }
    })
  )

  it.live("limit the connections of a client", () =>
    Effect.gen(function* () {
      const { connect, hosts } = yield* host("two_connections")
      const clients = [yield* connect("127.0.0.3"), yield* connect("127.0.0.3"), yield* connect("127.0.0.3")]
      assert.deepStrictEqual((yield* Effect.forEach(clients, ({ read }) => read)).map(code), ["220", "220", "421"])
      assert.strictEqual(code(yield* (yield* connect("127.0.0.4")).read), "220")
      assert.strictEqual((yield* hosts.connections(address, "127.0.0.3")).most, 3)
      yield* hosts.become(address, "one_connection")
      assert.strictEqual(yield* (yield* connect("127.0.0.3")).read, null)
    })
  )

  it.live("offer STARTTLS that works, has run out, is refused, or is none", () =>
    Effect.gen(function* () {
      const starting = Effect.fnUntraced(function* (persona: PersonaName) {
        const { connect } = yield* host(persona)
        const client = yield* connect()
        yield* client.read
        assert.include(yield* client.say("EHLO me.test"), "STARTTLS")
        return { client, reply: code(yield* client.say("STARTTLS")) }
      }, Effect.scoped)
      assert.strictEqual((yield* starting("tls_refused")).reply, "454")
      const secure = Effect.fnUntraced(function* (persona: PersonaName) {
        const { connect } = yield* host(persona)
        const client = yield* connect()
        yield* client.read
        yield* client.say("EHLO me.test")
        yield* client.say("STARTTLS")
        const problem = yield* client.startTls
        const replies = [
          yield* client.say("MAIL FROM:<a@b.test>"),
          yield* client.say("EHLO me.test"),
          yield* client.say("MAIL FROM:<a@b.test>")
        ]
        return { problem, replies: replies.map(code), keywords: replies[1] }
      }, Effect.scoped)
      const required = yield* secure("tls_required")
      assert.deepInclude(required, { problem: "DEPTH_ZERO_SELF_SIGNED_CERT", replies: ["503", "250", "250"] })
      assert.notInclude(required.keywords, "STARTTLS")
      assert.strictEqual((yield* secure("tls_expired")).problem, "CERT_HAS_EXPIRED")
      for (const persona of ["tls_garbage", "tls_closes"] as const) {
        const { problem } = yield* secure(persona)
        assert.include(problem, "failed")
      }
    })
  )

  it.live("throw away what was pipelined without being offered", () =>
    Effect.gen(function* () {
      const { connect } = yield* host("no_pipelining")
      const client = yield* connect()
      yield* client.read
      assert.notInclude(yield* client.say("EHLO me.test"), "PIPELINING")
      assert.strictEqual(code(yield* client.say("MAIL FROM:<a@b.test>", rcpt("ada"))), "250")
      assert.strictEqual(yield* client.say("NOOP"), "250 2.0.0 Ok")
    })
  )

  it.live("send one octet at a time, lines too long, and other letters", () =>
    Effect.gen(function* () {
      const bytes = yield* (yield* host("byte_by_byte")).connect()
      yield* bytes.read
      assert.isAbove(bytes.pieces(), 10)
      const long = yield* (yield* host("long_lines")).connect()
      yield* greeted(long)
      assert.isAbove((yield* long.say(rcpt("nobody")))!.length, 4_000)
      const letters = yield* (yield* host("eight_bit")).connect()
      yield* greeted(letters)
      assert.include(yield* letters.say(rcpt("nobody")), "bo\u00eete")
    }).pipe(Effect.scoped)
  )

  for (const persona of ["endless_line", "endless_reply"] as const) {
    it.live(`${persona}: ${personas[persona].about}`, () =>
      Effect.gen(function* () {
        const { connect } = yield* host(persona)
        const client = yield* connect()
        yield* client.read
        yield* Effect.forkChild(client.say("EHLO me.test"))
        yield* until(Effect.sync(() => client.received() > 1_000_000))
      })
    )
  }

  it.live("end in ways of their own", () =>
    Effect.gen(function* () {
      const gone = yield* (yield* host("no_goodbye")).connect()
      yield* gone.read
      assert.strictEqual(yield* gone.say("QUIT"), null)
      const reset = yield* (yield* host("no_reset")).connect()
      yield* reset.read
      assert.strictEqual(code(yield* reset.say("RSET")), "554")
    })
  )
})
