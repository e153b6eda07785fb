import { assert, describe, it } from "@effect/vitest"
import { violations } from "./dependencyRule.ts"

const refused = (path: string, text: string) => violations({ path: `packages/${path}`, text }).length === 1
const allowed = (path: string, text: string) => violations({ path: `packages/${path}`, text }).length === 0

describe("dependency rule", () => {
  it("core imports effect and pure libraries, and no driver, platform or Node", () => {
    assert.isTrue(allowed("core/src/a/A.ts", `import { Effect } from "effect"; import * as S from "effect/http"`))
    assert.isTrue(allowed("core/src/a/A.ts", `import { parse } from "tldts"; import { b } from "../b/B.ts"`))
    assert.isTrue(refused("core/src/a/A.ts", `import { readFile } from "node:fs"`))
    assert.isTrue(refused("core/src/a/A.ts", `import type { PgClient } from "@effect/sql-pg"`))
    assert.isTrue(refused("core/src/a/A.ts", `export * from "@lading/http/api"`))
    assert.isTrue(refused("core/src/a/A.ts", `const hunter = await import("@lading/hunter")`))
  })

  it("a provider stands on core and its own driver, never on another provider or on http", () => {
    const source = "providers/sources/hunter/src/Company.ts"
    assert.isTrue(allowed(source, `import { Source } from "@lading/core/waterfall"; import fs from "node:fs"`))
    assert.isTrue(refused(source, `import { x } from "@lading/peopledatalabs"`))
    assert.isTrue(refused(source, `import { x } from "@lading/http/server"`))
    assert.isTrue(refused("providers/sources/hunter/src/Company.test.ts", `import { x } from "@lading/peopledatalabs"`))
  })

  it("importers stand on core, and http on them", () => {
    assert.isTrue(
      allowed("importers/src/a/A.ts", `import { TradeRecord } from "@lading/core/trade"; import fs from "node:fs"`)
    )
    assert.isTrue(refused("importers/src/a/A.ts", `import { x } from "@lading/postgres"`))
    assert.isTrue(refused("importers/src/a/A.ts", `import { x } from "@lading/http/server"`))
    assert.isTrue(refused("importers/src/a/A.ts", `import { Trade } from "@lading/testing"`))
    assert.isTrue(refused("core/src/a/A.ts", `import { Formats } from "@lading/importers"`))
    assert.isTrue(refused("providers/stores/postgres/src/A.ts", `import { Formats } from "@lading/importers"`))
    assert.isTrue(allowed("http/src/server/A.ts", `import { Formats } from "@lading/importers"`))
  })

  it("only tests, simulators and the sandbox import @lading/testing", () => {
    const text = `import { Simulator } from "@lading/testing"`
    assert.isTrue(refused("providers/sources/hunter/src/Company.ts", text))
    assert.isTrue(refused("http/src/server/Server.ts", text))
    assert.isTrue(allowed("providers/sources/hunter/src/simulator/index.ts", text))
    assert.isTrue(allowed("providers/sources/hunter/src/Company.test.ts", text))
    assert.isTrue(allowed("core/src/a/A.test.ts", text))
    assert.isTrue(allowed("http/src/sandbox/Vendors.ts", text))
    assert.isTrue(allowed("http/src/sandbox/index.ts", text))
  })

  it("testing stands on core alone", () => {
    assert.isTrue(allowed("testing/src/a.ts", `import { Ledger } from "@lading/core/billing"`))
    assert.isTrue(refused("testing/src/a.ts", `import { x } from "@lading/hunter"`))
    assert.isTrue(refused("testing/src/a.ts", `import { x } from "@lading/http/api"`))
    assert.isTrue(refused("testing/src/a.ts", `import { Simulator } from "@lading/testing"`))
  })

  it("the plain vendor keeps to what holds where it is copied to", () => {
    assert.isTrue(allowed("testing/src/plain/simulator/index.ts", `import { Simulator } from "@lading/testing"`))
    assert.isTrue(allowed("testing/src/plain/Contract.test.ts", `import { Simulator } from "@lading/testing"`))
  })

  it("http/api and http/client import neither Node, nor a provider, nor the server", () => {
    for (const part of ["api", "client"]) {
      assert.isTrue(allowed(`http/src/${part}/A.ts`, `import "effect/http-api"; import { a } from "../api/B.ts"`))
      assert.isTrue(refused(`http/src/${part}/A.ts`, `import { x } from "node:crypto"`))
      assert.isTrue(refused(`http/src/${part}/A.ts`, `import { NodeHttpServer } from "@effect/platform-node"`))
      assert.isTrue(refused(`http/src/${part}/A.ts`, `import { x } from "@lading/hunter"`))
      assert.isTrue(refused(`http/src/${part}/A.ts`, `import { x } from "../server/Server.ts"`))
    }
  })

  it("a relative import stays inside its package, and no source imports a fixture", () => {
    assert.isTrue(refused("http/src/server/A.ts", `import { x } from "../../../core/src/billing/Ledger.ts"`))
    assert.isTrue(refused("http/src/server/A.ts", `import { x } from "./A.test.ts"`))
    assert.isTrue(refused("core/src/A.ts", `import x from "./fixtures/answer.json"`))
  })
})
