import { assert, describe, it } from "@effect/vitest"
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
