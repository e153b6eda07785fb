/** The log of webhooks in PostgreSQL: what was handed over, what was tried, and that it is tried again. */
import { WebhookMessage, Webhooks } from "@lading/core/net"
import { Clock, Effect, type Latch, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"
import { placeOf, unavailable } from "./Outbox.ts"
import type { Seal } from "./Seal.ts"

interface Found {
  readonly id: string
  readonly type: string
  readonly url: Uint8Array
  readonly state: string
  readonly created_at: bigint
  readonly next_at: bigint
  readonly attempts: number
}

interface Tried {
  readonly delivery: string
  readonly at: bigint
  readonly duration: bigint
  readonly status: number | null
  readonly problem: string | null
}

const isState = Schema.is(Webhooks.State)
const isProblem = Schema.is(Webhooks.Problem)

/** A problem that a newer version knows is shown as the nearest that this one does. */
const attemptOf = ({ at, duration, problem, status }: Tried): Webhooks.Attempt => ({
  at: Number(at),
  duration: Number(duration),
  status,
  problem: problem === null || isProblem(problem) ? problem : "status"
})

const describing =
  (open: Seal["Service"]["open"]) =>
  (found: Found, last: Webhooks.Attempt | null): Webhooks.Delivery => {
    const state = isState(found.state) ? found.state : "failed"
    return {
      id: found.id,
      type: found.type,
      url: open(found.url, placeOf.url(found.id)),
      state,
      created_at: Number(found.created_at),
      next_at: state === "waiting" ? Number(found.next_at) : null,
      attempts: found.attempts,
      last
    }
  }

const columns = (sql: SqlClient.SqlClient) => sql`d.id, d.type, d.url, d.state, d.created_at, d.next_at,
  (select count(*)::int from lading.webhook_attempts a where a.delivery = d.id) as attempts`

/** What reads. */
const reading = (sql: SqlClient.SqlClient, { open }: Seal["Service"]) => {
  const attemptsOf = (id: string) =>
    bounded(
      sql<Tried>`select delivery, at, duration, status, problem from lading.webhook_attempts
        where delivery = ${id} order by id`,
      unavailable
    )

  const lastOf = (ids: ReadonlyArray<string>) =>
    bounded(
      sql<Tried>`select a.* from unnest(${ids}::text[]) as wanted (id) cross join lateral (
          select delivery, at, duration, status, problem from lading.webhook_attempts
            where delivery = wanted.id order by id desc limit 1
        ) a`,
      unavailable
    ).pipe(Effect.map((rows) => new Map(rows.map((row) => [row.delivery, attemptOf(row)]))))

  const deliveryOf = describing(open)

  const list = Effect.fnUntraced(function* (account: string, page: number, limit: number) {
    const now = Int8.from(yield* Clock.currentTimeMillis)
    const rows = yield* bounded(
      sql<Found>`select ${columns(sql)} from lading.webhook_deliveries d
        where d.account = ${account} and d.kept_until > ${now}
        order by d.created_at desc, d.id desc limit ${limit} offset ${Int8.from((page - 1) * limit)}`,
      unavailable
    )
    const [all] = yield* bounded(
      sql<{ total: number }>`select count(*)::int as total from lading.webhook_deliveries
        where account = ${account} and kept_until > ${now}`,
      unavailable
    )
    const last = yield* lastOf(rows.map(({ id }) => id))
    return { deliveries: rows.map((row) => deliveryOf(row, last.get(row.id) ?? null)), total: all?.total ?? 0 }
  })

  const find = Effect.fnUntraced(function* (account: string, id: string) {
    const now = Int8.from(yield* Clock.currentTimeMillis)
    const [row] = yield* bounded(
      sql<Found>`select ${columns(sql)} from lading.webhook_deliveries d
        where d.id = ${id} and d.account = ${account} and d.kept_until > ${now}`,
      unavailable
    )
    if (row === undefined) return null
    const attempts = (yield* attemptsOf(id)).map(attemptOf)
    return { delivery: deliveryOf({ ...row, attempts: attempts.length }, attempts.at(-1) ?? null), attempts }
  })

  return { list, find }
}

/** What reads, and replays. `arrived` is opened by a replay. */
export const make = (sql: SqlClient.SqlClient, seal: Seal["Service"], arrived: Latch.Latch) => {
  const { find, list } = reading(sql, seal)

  const replay = Effect.fnUntraced(function* (account: string, id: string) {
    const now = yield* Clock.currentTimeMillis
    const rows = yield* bounded(
      // Who has claimed it keeps it, unless the claim ran out.
      sql`update lading.webhook_deliveries
        set state = 'waiting', tried = 0, expires_at = ${Int8.from(now + WebhookMessage.patience)},
            next_at = case when claim is null then ${Int8.from(now)} else next_at end,
            kept_until = greatest(kept_until, ${Int8.from(now + WebhookMessage.replayKeeping)})
        where id = ${id} and account = ${account} and kept_until > ${Int8.from(now)} returning 1`,
      unavailable
    )
    if (rows.length === 0) return null
    yield* arrived.open
    return (yield* find(account, id))?.delivery ?? null
  })

  return { list, find, replay }
}
