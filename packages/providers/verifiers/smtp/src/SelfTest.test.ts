import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as MailHost from "./fixtures/MailHost.ts"
import * as NameServer from "./fixtures/NameServer.ts"
import * as Prober from "./Prober.ts"
import * as SelfTest from "./SelfTest.ts"
import * as Spf from "./Spf.ts"
import * as Classifier from "./replies/Classifier.ts"

const classifier = Classifier.make()

const zone: NameServer.Zone = {
  "probe.verifier.test": { a: ["192.0.2.25"] },
  "25.2.0.192.in-addr.arpa": { ptr: "probe.verifier.test" },
  "verifier.test": { mx: [[10, "mx.verifier.test"]], txt: "v=spf1 ip4:192.0.2.0/24 -all" },
  "mx.verifier.test": { a: ["127.0.0.1"] },
  "7.2.0.192.in-addr.arpa": { ptr: "somebody.else.test" },
  "bare.test": {}
}

const outcomes = Effect.fnUntraced(function* (address: string | null, more: object = {}) {
  const host = yield* MailHost.start(MailHost.knows())
  const names = yield* NameServer.start(zone)
  const settings = {
    hello: "probe.verifier.test",
    sender: "verify@verifier.test",
    port: host.port,
    dns: { nameServers: [names.server], permit: () => true },
    portHosts: ["mx.verifier.test"],
    ...more
  }
  const prober = yield* Prober.make(settings, classifier)
  const checks = yield* SelfTest.run(settings, prober, address)
  assert.isTrue(checks.every(({ says }) => says.endsWith(".")))
  return Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]))
})

describe("SelfTest", () => {
  it.live("finds all well", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outcomes("192.0.2.25"), {
        port_25: "ok",
        hello_address: "ok",
        reverse_name: "ok",
        sender_spf: "ok",
        sender_mail: "ok"
      })
    }).pipe(Effect.scoped)
  )

  it.live("finds what does not fit another address", () =>
    Effect.gen(function* () {
      const found = yield* outcomes("192.0.2.7", { sender: "verify@bare.test", portHosts: ["missing.test"] })
      assert.deepStrictEqual(found, {
        port_25: "failed",
        hello_address: "failed",
        reverse_name: "failed",
        sender_spf: "failed",
        sender_mail: "failed"
      })
    }).pipe(Effect.scoped)
  )

  it.live("says that it has no host to try the port at", () =>
    Effect.gen(function* () {
      const found = yield* outcomes("192.0.2.25", { portHosts: [] })
      assert.strictEqual(found["port_25"], "unknown")
    }).pipe(Effect.scoped)
  )

  it.live("says that it does not know its address", () =>
    Effect.gen(function* () {
      const found = yield* outcomes(null)
      assert.deepStrictEqual(
        [found["hello_address"], found["reverse_name"], found["sender_spf"]],
        ["unknown", "unknown", "unknown"]
      )
    }).pipe(Effect.scoped)
  )
})

describe("Spf", () => {
  const records: Readonly<Record<string, string>> = {
    "a.test": "v=spf1 a -all",
    "a-length.test": "v=spf1 a/24 -all",
    "mx.test": "v=spf1 mx ~all",
    "include.test": "v=spf1 include:a.test -all",
    "redirect.test": "v=spf1 redirect=a.test",
    "macro.test": "v=spf1 exists:%{i}.test -all",
    "open.test": "v=spf1 +all",
    "loop.test": "v=spf1 include:loop.test -all",
    "inside.test": "v=spf1 ip4:192.0.2.77/24 -all",
    "six.test": "v=spf1 ip6:2001:db8::/32 -all",
    "other.test": "google-site-verification=1"
  }
  const lookups: Spf.Lookups = {
    txt: async (name) => [records[name] ?? []].flat(),
    addresses: async () => ["192.0.2.25"],
    mx: async () => ["mx.test"]
  }
  const cases: ReadonlyArray<readonly [domain: string, address: string, said: Spf.Said]> = [
    ["a.test", "192.0.2.25", "pass"],
    ["a.test", "192.0.2.26", "fail"],
    ["a-length.test", "192.0.2.26", "pass"],
    ["mx.test", "192.0.2.25", "pass"],
    ["mx.test", "198.51.100.1", "fail"],
    ["include.test", "192.0.2.25", "pass"],
    ["include.test", "198.51.100.1", "fail"],
    ["redirect.test", "192.0.2.25", "pass"],
    ["macro.test", "192.0.2.25", "unknown"],
    ["open.test", "198.51.100.1", "pass"],
    ["loop.test", "198.51.100.1", "unknown"],
    ["inside.test", "192.0.2.25", "pass"],
    ["six.test", "2001:db8::25", "pass"],
    ["six.test", "192.0.2.25", "fail"],
    ["other.test", "192.0.2.25", "none"]
  ]
  for (const [domain, address, said] of cases)
    it(`says ${said} of ${address} by ${domain}`, async () =>
      assert.strictEqual(await Spf.evaluate(domain, address, lookups), said))
})
