/**
 * The outbox of webhooks in PostgreSQL. A claim is one statement, whoever else claims at the same time (`skip locked`), and
 * costs in proportion to the receivers that something waits for, not to what waits.
 */
import { type Outbox, Webhooks } from "@lading/core/net"
import { Clock, Effect, type Latch, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"
import type { Seal } from "./Seal.ts"

export const unavailable = (problem: string) => new Webhooks.WebhooksUnavailable({ problem })

/** Where an address, a body and a secret are sealed to. */
export const placeOf = {
  url: (id: string): string => `webhook url ${id}`,
  body: (id: string): string => `webhook body ${id}`,
  secret: (account: string): string => `webhook secret ${account}`
}

interface Row {
  readonly id: string
  readonly claim: string
  readonly account: string
  readonly lane: string
  readonly url: Uint8Array
  readonly body: Uint8Array
  readonly tried: number
  readonly expires_at: bigint
}

interface SecretRow {
  readonly account: string
  readonly sealed: Uint8Array
}

/**
 * Lanes one after the other along the index, then the first of each, then accounts in turns. What speaks of somebody who
 * has objected is deleted where it would be claimed: left there, it would be due for ever.
 */
const claimed = (
  sql: SqlClient.SqlClient,
  { lease, limit, perAccount, perLane, running }: Outbox.Claiming,
  now: number
) => sql<Row>`
  with recursive lanes as (
    (select lane from lading.webhook_deliveries where state = 'waiting' order by lane limit 1)
    union all
    select (select d.lane from lading.webhook_deliveries d
        where d.state = 'waiting' and d.lane > lanes.lane order by d.lane limit 1)
      from lanes where lanes.lane is not null
  ), running as (
    select account, lane from unnest(
      ${running.map(({ account }) => account)}::text[], ${running.map(({ lane }) => lane)}::text[]
    ) as r (account, lane)
  ), candidates as (
    select due.id, due.next_at,
        row_number() over (partition by due.account order by due.next_at, due.id)
          + (select count(*) from running r where r.account = due.account) as turn
      from lanes cross join lateral (
        select d.id, d.account, d.next_at from lading.webhook_deliveries d
          where d.lane = lanes.lane and d.state = 'waiting' and d.next_at <= ${Int8.from(now)}
          order by d.next_at
          limit greatest(0, ${perLane}::int - (select count(*) from running r where r.lane = lanes.lane))
      ) due
  ), chosen as (
    select d.id, exists (select 1 from lading.suppressions s where s.digest = any(d.subjects)) as objected
      from lading.webhook_deliveries d
      where d.id in (
          select id from candidates where turn <= ${perAccount}::int order by turn, next_at limit ${limit}::int
        )
        and d.state = 'waiting' and d.next_at <= ${Int8.from(now)}
      for update of d skip locked
  ), forgotten as (
    delete from lading.webhook_deliveries d using chosen where d.id = chosen.id and chosen.objected
  )
  update lading.webhook_deliveries d
    set claim = gen_random_uuid()::text, next_at = ${Int8.from(now + lease)}
    from chosen where d.id = chosen.id and not chosen.objected
    returning d.id, d.claim, d.account, d.lane, d.url, d.body, d.tried, d.expires_at`

/** What claims. */
const claiming = (sql: SqlClient.SqlClient, { open }: Seal["Service"]) => {
  const secretsOf = Effect.fnUntraced(function* (accounts: ReadonlyArray<string>, now: number) {
    const rows = yield* bounded(
      sql<SecretRow>`select account, sealed from lading.webhook_secrets
        where account = any(${accounts}::text[]) and (valid_until is null or valid_until > ${Int8.from(now)})
        order by id desc`,
      unavailable
    )
    const byAccount = new Map<string, Array<Redacted.Redacted>>()
    for (const { account, sealed } of rows) {
      const text = open(sealed, placeOf.secret(account))
      if (text === null) continue
      const known = byAccount.get(account) ?? []
      byAccount.set(account, known)
      known.push(Redacted.make(text, { label: "webhook secret" }))
    }
    return byAccount
  })

  const dueOf = (
    { account, body, claim, expires_at, id, lane, tried, url }: Row,
    secrets: ReadonlyArray<Redacted.Redacted>
  ): Outbox.Due => {
    const [address, text] = [open(url, placeOf.url(id)), open(body, placeOf.body(id))]
    const readable = address !== null && text !== null && secrets.length > 0
    const content = readable ? { url: address, body: text, secrets } : null
    return { id, claim, account, lane, content, tried, expires_at: Number(expires_at) }
  }

  const nextAt = bounded(
    sql<{ next_at: bigint | null }>`select min(next_at) as next_at from lading.webhook_deliveries
      where state = 'waiting'`,
    unavailable
  ).pipe(Effect.map(([row]) => (row === undefined || row.next_at === null ? null : Number(row.next_at))))

  const claim = Effect.fnUntraced(function* (
    claiming: Outbox.Claiming
  ): Effect.fn.Return<Outbox.Claimed, Webhooks.WebhooksUnavailable> {
    const now = yield* Clock.currentTimeMillis
    const next_at = yield* nextAt
    if (next_at === null || next_at > now || claiming.limit === 0) return { due: [], next_at }
    const rows = yield* bounded(claimed(sql, claiming, now), unavailable)
    const secrets = yield* secretsOf([...new Set(rows.map(({ account }) => account))], now)
    return { due: rows.map((row) => dueOf(row, secrets.get(row.account) ?? [])), next_at: yield* nextAt }
  })

  return claim
}

/** What ends and gives back. */
const ending = (sql: SqlClient.SqlClient) => {
  const stands = ({ claim, id }: Outbox.Due) =>
    bounded(
      sql`select 1 from lading.webhook_deliveries d where d.id = ${id} and d.claim = ${claim}
        and not exists (select 1 from lading.suppressions where digest = any(d.subjects))`,
      unavailable
    ).pipe(Effect.map((rows) => rows.length > 0))

  const end = Effect.fnUntraced(function* (
    { claim, expires_at, id, tried }: Outbox.Due,
    { at, duration, problem, status }: Webhooks.Attempt,
    next: number | null
  ) {
    const now = yield* Clock.currentTimeMillis
    // Failed, and no longer what was claimed.
    const replayed = sql`(${problem !== null}::boolean
      and (tried <> ${tried}::int or expires_at <> ${Int8.from(expires_at)}::bigint))`
    const state = next !== null ? "waiting" : problem === null ? "delivered" : "failed"
    yield* bounded(
      // Who comes late with another claim changes nothing, unless it has arrived.
      sql`with attempt as (
          insert into lading.webhook_attempts (delivery, at, duration, status, problem)
            select id, ${Int8.from(at)}, ${Int8.from(duration)}, ${status}::int, ${problem}::text
              from lading.webhook_deliveries where id = ${id}
        )
        update lading.webhook_deliveries
          set claim = null, tried = case when ${replayed} then tried else tried + 1 end,
              next_at = case when ${replayed} then ${Int8.from(now)}::bigint
                else coalesce(${Int8.fromNullable(next)}::bigint, next_at) end,
              state = case when ${replayed} then 'waiting' else ${state}::text end
          where id = ${id} and (claim = ${claim} or ${problem === null}::boolean)`,
      unavailable
    )
  })

  const release = Effect.fnUntraced(function* ({ claim, id }: Outbox.Due) {
    const now = yield* Clock.currentTimeMillis
    yield* bounded(
      sql`update lading.webhook_deliveries set claim = null, next_at = ${Int8.from(now)}
        where id = ${id} and claim = ${claim}`,
      unavailable
    )
  })

  const waiting = bounded(
    sql<{ waiting: number }>`select count(*)::int as waiting from lading.webhook_deliveries where state = 'waiting'`,
    unavailable
  ).pipe(Effect.map(([row]) => row?.waiting ?? 0))

  return { stands, end, release, waiting }
}

/** Both. `arrived` is opened by whoever hands something over. */
export const make = (
  sql: SqlClient.SqlClient,
  seal: Seal["Service"],
  arrived: Latch.Latch
): Outbox.Outbox["Service"] => ({
  claim: claiming(sql, seal),
  ...ending(sql),
  handedOver: Effect.asVoid(Effect.andThen(arrived.await, arrived.close))
})
