/**
 * Lists of addresses in PostgreSQL, sealed by chunk. Whoever writes addresses reads in the same transaction who has
 * objected; an erasure waits for it, and sees what was written.
 */
import { Credits, Ledger } from "@lading/core/billing"
import { type EmailList, EmailTask, EmailTasks } from "@lading/core/email"
import { Mentions } from "@lading/core/value"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { bounded, problemOf } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Int8 from "./Int8.ts"
import { Seal } from "./Seal.ts"
import { swept } from "./Sweep.ts"

const unavailable = (problem: string) => new EmailTasks.EmailTasksUnavailable({ problem })

type Asked<A> = Effect.Effect<A, EmailTasks.EmailTasksUnavailable>

/** What is sealed for one place opens in no other. */
const placeOf = {
  task: (id: string): string => `email task ${id}`,
  chunk: (id: string, number: number): string => `email chunk ${id} ${number}`
}

/** Addresses of a piece of a list that is not arranged. */
const piece = 1000

const Ordered = Schema.fromJsonString(
  Schema.Struct({
    verifier: Schema.String,
    webhook_url: Schema.NullOr(Schema.String),
    received_at: Schema.Finite,
    expires_at: Schema.Finite,
    price: Credits.Credits,
    price_version: Schema.String,
    parent: Ledger.HoldId,
    hold: Ledger.HoldId
  })
)
const parseOrdered = Schema.decodeUnknownOption(Ordered)

interface TaskRow {
  readonly account: string
  readonly state: string
  readonly sealed: Uint8Array
  readonly charged: bigint | null
  readonly ended_at: bigint | null
  readonly total: bigint
  readonly checked: bigint
  readonly definite: bigint
  readonly names: ReadonlyArray<string> | null
}

interface ChunkRow {
  readonly number: number
  readonly revision: number
  readonly sealed: Uint8Array
}

interface Means {
  readonly sql: SqlClient.SqlClient
  readonly seal: Seal["Service"]
}

const decodeState = Schema.decodeUnknownOption(EmailTask.State)

const openChunk = ({ seal }: Means, id: string, { number, sealed }: ChunkRow): Asked<EmailTask.Chunk> => {
  const text = seal.open(sealed, placeOf.chunk(id, number))
  const chunk = text === null ? Option.none() : EmailTask.parse(text)
  return Option.isNone(chunk)
    ? Effect.fail(unavailable("the chunk was sealed with another key"))
    : Effect.succeed(chunk.value)
}

/** All or nothing. Each statement in it is bounded by itself. */
const together = <A>({ sql }: Means, work: Asked<A>): Asked<A> =>
  sql.withTransaction(work).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(unavailable(problemOf(error)))))

interface Written {
  readonly number: number
  readonly lane: number
  readonly emails: ReadonlyArray<string>
}

/** Of each address the digests of its handles. */
const digestsOf = (emails: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  emails.map((email) => Mentions.of(email).map(digestOf))

/** Writes fresh chunks, without whoever has objected. Within a transaction. */
const write = Effect.fnUntraced(function* ({ seal, sql }: Means, id: string, all: ReadonlyArray<Written>) {
  for (const { emails, lane, number } of all) {
    // Digests of a long list take seconds, and an embedded database answers without leaving the turn to anybody else.
    yield* Effect.yieldNow
    const digests = digestsOf(emails)
    const objected = yield* bounded(
      sql<{ digest: string }>`select digest from lading.suppressions where digest = any(${digests.flat()}::text[])`,
      unavailable
    )
    const gone = new Set(objected.map(({ digest }) => digest))
    const stays = (index: number) => !(digests[index] ?? []).some((digest) => gone.has(digest))
    const left = emails.filter((_, index) => stays(index))
    if (left.length === 0) continue
    const subjects = [...new Set(digests.filter((_, index) => stays(index)).flat())]
    const text = EmailTask.textOf(EmailTask.fresh(left))
    yield* bounded(
      sql`insert into lading.email_chunks (task, number, lane, size, checked, definite, revision, sealed, subjects)
        values (${id}, ${number}, ${lane}, ${left.length}, 0, 0, 1, ${seal.seal(text, placeOf.chunk(id, number))},
          ${subjects}::text[])`,
      unavailable
    )
  }
})

const reading = ({ seal, sql }: Means) => {
  const find = Effect.fnUntraced(function* (id: string) {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* bounded(
      sql<TaskRow>`select t.account, t.state, t.sealed, t.charged, t.ended_at,
          coalesce(sum(c.size), 0)::bigint as total, coalesce(sum(c.checked), 0)::bigint as checked,
          coalesce(sum(c.definite), 0)::bigint as definite,
          (select array_agg(n.name order by n.lane) from lading.email_names n where n.task = t.id) as names
        from lading.email_tasks t left join lading.email_chunks c on c.task = t.id
        where t.id = ${id} and t.kept_until > ${Int8.from(now)} group by t.id`,
      unavailable
    )
    if (row === undefined) return null
    const text = seal.open(row.sealed, placeOf.task(id))
    const ordered = text === null ? Option.none() : parseOrdered(text)
    const state = decodeState(row.state)
    if (Option.isNone(ordered) || Option.isNone(state))
      return yield* unavailable("the task was sealed with another key")
    return {
      ...ordered.value,
      id,
      account: row.account,
      state: state.value,
      total: Number(row.total),
      checked: Number(row.checked),
      definite: Number(row.definite),
      verifier_tasks: row.names ?? [],
      ended_at: row.ended_at === null ? null : Number(row.ended_at),
      charged: row.charged === null ? null : Credits.of(Number(row.charged))
    }
  })

  const nameOf = (id: string, lane: number) =>
    bounded(
      sql<{ name: string }>`select name from lading.email_names where task = ${id} and lane = ${lane}`,
      unavailable
    ).pipe(Effect.map(([row]) => row?.name ?? null))

  return { find, nameOf }
}

const readingChunks = (means: Means) => {
  const { sql } = means

  const intake = Effect.fnUntraced(function* (id: string) {
    const rows = yield* bounded(
      sql<ChunkRow>`select number, revision, sealed from lading.email_chunks where task = ${id} and number < 0
        order by number desc`,
      unavailable
    )
    return (yield* Effect.forEach(rows, (row) => openChunk(means, id, row))).flatMap(({ emails }) => emails)
  })

  const chunks = (id: string) =>
    bounded(
      sql<{ number: number; lane: number; size: number; checked: number; due: bigint | null }>`
        select number, lane, size, checked, due from lading.email_chunks where task = ${id} and number >= 0
        order by number`,
      unavailable
    ).pipe(Effect.map((rows) => rows.map((row) => ({ ...row, due: row.due === null ? null : Number(row.due) }))))

  const open = Effect.fnUntraced(function* (id: string, number: number) {
    const [row] = yield* bounded(
      sql<ChunkRow>`select number, revision, sealed from lading.email_chunks where task = ${id} and number = ${number}`,
      unavailable
    )
    return row === undefined ? null : { chunk: yield* openChunk(means, id, row), revision: row.revision }
  })

  /** Only the chunks are opened that have some of them. */
  const results = Effect.fnUntraced(function* (id: string, from: number, limit: number) {
    const rows = yield* bounded(
      sql<ChunkRow & { first: bigint }>`select number, revision, sealed, first from (
          select number, revision, sealed, size, sum(size) over (order by number) - size as first
          from lading.email_chunks where task = ${id} and number >= 0
        ) placed where first < ${from + limit}::bigint and first + size > ${from}::bigint order by number`,
      unavailable
    )
    const found = yield* Effect.forEach(rows, (row) =>
      Effect.map(openChunk(means, id, row), (chunk) => ({ row, chunk }))
    )
    return found.flatMap(({ chunk: { answers, emails }, row }) => {
      const first = Number(row.first)
      const [begin, end] = [Math.max(0, from - first), from + limit - first]
      return EmailTask.resultsOf({ emails: emails.slice(begin, end), answers: answers.slice(begin, end) })
    })
  })

  return { intake, chunks, open, results }
}

const writing = (means: Means) => {
  const { seal, sql } = means

  const put = Effect.fnUntraced(function* (
    { account, id, ...ordered }: EmailTask.Ordered,
    emails: ReadonlyArray<string>,
    kept_until: number
  ) {
    const pieces = Array.from({ length: Math.ceil(emails.length / piece) }, (_, index) => ({
      number: -1 - index,
      lane: 0,
      emails: emails.slice(index * piece, (index + 1) * piece)
    }))
    yield* bounded(
      sql`insert into lading.email_tasks (id, account, state, sealed, kept_until)
        values (${id}, ${account}, 'queued', ${seal.seal(JSON.stringify(ordered), placeOf.task(id))},
          ${Int8.from(kept_until)})
        on conflict (id) do nothing returning 1`,
      unavailable
    ).pipe(
      Effect.flatMap((rows) => (rows.length === 0 ? Effect.void : write(means, id, pieces))),
      (work) => together(means, work)
    )
  })

  const arrange = (id: string, placed: ReadonlyArray<EmailList.Placed>) =>
    bounded(
      sql`update lading.email_tasks set state = 'running' where id = ${id} and state = 'queued' returning 1`,
      unavailable
    ).pipe(
      Effect.flatMap(
        Effect.fnUntraced(function* (rows) {
          if (rows.length === 0) return
          yield* bounded(sql`delete from lading.email_chunks where task = ${id} and number < 0`, unavailable)
          yield* write(
            means,
            id,
            placed.map(({ emails, lane }, number) => ({ number, lane, emails }))
          )
        })
      ),
      (work) => together(means, work)
    )

  return { put, arrange }
}

/** Whoever notes a chunk locks its task first, shared: one that ends waits for it, and one that has ended is not noted. */
const changing = ({ seal, sql }: Means, { find }: ReturnType<typeof reading>) => {
  const note = (id: string, number: number, { chunk, revision }: EmailTasks.Opened) => {
    const { checked, definite, due } = EmailTask.countsOf(chunk)
    return bounded(
      sql`with task as materialized (
          select id from lading.email_tasks where id = ${id} and state in ('queued', 'running') for share
        )
        update lading.email_chunks c
        set revision = c.revision + 1, checked = ${checked}, definite = ${definite}, due = ${Int8.fromNullable(due)},
          sealed = ${seal.seal(EmailTask.textOf(chunk), placeOf.chunk(id, number))}
        from task t where c.task = t.id and c.number = ${number} and c.revision = ${revision} returning 1`,
      unavailable
    ).pipe(Effect.map((rows) => rows.length > 0))
  }

  const named = Effect.fnUntraced(function* (id: string, lane: number, name: string) {
    const [row] = yield* bounded(
      sql<{ name: string }>`with fresh as (
          insert into lading.email_names (task, lane, name) select id, ${lane}::int, ${name}::text
            from lading.email_tasks where id = ${id} on conflict (task, lane) do nothing returning name
        )
        select name from fresh union all select name from lading.email_names where task = ${id} and lane = ${lane} limit 1`,
      unavailable
    )
    return row?.name ?? name
  })

  /** The state is changed where its chunks are not: no chunk is noted after it has ended. */
  const end = (id: string, { at, state }: EmailTasks.Ended) =>
    bounded(
      sql`update lading.email_tasks set state = ${state}, ended_at = ${Int8.from(at)}
        where id = ${id} and state in ('queued', 'running')`,
      unavailable
    ).pipe(Effect.andThen(find(id)))

  const charge = Effect.fnUntraced(function* (id: string, charged: Credits.Credits) {
    const [row] = yield* bounded(
      sql<{ charged: bigint }>`update lading.email_tasks set charged = coalesce(charged, ${Int8.from(charged)})
        where id = ${id} returning charged`,
      unavailable
    )
    return row === undefined ? charged : Credits.of(Number(row.charged))
  })

  const waive = (id: string) =>
    Effect.asVoid(bounded(sql`update lading.email_tasks set charged = 0 where id = ${id}`, unavailable))

  const remove = (id: string) =>
    Effect.asVoid(bounded(sql`delete from lading.email_tasks where id = ${id}`, unavailable))

  const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    swept((limit) =>
      bounded(
        sql`delete from lading.email_tasks where id in
          (select id from lading.email_tasks where kept_until <= ${Int8.from(now)} limit ${limit}) returning 1`,
        unavailable
      )
    )
  )

  return { note, named, end, charge, waive, remove, sweep }
}

/** Takes addresses out of every chunk that speaks of them. */
const erasing = (means: Means) => {
  const { seal, sql } = means

  const reduce = Effect.fnUntraced(function* (row: ChunkRow & { task: string }, digests: ReadonlySet<string>) {
    const chunk = yield* openChunk(means, row.task, row)
    const isGone = (email: string) => Mentions.of(email).some((handle) => digests.has(digestOf(handle)))
    const left = EmailTask.without(chunk, isGone)
    const where = sql`task = ${row.task} and number = ${row.number}`
    if (left === null) yield* bounded(sql`delete from lading.email_chunks where ${where}`, unavailable)
    else {
      const { checked, definite, due } = EmailTask.countsOf(left)
      const subjects = [...new Set(digestsOf(left.emails).flat())]
      const sealed = seal.seal(EmailTask.textOf(left), placeOf.chunk(row.task, row.number))
      yield* bounded(
        sql`update lading.email_chunks set revision = revision + 1, size = ${left.emails.length}, checked = ${checked},
          definite = ${definite}, due = ${Int8.fromNullable(due)}, sealed = ${sealed}, subjects = ${subjects}::text[]
          where ${where}`,
        unavailable
      )
    }
    return chunk.emails.length - (left?.emails.length ?? 0)
  })

  return (handles: ReadonlyArray<string>) => {
    if (handles.length === 0) return Effect.succeed(0)
    const digests = handles.map(digestOf)
    return together(
      means,
      Effect.gen(function* () {
        yield* bounded(sql`lock table lading.email_chunks in share row exclusive mode`, unavailable)
        const rows = yield* bounded(
          sql<ChunkRow & { task: string }>`select task, number, revision, sealed from lading.email_chunks
            where subjects && ${digests}::text[]`,
          unavailable
        )
        const gone = yield* Effect.forEach(rows, (row) => reduce(row, new Set(digests)))
        return gone.reduce((sum, one) => sum + one, 0)
      })
    )
  }
}

const make = Effect.gen(function* () {
  const means: Means = { sql: yield* SqlClient.SqlClient, seal: yield* Seal }
  const read = reading(means)
  return EmailTasks.EmailTasks.of({
    ...read,
    ...readingChunks(means),
    ...writing(means),
    ...changing(means, read),
    erase: erasing(means)
  })
})

export const layer: Layer.Layer<EmailTasks.EmailTasks, never, SqlClient.SqlClient | Seal> = Layer.effect(
  EmailTasks.EmailTasks,
  make
)
