import { assert, describe, it } from "@effect/vitest"
import * as MailPopulation from "./MailPopulation.ts"
import { plan } from "./MailWorld.ts"

const spec = { seed: 7, addresses: 5_000, domains: 400, hosts: 40 }

describe("MailPopulation", () => {
  it("is the same for the same seed, and another for another", () => {
    const once = MailPopulation.make(spec)
    assert.deepStrictEqual(MailPopulation.make(spec).world, once.world)
    assert.deepStrictEqual([...MailPopulation.make(spec).expected], [...once.expected])
    assert.notDeepEqual(MailPopulation.make({ ...spec, seed: 8 }).world, once.world)
  })

  it("has each address once, with a verdict that follows from its world", () => {
    const { addresses, expected, kindOf, world } = MailPopulation.make(spec)
    assert.strictEqual(new Set(addresses).size, spec.addresses)
    for (const address of addresses) {
      const [local, domain] = address.split("@") as [string, string]
      const mailbox = world.domains[domain]?.mailboxes?.[local]
      const status = expected.get(address)
      if (kindOf(address) === "accept_all") assert.strictEqual(status, "catch_all")
      else if (status === "safe" || status === "role_account") assert.strictEqual(mailbox, "exists", address)
      else if (status === "invalid") assert.isUndefined(mailbox, address)
    }
    assert.deepStrictEqual(
      new Set(expected.values()),
      new Set(["safe", "invalid", "disabled", "inbox_full", "catch_all", "role_account", "unknown"])
    )
  })

  it("has as many hosts as asked for, and one where nobody listens", () => {
    const { specs } = plan(MailPopulation.make(spec).world)
    assert.lengthOf(specs, spec.hosts + 1)
    assert.strictEqual(new Set(specs.map(({ address }) => address)).size, spec.hosts + 1)
    assert.deepStrictEqual(
      specs.filter(({ persona }) => persona === "refused").map(({ name }) => name),
      ["mx.gone.test"]
    )
  })

  it("takes only the kinds that were asked for", () => {
    const kinds = {
      known: 1,
      accept_all: 0,
      null_mx: 0,
      no_host: 0,
      no_domain: 0,
      servfail: 0,
      refused: 0,
      greylist: 1
    }
    const { addresses, kindOf } = MailPopulation.make({ ...spec, kinds })
    assert.deepStrictEqual(new Set(addresses.map(kindOf)), new Set(["known", "greylist"]))
  })
})
