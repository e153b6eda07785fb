import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Resolver } from "node:dns/promises"
import * as Client from "../fixtures/SmtpClient.ts"
import * as MailWorld from "./MailWorld.ts"

describe("MailWorld", () => {
  it.live("leads from a domain to the host that answers for it", () =>
    Effect.gen(function* () {
      const world = yield* MailWorld.start({
        hosts: { "mx.shared.test": "strict" },
        domains: {
          "own.test": { persona: "tls", mailboxes: { ada: "exists" } },
          "first.test": { host: "mx.shared.test", mailboxes: { ada: "exists" } },
          "second.test": { host: "mx.shared.test", persona: "accept_all" }
        },
        zone: { "dead.test": { mx: [{ preference: 0, exchange: "" }] } }
      })
      const resolver = new Resolver()
      resolver.setServers([world.dns.server])
      const ask = Effect.fnUntraced(function* (email: string) {
        const domain = email.slice(email.indexOf("@") + 1)
        const mx = yield* Effect.promise(() => resolver.resolveMx(domain))
        const [at] = yield* Effect.promise(() => resolver.resolve4(mx[0]!.exchange))
        assert.strictEqual(at, world.address(mx[0]!.exchange))
        const client = yield* Client.connect(at!, world.smtp.port)
        yield* client.read
        yield* client.say("EHLO me.test")
        yield* client.say("MAIL FROM:<a@b.test>")
        return [mx[0]!.exchange, (yield* client.say(`RCPT TO:<${email}>`))?.slice(0, 3)]
      })
      assert.deepStrictEqual(yield* ask("ada@own.test"), ["mx.own.test", "250"])
      assert.deepStrictEqual(yield* ask("ada@first.test"), ["mx.shared.test", "250"])
      assert.deepStrictEqual(yield* ask("bob@first.test"), ["mx.shared.test", "550"])
      assert.deepStrictEqual(yield* ask("bob@second.test"), ["mx.shared.test", "250"])
      const [nobody] = yield* Effect.promise(() => resolver.resolveMx("dead.test"))
      assert.strictEqual(nobody?.exchange, "")
      const at = world.address("mx.shared.test")
      assert.deepStrictEqual(yield* Effect.promise(() => resolver.reverse(at)), ["mx.shared.test"])
    })
  )
})
