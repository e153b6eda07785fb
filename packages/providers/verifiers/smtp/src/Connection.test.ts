import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Net from "node:net"
import { Connection, type Question } from "./Connection.ts"
import { dial, type Dialing } from "./Dialing.ts"
import * as MailHost from "./fixtures/MailHost.ts"
import * as Time from "./Time.ts"

const open = Effect.fnUntraced(function* (
  answer: MailHost.Answer,
  time: Partial<Time.Time> = {},
  proxy: Dialing["proxy"] = null
) {
  const host = yield* MailHost.start(answer)
  const { socket, stands } = dial("127.0.0.1", { port: host.port, proxy, localAddress: null, patience: 2_000 })
  const setting = { hello: "probe.verifier.test", host: "mx.test", useTls: true, time: { ...Time.defaults, ...time } }
  const connection = yield* Effect.acquireRelease(
    Effect.sync(() => new Connection(socket, setting)),
    (connection) =>
      Effect.promise(() => {
        connection.destroy()
        return connection.closed
      })
  )
  assert.isNull(yield* Effect.promise(() => stands))
  const opened = yield* Effect.promise(() => connection.open())
  const ask = (recipient: string, more: Partial<Question> = {}) =>
    Effect.promise(async () => {
      const [told] = await connection.ask([{ sender: "verify@verifier.test", recipient, smtputf8: false, ...more }])
      return told
    })
  const askAll = (...recipients: ReadonlyArray<string>) =>
    Effect.promise(() =>
      connection.ask(recipients.map((recipient) => ({ sender: "verify@verifier.test", recipient, smtputf8: false })))
    )
  return { host, connection, opened, ask, askAll }
})

/** A SOCKS5 proxy (RFC 1928) without a password, which counts. */
const startProxy = Effect.acquireRelease(
  Effect.promise(async () => {
    let used = 0
    const server = Net.createServer((socket) => {
      socket.on("error", () => {})
      socket.once("data", () => {
        socket.write(Uint8Array.of(5, 0))
        socket.once("data", (request) => {
          used++
          const to = Net.connect(request.readUInt16BE(8), [...request.subarray(4, 8)].join("."), () => {
            socket.write(Uint8Array.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 25))
            to.pipe(socket)
            socket.pipe(to)
          })
          to.on("error", () => socket.destroy())
        })
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" ? (address?.port ?? 0) : 0
    return { server, proxy: { host: "127.0.0.1", port }, used: () => used }
  }),
  ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
)

describe("Connection", () => {
  it.live("asks in one write where the host takes several commands at once", () =>
    Effect.gen(function* () {
      const { ask, host } = yield* open(MailHost.knows("mara"))
      const told = yield* ask("mara@acme.test")
      assert.deepInclude(told, { _tag: "Replied", stage: "recipient" })
      yield* ask("theo@acme.test")
      assert.deepStrictEqual(host.commands.slice(1), [
        "MAIL FROM:<verify@verifier.test>",
        "RCPT TO:<mara@acme.test>",
        "RSET",
        "MAIL FROM:<verify@verifier.test>",
        "RCPT TO:<theo@acme.test>"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("asks for several addresses in one write, each in a transaction of its own", () =>
    Effect.gen(function* () {
      const { askAll, host } = yield* open(MailHost.knows("mara"))
      const told = yield* askAll("mara@acme.test", "theo\n@acme.test", "theo@other.test")
      const codes = told.map((each) => (each._tag === "Replied" ? each.reply.code : each._tag))
      assert.deepStrictEqual(codes, [250, "Unsayable", 550])
      assert.deepStrictEqual(
        host.commands.slice(1).map((command) => command.slice(0, 4)),
        ["MAIL", "RCPT", "RSET", "MAIL", "RCPT"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("asks for addresses of one domain in one transaction where the host wants each command by itself", () =>
    Effect.gen(function* () {
      const { ask, askAll, host } = yield* open((command, connection) =>
        command.startsWith("EHLO") ? "250 mx.test" : MailHost.knows("mara")(command, connection)
      )
      yield* askAll("mara@acme.test", "theo@acme.test", "theo@other.test")
      yield* ask("nobody@other.test", { isApart: true })
      yield* ask("vera@other.test")
      assert.deepStrictEqual(
        host.commands.slice(1).map((command) => command.slice(0, 4)),
        ["MAIL", "RCPT", "RCPT", "RSET", "MAIL", "RCPT", "RSET", "MAIL", "RCPT", "RSET", "MAIL", "RCPT"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("says what was not answered because the connection had ended", () =>
    Effect.gen(function* () {
      const says =
        (last: string): MailHost.Answer =>
        (command, connection) =>
          command.includes("<last@") ? last : MailHost.knows("mara")(command, connection)
      const goodbye = yield* open(says("421 4.7.0 enough"))
      const told = yield* goodbye.askAll("mara@acme.test", "last@acme.test", "theo@acme.test")
      assert.deepStrictEqual(
        told.map((each) => (each._tag === "Replied" ? each.reply.code : each._tag)),
        [250, 421, "Unheard"]
      )
      const broken = yield* open(says("close"))
      assert.deepStrictEqual(
        (yield* broken.askAll("mara@acme.test", "last@acme.test", "theo@acme.test")).map(({ _tag }) => _tag),
        ["Replied", "Ended", "Unheard"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("says HELO to a host that knows no EHLO, and asks in turn", () =>
    Effect.gen(function* () {
      const { ask, host, opened } = yield* open((command) =>
        command.startsWith("EHLO") ? "502 no" : MailHost.knows("mara")(command, 1)
      )
      assert.isNull(opened)
      assert.deepInclude(yield* ask("mara@acme.test"), { stage: "recipient" })
      assert.include(host.commands, "HELO probe.verifier.test")
    }).pipe(Effect.scoped)
  )

  it.live("writes nothing that would end a line", () =>
    Effect.gen(function* () {
      const { ask, host } = yield* open(MailHost.knows())
      const before = host.commands.length
      for (const bad of ["a@b.test\r\nDATA", "a\n@b.test", "a\0@b.test"])
        assert.deepStrictEqual(yield* ask(bad), { _tag: "Unsayable" })
      assert.deepStrictEqual(yield* ask("a@b.test", { sender: "x\r\nDATA" }), { _tag: "Unsayable" })
      assert.strictEqual(host.commands.length, before)
    }).pipe(Effect.scoped)
  )

  it.live("tells an address beyond ASCII to hosts that offer it", () =>
    Effect.gen(function* () {
      const { ask } = yield* open(MailHost.knows())
      assert.deepStrictEqual(yield* ask("zoé@acme.test", { smtputf8: true }), { _tag: "NoSmtpUtf8" })
      const offered = yield* open((command) =>
        command.startsWith("EHLO") ? "250-mx\r\n250 SMTPUTF8" : MailHost.knows()(command, 1)
      )
      assert.deepInclude(yield* offered.ask("zoé@acme.test", { smtputf8: true }), { stage: "recipient" })
      assert.include(offered.host.commands, "MAIL FROM:<verify@verifier.test> SMTPUTF8")
    }).pipe(Effect.scoped)
  )

  it.live("gives up on a host that says nothing, at every step", () =>
    Effect.gen(function* () {
      for (const silent of [/^$/, /^EHLO/, /^(?:MAIL|RCPT)/, /^RCPT/]) {
        const say: MailHost.Answer = (command) => (silent.test(command) ? null : MailHost.knows()(command, 1))
        const { ask, connection, opened } = yield* open(say, { connect: 40, hello: 40, mail: 40, recipient: 40 })
        const told = opened ?? (yield* ask("mara@acme.test"))
        assert.deepStrictEqual(told, { _tag: "Ended", how: "timed_out" }, silent.source)
        yield* Effect.promise(() => connection.closed)
      }
    }).pipe(Effect.scoped)
  )

  it.live("reports what refuses the sender, and not what follows from it", () =>
    Effect.gen(function* () {
      const { ask } = yield* open((command) => {
        if (command.startsWith("MAIL")) return "550 5.7.1 go away"
        return command.startsWith("RCPT") ? "503 5.5.1 MAIL first" : MailHost.knows()(command, 1)
      })
      const told = yield* ask("mara@acme.test")
      assert.deepStrictEqual(told, { _tag: "Replied", stage: "mail", reply: { code: 550, lines: ["5.7.1 go away"] } })
    }).pipe(Effect.scoped)
  )

  it.live("goes through a SOCKS5 proxy", () =>
    Effect.gen(function* () {
      const { proxy, used } = yield* startProxy
      const { ask } = yield* open(MailHost.knows("mara"), {}, proxy)
      assert.deepInclude(yield* ask("mara@acme.test"), { stage: "recipient" })
      assert.strictEqual(used(), 1)
    }).pipe(Effect.scoped)
  )

  it.live("says goodbye, and is gone even where nobody answers", () =>
    Effect.gen(function* () {
      const { connection, host } = yield* open(
        (command) => (command === "QUIT" ? null : MailHost.knows()(command, 1)),
        {
          quit: 30
        }
      )
      connection.leave()
      assert.isFalse(connection.isOpen)
      yield* Effect.promise(() => connection.closed)
      while (!host.commands.includes("QUIT")) yield* Effect.sleep(1)
    }).pipe(Effect.scoped)
  )
})
