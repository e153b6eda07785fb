/**
 * The suite of the port over HTTP: on the bridge (`fixtures/Bridge.ts`), and on the ClickHouse server that
 * `LADING_TEST_CLICKHOUSE_URL` names, in a database of its own there.
 */
import { tradeStoreSuite } from "@lading/testing/suites"
import { createClient } from "@clickhouse/client"
import { Effect, Layer, Redacted } from "effect"
import { describe, it } from "vitest"
import * as Bridge from "./fixtures/Bridge.ts"
import * as Clickhouse from "./index.ts"

const over = (url: Redacted.Redacted) => Clickhouse.layer.pipe(Layer.provide(Clickhouse.Engine.layerUrl(url)))

const bridged = Layer.unwrap(Effect.map(Bridge.start, ({ url }) => over(url)))

/** A database of this run on a server, dropped at its end. */
const served = (server: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const name = `lading_test_${process.pid}`
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => createClient({ url: server })),
        (client) =>
          Effect.promise(async () => {
            await client.command({ query: `DROP DATABASE IF EXISTS ${name}` })
            await client.close()
          })
      )
      yield* Effect.promise(() => client.command({ query: `CREATE DATABASE ${name}` }))
      const url = new URL(server)
      url.pathname = `/${name}`
      return over(Redacted.make(url.href))
    })
  )

const server = process.env["LADING_TEST_CLICKHOUSE_URL"]

if (Bridge.missing === null) tradeStoreSuite("HTTP, chDB behind it", bridged, { questions: 180, steps: 8 })
if (server !== undefined) tradeStoreSuite("a ClickHouse server", served(server))

describe("TradeStore over HTTP", () => {
  const without = server === undefined ? "LADING_TEST_CLICKHOUSE_URL is not set" : null
  it.skipIf(Bridge.missing !== null)(`runs on chDB (${Bridge.missing ?? "found"})`, () => {})
  it.skipIf(without !== null)(`runs on a ClickHouse server (${without ?? "given"})`, () => {})
})
