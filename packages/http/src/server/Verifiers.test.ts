import { assert, describe, it } from "@effect/vitest"
import { EmailVerifier } from "@lading/core/email"
import { start as startReoon } from "@lading/reoon/simulator"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Configuration from "./Configuration.ts"
import * as Verifiers from "./Verifiers.ts"

const names = {
  LADING_SMTP_HELO: "probe.acme.example",
  LADING_SMTP_FROM: "verify@acme.example",
  LADING_SMTP_PRIVATE: "on"
}

const verifier = Effect.fnUntraced(function* (environment: Configuration.Environment) {
  const { email } = yield* Configuration.read(environment)
  const context = yield* Layer.build(Verifiers.layer(email).pipe(Layer.provide(FetchHttpClient.layer)))
  return yield* Effect.provide(EmailVerifier.EmailVerifier, context)
})

const refusal = (environment: Configuration.Environment) =>
  Effect.map(Effect.flip(verifier(environment)), ({ message }) => message)

const statusOf = (verifier: EmailVerifier.EmailVerifier["Service"], email: string) =>
  Effect.map(verifier.single(email, Date.now() + 10_000), ({ status }) => status)

/** A file with this text, for as long as the scope. */
const fileOf = (text: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), "lading-verifiers-"))
      await writeFile(join(folder, "file.yaml"), text)
      return join(folder, "file.yaml")
    }),
    (path) => Effect.promise(() => rm(join(path, ".."), { recursive: true }))
  )

describe("Verifiers", () => {
  it.live("is nobody unless somebody is chosen, and says what to do", () =>
    Effect.gen(function* () {
      const { name, single } = yield* verifier({})
      assert.strictEqual(name, "none")
      const { problem, retryable } = yield* Effect.flip(single("a@acme.example", Date.now() + 1000))
      assert.include(problem, "LADING_SMTP_HELO")
      assert.isFalse(retryable)
      assert.strictEqual((yield* verifier({ ...names, LADING_VERIFIER: "none" })).name, "none")
    })
  )

  it.live("is this server itself where it has a name to say", () =>
    Effect.gen(function* () {
      const smtp = yield* verifier(names)
      assert.strictEqual(smtp.name, "smtp")
      assert.strictEqual(yield* statusOf(smtp, "nobody@acme.invalid"), "invalid")
    })
  )

  it.live("does not start without a name and a sender of the operator's", () =>
    Effect.gen(function* () {
      assert.match(yield* refusal({ LADING_VERIFIER: "smtp" }), /^LADING_SMTP_HELO: /)
      assert.match(yield* refusal({ LADING_SMTP_HELO: "probe.acme.example" }), /^LADING_SMTP_FROM: /)
      assert.match(yield* refusal({ ...names, LADING_SMTP_HELO: "localhost" }), /^LADING_SMTP_HELO: /)
      assert.match(yield* refusal({ ...names, LADING_SMTP_HELO: "mail.gmail.com" }), /^LADING_SMTP_HELO: .*not yours/)
      assert.match(yield* refusal({ ...names, LADING_SMTP_FROM: "me@gmail.com" }), /^LADING_SMTP_FROM: .*not yours/)
      assert.match(yield* refusal({ LADING_VERIFIER: "reoon" }), /^LADING_REOON_API_KEY: /)
    })
  )

  it.live("takes the operator's own lists and rules, and says what is wrong in them", () =>
    Effect.gen(function* () {
      const lists = yield* fileOf(
        "disposable: [Throwaway.example]\nallowed: [mailinator.com]\nspamtraps: [Trap@acme.invalid]"
      )
      const smtp = yield* verifier({ ...names, LADING_EMAIL_LISTS: lists })
      assert.strictEqual(yield* statusOf(smtp, "a@mx.throwaway.example"), "disposable")
      assert.strictEqual(yield* statusOf(smtp, "trap@acme.invalid"), "spamtrap")
      const wrong = yield* fileOf("disposable: [a b]\nallow: [acme.example]\nspamtraps: trap@acme.example")
      assert.strictEqual(
        yield* refusal({ ...names, LADING_EMAIL_LISTS: wrong }),
        `LADING_EMAIL_LISTS: ${wrong}: disposable[0]: Expected a domain; allow: Nothing of this name is known here; spamtraps: Expected a list`
      )
      assert.match(yield* refusal({ ...names, LADING_EMAIL_LISTS: "/nowhere.yaml" }), /there is no such file/)
      assert.match(yield* refusal({ ...names, LADING_EMAIL_LISTS: yield* fileOf("a: [") }), /it is no YAML/)
      assert.match(yield* refusal({ ...names, LADING_EMAIL_LISTS: yield* fileOf("[1]") }), /Expected an object/)
      const rules = yield* fileOf("- {name: x, class: nothing}")
      assert.match(yield* refusal({ ...names, LADING_SMTP_RULES: rules }), /^LADING_SMTP_RULES: .*\[0\]/)
      const good = yield* fileOf(
        "- {name: partner_unknown, says: A partner., stages: [recipient], codes: [550], class: unknown_user}"
      )
      assert.strictEqual((yield* verifier({ ...names, LADING_SMTP_RULES: good })).name, "smtp")
    })
  )

  it.live("is Reoon where that is chosen", () =>
    Effect.gen(function* () {
      const { url } = yield* startReoon()
      const reoon = yield* verifier({
        LADING_VERIFIER: "reoon",
        LADING_REOON_API_KEY: "some-key",
        LADING_REOON_BASE_URL: url
      })
      assert.deepStrictEqual([reoon.name, reoon.bulk._tag], ["reoon", "Delegated"])
      assert.strictEqual(yield* statusOf(reoon, "catch_all@acme.example"), "catch_all")
    })
  )

  it.effect("is asked for with values that can be so", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [string, string]> = [
        ["LADING_VERIFIER", "mine"],
        ["LADING_SMTP_NAME_SERVERS", "192.0.2.53,ns.acme.example"],
        ["LADING_SMTP_NAME_SERVERS", "192.0.2.53:99999"],
        ["LADING_SMTP_PROXY", "http://proxy.acme.example:1080"],
        ["LADING_SMTP_PUBLIC_ADDRESS", "probe.acme.example"],
        ["LADING_SMTP_PORT", "0"],
        ["LADING_SMTP_CONNECTIONS", "many"],
        ["LADING_SMTP_ZONES", "a test"],
        ["LADING_SMTP_PRIVATE", "yes"]
      ]
      for (const [name, value] of wrong) {
        const { message } = yield* Effect.flip(Configuration.read({ [name]: value }))
        assert.match(message, new RegExp(`^${name}: expected `))
      }
      const { email } = yield* Configuration.read({
        LADING_SMTP_NAME_SERVERS: "192.0.2.53, [2001:db8::53]:5353,2001:db8::54",
        LADING_SMTP_ZONES: "corp.test,example"
      })
      assert.deepStrictEqual(email.nameServers, ["192.0.2.53", "[2001:db8::53]:5353", "2001:db8::54"])
      assert.deepStrictEqual(email.zones, ["corp.test", "example"])
    })
  )
})
