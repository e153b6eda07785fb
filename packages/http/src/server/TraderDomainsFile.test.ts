import { assert, describe, it } from "@effect/vitest"
import { Suppression } from "@lading/core/account"
import { TraderDomains } from "@lading/core/trade"
import { Effect, Layer } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as TraderDomainsFile from "./TraderDomainsFile.ts"

const written = (text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "lading-domains-"))
      writeFileSync(join(folder, "domains.csv"), text)
      return { folder, path: join(folder, "domains.csv") }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

const nordvik = { trader_id: "17", name: "Nordvik Robotics AS", country: "NO" }
const learnt = {
  trader_id: null,
  name: "Nordvik Robotics",
  country: "NO",
  domain: "learnt.example",
  origin: "enrichment" as const
}

describe("the operator's file of domains", () => {
  it.live("comes before what was learnt, by id and by name, and is erased like it while the process lives", () =>
    Effect.gen(function* () {
      const { path } = yield* written(
        '\ufeffdomain,company_id,name,country,note\nhttps://www.seventeen.example/,17,,,x\n\nnamed.example,,"Plugh, Ltd",Norway,\n'
      )
      const memory = Layer.provide(TraderDomains.layerMemory([learnt]), Suppression.layerMemory)
      yield* Effect.gen(function* () {
        const { erase, find, learn, traders } = yield* TraderDomains.TraderDomains
        assert.strictEqual(yield* find(nordvik), "seventeen.example")
        assert.strictEqual(yield* find({ ...nordvik, trader_id: "18" }), "learnt.example")
        assert.strictEqual(yield* find({ trader_id: "19", name: "PLUGH LTD", country: "NO" }), "named.example")
        assert.isNull(yield* find({ trader_id: "19", name: "PLUGH LTD", country: "SE" }))
        assert.deepStrictEqual(yield* traders("seventeen.example"), [{ trader_id: "17", name: null, country: null }])
        yield* learn({ ...learnt, domain: "newer.example" })
        assert.strictEqual(yield* find({ ...nordvik, trader_id: "18" }), "newer.example")
        assert.strictEqual(yield* erase(["domain:seventeen.example"]), 1)
        assert.strictEqual(yield* find(nordvik), "newer.example")
        assert.deepStrictEqual(yield* traders("seventeen.example"), [])
      }).pipe(Effect.provide(TraderDomainsFile.layer(path).pipe(Layer.provide(memory))))
    })
  )

  it.live("stops the start with the row and what was expected", () =>
    Effect.gen(function* () {
      for (const [text, problem] of [
        ["name,country\nAcme,NO\n", "expected a column domain"],
        ["domain,company_id\nacme.example,1\nnonsense,2\n", "row 3: expected a domain such as acme.example"],
        ["domain,name,country\nacme.example,Acme,Atlantis\n", "row 2: expected a country, by name or ISO 3166-1 code"],
        ["domain,name\nacme.example,Acme\n", "row 2: expected a company_id, or a name and its country"],
        ['domain\n"acme', "expected CSV"]
      ] as const) {
        const { path } = yield* written(text)
        const error = yield* Effect.flip(TraderDomainsFile.read(path))
        assert.include(error.message, problem)
        assert.strictEqual(error.variable, "LADING_TRADER_DOMAINS")
      }
      assert.include((yield* Effect.flip(TraderDomainsFile.read("/nowhere/domains.csv"))).message, "cannot be read")
    })
  )

  it.effect("is like the example, which the documentation shows as it is", () =>
    Effect.gen(function* () {
      const root = new URL("../../../../", import.meta.url)
      const example = new URL("examples/imports/trader-domains.csv", root)
      const entries = yield* TraderDomainsFile.read(fileURLToPath(example))
      assert.deepStrictEqual(
        entries.map(({ country, domain, name, trader_id }) => [trader_id, name, country, domain]),
        [
          ["1131498708360445876", null, null, "celdotaparr.example"],
          [null, "JALEMOTORP MACHINERY LLC", "US", "jalemotorp.example"],
          [null, "WANONOMINT MADERAS LTDA.", "CO", "wanonomint.example"]
        ]
      )
      assert.include(readFileSync(new URL("docs/customs.md", root), "utf8"), readFileSync(example, "utf8"))
    })
  )
})
