/** The sandbox as somebody meets it who configures nothing: 200,000 invented records in the embedded engine. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as CommandLine from "../fixtures/CommandLine.ts"

const key = "lad_live_demo-of-invented-trade"

describe("the customs records of a sandbox", () => {
  let data = ""
  let sandbox: CommandLine.Running
  let url = ""

  const begin = async () => {
    sandbox = CommandLine.start(["sandbox"], {
      LADING_DATA_DIR: data,
      LADING_PORT: "0",
      LADING_API_KEY: key,
      LADING_TRADE: "demo"
    })
    await sandbox.printed("Ctrl-C stops it")
    url = /^Lading sandbox on (http:\/\/\S+)/m.exec(sandbox.stdout())?.[1] ?? ""
  }

  const ask = async (path: string, body: unknown): Promise<any> => {
    const response = await fetch(`${url}/api/customs/${path}`, {
      ...(body === null ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
    })
    return await response.json()
  }

  const covered = async (): Promise<number> => {
    const { data } = await ask("reference/countries", null)
    return data.data.list.reduce((sum: number, { records }: { records: number }) => sum + records, 0)
  }

  beforeAll(async () => {
    data = await CommandLine.folder()
    await begin()
  })

  afterAll(async () => {
    sandbox.child.kill("SIGKILL")
    await sandbox.ended
    await CommandLine.remove(data)
  })

  it("are asked while they are loaded, and seen as a whole", async () => {
    const seen: Array<number> = []
    do {
      seen.push(await covered())
      await new Promise((resolve) => setTimeout(resolve, 200))
    } while (seen.at(-1) === 0)
    // Corrected bills and masters do not count.
    assert.isTrue(seen.every((records) => records === 0 || (records > 180_000 && records < 200_000)))
    const { data, meta } = await ask("companies/search", { product: "coffee", limit: 5 })
    assert.strictEqual(data.data.list.length, 5)
    assert.strictEqual(meta.billing.credits_charged, 0.05)
    const [{ name, company_id }] = data.data.list
    const found = await ask("companies/match", { name: name.toLowerCase() })
    assert.include(found.data.data.enterpriseList.split(","), company_id)
  })

  it("are there at once when it starts again, also after it was killed", async () => {
    const before = await covered()
    sandbox.child.kill("SIGKILL")
    await sandbox.ended
    await begin()
    assert.strictEqual(await covered(), before)
  })
})
