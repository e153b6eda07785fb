/**
 * Webhooks in PostgreSQL: events are durable once `send` has returned, in one statement, and known by a digest of account
 * and id. Addresses, bodies and secrets are sealed.
 */
import { Outbox, WebhookMessage, Webhooks } from "@lading/core/net"
import { Clock, Context, Effect, Latch, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Erasing from "./Erasing.ts"
import * as Int8 from "./Int8.ts"
import * as PostgresOutbox from "./Outbox.ts"
import { placeOf, unavailable } from "./Outbox.ts"
import { Seal } from "./Seal.ts"
import * as WebhookLog from "./WebhookLog.ts"

/** Rows that one statement of the sweep deletes. */
const swept = 10_000

/** The same for the same event of an account, and for no other. */
const idOf = ({ account, id }: Webhooks.Event): string =>
  `msg_${createHash("sha256")
    .update(JSON.stringify([account, id]))
    .digest("base64url")
    .slice(0, 32)}`

const laneOf = ({ account, url }: Webhooks.Event): string =>
  digestOf(JSON.stringify([account, URL.parse(url)?.origin ?? ""]))

/** What hands over and what forgets. */
const writing = (sql: SqlClient.SqlClient, { seal }: Seal["Service"], arrived: Latch.Latch) => {
  const send = Effect.fnUntraced(function* (event: Webhooks.Event) {
    const now = yield* Clock.currentTimeMillis
    const id = idOf(event)
    const secret = Redacted.value(WebhookMessage.generateSecret())
    yield* bounded(
      sql`with secret as (
          insert into lading.webhook_secrets (account, sealed)
            values (${event.account}, ${seal(secret, placeOf.secret(event.account))})
            on conflict (account) where valid_until is null do nothing
        )
        insert into lading.webhook_deliveries
            (id, account, lane, type, url, body, subjects, created_at, next_at, expires_at, kept_until)
          select ${id}, ${event.account}, ${laneOf(event)}, ${event.type}, ${seal(event.url, placeOf.url(id))}::bytea,
              ${seal(WebhookMessage.bodyOf(event, now), placeOf.body(id))}::bytea, fresh.subjects, ${Int8.from(now)}::bigint,
              ${Int8.from(now)}::bigint, ${Int8.from(now + WebhookMessage.patience)}::bigint,
              ${Int8.from(now + WebhookMessage.keeping)}::bigint
            from (select ${event.subjects.map(digestOf)}::text[] as subjects) fresh
            where not exists (select 1 from lading.suppressions where digest = any(fresh.subjects))
          on conflict (id) do nothing`,
      unavailable
    )
    yield* arrived.open
  })

  const rotate = Effect.fnUntraced(function* (account: string) {
    const now = yield* Clock.currentTimeMillis
    const secret = WebhookMessage.generateSecret()
    const sealed = seal(Redacted.value(secret), placeOf.secret(account))
    const [row] = yield* bounded(
      sql<{ until: bigint | null }>`select lading.rotate_webhook_secret(${account}, ${sealed}, ${Int8.from(now)},
        ${Int8.from(now + WebhookMessage.patience)}, ${WebhookMessage.secretsAtOnce}::int) as until`,
      unavailable
    )
    if (row === undefined) return yield* unavailable("no row")
    return { secret, previous_valid_until: row.until === null ? null : Number(row.until) }
  })

  const sweep = Effect.gen(function* () {
    const now = Int8.from(yield* Clock.currentTimeMillis)
    yield* bounded(sql`delete from lading.webhook_secrets where valid_until <= ${now}`, unavailable)
    let total = 0
    while (true) {
      const gone = yield* bounded(
        sql`delete from lading.webhook_deliveries where id in
          (select id from lading.webhook_deliveries where kept_until <= ${now} limit ${swept}) returning 1`,
        unavailable
      )
      total += gone.length
      if (gone.length < swept) return total
    }
  })

  const erase = (handles: ReadonlyArray<string>) =>
    bounded(Erasing.rows(sql, "webhook_deliveries", handles), unavailable)

  return { send, rotate, sweep, erase }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seal = yield* Seal
  const arrived = yield* Latch.make(false)
  const webhooks = { ...writing(sql, seal, arrived), ...WebhookLog.make(sql, seal, arrived) }
  return Context.make(Webhooks.Webhooks, webhooks).pipe(
    Context.add(Outbox.Outbox, PostgresOutbox.make(sql, seal, arrived))
  )
})

export const layer: Layer.Layer<Webhooks.Webhooks | Outbox.Outbox, never, SqlClient.SqlClient | Seal> =
  Layer.effectContext(make)
