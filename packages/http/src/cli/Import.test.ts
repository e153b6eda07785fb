/** `lading import` as a process of its own, on a folder, and a server on that folder afterwards. */
import { Trade } from "@lading/testing"
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as CommandLine from "../fixtures/CommandLine.ts"
import { mapping } from "../fixtures/SampleFile.ts"

const key = "lad_live_import-of-synthetic-trade"

const records = 120_000
const trade = Trade.make({ records, months: 24 })

describe("importing customs records", () => {
  let folder = ""
  let environment: CommandLine.Environment = {}
  const path = (name: string) => join(folder, name)
  const lading = (...args: ReadonlyArray<string>) => CommandLine.run(["import", ...args], environment)

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lading-import-"))
    environment = { LADING_DATA_DIR: path("data"), LADING_TRADE: "chdb" }
    await writeFile(path("mapping.yaml"), mapping)
    await writeFile(path("trade.tsv"), `${Trade.columns.join("\t")}\n`)
    for (const text of Trade.chunks(trade, Trade.tsv, { lines: 20_000 })) await appendFile(path("trade.tsv"), text)
    await appendFile(path("trade.tsv"), "one cell\n")
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const rows = ["file", "--mapping"] as const
  const imported = () => [...rows, path("mapping.yaml"), path("trade.tsv"), "--rejects", path("rejected.csv")] as const

  it("refuses what it cannot read, in a line", async () => {
    const refused = async (...args: ReadonlyArray<string>) => {
      const { code, stderr } = await lading(...args)
      assert.strictEqual(code, 1)
      return stderr.trim()
    }
    assert.match(
      await refused("file", path("nothing.csv")),
      /^lading: .*nothing\.csv: the file cannot be read \(ENOENT\)$/
    )
    assert.match(await refused("file", path("trade.tsv")), /^lading: .*needs a mapping file/)
    assert.match(await refused("us-ams", path("trade.tsv")), /^lading: .*ams__/)
    assert.match(await refused("hs", path("mapping.yaml")), /^lading: .*hscode/)
    assert.match(await refused("abandon", "7"), /^lading: there is no load 7/)
    await writeFile(path("wrong.yaml"), mapping.replace("hs_raw", "hs_row"))
    assert.match(await refused("file", "--mapping", path("wrong.yaml"), path("trade.tsv")), /^lading: .*hs_row/)
    await writeFile(
      path("wrong.yaml"),
      mapping.replace("source: sample", "source: A B").replace("format: iso", "format: x")
    )
    const places = (await refused("file", "--mapping", path("wrong.yaml"), path("trade.tsv"))).split("\n")
    assert.lengthOf(places, 3)
    assert.match(places[0] ?? "", /^lading: .*wrong\.yaml:$/)
    assert.deepStrictEqual(
      places
        .slice(1)
        .map((line) => line.split(": ", 1)[0])
        .sort(),
      ["  date.format", "  source"]
    )
    const days = "sample:2021-02-30..2021-03-01"
    assert.match(await refused("file", path("trade.tsv"), "--replace-dates", days), /^lading: .*the earlier one first/)
  })

  it("goes on after it was killed, rejects what is no record, and does nothing the second time", async () => {
    const first = CommandLine.start(["import", ...imported()], environment)
    // Nobody knows how far it is: before the first part, between two, or while it publishes.
    await new Promise((resolve) => setTimeout(resolve, 4000))
    first.child.kill("SIGKILL")
    await first.ended
    const { code, stderr, stdout } = await lading(...imported(), "--json", "--quiet")
    assert.strictEqual(code, 0, stderr)
    const outcome = JSON.parse(stdout)
    const again = JSON.parse((await lading(...imported(), "--json")).stdout)
    assert.deepStrictEqual([again.state, again.rows, again.rejected, again.added], ["known", records, 1, 0])
    assert.deepStrictEqual([outcome.load, outcome.rows, outcome.rejected], [again.load, records, 1])
    const rejected = await readFile(path("rejected.csv"), "utf8")
    assert.match(
      rejected,
      new RegExp(
        `^file,line,column,problem,text\\n"[^"]*",${records + 2},,"expected 37 columns, found 1","one cell"\\n$`
      )
    )
    const list = JSON.parse((await lading("list", "--json")).stdout)
    assert.deepStrictEqual(
      list.map((load: any) => [load.state, load.name, load.rows]),
      [
        ["published", "trade.tsv", records],
        ["abandoned", "trade.tsv", 0]
      ]
    )
  }, 240_000)

  it("is answered from by a server on the folder, with product codes described by a list", async () => {
    await writeFile(
      path("hs.csv"),
      "section,hscode,description,parent,level\nII,090111,Coffee of our own words,0901,6\n"
    )
    assert.match((await lading("hs", path("hs.csv"))).stdout, /^Codes +1 /)
    const server = CommandLine.start(["sandbox"], { ...environment, LADING_PORT: "0", LADING_API_KEY: key })
    await server.printed("Ctrl-C stops it")
    const [, url] = /^Lading sandbox on (http:\/\/\S+)/m.exec(server.stdout()) ?? []
    const response = await fetch(`${url}/api/customs/records/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ hs_code: "090111", limit: 5 })
    })
    // A wrong shape fails at the fields that are looked at.
    const { data } = (await response.json()) as any
    assert.isAbove(data.data.total, 100)
    assert.strictEqual(data.data.list[0].hs_description, "Coffee of our own words")
    const list = await lading("list")
    assert.strictEqual(list.code, 0, list.stderr)
    assert.match(list.stdout, /published +file +trade\.tsv/)
    server.child.kill("SIGTERM")
    assert.strictEqual((await server.ended).code, 0)
  })
})
