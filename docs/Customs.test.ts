/** Runs every request that docs/customs.md shows against a sandbox, and compares the answer with what the page says. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { HttpApi } from "effect/http-api"
import { LadingApi } from "../packages/http/src/api/index.ts"
import * as Curl from "./fixtures/Curl.ts"
import * as Markdown from "./fixtures/Markdown.ts"
import * as Sandbox from "./fixtures/Sandbox.ts"
import { differences } from "./fixtures/Shown.ts"

const page = "docs/customs.md"
const key = "lad_live_customs-page-of-a-sandbox"
const all = Markdown.blocks(page)
const shown = all.flatMap((block, index) => (block.text.startsWith("curl") ? [{ block, answer: all[index + 1] }] : []))

let sandbox: Sandbox.Sandbox

beforeAll(async () => {
  sandbox = await Sandbox.start(key, { LADING_TRADE: "sample" })
})

afterAll(() => sandbox?.stop())

const request = (text: string) => Curl.read(text, { LADING_API_KEY: key })

it("the page shows every endpoint once", () => {
  const paths: Array<string> = []
  HttpApi.reflect(LadingApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      if (group.identifier === "customs") paths.push(endpoint.path)
    }
  })
  const told = shown.map(({ block }) => new URL(request(block.text).url).pathname)
  assert.deepStrictEqual(told.toSorted(), paths.toSorted())
})

describe("docs/customs.md shows what comes", () => {
  it.each(shown.map(({ answer, block }) => ({ at: block.at, text: block.text, answer })))("$at", async (one) => {
    const { body, headers, method, url } = request(one.text)
    const path = new URL(url).pathname
    const sent = await fetch(sandbox.url + path, { method, headers, ...(body === null ? {} : { body }) })
    const { data } = (await sent.json()) as { readonly data: { readonly data: unknown } | null }
    assert.deepStrictEqual(differences(JSON.parse(one.answer?.text ?? ""), data?.data), [], path)
  })
})
