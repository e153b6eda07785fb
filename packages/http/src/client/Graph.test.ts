/**
 * What `@lading/http/api` and `@lading/http/client` load: nothing of Node, no server, no provider, so that a browser or
 * another runtime can have them. A process of its own imports each and reports every module that was resolved for it.
 */
import { assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const probe = (entry: string) => `
import { registerHooks } from "node:module"
const loaded = new Set()
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context)
    loaded.add(resolved.url)
    return resolved
  }
})
await import(${JSON.stringify(entry)})
console.log(JSON.stringify([...loaded]))
`

const loaded = (path: string): ReadonlyArray<string> => {
  const entry = new URL(path, import.meta.url).href
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", probe(entry)], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    encoding: "utf8"
  })
  return JSON.parse(output)
}

const foreign = (url: string) =>
  url.startsWith("node:") ||
  /\/packages\/(http\/src\/(server|cli)|providers|testing)\//.test(url) ||
  url.includes("platform-node")

it("the api loads no module of Node, no server and no provider", () => {
  const urls = loaded("../api/index.ts")
  assert.isTrue(urls.some((url) => url.endsWith("/api/LadingApi.ts")))
  assert.deepStrictEqual(urls.filter(foreign), [])
})

it("the client loads no module of Node, no server and no provider", () => {
  const urls = loaded("./index.ts")
  assert.isTrue(urls.some((url) => url.endsWith("/api/LadingApi.ts")))
  assert.deepStrictEqual(urls.filter(foreign), [])
})

it("the probe would see them", () => {
  const urls = loaded("../server/index.ts")
  assert.isTrue(urls.some((url) => url === "node:http"))
  assert.isTrue(urls.some((url) => url.includes("platform-node")))
})
