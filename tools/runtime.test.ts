import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const root = resolve(import.meta.dirname, "..")
const { version } = createRequire(import.meta.url)("node/package.json")

describe("runtime", () => {
  it("tests run on the Node that the repository brings, not on the machine's", () => {
    assert.strictEqual(process.version, `v${version}`)
    assert.include(readFileSync(resolve(root, "pnpm-workspace.yaml"), "utf8"), `nodeVersion: ${version}\n`)
  })

  it("plain Node runs a script that imports packages of the workspace from source", () => {
    const code = `const { Bill } = await import("@lading/core/billing"); console.log(typeof Bill.total)`
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
      cwd: resolve(root, "packages/http"),
      encoding: "utf8"
    })
    assert.strictEqual(printed.trim(), "function")
  })
})
