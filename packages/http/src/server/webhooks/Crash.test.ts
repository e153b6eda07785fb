/**
 * Webhooks through real servers: killed between the acceptance of an event and its delivery, and two at work on one
 * database. Receivers are real, and verify what they get as the standard's own library does.
 */
import { assert, it } from "@effect/vitest"
import { Webhooks, WebhookUrl } from "@lading/core/net"
import { Context, Effect, Layer, Logger, Result } from "effect"
import { Dns } from "effect/net"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import * as CommandLine from "../../fixtures/CommandLine.ts"
import * as CrashDatabase from "../../fixtures/CrashDatabase.ts"
import type { Address } from "../../fixtures/CrashLoad.ts"
import * as CrashServer from "../../fixtures/CrashServer.ts"
import * as Receivers from "../../fixtures/Receivers.ts"
import * as FirstAccount from "../FirstAccount.ts"
import * as Sender from "./Sender.ts"

const minute = 60_000

const marker = "marker-of-a-body"

const event = (id: string, account: string, url: string): Webhooks.Event => ({
  id,
  account,
  url: `${url}/hook?marker-of-a-query`,
  type: "person.enriched",
  data: { text: marker },
  subjects: []
})

/** Hands an event over in this process; no server may live on a folder meanwhile. */
const handOver = ({ stores }: CrashDatabase.Place, url: string) =>
  Effect.gen(function* () {
    const { id } = yield* FirstAccount.find
    yield* Effect.flatMap(Webhooks.Webhooks, ({ send }) => send(event("one", id, url)))
  }).pipe(Effect.provide(Layer.fresh(stores)))

const ask = ({ apiKey, url }: Address, path: string, body?: object): Effect.Effect<any> =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/api/webhooks${path}`, {
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    assert.strictEqual(answer.status, 200)
    return ((await answer.json()) as { data: unknown }).data
  })

/** The only delivery, once it looks like this. */
const delivery = Effect.fnUntraced(function* (address: Address, holds: (delivery: any) => boolean) {
  let found: any
  yield* Receivers.until(
    "the delivery is in the log",
    Effect.map(ask(address, "/deliveries"), ({ list, total }) => {
      assert.strictEqual(total, 1)
      found = list[0]
      return holds(found)
    })
  )
  return found
})

/** The rows of every table as text, and in bytes. */
const everything = (place: CrashDatabase.Place) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'lading' and table_type = 'BASE TABLE'`
    const rows = yield* Effect.forEach(
      tables,
      ({ name }) => sql<{ text: string }>`select t::text as text from ${sql(`lading.${name}`)} as t`
    )
    return rows
      .flat()
      .map(({ text }) => text)
      .join("\n")
  }).pipe(Effect.provide(Layer.fresh(place.stores)))

const run = Effect.fnUntraced(function* (place: CrashDatabase.Place) {
  const receiver = yield* Receivers.start(null)
  const environment = { ...place.environment, LADING_WEBHOOK_INSECURE: "on" }
  const live = (ahead: number, visit: (address: Address) => Effect.Effect<unknown>) =>
    Effect.map(CrashServer.live({ ahead, death: null }, environment, visit), (ended) =>
      assert.strictEqual(ended, "SIGKILL")
    )
  let secret = ""
  yield* live(0, (address) => Effect.map(ask(address, "/secret", {}), (data) => (secret = data.secret)))
  yield* place.quiet
  yield* handOver(place, receiver.url)
  // Killed while it is in the air.
  yield* live(0, () => Receivers.until("it is in the air", () => receiver.received.length === 1))
  receiver.react = Receivers.answering(410)
  // The claim of the dead is over: it is sent again, and then given up. Killed as soon as a replay was accepted.
  yield* live(1.5 * minute, (address) =>
    Effect.gen(function* () {
      const { id } = yield* delivery(address, ({ state }) => state === "failed")
      receiver.react = null
      assert.strictEqual((yield* ask(address, `/deliveries/${id}/replay`, {})).state, "waiting")
    })
  )
  receiver.react = Receivers.answering(204)
  yield* live(3 * minute, (address) => delivery(address, ({ state }) => state === "delivered"))
  const ids = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))
  assert.strictEqual(ids.size, 1)
  for (const { body, headers } of receiver.received) {
    const verified: any = new Webhook(secret).verify(body, headers)
    assert.deepStrictEqual(verified.data, { text: marker })
  }
  yield* place.quiet
  const rows = yield* everything(place)
  assert.include(rows, [...ids].join())
  for (const text of [secret, secret.slice(6), marker, "marker-of-a-query"]) {
    assert.notInclude(rows, text)
    assert.notInclude(rows, Buffer.from(text).toString("hex"))
    const folder = place.environment["LADING_DATA_DIR"] ?? ""
    assert.isFalse(yield* Effect.promise(() => CommandLine.holds(folder, text)), text)
  }
})

it.live(
  "in a folder: what a killed server had accepted is delivered by the next one, and stands nowhere in plain text",
  () => Effect.flatMap(CrashDatabase.folder, run),
  240_000
)

/** One of several servers: its own pool, and its own sender. */
const server = Effect.fnUntraced(function* (place: CrashDatabase.Place) {
  const dns = Layer.succeed(Dns.Dns, Result.getOrThrow(Dns.makeStatic({ hosts: {} })))
  const policy = Layer.succeed(WebhookUrl.Policy, { insecure: true })
  const context = yield* Layer.build(
    Layer.fresh(
      Sender.layer().pipe(
        Layer.provide([dns, policy]),
        Layer.provideMerge(place.stores),
        Layer.provide(Logger.layer([]))
      )
    )
  )
  return Context.get(context, Webhooks.Webhooks)
})

await CrashDatabase.onServer(() => {
  it.live(
    "on PostgreSQL: what a killed server had accepted is delivered by the next one, and stands nowhere in plain text",
    () => Effect.flatMap(CrashDatabase.postgres, run),
    240_000
  )

  it.live(
    "two servers on one PostgreSQL deliver each event once",
    () =>
      Effect.gen(function* () {
        const place = yield* CrashDatabase.postgres
        const receiver = yield* Receivers.start()
        const servers = [yield* server(place), yield* server(place)]
        const count = 400
        yield* Effect.forEach(
          Array.from({ length: count }, (_, at) => at),
          (at) => servers[at % 2]!.send(event(`${at}`, `acc_${at % 5}`, receiver.url)),
          { concurrency: 8, discard: true }
        )
        yield* Receivers.until("all have arrived", () => receiver.received.length >= count)
        for (let account = 0; account < 5; account++) {
          yield* Receivers.until(
            "all are in the log",
            Effect.map(servers[0]!.list(`acc_${account}`, 1, 100), ({ deliveries }) =>
              deliveries.every(({ attempts, state }) => state === "delivered" && attempts === 1)
            )
          )
        }
        assert.lengthOf(receiver.received, count)
        assert.strictEqual(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, count)
      }),
    240_000
  )
})
