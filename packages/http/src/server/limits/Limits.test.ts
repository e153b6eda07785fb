/** What a server loads that counts for itself. */
import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const limits = fileURLToPath(new URL("./Limits.ts", import.meta.url))
const installation = fileURLToPath(new URL("../Installation.ts", import.meta.url))
const redis = fileURLToPath(new URL("../redis/index.ts", import.meta.url))

/** Whether a new process has loaded the driver, once it has imported these. */
const loads = (...modules: ReadonlyArray<string>): string => {
  const program = `
    for (const each of ${JSON.stringify(modules)}) await import(each)
    const { createRequire } = await import("node:module")
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    console.log(loaded.some((path) => path.includes("@redis/client")))
  `
  const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8"
  })
  return stdout.trim() === "" ? stderr : stdout.trim()
}

it("the driver of Redis is loaded where Redis is configured, and by nothing else", () => {
  assert.strictEqual(loads(limits, installation), "false")
  // Or this test would say so of everything.
  assert.strictEqual(loads(redis), "true")
})
