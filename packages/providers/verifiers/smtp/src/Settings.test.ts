import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as LimitChanges from "./LimitChanges.ts"
import * as Provider from "./Provider.ts"
import * as Settings from "./Settings.ts"

const sender = "verify@verifier.test"

describe("Settings.problem", () => {
  const hellos: ReadonlyArray<readonly [hello: string, isRefused: boolean]> = [
    ["probe.verifier.test", false],
    ["localhost", true],
    ["gmail.com", true],
    ["mail.google.com", true],
    ["192.0.2.1", true],
    ["[192.0.2.1]", true],
    ["probe.verifier.test\r\nDATA", true],
    ["", true]
  ]
  for (const [hello, isRefused] of hellos)
    it(`${isRefused ? "refuses" : "takes"} the name ${JSON.stringify(hello)}`, () =>
      assert.strictEqual(Settings.problem({ hello, sender }) !== null, isRefused))

  for (const bad of ["", "verify", "verify@localhost", "a@gmail.com", "a b@verifier.test", "a@verifier.test>\r\nDATA"])
    it(`refuses the sender ${JSON.stringify(bad)}`, () =>
      assert.include(Settings.problem({ hello: "probe.verifier.test", sender: bad }) ?? "", "MAIL FROM"))
})

describe("Settings.isReserved", () => {
  it("decides reserved names without DNS, but for zones of the operator", () => {
    const settings = { hello: "probe.verifier.test", sender, zones: ["test"] }
    assert.isTrue(Settings.isReserved("acme.example", settings))
    assert.isTrue(Settings.isReserved("mail.example.com", settings))
    assert.isTrue(Settings.isReserved("acme.test", { ...settings, zones: [] }))
    assert.isFalse(Settings.isReserved("acme.test", settings))
    assert.isFalse(Settings.isReserved("example-goods.de", settings))
  })
})

describe("Provider.groupOf", () => {
  const cases: ReadonlyArray<readonly [host: string, key: string, provider: string | null]> = [
    ["alt1.aspmx.l.google.com", "google", "google"],
    ["acme-example.mail.protection.outlook.com", "acme-example.mail.protection.outlook.com", "microsoft365"],
    ["outlook-com.olc.protection.outlook.com", "outlook", "outlook"],
    ["mx1.post.acme.co.uk", "acme.co.uk", null],
    ["notgoogle.com", "notgoogle.com", null]
  ]
  for (const [host, key, provider] of cases)
    it(`groups ${host}`, () => {
      const group = Provider.groupOf(host)
      assert.deepStrictEqual([group.key, group.provider], [key, provider])
    })
})

describe("Provider.limitsOf", () => {
  it("lays what an operator says over the table, for that provider only", () => {
    const changes = { default: { askEvery: 0 }, google: { connections: 8 } }
    const limits = (host: string) => Provider.limitsOf(Provider.groupOf(host), changes)
    assert.deepStrictEqual(limits("mx.acme.de"), { ...Provider.defaults, askEvery: 0 })
    assert.strictEqual(limits("aspmx.l.google.com").connections, 8)
    assert.strictEqual(limits("aspmx.l.google.com").askEvery, 500)
    assert.strictEqual(limits("mta7.am0.yahoodns.net").askEvery, 1_000)
  })
})

describe("LimitChanges.parse", () => {
  it("takes limits by provider", () => {
    const text = '{"default":{"connections":4,"askEvery":0},"microsoft365":{"questions":20}}'
    assert.deepStrictEqual(Result.getOrNull(LimitChanges.parse(text)), JSON.parse(text))
  })

  const wrong: ReadonlyArray<readonly [text: string, names: string]> = [
    ["{", "JSON"],
    ["[]", "object"],
    ['{"goggle":{"connections":4}}', "goggle"],
    ['{"default":{"conections":4}}', "conections"],
    ['{"default":{"connections":0}}', "connections"],
    ['{"default":{"askEvery":-1}}', "askEvery"],
    ['{"default":{"questions":1.5}}', "questions"]
  ]
  for (const [text, names] of wrong)
    it(`refuses ${text} and says where`, () =>
      assert.include(Result.getOrNull(Result.flip(LimitChanges.parse(text))) ?? "", names))
})
