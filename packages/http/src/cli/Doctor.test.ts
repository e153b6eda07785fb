/** `lading doctor`: one real process; what it finds over real name servers, and beside a server that owns the folder. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as ApolloSimulator from "@lading/apollo/simulator"
import * as HunterSimulator from "@lading/hunter/simulator"
import { Owner } from "@lading/postgres"
import { MailWorld } from "@lading/testing/mail"
import { Effect, Redacted } from "effect"
import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as CommandLine from "../fixtures/CommandLine.ts"
import * as RedisServers from "../fixtures/RedisServers.ts"
import * as TestServer from "../fixtures/TestServer.ts"
import * as Configuration from "../server/Configuration.ts"
import type * as Check from "./doctor/Check.ts"
import * as Report from "./doctor/Report.ts"

let home = ""
beforeAll(async () => {
  home = await CommandLine.folder()
})
afterAll(() => CommandLine.remove(home))

const doctor = (environment: CommandLine.Environment, ...flags: ReadonlyArray<string>) =>
  Effect.promise(() => CommandLine.run(["doctor", ...flags], { LADING_PORT: "0", LADING_TRADE: "", ...environment }))

const found = Effect.fnUntraced(function* (environment: CommandLine.Environment) {
  const { checks, healthy } = yield* Report.make(yield* Configuration.read({ LADING_PORT: "0", ...environment }), {
    tryKeys: false
  })
  const all = JSON.stringify(checks)
  const failed = checks.flatMap(({ name, outcome }) => (outcome === "failed" ? [name] : []))
  return { healthy, failed, all, outcomes: outcomes(checks) }
})

const outcomes = (checks: ReadonlyArray<Check.Check>) =>
  Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]))

/** A machine that mail hosts would talk to, but for its port. */
const world = MailWorld.start({
  domains: { "verifier.test": { mailboxes: { verify: "exists" } } },
  zone: {
    "probe.verifier.test": { a: ["192.0.2.25"] },
    "25.2.0.192.in-addr.arpa": { ptr: "probe.verifier.test" },
    "verifier.test": { mx: [{ preference: 10, exchange: "mx.verifier.test" }], txt: ["v=spf1 ip4:192.0.2.25 -all"] }
  }
})

describe("lading doctor", () => {
  it.live("finds all well where it is, changes nothing, and says what is not set up", () =>
    Effect.gen(function* () {
      const { dns, smtp } = yield* world
      const data = join(home, "not-there")
      const { all, healthy, outcomes } = yield* found({
        LADING_DATA_DIR: data,
        LADING_PROVIDER_A_API_KEY: "marker-of-a-key",
        LADING_SMTP_HELO: "probe.verifier.test",
        LADING_SMTP_FROM: "verify@verifier.test",
        LADING_SMTP_PUBLIC_ADDRESS: "192.0.2.25",
        LADING_SMTP_NAME_SERVERS: dns.server,
        LADING_SMTP_PORT: String(smtp.port)
      })
      assert.isTrue(healthy)
      assert.deepStrictEqual(outcomes, {
        settings: "ok",
        data_folder: "ok",
        disk: "ok",
        address: "ok",
        vendor_keys: "ok",
        redis: "off",
        customs: "off",
        provider_a: "ok",
        provider_b: "off",
        provider_c: "off",
        provider_d: "ok",
        website: "off",
        verifier: "ok",
        port_25: "unknown",
        hello_address: "ok",
        reverse_name: "ok",
        sender_spf: "ok",
        sender_mail: "ok"
      })
      assert.isFalse(existsSync(data))
      assert.notInclude(all, "marker")
    })
  )

  it.live("names what is not well and what to do, without a secret, and ends with 1", () =>
    Effect.gen(function* () {
      const { dns } = yield* world
      const file = join(home, "file")
      yield* Effect.promise(() => writeFile(file, ""))
      const { code, stderr, stdout } = yield* doctor({
        LADING_DATA_DIR: join(file, "data"),
        LADING_PROVDER_A_API_KEY: "marker-one",
        LADING_PROVIDER_B_API_KEY: "marker-two",
        LADING_CLICKHOUSE_URL: "http://lading:marker@127.0.0.1:1/lading",
        LADING_SMTP_HELO: "nobody.verifier.test",
        LADING_SMTP_FROM: "verify@nowhere.test",
        LADING_SMTP_NAME_SERVERS: dns.server,
        LADING_SMTP_PRIVATE: "on"
      })
      assert.strictEqual(code, 1)
      assert.strictEqual(stderr, "lading: not well: data_folder, customs, provider_b, hello_address, sender_mail\n")
      for (const said of [
        "LADING_PROVDER_A_API_KEY is not known; did you mean LADING_PROVIDER_A_API_KEY?",
        "ENOTDIR; let this user write there, or choose another LADING_DATA_DIR",
        "LADING_CLICKHOUSE_URL cannot be used: the column store answered ECONNREFUSED",
        "LADING_PROVIDER_B_API_KEY: expected nothing: the adapter snov takes a client id and its secret",
        "nobody.verifier.test has no address: give it one",
        "at which public address this machine (or its proxy) is seen: set LADING_SMTP_PUBLIC_ADDRESS"
      ])
        assert.include(stdout, said)
      assert.notInclude(stdout, "marker")
    })
  )

  it.live("tries the platform's keys where that is wanted, and says which variable holds a wrong one", () =>
    Effect.gen(function* () {
      const [apollo, hunter] = [
        yield* ApolloSimulator.start({ credentials: ["marker-right"] }),
        yield* HunterSimulator.start({ credentials: ["marker-right"] })
      ]
      const environment = {
        LADING_DATA_DIR: join(home, "tried"),
        LADING_VERIFIER: "none",
        LADING_PROVIDER_A_API_KEY: "marker-right",
        LADING_PROVIDER_A_BASE_URL: apollo.url,
        LADING_PROVIDER_C_API_KEY: "marker-wrong",
        LADING_PROVIDER_C_BASE_URL: hunter.url
      }
      yield* doctor(environment)
      assert.deepStrictEqual([yield* apollo.calls, yield* hunter.calls], [[], []])
      const { code, stderr, stdout } = yield* doctor(environment, "--try-keys")
      assert.deepStrictEqual([code, stderr], [1, "lading: not well: provider_c\n"])
      assert.include(stdout, "apollo is set up, and takes the key.")
      assert.include(stdout, "hunter does not take the key of LADING_PROVIDER_C_API_KEY.")
      assert.notInclude(stdout, "marker")
    })
  )

  it.live("asks the server that owns the folder, and wants what a verifier needs", () =>
    Effect.gen(function* () {
      const data = join(home, "owned")
      const server = yield* TestServer.make()
      const owner = yield* Owner.lock(data)
      yield* owner.announce(server.url)
      const answering = yield* found({ LADING_DATA_DIR: data, LADING_VERIFIER: "reoon" })
      const { data_folder, server: seen, verifier } = answering.outcomes
      assert.deepStrictEqual([data_folder, seen, verifier], ["ok", "ok", "failed"])
      assert.include(answering.all, "set LADING_REOON_API_KEY")
      yield* owner.announce("http://127.0.0.1:1")
      const silent = yield* found({ LADING_DATA_DIR: data, LADING_VERIFIER: "none" })
      assert.deepStrictEqual([silent.failed, silent.outcomes["verifier"]], [["server"], "off"])
    })
  )

  it.live("asks the database for nothing but its version", () =>
    Effect.gen(function* () {
      const { all, failed } = yield* found({
        LADING_DATABASE_URL: "postgres://lading:marker@127.0.0.1:1/lading"
      })
      assert.deepStrictEqual(failed, ["database"])
      assert.include(all, "LADING_DATABASE_URL cannot be used: ConnectionError ECONNREFUSED")
      assert.include(all, "LADING_SEAL_KEY is not set")
      assert.include(all, "Accounts cannot store vendor keys: set LADING_VAULT_KEY.")
      assert.notInclude(all, "marker")
    })
  )

  it.live("says whether Redis answers and takes what is written, without its password", () =>
    Effect.gen(function* () {
      const { all, failed } = yield* found({ LADING_REDIS_URL: "redis://:marker@127.0.0.1:1" })
      assert.deepStrictEqual(failed, ["redis"])
      assert.include(all, "The server of LADING_REDIS_URL cannot be used: ECONNREFUSED.")
      assert.notInclude(all, "marker")
    })
  )

  RedisServers.withServer(() => {
    it.live("names the version of a Redis that is there", () =>
      Effect.gen(function* () {
        const redis = yield* RedisServers.make
        const { all, outcomes } = yield* found({ LADING_REDIS_URL: Redacted.value(redis.url) })
        assert.strictEqual(outcomes["redis"], "ok")
        assert.match(all, /Redis answers, version \d+\.\d+\.\d+, and takes what is written\./)
        assert.notInclude(all, RedisServers.password)
      })
    )
  })
})
