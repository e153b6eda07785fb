/**
 * `lading import` while a server owns the folder: through it, killed on either side, and once more. What comes of it is
 * held against the same file imported into a folder that nobody owns.
 */
import { Trade } from "@lading/testing"
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as CommandLine from "../fixtures/CommandLine.ts"
import { mapping } from "../fixtures/SampleFile.ts"

const key = "lad_live_import-through-a-server"
const records = 60_000
const trade = Trade.make({ records, months: 24 })

interface Server {
  readonly running: CommandLine.Running
  readonly url: string
}

interface Owner {
  readonly url: string
  readonly token: string
  readonly pid: number
}

/** A sum depends on the order in which it is added up, in its last digits. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one) => (typeof one === "number" ? Number(one.toPrecision(12)) : one))

describe("importing through a server", () => {
  let folder = ""
  const path = (name: string) => join(folder, name)
  const environment = (data: string, trade: string): CommandLine.Environment => ({
    LADING_DATA_DIR: path(data),
    LADING_TRADE: trade,
    LADING_PORT: "0",
    LADING_API_KEY: key,
    LADING_CREDITS: "1000",
    LADING_DRAIN_MS: "0",
    LADING_LOG_LEVEL: "warn"
  })
  const args = ["import", "file", "--mapping"]
  const imported = () => [...args, path("mapping.yaml"), path("trade.tsv"), "--rejects", path("rejected.csv"), "--json"]

  /** Servers that live, for those that a test leaves behind. */
  const lives = new Set<CommandLine.Running>()

  const serve = async (data: string, trade: string): Promise<Server> => {
    const running = CommandLine.start(["serve"], environment(data, trade))
    lives.add(running)
    void running.ended.then(() => lives.delete(running))
    await running.printed("documentation:")
    return { running, url: / on (http:\/\/\S+)/.exec(running.stdout())?.[1] ?? "" }
  }

  const end = async ({ running }: Server, signal: NodeJS.Signals = "SIGTERM") => {
    running.child.kill(signal)
    return running.ended
  }

  const ask = async (url: string, token: string, where: string, body?: object): Promise<any> => {
    const answer = await fetch(url + where, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    assert.isBelow(answer.status, 300, await answer.clone().text())
    // A wrong shape fails at the fields that whoever asked looks at.
    return ((await answer.json()) as any).data
  }

  const owner = async (data: string): Promise<Owner> =>
    JSON.parse(await readFile(join(path(data), "owner.json"), "utf8"))

  /** Waits until the server has so many parts of the open load. */
  const written = async (data: string, parts: number): Promise<any> => {
    const { token, url } = await owner(data)
    for (;;) {
      const [load] = (await ask(url, token, "/api/admin/trade/loads")).list
      if (load?.state === "open" && load.parts >= parts) return load
      assert.notStrictEqual(load?.state, "published", "it was over before anybody could look")
      await setTimeout(20)
    }
  }

  /** What readers are told: sums by month and by product, and the first records. */
  const told = async (url: string) => {
    const { data: months } = await ask(url, key, "/api/customs/analytics/customs-statistics", { group_by: ["month"] })
    const { data: codes } = await ask(url, key, "/api/customs/analytics/customs-statistics", { group_by: ["hs"] })
    const { data: found } = await ask(url, key, "/api/customs/records/search", { limit: 100, sort: "amount" })
    return rounded({ months, codes, found })
  }

  let undisturbed: unknown
  /** What its command said. */
  let alone: any

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lading-live-"))
    await writeFile(path("mapping.yaml"), mapping)
    await writeFile(path("trade.tsv"), `${Trade.columns.join("\t")}\n`)
    for (const text of Trade.chunks(trade, Trade.tsv, { lines: 20_000 })) await appendFile(path("trade.tsv"), text)
    await appendFile(path("trade.tsv"), "one cell\n")
    const { code, stderr, stdout } = await CommandLine.run(imported(), environment("alone", "chdb"))
    assert.strictEqual(code, 0, stderr)
    alone = JSON.parse(stdout)
    const server = await serve("alone", "chdb")
    undisturbed = await told(server.url)
    await end(server)
  }, 600_000)

  afterAll(async () => {
    for (const running of lives) running.child.kill("SIGKILL")
    await Promise.all([...lives].map(({ ended }) => ended))
    await rm(folder, { recursive: true, force: true })
  })

  it("begins the store of a server that has none, and the server answers from it at once", async () => {
    const server = await serve("first", "")
    const early = await fetch(`${server.url}/api/customs/records/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: "{}"
    })
    assert.strictEqual(early.status, 503)
    const { code, stderr, stdout } = await CommandLine.run(imported(), environment("first", ""))
    assert.strictEqual(code, 0, stderr)
    assert.deepStrictEqual(JSON.parse(stdout), alone)
    assert.deepStrictEqual(await told(server.url), undisturbed)
    const again = JSON.parse((await CommandLine.run(imported(), environment("first", ""))).stdout)
    assert.deepInclude(again, { state: "known", rows: records })
    const list = await CommandLine.run(["import", "list"], environment("first", ""))
    assert.match(list.stdout, /published +file +trade\.tsv/)
    const { token } = await owner("first")
    const { stdout: out, stderr: log } = await end(server)
    assert.notInclude(out + log, token)
  }, 600_000)

  it("goes on after the command was killed, and after the server was, and reads like one import that ran through", async () => {
    const data = "killed"
    let server = await serve(data, "chdb")
    const first = CommandLine.start(imported(), environment(data, "chdb"))
    await written(data, 1)
    first.child.kill("SIGKILL")
    await first.ended

    const second = CommandLine.start(imported(), environment(data, "chdb"))
    const before = await written(data, 3)
    await end(server, "SIGKILL")
    const { code, stderr } = await second.ended
    assert.strictEqual(code, 1)
    assert.match(stderr, /lading: .*which owns .*killed.*answers no more on http.*the same command goes on from there/)
    assert.notInclude(stderr, "lad_owner_")

    server = await serve(data, "chdb")
    const third = await CommandLine.run(imported(), environment(data, "chdb"))
    assert.strictEqual(third.code, 0, third.stderr)
    const outcome = JSON.parse(third.stdout)
    assert.deepStrictEqual(outcome, { ...alone, load: before.load, resumed: true })
    assert.deepStrictEqual(await told(server.url), undisturbed)
    assert.match(await readFile(path("rejected.csv"), "utf8"), /^file,line,column,problem,text\n[^\n]*"one cell"\n$/)

    const { stdout } = await CommandLine.run(["import", "abandon", "7"], environment(data, "chdb"))
    assert.strictEqual(stdout, "")
    await end(server)
  }, 600_000)

  it("leaves what is not finished to be abandoned, and says what stands in the way", async () => {
    const data = "abandoned"
    const server = await serve(data, "chdb")
    const first = CommandLine.start(imported(), environment(data, "chdb"))
    const { load } = await written(data, 1)
    first.child.kill("SIGKILL")
    await first.ended
    const other = [...imported(), "--rows", String(records)]
    const refused = await CommandLine.run(other, environment(data, "chdb"))
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, `lading: load ${load} (trade.tsv) is not finished`)
    const forgotten = await CommandLine.run(["import", "abandon", String(load)], environment(data, "chdb"))
    assert.include(forgotten.stdout, `load ${load} is forgotten`)
    const missing = await CommandLine.run(["import", "abandon", String(load)], environment(data, "chdb"))
    assert.include(missing.stderr, `lading: there is no load ${load} that is not finished`)
    await end(server)
  }, 600_000)

  it("says so where the server takes no imports", async () => {
    const server = await serve("sample", "sample")
    const { code, stderr } = await CommandLine.run(imported(), environment("sample", "chdb"))
    assert.strictEqual(code, 1)
    assert.match(stderr, /^lading: this server takes no imports: .*LADING_TRADE=sample/)
    await end(server)
  })
})
