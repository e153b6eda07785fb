/** `lading verify` as people meet it: real processes, a real server, real mail hosts on loopback, and SIGKILL. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { start as startReoon } from "@lading/reoon/simulator"
import { Effect, Stream } from "effect"
import { Csv } from "effect/encoding"
import { existsSync, readFileSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as CommandLine from "../fixtures/CommandLine.ts"
import * as Mail from "../fixtures/Mail.ts"
import * as TestServer from "../fixtures/TestServer.ts"

let home = ""
beforeAll(async () => {
  home = await CommandLine.folder()
})
afterAll(() => CommandLine.remove(home))

const domains = {
  "acme.test": { mailboxes: { mara: "exists", sales: "exists", full: "full" } },
  "grey.test": { persona: "greylist" }
} as const

const file = (name: string, lines: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    await writeFile(join(home, name), `${lines.join("\n")}\n`)
    return join(home, name)
  })

/** The cells of these columns, row by row. */
const cells = (path: string, ...columns: ReadonlyArray<string>) =>
  Effect.promise(() => readFile(path, "utf8")).pipe(
    Effect.flatMap((text) =>
      Stream.make(text).pipe(Stream.pipeThroughChannel(Csv.decodeString({ headers: true })), Stream.runCollect)
    ),
    Effect.map((rows) => rows.map((row: Readonly<Record<string, string>>) => columns.map((name) => row[name])))
  )

const spent = (server: TestServer.TestServer) =>
  Effect.map(server.balance, ({ available }) => 1000 - Number(available) / 1_000_000)

const atServer = Effect.fnUntraced(function* () {
  const { layer, world } = yield* Mail.start({ domains })
  const server = yield* TestServer.make({ verifier: layer })
  const start = (...args: ReadonlyArray<string>) =>
    CommandLine.start(["verify", ...args, "--url", server.url], { LADING_API_KEY: server.key })
  const run = (...args: ReadonlyArray<string>) => Effect.promise(() => start(...args).ended)
  return { server, world, start, run }
})

const jobOf = (out: string) => JSON.parse(readFileSync(join(`${out}.partial`, "job.json"), "utf8"))

/** Waits until the job says so, or its process has ended. */
const until = (running: CommandLine.Running, out: string, isSo: (job: any) => boolean) =>
  Effect.promise(async () => {
    const looks = () => existsSync(join(`${out}.partial`, "job.json")) && isSo(jobOf(out))
    while (!looks()) {
      if (running.child.exitCode !== null) throw new Error(`ended: ${running.stderr()}`)
      await new Promise((next) => setTimeout(next, 10))
    }
  })

const killed = (running: CommandLine.Running) =>
  Effect.promise(async () => {
    running.child.kill("SIGKILL")
    assert.isNull((await running.ended).code)
  })

/** Tests over processes that take their time on a busy machine. */
const slow = 120_000

describe("addresses at a server", () => {
  it.live(
    "are charged after somebody has agreed, once for each mailbox, and each row has its verdict",
    () =>
      Effect.gen(function* () {
        const { run, server } = yield* atServer()
        const list = yield* file("list.csv", [
          "name;E-Mail",
          "Mara;mara@acme.test",
          "Again;Mara Ellison <MARA@acme.test>",
          "None;",
          "Sales;sales@acme.test",
          "Typo;una@gmial.test"
        ])
        const refused = yield* run(list, "--quiet")
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.match(refused.stderr, /^lading: 3 addresses, billed to .* 0.15 at most; --yes agrees\n$/)
        const ended = yield* run(list, "--yes", "--json")
        assert.strictEqual(ended.code, 0, ended.stderr)
        const { millis: _, ...summary } = JSON.parse(ended.stdout)
        assert.deepStrictEqual(summary, {
          finished: true,
          rows: 5,
          addresses: 3,
          duplicates: 1,
          blank: 1,
          statuses: { safe: 1, invalid: 1, role_account: 1 },
          unverified: 0,
          credits: 0.15
        })
        const out = join(home, "list.verified.csv")
        const text = yield* Effect.promise(() => readFile(out, "utf8"))
        assert.match(text, /^name;E-Mail;email;domain;username;status;overall_score;mx_records;/)
        assert.deepStrictEqual(
          text
            .trim()
            .split("\n")
            .map((line) => line.split(";"))
            .map((row) => [row[0], row[2], row[5], row.at(-1)]),
          [
            ["name", "email", "status", "error"],
            ["Mara", "mara@acme.test", "safe", ""],
            ["Again", "MARA@acme.test", "safe", ""],
            ["None", "", "", "no address"],
            ["Sales", "sales@acme.test", "role_account", ""],
            ["Typo", "una@gmial.test", "invalid", ""]
          ]
        )
        assert.closeTo(yield* spent(server), 0.15, 1e-9)
        assert.isFalse(existsSync(`${out}.partial`))
      }),
    slow
  )

  it.live(
    "go on with the same task after SIGKILL and Ctrl-C, and are ended by --cancel",
    () =>
      Effect.gen(function* () {
        const { run, server, start } = yield* atServer()
        // A greylist: nothing is decided for five minutes.
        const list = yield* file("grey.csv", ["email", "mara@acme.test", "a@grey.test", "b@grey.test"])
        const out = join(home, "grey.verified.csv")
        const first = start(list, "--yes")
        yield* until(first, out, ({ portions }) => portions[0]?.name !== null && portions.length === 1)
        yield* killed(first)
        const job = jobOf(out)
        const [{ name }] = job.portions
        // As if it had been killed before the answer was there.
        const [portion] = job.portions
        yield* Effect.promise(() =>
          writeFile(
            join(`${out}.partial`, "job.json"),
            JSON.stringify({ ...job, portions: [{ ...portion, name: null }] })
          )
        )
        const second = start(list, "--quiet")
        yield* until(second, out, ({ portions }) => portions[0].name !== null)
        assert.strictEqual(jobOf(out).portions[0].name, name)
        second.child.kill("SIGINT")
        const stopped = yield* Effect.promise(() => second.ended)
        assert.strictEqual(stopped.code, 130)
        assert.match(stopped.stderr, /^lading: stopped; 0 of 3 .*goes on at the server.*--cancel ends it\n$/)
        const cancelled = yield* run(list, "--cancel")
        assert.strictEqual(cancelled.code, 0, cancelled.stderr)
        assert.deepStrictEqual(yield* cells(out, "lading.email", "status", "error"), [
          ["mara@acme.test", "safe", ""],
          ["", "", "not verified: cancelled"],
          ["", "", "not verified: cancelled"]
        ])
        assert.match(cancelled.stdout, /not verified {2}2\nCredits +0\.05\n/)
        assert.closeTo(yield* spent(server), 0.05, 1e-9)
      }),
    slow
  )

  it.live(
    "may be one, which is told in words",
    () =>
      Effect.gen(function* () {
        const { run } = yield* atServer()
        const { stdout } = yield* run("full@acme.test")
        assert.match(stdout, /^full@acme\.test is inbox_full \(score 20\): its mailbox is full\.\n/)
        assert.match(stdout, /has_inbox_full +yes\n[^]*Charged: 0\.05 credits\n$/)
      }),
    slow
  )
})

describe("addresses in this process", () => {
  it.live(
    "are not asked about again after SIGKILL, and greylisted ones are written as they are known where nobody waits",
    () =>
      Effect.gen(function* () {
        const { world } = yield* Mail.start({ domains })
        const environment = {
          LADING_SMTP_HELO: "probe.verifier.test",
          LADING_SMTP_FROM: "verify@verifier.test",
          LADING_SMTP_PORT: String(world.smtp.port),
          LADING_SMTP_NAME_SERVERS: world.dns.server,
          LADING_SMTP_PRIVATE: "on",
          LADING_SMTP_ZONES: "test",
          LADING_DATA_DIR: join(home, "none")
        }
        const list = yield* file("own.txt", ["mara@acme.test", "a@grey.test", "nobody@acme.test"])
        const out = join(home, "own.jsonl")
        const first = CommandLine.start(["verify", list, "--out", out], environment)
        yield* Effect.promise(async () => {
          while (!first.stderr().includes("want to be asked again (--wait)")) {
            if (first.child.exitCode !== null) throw new Error(first.stderr())
            await new Promise((next) => setTimeout(next, 10))
          }
        })
        yield* killed(first)
        assert.include(first.stderr(), "Waiting 5 min 00 s for addresses, 1 of which the hosts")
        const ended = yield* Effect.promise(() =>
          CommandLine.run(["verify", list, "--out", out, "--wait", "0", "--json"], environment)
        )
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.deepInclude(JSON.parse(ended.stdout), { statuses: { safe: 1, invalid: 1, unknown: 1 }, credits: 0 })
        const lines = (yield* Effect.promise(() => readFile(out, "utf8"))).trim().split("\n")
        assert.deepStrictEqual(
          lines.map((line) => JSON.parse(line)).map(({ result, row }) => [row.email, result.status]),
          [
            ["mara@acme.test", "safe"],
            ["a@grey.test", "unknown"],
            ["nobody@acme.test", "invalid"]
          ]
        )
        assert.strictEqual(yield* world.smtp.asked("mara@acme.test"), 1)
      }),
    slow
  )

  it.live(
    "are handed over to a verifier that takes lists",
    () =>
      Effect.gen(function* () {
        const { url } = yield* startReoon()
        const locals = ["nobody", "catch_all", "Mara", ...Array.from({ length: 9 }, (_, n) => `una${n}`)]
        const list = yield* file("reoon.csv", ["mail", ...locals.map((local) => `${local}@acme.example`), "No Address"])
        const ended = yield* Effect.promise(() =>
          CommandLine.run(["verify", list, "--quiet"], {
            LADING_VERIFIER: "reoon",
            LADING_REOON_API_KEY: "any-key-will-do",
            LADING_REOON_BASE_URL: url,
            LADING_DATA_DIR: join(home, "none")
          })
        )
        assert.strictEqual(ended.code, 0, ended.stderr)
        const rows = yield* cells(join(home, "reoon.verified.csv"), "mail", "status")
        assert.deepStrictEqual(rows.slice(0, 3), [
          ["nobody@acme.example", "invalid"],
          ["catch_all@acme.example", "catch_all"],
          ["Mara@acme.example", "safe"]
        ])
        assert.deepStrictEqual([rows.length, rows.at(-1)], [13, ["No Address", "invalid"]])
      }),
    slow
  )

  it.live(
    "are refused where nobody verifies, or there is nothing to end, and nothing is left behind",
    () =>
      Effect.gen(function* () {
        const list = yield* file("nobody.csv", ["email", "mara@acme.example"])
        const environment = { LADING_DATA_DIR: join(home, "none") }
        const [nobody, nothing] = yield* Effect.promise(() =>
          Promise.all([
            CommandLine.run(["verify", list], environment),
            CommandLine.run(["verify", list, "--sandbox", "--cancel"], environment)
          ])
        )
        assert.deepStrictEqual([nobody.code, nobody.stdout, nothing.code, nothing.stdout], [1, "", 1, ""])
        assert.match(nobody.stderr, /^lading: nobody verifies mail addresses here: set LADING_SMTP_HELO and .*\n$/)
        assert.match(nothing.stderr, /^lading: there is no job .*nobody\.verified\.csv\.partial that could be ended\n$/)
        assert.isFalse(existsSync(join(home, "nobody.verified.csv.partial")))
      }),
    slow
  )
})
