/** What `docs/mcp.md` tells to paste is JSON, and names what there is. */
import { assert, describe, it } from "vitest"
import * as McpPath from "../packages/http/src/server/mcp/Path.ts"
import * as Variables from "../packages/http/src/server/Variables.ts"
import * as Markdown from "./fixtures/Markdown.ts"

interface Shown {
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

const servers = Markdown.blocks("docs/mcp.md").flatMap(({ text }) => {
  const { mcpServers } = JSON.parse(text) as { readonly mcpServers?: Readonly<Record<string, Shown>> }
  return mcpServers === undefined ? [] : Object.values(mcpServers)
})

describe("docs/mcp.md", () => {
  it("shows the endpoint, and the header that lowers the cap", () => {
    const over = servers.filter(({ url }) => url !== undefined)
    assert.strictEqual(over.length, 1)
    for (const { headers = {}, url = "" } of over) {
      assert.strictEqual(new URL(url).pathname, McpPath.path)
      assert.include(
        Object.keys(headers).map((name) => name.toLowerCase()),
        McpPath.capHeader
      )
    }
  })

  it("shows the command with variables that there are", () => {
    const started = servers.filter(({ args }) => args !== undefined)
    assert.strictEqual(started.length, 1)
    for (const { args = [], env = {} } of started) {
      assert.deepStrictEqual(args.slice(-2), ["lading", "mcp"])
      const known = Variables.all.map(({ name }) => name)
      for (const name of Object.keys(env)) assert.include(known, name)
    }
  })
})
