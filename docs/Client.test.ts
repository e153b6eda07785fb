/** Runs the programs of `docs/client.md` against a sandbox, compares what they print with the page, and checks their types. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { HttpApi } from "effect/http-api"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { LadingApi } from "../packages/http/src/api/index.ts"
import { type Block, blocks, read, root } from "./fixtures/Markdown.ts"
import * as Sandbox from "./fixtures/Sandbox.ts"

const run = promisify(execFile)

const address = "http://127.0.0.1:8080"
const key = "lad_live_client-of-a-synthetic-house"

const all = blocks("docs/client.md")
const programs = all.flatMap((block, index) => (block.language === "ts" ? [{ block, shown: all[index + 1] }] : []))

/** Where `@lading/*` and `effect` are found as in a project that installed them. */
const home = join(root, "packages/http/.lading")
mkdirSync(home, { recursive: true })
const folder = mkdtempSync(join(home, "client-"))

const file = ({ at }: Block): string => join(folder, `line-${at.split(":")[1]}.ts`)

let sandbox: Sandbox.Sandbox

beforeAll(async () => {
  sandbox = await Sandbox.start(key)
  for (const { block } of programs) writeFileSync(file(block), block.text.replaceAll(address, sandbox.url))
  const settings = { extends: "../../../../tsconfig.base.json", include: ["*.ts"] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings))
})

afterAll(async () => {
  await sandbox?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe("docs/client.md", () => {
  it("shows programs, each with what it prints", () => {
    assert.lengthOf(programs, 3)
    for (const { block, shown } of programs) assert.strictEqual(shown?.language, "text", block.at)
  })

  it.each(programs)("prints what it shows at $block.at", async ({ block, shown }) => {
    const { stdout } = await run(process.execPath, [file(block)], { env: { ...process.env, LADING_API_KEY: key } })
    assert.strictEqual(stdout, shown?.text)
  })

  it("shows programs whose types hold", async () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch((error: { stdout: string }) => error)
    assert.strictEqual(stdout, "")
  })

  it("names every group", () => {
    const groups: Array<string> = []
    HttpApi.reflect(LadingApi, { onGroup: ({ group }) => void groups.push(group.identifier), onEndpoint: () => {} })
    const [, named = ""] =
      /Both have every group[^:]+: ([^.]+)\./.exec(read("docs/client.md").replaceAll("index.ts", "")) ?? []
    assert.deepStrictEqual(named.replaceAll("`", "").split(", "), groups.toSorted())
  })
})
