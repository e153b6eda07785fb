/**
 * Runs what README shows: its programs with Node, its `curl` lines against a sandbox, and compares what comes out with
 * what the page says. Only `npx` lines are not run: they would install and start what is running here already.
 */
import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Curl from "./fixtures/Curl.ts"
import { type Block, blocks, root } from "./fixtures/Markdown.ts"
import * as Sandbox from "./fixtures/Sandbox.ts"
import { differences } from "./fixtures/Shown.ts"

const all = blocks("README.md")
const run = promisify(execFile)

/** What the page calls the server of its reader. */
const address = "http://127.0.0.1:8080"
const key = "lad_live_readme-of-a-synthetic-house"

/** A block and the one behind it, which shows what comes out. */
const pairs = all.map((block, index) => ({ block, shown: all[index + 1] }))
const programs = pairs.filter(({ block }) => block.language === "ts")
const commands = pairs.filter(({ block }) => block.language === "sh" && block.text.startsWith("curl"))

/** Programs are put where `@lading/*` and `effect` are found as in a project that installed them. */
const home = join(root, "packages/http/.lading")
mkdirSync(home, { recursive: true })
const folder = mkdtempSync(join(home, "readme-"))

const file = ({ at }: Block): string => join(folder, `line-${at.split(":")[1]}.ts`)

const hasCurl = (() => {
  try {
    execFileSync("curl", ["--version"])
    return true
  } catch {
    return false
  }
})()

let sandbox: Sandbox.Sandbox

const here = (text: string): string => text.replaceAll(address, sandbox.url)

beforeAll(async () => {
  sandbox = await Sandbox.start(key)
  for (const { block } of programs) writeFileSync(file(block), here(block.text))
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../../../tsconfig.base.json", include: ["*.ts"] })
  )
})

afterAll(async () => {
  await sandbox?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** As pasted, where there is a curl. */
const pasted = async (command: string): Promise<unknown> => {
  const { stdout } = await run("sh", ["-c", command], { env: { ...process.env, LADING_API_KEY: key } })
  return JSON.parse(stdout)
}

const sent = async (command: string): Promise<unknown> => {
  const { body, headers, method, url } = Curl.read(command, { LADING_API_KEY: key })
  const response = await fetch(url, { method, headers, ...(body === null ? {} : { body }) })
  return await response.json()
}

/** What is the same when the question is repeated: kept answers are free, so that the bill is another one. */
const lasting = (answer: any): unknown => ({ success: answer.success, person: answer.person, ...answer.company })

describe("README", () => {
  it("shows programs and commands, each with what comes out", () => {
    assert.isAtLeast(programs.length, 3)
    assert.isAtLeast(commands.length, 4)
    for (const { block, shown } of programs) assert.strictEqual(shown?.language, "text", block.at)
    for (const { block, shown } of commands) assert.strictEqual(shown?.language, "json", block.at)
  })

  it("leaves no command unrun but those that begin with npx", () => {
    const lines = all
      .filter(({ language, text }) => language === "sh" && !text.startsWith("curl"))
      .flatMap(({ text }) => text.trim().split("\n"))
    for (const line of lines) assert.match(line.replace(/\s+#.*$/, ""), /^(LADING_\w+=\S+ )*(npx -y pnpm@12 \S|\\$)/)
  })

  // Before the programs: what one of them has asked is kept, and costs less the second time.
  it.each(commands)("gets the answer that it shows at $block.at", async ({ block, shown }) => {
    const command = here(block.text)
    const first = hasCurl ? await pasted(command) : await sent(command)
    assert.deepStrictEqual(differences(JSON.parse(shown?.text ?? ""), first), [])
    assert.deepStrictEqual(lasting(await sent(command)), lasting(first))
  })

  it.each(programs)("runs the program at $block.at", async ({ block, shown }) => {
    const { stdout } = await run(process.execPath, [file(block)], { env: { ...process.env, LADING_API_KEY: key } })
    assert.strictEqual(stdout, shown?.text)
  })

  it("type-checks its programs", async () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch((error: { stdout: string }) => error)
    assert.strictEqual(stdout, "")
  })
})

describe("what the sandbox prints", () => {
  it("are four curl lines that work as pasted, as README promises", async () => {
    const lines = sandbox.printed.split("\n").filter((line) => line.trim().startsWith("curl "))
    assert.lengthOf(lines, 4)
    for (const line of lines) {
      const answer: any = hasCurl ? await pasted(line) : await sent(line.trim())
      assert.isTrue(answer.success, line)
      const verified: any = Object.values(answer.results ?? {})[0]
      assert.isString(
        answer.company?.name ?? answer.person?.current_title ?? verified?.status ?? answer.data?.data.list[0].name
      )
    }
  })
})

describe("an answer that a page shows", () => {
  const real = { success: true, list: [1, 2, 3], text: "req_abc", meta: { total_latency_ms: 17, more: null } }

  it("may be shortened where it says so", () => {
    const shown = { success: true, list: [1, "…"], text: "req_…", "…": "…" }
    assert.deepStrictEqual(differences(shown, real), [])
    assert.deepStrictEqual(differences({ ...real, meta: { total_latency_ms: 3, more: null } }, real), [])
  })

  it("is refused where it says anything else", () => {
    const wrong = [
      { ...real, success: false },
      { ...real, list: [1, 2] },
      { ...real, list: [2, "…"] },
      { ...real, list: [1, 2, 3, "…"] },
      { ...real, text: "rec_…" },
      { ...real, added: null },
      { ...real, "…": "…" },
      { success: true },
      { ...real, meta: { total_latency_ms: "17", more: null } },
      { ...real, meta: [] }
    ]
    for (const shown of wrong) assert.isNotEmpty(differences(shown, real), JSON.stringify(shown))
  })
})
