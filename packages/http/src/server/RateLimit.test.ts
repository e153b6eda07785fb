/** Limits of keys and of the accounts behind them, over real HTTP. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestServer from "../fixtures/TestServer.ts"

const window = 3_600_000

const asking = (server: TestServer.TestServer) => (key: string) =>
  Effect.promise(() => server.send("/api/company/enrich", { key, body: TestServer.acme }))

const limitsOf = ({ headers }: TestServer.Sent) => [headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]

describe("the limit of an account", () => {
  it.live("is one for all of its keys, and each account's own", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({ accountRateLimit: { requests: 3, window } })
      const ask = asking(server)
      const second = "lad_live_second-key"
      yield* server.addKey(second, ["company"])
      const stranger = yield* server.addAccount("stranger", "lad_live_key-of-a-stranger")
      for (const key of [server.key, second, server.key]) assert.strictEqual((yield* ask(key)).status, 200)
      for (const key of [server.key, second]) {
        const { body, headers, status } = yield* ask(key)
        assert.deepStrictEqual([status, body.error.code, body.error.retryable], [429, "rate_limited", true])
        assert.strictEqual(body.error.message, "The account asks too often with all of its keys, see Retry-After")
        assert.match(headers.get("retry-after") ?? "", /^\d{3,4}$/)
        assert.deepStrictEqual(
          [...limitsOf({ body, headers, status }), headers.get("ratelimit-reset")],
          ["3", "0", headers.get("retry-after")]
        )
      }
      assert.deepStrictEqual(limitsOf(yield* ask(stranger)), ["3", "2"])
    })
  )

  it.live("loses nothing to what a key's own limit refuses, nor the key to what the account's refuses", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({
        rateLimit: { requests: 2, window },
        accountRateLimit: { requests: 3, window }
      })
      const ask = asking(server)
      const second = "lad_live_second-key"
      yield* server.addKey(second, ["company"])
      const statuses = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.map(ask(server.key), ({ status }) => status))
      assert.deepStrictEqual(statuses, [200, 200, 429, 429, 429])
      assert.strictEqual((yield* ask(second)).status, 200)
      const refused = yield* ask(second)
      assert.deepStrictEqual([refused.status, limitsOf(refused)], [429, ["3", "0"]])
    })
  )

  it.live("stands in the headers where it is the tighter one, and is told to the account", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({
        rateLimit: { requests: 4, window: 60_000 },
        accountRateLimit: { requests: 5, window: 60_000 },
        accountInFlight: 7
      })
      const ask = asking(server)
      const second = "lad_live_second-key"
      yield* server.addKey(second, ["company"])
      assert.deepStrictEqual(limitsOf(yield* ask(server.key)), ["4", "3"])
      assert.deepStrictEqual(limitsOf(yield* ask(server.key)), ["4", "2"])
      assert.deepStrictEqual(limitsOf(yield* ask(second)), ["5", "2"])
      const { body } = yield* Effect.promise(() => server.send("/api/account"))
      assert.deepStrictEqual(body.data.limits, {
        requests_per_minute: 4,
        account_requests_per_minute: 5,
        account_requests_at_once: 7
      })
    })
  )

  it.live("is asked about known keys only: invented ones fill nothing", () =>
    Effect.gen(function* () {
      const server = yield* TestServer.make({
        rateLimit: { requests: 1, window },
        accountRateLimit: { requests: 1, window }
      })
      const ask = asking(server)
      for (let index = 0; index < 20; index++) {
        const refused = yield* ask(`lad_live_invented-key-number-${index}`)
        assert.deepStrictEqual([refused.status, ...limitsOf(refused)], [401, null, null])
      }
      assert.strictEqual((yield* ask(server.key)).status, 200)
    })
  )
})
