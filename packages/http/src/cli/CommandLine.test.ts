/** The command line as people meet it: real processes, real folders, real sockets. */
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { mkdir, readFile, stat } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import * as CommandLine from "../fixtures/CommandLine.ts"

const said = "Ctrl-C"

const first = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? ""
const urlOf = (text: string): string => first(/ on (http:\/\/\S+)/, text)
const keyOf = (text: string): string => first(/API key {3}(\S+)/, text)
/** In millionths, so that they can be subtracted. */
const creditsOf = (text: string): number =>
  Math.round(Number(first(/([\d,.]+) credits/, text).replaceAll(",", "")) * 1_000_000)
const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

/** One line, on the error output only, and a code that is not 0. */
const refusedWith = ({ code, stderr, stdout }: CommandLine.Ended): string => {
  assert.strictEqual(code, 1)
  assert.strictEqual(stdout, "")
  assert.strictEqual(linesOf(stderr).length, 1, stderr)
  return stderr.trim()
}

describe("lading sandbox", () => {
  const marker = "marker-of-a-platform-key-6d1f"
  const ownMarker = "marker-of-an-own-key-91c4"
  let home = ""
  let data = ""
  let path = ""
  let sandbox: CommandLine.Running
  const heard: Array<string> = []

  const start = () =>
    CommandLine.start(["sandbox"], {
      LADING_DATA_DIR: data,
      LADING_PORT: "0",
      LADING_PROVIDER_C_API_KEY: marker,
      LADING_LOG_LEVEL: "trace"
    })

  const ask = async (route: string, body?: object): Promise<string> => {
    const answer = await fetch(`${urlOf(sandbox.stdout())}${route}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${keyOf(sandbox.stdout())}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    heard.push(text)
    // `serve` limits each key; the sandbox limits nobody.
    assert.isNull(answer.headers.get("ratelimit-limit"))
    return text
  }

  const restarted = async () => {
    heard.push(sandbox.stdout(), sandbox.stderr())
    sandbox = start()
    await sandbox.printed(said)
  }

  beforeAll(async () => {
    home = await CommandLine.folder()
    data = join(home, "data")
    await mkdir(join(home, "bin"))
    path = await CommandLine.pathWithCurl(join(home, "bin"))
    sandbox = start()
    await sandbox.printed(said)
  })

  afterAll(async () => {
    sandbox.child.kill("SIGKILL")
    await sandbox.ended
    await CommandLine.remove(home)
  })

  it("prints curl lines for a company, a person, an address and customs records that work as pasted", () => {
    const curls = linesOf(sandbox.stdout()).filter((line) => line.startsWith("curl "))
    assert.strictEqual(curls.length, 4)
    const [company, person, address, customs] = curls.map((line) => JSON.parse(CommandLine.paste(line, path)))
    heard.push(JSON.stringify(company), JSON.stringify(person))
    assert.strictEqual(company.company.profile.primary_domain, "nordvik-robotics.example")
    assert.deepStrictEqual(company.meta.waterfall.sources_attempted, ["provider_a", "provider_b", "provider_c"])
    assert.deepStrictEqual(person.meta.waterfall.sources_attempted, [
      "provider_a",
      "provider_b",
      "provider_c",
      "provider_d"
    ])
    assert.isNotEmpty(person.person.emails)
    assert.strictEqual(address.results["mara.ellison@nordvik-robotics.example"].status, "safe")
    assert.strictEqual(customs.data.data.list.length, 3)
  })

  it("says that the data are synthetic", () => {
    assert.include(sandbox.stdout(), "All data are synthetic")
  })

  it("is ready with its database", async () => {
    assert.deepStrictEqual(JSON.parse(await ask("/ready")).stores, { postgres: "ok", trade: "ok" })
  })

  it("refuses a second process on its folder, naming the folder and the owner", async () => {
    const message = refusedWith(await CommandLine.run(["serve"], { LADING_DATA_DIR: data, LADING_PORT: "0" }))
    assert.include(message, data)
    assert.include(message, `process ${sandbox.child.pid}`)
  })

  it("keeps key, credits and answers over a restart, and leaves no lock behind", async () => {
    const before = sandbox.stdout()
    assert.strictEqual(creditsOf(before), 1_000_000_000_000)
    sandbox.child.kill("SIGTERM")
    assert.strictEqual((await sandbox.ended).code, 0)
    const lock = await stat(join(data, "owner.json")).catch(() => null)
    assert.strictEqual(lock, null)
    await restarted()
    assert.strictEqual(keyOf(sandbox.stdout()), keyOf(before))
    // A company of three sources, a person of four, one of them with an own key, an address, and three rows of customs.
    assert.strictEqual(creditsOf(sandbox.stdout()), 1_000_000_000_000 - 6_280_000)
    const again = JSON.parse(
      await ask("/api/company/enrich", {
        identity: { domains: ["nordvik-robotics.example"] },
        waterfall: { mode: "aggregate" }
      })
    )
    assert.deepStrictEqual(again.meta.waterfall.cache_hits, ["provider_a", "provider_b", "provider_c"])
  })

  it("keeps its key where nobody else can read it", async () => {
    const file = join(data, "sandbox-key")
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
    assert.strictEqual((await stat(data)).mode & 0o077, 0)
    assert.strictEqual((await readFile(file, "utf8")).trim(), keyOf(sandbox.stdout()))
  })

  it("starts again after it was killed", async () => {
    const credits = creditsOf(sandbox.stdout())
    sandbox.child.kill("SIGKILL")
    await sandbox.ended
    await restarted()
    assert.strictEqual(creditsOf(sandbox.stdout()), credits - 100_000)
  })

  it("shows a vendor's key nowhere: not in answers, metrics or logs, and in no byte of the folder", async () => {
    await ask("/api/people/enrich", {
      identity: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" },
      waterfall: { mode: "aggregate", max_cache_age_s: 0, byok: { provider_d_api_key: ownMarker } },
      response: { include_provider_raw: true, include_explanation: true }
    })
    await ask("/api/company/enrich", {
      identity: { domains: ["nordvik-robotics.example"] },
      waterfall: { source_order: ["provider_c"], max_cache_age_s: 0, byok: { provider_c_client_id: ownMarker } }
    })
    await ask("/metrics")
    sandbox.child.kill("SIGINT")
    assert.strictEqual((await sandbox.ended).code, 0)
    heard.push(sandbox.stdout(), sandbox.stderr())
    const everything = heard.join("\n")
    assert.include(everything, "lading_vendor_calls_total")
    for (const secret of [marker, ownMarker]) {
      assert.notInclude(everything, secret)
      assert.isFalse(await CommandLine.holds(data, secret))
    }
    // The search finds what is there.
    assert.isTrue(await CommandLine.holds(data, keyOf(sandbox.stdout())))
  })
})

describe("lading serve", () => {
  let data = ""
  let server: CommandLine.Running

  beforeAll(async () => {
    data = await CommandLine.folder()
  })
  afterEach(async () => {
    server.child.kill("SIGKILL")
    await server.ended
  })
  afterAll(() => CommandLine.remove(data))

  const start = async (environment: CommandLine.Environment = {}) => {
    server = CommandLine.start(["serve"], {
      LADING_DATA_DIR: data,
      LADING_PORT: "0",
      LADING_DRAIN_MS: "0",
      ...environment
    })
    await server.printed("provider_d")
    return server.stdout()
  }

  const stop = async () => {
    server.child.kill("SIGTERM")
    assert.strictEqual((await server.ended).code, 0)
  }

  const enrich = async (key: string) => {
    const answer = await fetch(`${urlOf(server.stdout())}/api/company/enrich`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ identity: { domains: ["acme.example"] } })
    })
    return { status: answer.status, limit: answer.headers.get("ratelimit-limit") }
  }

  it("shows a random key at the first start only, and it opens the door after that", async () => {
    const key = keyOf(await start())
    assert.match(key, /^lad_live_/)
    assert.deepStrictEqual(await enrich(key), { status: 200, limit: "600" })
    await stop()
    assert.notInclude(await start(), "lad_live_")
    assert.strictEqual((await enrich(key)).status, 200)
    assert.isFalse(await CommandLine.holds(data, key))
    await stop()
  })

  it("takes the configured key beside those there are, again and again", async () => {
    const LADING_API_KEY = "an'odd\"but$valid`key"
    await start({ LADING_API_KEY })
    assert.strictEqual((await enrich(LADING_API_KEY)).status, 200)
    await stop()
    const printed = await start({ LADING_API_KEY })
    assert.strictEqual((await enrich(LADING_API_KEY)).status, 200)
    assert.notInclude(printed, LADING_API_KEY)
    await stop()
  })

  it("says which keys it ignores, in its logs", async () => {
    await start({ LADING_PROVIDER_D_API_KEY: "marker-of-an-ignored-key", LADING_PROT: "1" })
    await stop()
    assert.include(server.stderr(), "LADING_PROVIDER_D_API_KEY is ignored")
    assert.include(server.stderr(), "did you mean LADING_PORT?")
    assert.notInclude(server.stderr(), "marker-of-an-ignored-key")
    for (const line of linesOf(server.stderr())) assert.doesNotThrow(() => JSON.parse(line), line)
  })

  it("drains at the first signal and ends at once at a later one", async () => {
    await start({ LADING_DRAIN_MS: "600000" })
    const url = urlOf(server.stdout())
    server.child.kill("SIGINT")
    while ((await fetch(`${url}/ready`)).status !== 503);
    const impatient = setInterval(() => server.child.kill("SIGINT"), 100)
    const { code } = await server.ended
    clearInterval(impatient)
    assert.strictEqual(code, 130)
  })
})

describe("a start that is not possible", () => {
  let data = ""
  beforeAll(async () => {
    data = await CommandLine.folder()
  })
  afterAll(() => CommandLine.remove(data))

  const serve = (environment: CommandLine.Environment) =>
    CommandLine.run(["serve"], { LADING_DATA_DIR: data, LADING_PORT: "0", ...environment })

  it("names a variable with a wrong value, and what was expected of it", async () => {
    const message = refusedWith(await serve({ LADING_PORT: "http" }))
    assert.strictEqual(message, 'lading: LADING_PORT: expected a whole number from 0 to 65535, got "http"')
  })

  it("does so in the sandbox too, and never shows a secret", async () => {
    const message = refusedWith(await CommandLine.run(["sandbox"], { LADING_API_KEY: "too short" }))
    assert.isTrue(message.startsWith("lading: LADING_API_KEY: expected "), message)
    assert.notInclude(message, "too short")
  })

  it("names LADING_PORT when the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await once(other, "listening")
    const address = other.address()
    const port = typeof address === "object" ? String(address?.port) : ""
    const message = refusedWith(await serve({ LADING_PORT: port }))
    other.close()
    assert.include(message, `LADING_PORT: port ${port} of 127.0.0.1 is in use`)
  })

  it("names LADING_DATA_DIR when the folder cannot be used", async () => {
    const message = refusedWith(await serve({ LADING_DATA_DIR: "/dev/null/lading" }))
    assert.include(message, "LADING_DATA_DIR: the folder /dev/null/lading cannot be used")
  })

  it("names LADING_DATABASE_URL when the server does not answer, without the password", async () => {
    const message = refusedWith(
      await serve({
        LADING_DATABASE_URL: "postgres://me:hidden-word@127.0.0.1:1/lading",
        // Without a key of its own it would be warned about another line.
        LADING_SEAL_KEY: Buffer.alloc(32, "test").toString("base64")
      })
    )
    assert.include(message, "LADING_DATABASE_URL: the database cannot be used")
    assert.notInclude(message, "hidden-word")
  })

  it("names a command or an argument that it does not know", async () => {
    assert.include(refusedWith(await CommandLine.run(["sevre"])), "sevre")
    assert.include(refusedWith(await CommandLine.run(["enrich", "company", "not a domain"])), "Expected a domain name")
  })
})

describe("lading enrich", () => {
  it("prints the result and nothing else as JSON", async () => {
    const { code, stdout } = await CommandLine.run([
      "enrich",
      "company",
      "nordvik-robotics.example",
      "--sandbox",
      "--json",
      "--mode",
      "aggregate",
      "--source-order",
      "provider_c,provider_a"
    ])
    assert.strictEqual(code, 0)
    const result = JSON.parse(stdout)
    assert.strictEqual(result.success, true)
    assert.deepStrictEqual(result.meta.waterfall.sources_attempted, ["provider_c", "provider_a"])
  })

  it("prints a person as a table of field, value and source, with what lost", async () => {
    const args = ["--first-name", "Mara", "--last-name", "Ellison", "--domain", "nordvik-robotics.example"]
    const { code, stdout } = await CommandLine.run([
      "enrich",
      "person",
      ...args,
      "--sandbox",
      "--mode",
      "aggregate",
      "--explain"
    ])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^field +value +source$/m)
    assert.match(stdout, /^first_name +Mara +request$/m)
    assert.match(stdout, /^emails +.*mara.* +provider_a$/m)
    assert.match(stdout, /^ {2}current_title: .* of provider_b \(later_in_order\)$/m)
  })

  it("verifies the addresses of a person, and says what came of it", async () => {
    const args = ["--first-name", "Mara", "--last-name", "Ellison", "--domain", "nordvik-robotics.example"]
    const flags = ["--sandbox", "--verify-emails", "--mode", "aggregate"]
    const { code, stdout } = await CommandLine.run(["enrich", "person", ...args, ...flags])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^Verified: .*mara.*@nordvik-robotics\.example \(safe\)/m)
  })

  it("fails with one line when no source answers", async () => {
    const { code, stderr, stdout } = await CommandLine.run(["enrich", "company", "acme.example", "--json"], {
      LADING_LOG_LEVEL: "none",
      LADING_PROVIDER_C_API_KEY: "some-key",
      LADING_PROVIDER_C_BASE_URL: "http://127.0.0.1:1",
      LADING_SOURCE_ATTEMPTS: "1"
    })
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.strictEqual(stderr, "lading: no source answered: provider_c (unavailable)\n")
  })

  it("names the source that it does not know", async () => {
    const ended = await CommandLine.run(["enrich", "company", "acme.example", "--source-order", "provider_x"])
    assert.include(refusedWith(ended), "waterfall.source_order[0]")
  })
})

describe("help", () => {
  it("is there for every command", async () => {
    const commands = [
      [],
      ["serve"],
      ["sandbox"],
      ["enrich", "company"],
      ["enrich", "person"],
      ["sources"],
      ["account", "grant"],
      ["key", "create"],
      ["ledger", "audit"],
      ["erase"],
      ["replay"]
    ]
    const helped = await Promise.all(commands.map((args) => CommandLine.run([...args, "--help"])))
    assert.deepStrictEqual(
      helped.map(({ code, stdout }) => [code, /lading[a-z ]*?(?= \[flags\]| <subcommand>| *$)/m.exec(stdout)?.[0]]),
      commands.map((args) => [0, ["lading", ...args].join(" ")])
    )
  })
})
