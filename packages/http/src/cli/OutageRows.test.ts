/** Rows at a server that is away for a while: a row that nobody could answer is an error, many of them are an outage. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage } from "node:http"
import { join } from "node:path"
import { body } from "../api/Refusal.ts"
import * as CommandLine from "../fixtures/CommandLine.ts"
import * as TestServer from "../fixtures/TestServer.ts"

let home = ""
beforeAll(async () => {
  home = await CommandLine.folder()
})
afterAll(() => CommandLine.remove(home))

const refusal = JSON.stringify(
  body({
    request_id: "req_away",
    message: "a store is down",
    code: "unavailable",
    retryable: true,
    details: [],
    retry_after: null
  })
)

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const piece of request) text += String(piece)
  return text
}

/** In front of a real server: what it is away for is a 503. */
const inFront = Effect.fnUntraced(function* (away: (text: string) => boolean) {
  const { key, url } = yield* TestServer.make()
  const proxy = createServer((request, response) => {
    void textOf(request).then(async (text) => {
      response.setHeader("content-type", "application/json")
      response.setHeader("x-request-id", "req_away")
      if (away(text)) return response.writeHead(503).end(refusal)
      const headers = { "content-type": "application/json", authorization: `Bearer ${key}` }
      const answer = await fetch(`${url}${request.url}`, { method: "POST", headers, body: text })
      return response.writeHead(answer.status).end(await answer.text())
    })
  })
  yield* Effect.promise(() => once(proxy.listen(0, "127.0.0.1"), "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => proxy.close()))
  const address = proxy.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
})

const enrich = Effect.fnUntraced(function* (url: string, name: string, rows: number, ...args: ReadonlyArray<string>) {
  const [path, out] = [join(home, `${name}.csv`), join(home, `${name}.jsonl`)]
  const domains = Array.from({ length: rows }, (_, n) => `firm-${n}.example`)
  yield* Effect.promise(() => writeFile(path, `domain\n${domains.join("\n")}\n`))
  const options = ["--url", url, "--quiet", "--concurrency", "20", ...args]
  const run = () =>
    CommandLine.run(["enrich", path, "--out", out, ...options], { LADING_API_KEY: "key-of-a-test-of-an-outage" })
  return { out, run }
})

const statuses = (out: string) =>
  Effect.promise(async () =>
    (await readFile(out, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).status)
  )

describe("rows at a server that is away", () => {
  it.live(
    "stop before the first of many that nobody could answer, and are asked again by the same command",
    () =>
      Effect.gen(function* () {
        let away = (text: string) => !/firm-[0-3][.]/.test(text)
        const url = yield* inFront((text) => away(text))
        const { out, run } = yield* enrich(url, "outage", 12, "--stop-after", "3")
        const stopped = yield* Effect.promise(run)
        assert.strictEqual(stopped.code, 1, stopped.stderr)
        assert.include(stopped.stderr, "3 rows in a row could not be answered, the last one: a store is down")
        assert.include(stopped.stderr, "4 of 12 rows are safe")
        away = () => false
        const { code, stderr } = yield* Effect.promise(run)
        assert.strictEqual(code, 0, stderr)
        assert.deepStrictEqual(
          yield* statuses(out),
          Array.from({ length: 12 }, () => "ok")
        )
      }),
    240_000
  )

  it.live(
    "keep the error of a single one, and of the last ones of a file",
    () =>
      Effect.gen(function* () {
        const url = yield* inFront((text) => /firm-[1245][.]/.test(text))
        const { out, run } = yield* enrich(url, "single", 6, "--stop-after", "3")
        const { code, stderr } = yield* Effect.promise(run)
        assert.strictEqual(code, 0, stderr)
        assert.deepStrictEqual(yield* statuses(out), ["ok", "error", "error", "ok", "error", "error"])
      }),
    240_000
  )
})
