import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Resolver } from "node:dns/promises"
import * as NameServer from "./NameServer.ts"
import { reverse, type Zone } from "./Zone.ts"

const zone: Zone = {
  "acme.test": {
    mx: [
      { preference: 20, exchange: "mx2.acme.test" },
      { preference: 10, exchange: "mx1.acme.test" },
      { preference: 10, exchange: "mx0.acme.test" }
    ]
  },
  "mx1.acme.test": { a: ["127.20.0.1"], aaaa: ["::1"] },
  "null.test": { mx: [{ preference: 0, exchange: "" }] },
  "alias.test": { mx: [{ preference: 10, exchange: "mail.alias.test" }] },
  "mail.alias.test": { cname: "mx1.acme.test" },
  "implicit.test": { a: ["127.20.0.9"] },
  "neither.test": {},
  "broken.test": { fault: "servfail" },
  "shy.test": { fault: "refused" },
  "quiet.test": { fault: "timeout" },
  "long.test": { fault: "truncated", mx: [{ preference: 1, exchange: "mx1.acme.test" }] },
  "once.test": { fault: "servfail", times: 1, mx: [{ preference: 1, exchange: "mx1.acme.test" }] },
  "b\u00fccher.test": { mx: [{ preference: 1, exchange: "mx1.acme.test" }] },
  "many.test": {
    mx: Array.from({ length: 60 }, (_, n) => ({
      preference: n,
      exchange: `a-rather-long-name-${n}.hosts-of-many.test`
    }))
  },
  [reverse("127.20.0.1")]: { ptr: "mx1.acme.test" }
}

/** `timeout` in milliseconds, for the name that is never answered. */
const asking = Effect.fnUntraced(function* (timeout = 20_000) {
  const dns = yield* NameServer.start(zone)
  // One try: a resolver that asks again would be counted twice.
  const resolver = new Resolver({ timeout, tries: 1 })
  resolver.setServers([dns.server])
  const ask = <A>(of: (resolver: Resolver) => Promise<A>) =>
    Effect.promise(() => of(resolver).catch((error: NodeJS.ErrnoException) => error.code))
  // Node 24 adds the type to each record, Node 22 does not.
  const mx = (name: string) =>
    ask((from) =>
      from.resolveMx(name).then((records) => records.map(({ exchange, priority }) => ({ exchange, priority })))
    )
  return { dns, mx, ask }
})

describe("NameServer", () => {
  it.live("answers from its zone", () =>
    Effect.gen(function* () {
      const { ask, mx } = yield* asking()
      assert.deepStrictEqual(yield* mx("acme.test"), [
        { exchange: "mx2.acme.test", priority: 20 },
        { exchange: "mx1.acme.test", priority: 10 },
        { exchange: "mx0.acme.test", priority: 10 }
      ])
      assert.deepStrictEqual(yield* mx("ACME.test"), yield* mx("acme.test"))
      assert.deepStrictEqual(yield* mx("null.test"), [{ exchange: "", priority: 0 }])
      assert.deepStrictEqual(yield* ask((from) => from.resolve4("mail.alias.test")), ["127.20.0.1"])
      assert.deepStrictEqual(yield* ask((from) => from.resolve6("mx1.acme.test")), ["::1"])
      assert.deepStrictEqual(yield* ask((from) => from.resolveCname("mail.alias.test")), ["mx1.acme.test"])
      assert.deepStrictEqual(yield* ask((from) => from.reverse("127.20.0.1")), ["mx1.acme.test"])
      assert.deepStrictEqual(yield* mx("xn--bcher-kva.test"), [{ exchange: "mx1.acme.test", priority: 1 }])
    })
  )

  const failures = [
    ["implicit.test", "ENODATA"],
    ["neither.test", "ENODATA"],
    ["mx0.acme.test", "ENOTFOUND"],
    ["broken.test", "ESERVFAIL"],
    ["shy.test", "EREFUSED"],
    ["quiet.test", "ETIMEOUT"]
  ] as const
  for (const [name, problem] of failures) {
    it.live(`has a resolver say ${problem} of ${name}`, () =>
      Effect.gen(function* () {
        const { mx } = yield* asking(problem === "ETIMEOUT" ? 300 : undefined)
        assert.strictEqual(yield* mx(name), problem)
      })
    )
  }

  it.live("is asked over TCP where UDP has no room, or says so", () =>
    Effect.gen(function* () {
      const { dns, mx } = yield* asking()
      assert.lengthOf((yield* mx("many.test")) as ReadonlyArray<unknown>, 60)
      assert.deepStrictEqual(yield* mx("long.test"), [{ exchange: "mx1.acme.test", priority: 1 }])
      assert.deepStrictEqual(
        (yield* dns.questions).map(({ name, over, type }) => `${name} ${type} ${over}`),
        ["many.test MX udp", "many.test MX tcp", "long.test MX udp", "long.test MX tcp"]
      )
    })
  )

  it.live("gets over a fault, takes new names, and counts what was asked", () =>
    Effect.gen(function* () {
      const { dns, mx } = yield* asking()
      assert.strictEqual(yield* mx("once.test"), "ESERVFAIL")
      assert.deepStrictEqual(yield* mx("once.test"), [{ exchange: "mx1.acme.test", priority: 1 }])
      assert.strictEqual(yield* dns.asked("once.test"), 2)
      yield* dns.set("once.test", null)
      assert.strictEqual(yield* mx("once.test"), "ENOTFOUND")
      assert.strictEqual(yield* dns.asked("once.test", "A"), 0)
      yield* dns.clear
      assert.deepStrictEqual(yield* dns.questions, [])
    })
  )
})
