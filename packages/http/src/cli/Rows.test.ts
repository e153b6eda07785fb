/** `lading enrich <file>` as people meet it: real processes, real files, a real server, and SIGKILL. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Csv } from "effect/encoding"
import { createReadStream, existsSync, readFileSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as CommandLine from "../fixtures/CommandLine.ts"

const known = "nordvik-robotics.example"

let home = ""
beforeAll(async () => {
  home = await CommandLine.folder()
})
afterAll(() => CommandLine.remove(home))

const file = async (name: string, lines: ReadonlyArray<string>): Promise<string> => {
  await writeFile(join(home, name), `${lines.join("\n")}\n`)
  return join(home, name)
}

const table = async (path: string): Promise<ReadonlyArray<Readonly<Record<string, string>>>> =>
  Effect.runPromise(
    Stream.make(await readFile(path, "utf8")).pipe(
      Stream.pipeThroughChannel(Csv.decodeString({ headers: true })),
      Stream.runCollect
    )
  )

/** Millionths, so that sums are exact. */
const millionths = (credits: string | number): number => Math.round(Number(credits) * 1_000_000)

const spentIn = (rows: ReadonlyArray<Readonly<Record<string, string>>>): number =>
  rows.reduce((sum, { credits = "" }) => sum + millionths(credits), 0)

/** One line, on the error output only. */
const refusedWith = ({ code, stderr, stdout }: CommandLine.Ended): string => {
  assert.deepStrictEqual([code, stdout], [1, ""], stderr)
  assert.match(stderr, /^lading: .*\n$/)
  return stderr.slice("lading: ".length).trim()
}

/** The rows of a file that is longer than the heap of who reads it. */
function* wideRows() {
  yield "domain,n,note\n"
  for (let n = 0; n < 10_000; n++) yield `${n % 500 === 0 ? known : "not a domain"},${n},${"x".repeat(60_000)}\n`
}

describe("rows at a server", () => {
  let sandbox: CommandLine.Running
  let environment: CommandLine.Environment = {}
  let companies = ""

  beforeAll(async () => {
    const data = join(home, "data")
    const LADING_API_KEY = "key-of-a-test-of-many-rows"
    environment = { LADING_DATA_DIR: data, LADING_API_KEY }
    sandbox = CommandLine.start(["sandbox"], { ...environment, LADING_PORT: "0" })
    await sandbox.printed("Ctrl-C")
    const rows = Array.from({ length: 40 }, (_, n) => `${n % 4 === 0 ? known : `firm-${n}.example`},${n}`)
    companies = await file("companies.csv", ["Website,n", ...rows])
  })

  afterAll(async () => {
    sandbox.child.kill("SIGKILL")
    await sandbox.ended
  })

  const enrich = (out: string, ...args: ReadonlyArray<string>) =>
    CommandLine.start(["enrich", companies, "--out", join(home, out), "--quiet", ...args], environment)

  const captured = async (): Promise<number> => {
    const { stdout } = await CommandLine.run(["account", "list", "--json"], environment)
    return millionths(JSON.parse(stdout)[0].balance.captured)
  }

  const safeRows = (out: string): number => {
    const job = join(home, `${out}.partial`, "job.json")
    return existsSync(job) ? JSON.parse(readFileSync(job, "utf8")).tally.rows : 0
  }

  const killedAfter = async (rows: number, out: string, ...args: ReadonlyArray<string>) => {
    const running = enrich(out, ...args)
    while (safeRows(out) < rows && running.child.exitCode === null) await new Promise((next) => setTimeout(next, 10))
    running.child.kill("SIGKILL")
    assert.strictEqual((await running.ended).code, null)
  }

  it("are asked with the vendor keys that the account has stored, for the fee", async () => {
    const { LADING_API_KEY = "", LADING_DATA_DIR = "" } = environment
    const { url } = JSON.parse(await readFile(join(LADING_DATA_DIR, "owner.json"), "utf8"))
    for (const slot of ["provider_a", "provider_b", "provider_c", "provider_d"]) {
      const sent = await fetch(`${url}/api/account/vendor-keys/${slot}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${LADING_API_KEY}`, "content-type": "application/json" },
        body: JSON.stringify({ api_key: "own-key-in-the-sandbox" })
      })
      assert.strictEqual(sent.status, 200)
    }
    const ended = await enrich("stored.csv", "--stored-keys").ended
    assert.strictEqual(ended.code, 0, ended.stderr)
    const rows = await table(join(home, "stored.csv"))
    const found = rows.filter(({ status }) => status === "ok")
    assert.deepStrictEqual([rows.length, found.length], [40, 10])
    assert.isTrue(found.every(({ credits }) => millionths(credits ?? "") === 100_000))
    const elsewhere = refusedWith(await enrich("elsewhere.csv", "--stored-keys", "--sandbox").ended)
    assert.match(elsewhere, /^--stored-keys: keys are stored at a server/)
  })

  it("end as if nobody had killed them: nothing is lost, written or charged twice", async () => {
    const before = await captured()
    for (const rows of [1, 8, 20]) await killedAfter(rows, "killed.csv")
    // What stands behind the last whole row was not finished; more of it than the rest of the result will cover.
    await writeFile(join(home, "killed.csv.partial", "rows"), "half a row ".repeat(10_000), { flag: "a" })
    assert.isFalse(existsSync(join(home, "killed.csv")))
    const ended = await enrich("killed.csv").ended
    assert.strictEqual(ended.code, 0, ended.stderr)
    const killed = await table(join(home, "killed.csv"))
    assert.strictEqual(spentIn(killed), (await captured()) - before)
    assert.isFalse(existsSync(join(home, "killed.csv.partial")))

    assert.strictEqual(await enrich("whole.csv").ended.then(({ code }) => code), 0)
    const whole = await table(join(home, "whole.csv"))
    const lasting = (rows: typeof whole) => rows.map((row) => ({ ...row, credits: "", request_id: "" }))
    assert.deepStrictEqual(lasting(killed), lasting(whole))
    assert.deepStrictEqual(
      whole.map(({ n, status }) => [n, status]),
      Array.from({ length: 40 }, (_, n) => [String(n), n % 4 === 0 ? "ok" : "nothing_found"])
    )
  }, 240_000)

  it("stop before the ceiling, say how to go on, and never pass it over all runs", async () => {
    const before = await captured()
    const first = await enrich("ceiling.csv", "--max-credits", "2", "--row-credits", "1.5", "--concurrency", "8").ended
    assert.strictEqual(first.code, 1)
    assert.include(first.stderr, "the ceiling of 2 leaves no room for another row, which may cost 1.1")
    assert.include(first.stderr, "the same command with a higher --max-credits goes on")
    const spent = (await captured()) - before
    assert.isAtMost(spent, millionths(2))
    assert.isAbove(spent, millionths(0.5))
    const second = await enrich("ceiling.csv", "--max-credits", "9", "--row-credits", "1.5", "--json").ended
    assert.deepInclude(JSON.parse(second.stdout), { finished: true, rows: 40, total: 40 })
    assert.strictEqual(spentIn(await table(join(home, "ceiling.csv"))), (await captured()) - before)
  }, 240_000)

  it("are refused where somebody could be charged what they do not expect", async () => {
    await killedAfter(1, "risky.csv", "--max-credits", "9")
    const lowered = await enrich("risky.csv", "--max-credits", "0.5").ended
    assert.include(refusedWith(lowered), "--max-credits cannot be less")
    const job = join(home, "risky.csv.partial", "job.json")
    const kept = JSON.parse(await readFile(job, "utf8"))
    await writeFile(job, JSON.stringify({ ...kept, written_at: Date.now() - 25 * 3_600_000 }))
    const late = await enrich("risky.csv", "--max-credits", "9").ended
    assert.match(refusedWith(late), /stopped 25 h 00 min ago with up to \d+ rows in the air.*--charge-again goes on/)
    const anyway = await enrich("risky.csv", "--max-credits", "90", "--charge-again").ended
    assert.strictEqual(anyway.code, 0, anyway.stderr)
    assert.strictEqual((await table(join(home, "risky.csv"))).length, 40)
  }, 240_000)

  it("are closed by SIGINT with 130, and go on under the same command only", async () => {
    const running = enrich("stopped.csv", "--max-credits", "2", "--row-credits", "1.5")
    assert.strictEqual((await running.ended).code, 1)
    const other = await CommandLine.run(
      ["enrich", companies, "--out", join(home, "stopped.csv"), "--mode", "aggregate", "--max-credits", "3"],
      environment
    )
    assert.include(refusedWith(other), "is a job with other settings: --mode; --restart throws away")
    const fresh = await file("fresh.csv", ["domain", ...Array.from({ length: 200 }, (_, n) => `new-${n}.example`)])
    const long = CommandLine.start(["enrich", fresh, "--out", join(home, "long.csv")], environment)
    while (safeRows("long.csv") === 0 && long.child.exitCode === null) await new Promise((next) => setTimeout(next, 10))
    const twin = await CommandLine.run(["enrich", fresh, "--out", join(home, "long.csv")], environment)
    assert.include(refusedWith(twin), `process ${long.child.pid}`)
    long.child.kill("SIGINT")
    const { code, stderr } = await long.ended
    assert.strictEqual(code, 130)
    assert.match(
      stderr,
      /lading: stopped; \d+ of 200 rows are safe in .*long\.csv\.partial; the same command goes on\n$/
    )
  }, 240_000)

  it("stop at once where the key is unknown or missing, without a result", async () => {
    const asking = (LADING_API_KEY: string) =>
      CommandLine.run(["enrich", companies, "--out", join(home, "no.csv"), "--quiet"], {
        ...environment,
        LADING_API_KEY
      })
    const unknown = await asking("another-key-of-a-test-of-rows")
    assert.strictEqual(unknown.code, 1)
    assert.include(unknown.stderr, "does not know the API key in LADING_API_KEY")
    assert.include(refusedWith(await asking("")), "put one into LADING_API_KEY")
    assert.isFalse(existsSync(join(home, "no.csv")))
  })
})

describe("rows in this process", () => {
  const environment = { LADING_DATA_DIR: "" }
  const enrich = (...args: ReadonlyArray<string>) => CommandLine.run(["enrich", ...args, "--sandbox"], environment)

  it("give a whole answer each in JSON Lines, persons too, and keep a row that is wrong with its error", async () => {
    const out = join(home, "people.jsonl")
    const people = await file("people.csv", [
      "Vorname;Nachname;Firma",
      `Mara;Ellison;${known}`,
      "Una;Nobody;not a domain"
    ])
    const ended = await enrich(people, "--out", out, "--columns", "domain=Firma")
    assert.strictEqual(ended.code, 0, ended.stderr)
    assert.include(ended.stderr, 'Persons: first_name from "Vorname", last_name from "Nachname", domain from "Firma"')
    const [mara, una] = (await readFile(out, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepInclude(mara, { status: "ok", row: { Vorname: "Mara", Nachname: "Ellison", Firma: known } })
    assert.strictEqual(mara.answer.person.company_domain, known)
    assert.deepInclude(una, { status: "error", credits: 0, answer: null })
    assert.include(una.error, "line 3: identity.domain: Expected a domain name")
  })

  it("have their addresses verified where they are people, and are refused where they are not", async () => {
    const out = join(home, "verified.jsonl")
    const people = await file("verified.csv", ["first_name,last_name,domain", `Mara,Ellison,${known}`])
    const ended = await enrich(people, "--out", out, "--mode", "aggregate", "--verify-emails")
    assert.strictEqual(ended.code, 0, ended.stderr)
    const row = JSON.parse((await readFile(out, "utf8")).trim())
    const verified: ReadonlyArray<{ readonly status: string }> = row.answer.meta.waterfall.verified_emails
    assert.include(
      verified.map(({ status }) => status),
      "safe"
    )
    const companies = await file("unverified.csv", ["domain", known])
    const refused = refusedWith(await enrich(companies, "--out", join(home, "unverified.out.csv"), "--verify-emails"))
    assert.match(refused, /^--verify-emails: only addresses of people are verified/)
  })

  it("are refused before anybody is asked where the file or a name is wrong", async () => {
    const wrong = await file("wrong.csv", ["foo,bar", "1,2"])
    const open = await file("open.csv", ["domain,n", "a.example,1", '"b.example,2'])
    const good = await file("good.csv", ["domain", known])
    const out = join(home, "refused.csv")
    assert.include(refusedWith(await enrich(wrong, "--out", out)), 'found "foo", "bar"; expected domain or company')
    assert.include(refusedWith(await enrich(open, "--out", out)), "open.csv, line 3: a quote")
    assert.include(refusedWith(await enrich(join(home, "none.csv"), "--out", out)), "there is no such file")
    assert.include(refusedWith(await enrich(good, "--out", good)), "cannot be the file itself")
    assert.include(refusedWith(await enrich(good, "--out", wrong)), "is there already")
    assert.include(refusedWith(await enrich(good, "--out", out, "--url", "http://127.0.0.1:1")), "leave out --url")
    assert.isFalse(existsSync(out))
    assert.isFalse(existsSync(`${out}.partial`))
    assert.strictEqual(await readFile(wrong, "utf8"), "foo,bar\n1,2\n")
  }, 240_000)

  it("are 600 MB in 10,000 rows without a heap of that size, each of them in its place", async () => {
    const out = join(home, "wide-result.csv")
    const wide = join(home, "wide.csv")
    // No text may be so long, so neither file is ever one.
    await writeFile(wide, wideRows())
    const ended = await CommandLine.run(["enrich", wide, "--out", out, "--sandbox", "--json", "--quiet"], {
      // Code and tables alone take 60 MB, and below three times that the collector hardly lets anything else run.
      NODE_OPTIONS: "--max-old-space-size=230"
    })
    assert.strictEqual(ended.code, 0, ended.stderr.slice(0, 500))
    assert.deepInclude(JSON.parse(ended.stdout), { rows: 10_000, ok: 20, error: 9980 })
    const places: Array<number> = []
    for await (const line of createInterface(createReadStream(out))) places.push(Number(line.split(",", 2)[1]))
    assert.deepStrictEqual(
      places.slice(1),
      Array.from({ length: 10_000 }, (_, n) => n)
    )
  }, 240_000)

  it("leave the subcommands as they are", async () => {
    await mkdir(join(home, "empty"))
    const { code, stdout } = await enrich("company", known, "--json")
    assert.strictEqual(code, 0)
    assert.strictEqual(JSON.parse(stdout).company.domain, known)
  })
})
