/** Rows whose vendor answers later: Snov.io's simulator behind a real server, and the command in processes of its own. */
import { assert, beforeAll, afterAll, describe, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import { Slots, type Source } from "@lading/core/waterfall"
import * as Snov from "@lading/snov"
import * as SnovSimulator from "@lading/snov/simulator"
import { Effect, Redacted, Schedule, Stream } from "effect"
import { Csv } from "effect/encoding"
import { FetchHttpClient } from "effect/http"
import { existsSync } from "node:fs"
import { appendFile, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as CommandLine from "../fixtures/CommandLine.ts"
import * as TestServer from "../fixtures/TestServer.ts"

const domain = "nordvik-robotics.example"
const client: Source.Credential = { _tag: "Client", id: Redacted.make("id"), secret: Redacted.make("secret") }

let home = ""
beforeAll(async () => {
  home = await CommandLine.folder()
})
afterAll(() => CommandLine.remove(home))

/** A server whose one source is not ready until it is told to be. */
const world = Effect.gen(function* () {
  const simulator = yield* SnovSimulator.start({ polls: Number.POSITIVE_INFINITY })
  const source = yield* Snov.make({ baseUrl: simulator.url, pace: { first: 0, every: 5, patience: 30 } })
  const server = yield* TestServer.make({ slots: [Slots.bound("provider_b", source, client)] })
  return { simulator, server }
}).pipe(Effect.provide(FetchHttpClient.layer))

const file = (name: string, people: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const path = join(home, name)
    const rows = people.map((person, n) => `${person},${domain},${n}`)
    await writeFile(path, `first name,last name,domain,n\n${rows.join("\n")}\n`)
    return path
  })

const table = (path: string) =>
  Effect.promise(() => readFile(path, "utf8")).pipe(
    Effect.flatMap((text) =>
      Stream.make(text).pipe(Stream.pipeThroughChannel(Csv.decodeString({ headers: true })), Stream.runCollect)
    )
  )

const statuses = (rows: ReadonlyArray<Readonly<Record<string, string>>>) =>
  rows.map(({ n, status }) => `${n} ${status}`)

const spentIn = (rows: ReadonlyArray<Readonly<Record<string, string>>>): number =>
  Math.round(rows.reduce((sum, { credits }) => sum + Number(credits), 0) * Credits.scale)

const enrich = (path: string, out: string, { key, url }: TestServer.TestServer, ...args: ReadonlyArray<string>) =>
  CommandLine.start(["enrich", path, "--out", out, "--url", url, ...args], { LADING_API_KEY: key })

const ended = (running: CommandLine.Running) => Effect.promise(() => running.ended)

/** Until its error output holds the text. */
const said = (running: CommandLine.Running, text: string) =>
  Effect.promise(async () => {
    while (!running.stderr().includes(text)) {
      if (running.child.exitCode !== null) throw new Error(`ended before it said ${text}: ${running.stderr()}`)
      await new Promise((next) => setTimeout(next, 10))
    }
  })

const three = ["Mara,Ellison", "Una,Nobody", "Mara,Ellison"]

describe("rows whose answers come later", () => {
  it.live(
    "are waited for, over a SIGKILL too, and stand in their places with what they cost in the end",
    () =>
      Effect.gen(function* () {
        const { server, simulator } = yield* world
        const [path, out] = [yield* file("killed.csv", three), join(home, "killed-result.csv")]
        const killed = enrich(path, out, server)
        yield* said(killed, "waiting for 3,")
        killed.child.kill("SIGKILL")
        yield* ended(killed)
        assert.isFalse(existsSync(out))

        const again = enrich(path, out, server)
        yield* said(again, "waiting for 3,")
        yield* simulator.finishTasks
        const { code, stderr } = yield* ended(again)
        assert.strictEqual(code, 0, stderr)
        const rows = yield* table(out)
        assert.deepStrictEqual(statuses(rows), ["0 ok", "1 nothing_found", "2 ok"])
        assert.deepStrictEqual(
          rows.map((row) => row["emails_source"]),
          ["provider_b", "", "provider_b"]
        )
        assert.isFalse(existsSync(`${out}.partial`))
        const { captured, held } = yield* server.balance
        assert.deepStrictEqual([spentIn(rows), held], [captured, 0])
      }),
    240_000
  )

  it.live(
    "are written as pending where nobody waits; the same command fetches the rest, into the file that it wrote only",
    () =>
      Effect.gen(function* () {
        const { server, simulator } = yield* world
        const [path, out] = [yield* file("later.csv", three), join(home, "later-result.csv")]
        const first = yield* ended(enrich(path, out, server, "--wait", "0", "--json"))
        assert.strictEqual(first.code, 0, first.stderr)
        assert.deepInclude(JSON.parse(first.stdout), { finished: true, rows: 3, pending: 3 })
        assert.include(first.stderr, "Still pending: 3; the same command fetches them")
        const rows = yield* table(out)
        assert.deepStrictEqual(statuses(rows), ["0 pending", "1 pending", "2 pending"])
        assert.isTrue(rows.every(({ request_id }) => request_id?.startsWith("req_")))
        yield* simulator.finishTasks

        const written = yield* Effect.promise(() => readFile(out, "utf8"))
        yield* Effect.promise(() => appendFile(out, "a note\n"))
        const changed = yield* ended(enrich(path, out, server))
        assert.deepStrictEqual([changed.code, changed.stdout], [1, ""])
        assert.include(changed.stderr, "was changed since it was written; move it away")
        yield* Effect.promise(() => writeFile(out, written))

        const second = yield* ended(enrich(path, out, server))
        assert.strictEqual(second.code, 0, second.stderr)
        const complete = yield* table(out)
        assert.deepStrictEqual(statuses(complete), ["0 ok", "1 nothing_found", "2 ok"])
        assert.deepStrictEqual(
          complete.map(({ request_id }) => request_id),
          rows.map(({ request_id }) => request_id)
        )
        assert.isFalse(existsSync(`${out}.partial`))
        assert.strictEqual(spentIn(complete), (yield* server.balance).captured)
      }),
    240_000
  )

  it.live(
    "give back to the ceiling what they did not cost, and the run goes on with it",
    () =>
      Effect.gen(function* () {
        const { server, simulator } = yield* world
        const path = yield* file("ceiling.csv", ["Una,Nobody", "Udo,Noone", "Mara,Ellison"])
        const out = join(home, "ceiling-result.jsonl")
        // A row may cost 1.1, a row that finds nothing costs 0.1: two of three fit before anything is known.
        const running = enrich(path, out, server, "--max-credits", "2.3")
        yield* said(running, "waiting for 2,")
        yield* simulator.finishTasks
        yield* said(running, "waiting for 1,")
        yield* simulator.finishTasks
        const { code, stderr } = yield* ended(running)
        assert.strictEqual(code, 0, stderr)
        const lines = (yield* Effect.promise(() => readFile(out, "utf8"))).trim().split("\n")
        const rows = lines.map((line) => JSON.parse(line))
        assert.deepStrictEqual(
          rows.map(({ row, status, credits }) => [row.n, status, credits]),
          [
            ["0", "nothing_found", 0.1],
            ["1", "nothing_found", 0.1],
            ["2", "ok", 1.1]
          ]
        )
        assert.strictEqual(rows[2].answer.status, "completed")
      }),
    240_000
  )

  it.live(
    "are waited for without a server too, and asked again by the next process",
    () =>
      Effect.gen(function* () {
        const simulator = yield* SnovSimulator.start({ polls: Number.POSITIVE_INFINITY })
        const [path, out] = [yield* file("here.csv", three), join(home, "here-result.csv")]
        const environment = {
          LADING_DATA_DIR: home,
          LADING_PROVIDER_B_ADAPTER: "snov",
          LADING_PROVIDER_B_BASE_URL: simulator.url,
          LADING_PROVIDER_B_CLIENT_ID: "id",
          LADING_PROVIDER_B_CLIENT_SECRET: "secret",
          LADING_SOURCE_ORDER: "provider_b"
        }
        const here = () => CommandLine.start(["enrich", path, "--out", out], environment)
        const killed = here()
        yield* said(killed, "waiting for 3,")
        killed.child.kill("SIGKILL")
        yield* ended(killed)
        const again = here()
        yield* said(again, "waiting for 3,")
        // Whatever the second process begins, whenever it does.
        const finishing = Effect.repeat(simulator.finishTasks, Schedule.spaced("100 millis"))
        const { code, stderr } = yield* Effect.race(ended(again), Effect.andThen(finishing, Effect.never))
        assert.strictEqual(code, 0, stderr)
        assert.deepStrictEqual(statuses(yield* table(out)), ["0 ok", "1 nothing_found", "2 ok"])
      }),
    240_000
  )
})
