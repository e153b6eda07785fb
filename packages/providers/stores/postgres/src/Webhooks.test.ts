/** What is particular to webhooks in a database: they are sealed, and another key opens nothing. */
import { assert, it } from "@effect/vitest"
import { Outbox, Webhooks } from "@lading/core/net"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Databases from "./fixtures/Databases.ts"
import { Database } from "./index.ts"
import * as Seal from "./Seal.ts"
import * as PostgresWebhooks from "./Webhooks.ts"

const claiming: Outbox.Claiming = { limit: 9, lease: 0, perLane: 9, perAccount: 9, running: [] }

const over = (seal: Layer.Layer<Seal.Seal>) => Layer.fresh(Layer.provide(PostgresWebhooks.layer, seal))

it.effect(
  "no row shows an address, a body, a secret or an event's id, and a server with another key cannot read them",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const url = "https://receiver.example/marker"
      yield* Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const event = { account: "acc_1", url, type: "test", data: "marker", subjects: ["email:marker@acme.example"] }
        yield* webhooks.send({ ...event, id: "marker" })
        yield* webhooks.rotate("acc_1")
      }).pipe(Effect.provide(over(Databases.seal)))
      for (const table of ["webhook_deliveries", "webhook_secrets"]) {
        const [row] = yield* sql<{
          text: string
        }>`select string_agg(t::text, ' ') as text from ${sql(`lading.${table}`)} t`
        for (const text of ["marker", "receiver.example", "whsec_"]) {
          assert.notInclude(row?.text, text)
          assert.notInclude(row?.text, Buffer.from(text).toString("hex"))
        }
      }
      yield* Effect.gen(function* () {
        const webhooks = yield* Webhooks.Webhooks
        const outbox = yield* Outbox.Outbox
        const { due } = yield* outbox.claim(claiming)
        assert.deepStrictEqual(
          due.map(({ content }) => content),
          [null]
        )
        const { deliveries } = yield* webhooks.list("acc_1", 1, 9)
        assert.deepStrictEqual(
          deliveries.map(({ url }) => url),
          [null]
        )
      }).pipe(Effect.provide(over(Seal.layerEphemeral)))
      yield* Effect.gen(function* () {
        const { due } = yield* Effect.flatMap(Outbox.Outbox, (outbox) => outbox.claim(claiming))
        assert.deepStrictEqual([due[0]?.content?.url, due[0]?.content?.secrets.length], [url, 2])
      }).pipe(Effect.provide(over(Databases.seal)))
    }).pipe(Effect.provide(Layer.fresh(Database.layerEmbeddedMemory))),
  240_000
)
