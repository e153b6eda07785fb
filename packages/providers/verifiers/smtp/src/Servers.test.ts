/** The verifier against mail servers that others have written: Postfix where it is installed, and the npm package `smtp-server`. */
import { assert, describe, it } from "@effect/vitest"
import { EmailVerifier } from "@lading/core/email"
import { NameServer, Postfix, type Zone } from "@lading/testing/mail"
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { SMTPServer } from "smtp-server"
import * as Verifier from "./Verifier.ts"

/** Domains whose mail goes to one address. */
const zoneOf = (address: string, domains: ReadonlyArray<string>): Zone => ({
  "mx.hosts.test": { a: [address] },
  ...Object.fromEntries(domains.map((domain) => [domain, { mx: [{ preference: 10, exchange: "mx.hosts.test" }] }]))
})

const verifierOf = Effect.fnUntraced(function* (at: { readonly address: string; readonly port: number }, zone: Zone) {
  const dns = yield* NameServer.start(zone)
  const layer = Verifier.layer({
    hello: "probe.verifier.test",
    sender: "verify@verifier.test",
    port: at.port,
    dns: { nameServers: [dns.server], permit: () => true },
    zones: ["test"],
    portHosts: [],
    limits: { connectEvery: 0, askEvery: 0 }
  })
  return Context.get(yield* Layer.build(layer), EmailVerifier.EmailVerifier)
})

/** The status of each, one by one and as a list. */
const statuses = Effect.fnUntraced(function* (
  verifier: EmailVerifier.EmailVerifier["Service"],
  emails: ReadonlyArray<string>
) {
  assert(verifier.bulk._tag === "Direct")
  const listed = yield* Stream.runCollect(verifier.bulk.verify(emails, 1))
  const many: Readonly<Record<string, ReadonlyArray<string>>> = Object.fromEntries(
    listed.map(({ _tag, email, result }) => [email, [result.status, _tag]])
  )
  const now = yield* Clock.currentTimeMillis
  const each = yield* Effect.forEach(emails, (email) => verifier.single(email, now + 60_000))
  assert.deepStrictEqual(
    each.map(({ status }) => status),
    emails.map((email) => many[email]?.[0])
  )
  return many
})

const replies = {
  closed: "550 5.2.1 The account has been disabled",
  full: "452 4.2.2 Mailbox full",
  grey: "450 4.2.0 Greylisted, come again later",
  blocked: "554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.example"
}

const mailboxes = ["mara", "sales", "with+tag"]

const domains = { "known.test": { mailboxes, replies }, "all.test": { takesAll: true } }

const expected: Readonly<Record<string, ReadonlyArray<string>>> = {
  "mara@known.test": ["safe", "Decided"],
  "with+tag@known.test": ["safe", "Decided"],
  "sales@known.test": ["role_account", "Decided"],
  "nobody@known.test": ["invalid", "Decided"],
  "closed@known.test": ["disabled", "Decided"],
  "full@known.test": ["inbox_full", "Decided"],
  "grey@known.test": ["unknown", "Again"],
  "any@all.test": ["catch_all", "Decided"],
  "other@all.test": ["catch_all", "Decided"],
  // It does not serve the domain: that says nothing of the mailbox.
  "mara@elsewhere.test": ["unknown", "Decided"]
}

const names = [...Object.keys(domains), "elsewhere.test"]

const isReadRight = Effect.fnUntraced(function* (at: { readonly address: string; readonly port: number }) {
  const verifier = yield* verifierOf(at, zoneOf(at.address, names))
  assert.deepStrictEqual(yield* statuses(verifier, Object.keys(expected)), expected)
  // Last: it has the verifier ask nobody there for a while.
  const now = yield* Clock.currentTimeMillis
  assert.strictEqual((yield* verifier.single("blocked@known.test", now + 60_000)).status, "unknown")
})

const why = await Effect.runPromise(Postfix.problem)

describe("Postfix", () => {
  if (why !== null) {
    it.effect(`skipped: ${why}`, () => Effect.map(Postfix.problem, (problem) => assert.strictEqual(problem, why)))
    return
  }
  it.live(
    "is read right, address by address and in lists",
    () => Effect.flatMap(Postfix.start(domains), isReadRight),
    60_000
  )
})

/** What the other server says to RCPT; `null` where it takes it. */
const refusal = (email: string): string | null => {
  const [local = "", domain] = email.split("@")
  if (domain === "all.test") return null
  if (domain !== "known.test") return "554 5.7.1 Relay access denied"
  if (mailboxes.includes(local)) return null
  return Object.entries(replies).find(([name]) => name === local)?.[1] ?? "550 5.1.1 No such user here"
}

const address = "127.0.0.1"

const smtpServer = Effect.acquireRelease(
  Effect.callback<{ readonly server: SMTPServer; readonly port: number }>((resume) => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      disableReverseLookup: true,
      onRcptTo: ({ address }, _session, done) => {
        const said = refusal(address)
        if (said === null) return done()
        done(Object.assign(new Error(said.slice(4)), { responseCode: Number(said.slice(0, 3)) }))
      }
    })
    server.on("error", () => undefined)
    server.listen(0, address, () => {
      const at = server.server.address()
      resume(Effect.succeed({ server, port: typeof at === "object" && at !== null ? at.port : 0 }))
    })
  }),
  ({ server }) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
)

describe("smtp-server", () => {
  it.live("is read right, address by address and in lists", () =>
    Effect.flatMap(smtpServer, ({ port }) => isReadRight({ address, port }))
  )
})
