/**
 * Kept answers in PostgreSQL, sealed. All answers to a question are kept until nobody can want them any more; the newest
 * is what equal questions are answered with.
 *
 * Answers are written together, a moment later (`Batch`); a crash can lose the last ones. What cannot be opened, since it was
 * sealed with another key, is not there.
 */
import { AnswerCache } from "@lading/core/waterfall"
import { Clock, Effect, Exit, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import * as Batch from "./Batch.ts"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Erasing from "./Erasing.ts"
import * as Int8 from "./Int8.ts"
import { Seal } from "./Seal.ts"
import { swept } from "./Sweep.ts"

const unavailable = (problem: string) => new AnswerCache.AnswerCacheUnavailable({ problem })

const Answer = Schema.fromJsonString(
  Schema.Union([
    Schema.TaggedStruct("Hit", { facts: Schema.Unknown, raw: Schema.Unknown }),
    Schema.TaggedStruct("Miss", {})
  ])
)
const decode = Schema.decodeUnknownEffect(Answer)

/**
 * How many rows one statement writes, how many milliseconds are between two, and how many rows may wait: nobody waits for
 * them.
 */
const pace = { limit: 100, pause: 50, most: 2_000, full: () => unavailable("too much waits to be written") }

const digestBytes = (text: string): Uint8Array => createHash("sha256").update(text).digest()

/** `undefined` is no JSON value; it would drop the member. */
const textOf = (answer: AnswerCache.Answer): string =>
  JSON.stringify(answer._tag === "Miss" ? answer : { ...answer, facts: answer.facts ?? null, raw: answer.raw ?? null })

/** Where an answer is sealed to. */
const placeOf = (keyText: string, observed_at: number): string => `answer ${observed_at} ${keyText}`

interface Row {
  readonly question: Uint8Array
  readonly observed_at: number
  readonly key: AnswerCache.Key
  readonly sealed: Uint8Array
  readonly keeping: AnswerCache.Keeping
}

interface Found {
  readonly question: Uint8Array
  readonly observed_at: bigint
  readonly sealed: Uint8Array
}

const nameOf = (question: Uint8Array, observed_at: number | bigint): string =>
  `${Buffer.from(question).toString("base64")} ${observed_at}`

const insert = (sql: SqlClient.SqlClient, rows: ReadonlyArray<Row>) => sql`
  insert into lading.kept_answers
    (question, observed_at, source, adapter, operation, sealed, subjects, expires_at, kept_until)
  select question, observed_at, source, adapter, operation, sealed, string_to_array(subjects, ' '), expires_at, kept_until
    from unnest(
      ${rows.map((row) => row.question)}::bytea[],
      ${rows.map((row) => Int8.from(row.observed_at))}::bigint[],
      ${rows.map((row) => row.key.source)}::text[],
      ${rows.map((row) => row.key.adapter)}::text[],
      ${rows.map((row) => row.key.operation)}::text[],
      ${rows.map((row) => row.sealed)}::bytea[],
      ${rows.map((row) => row.keeping.subjects.map(digestOf).join(" "))}::text[],
      ${rows.map((row) => Int8.from(row.keeping.expires_at))}::bigint[],
      ${rows.map((row) => Int8.from(row.keeping.kept_until))}::bigint[]
    ) as fresh (question, observed_at, source, adapter, operation, sealed, subjects, expires_at, kept_until)
    where not exists (
      select 1 from lading.suppressions where digest = any(string_to_array(fresh.subjects, ' '))
    )
  on conflict (question, observed_at) do nothing`

/** What writes and what deletes. */
const writing = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { seal }: Seal["Service"]) {
  const { submit } = yield* Batch.makeUnhurried<Row, void, AnswerCache.AnswerCacheUnavailable>(
    (rows) => Effect.map(bounded(insert(sql, rows), unavailable), () => rows.map(() => Exit.void)),
    pace
  )

  const put = (key: AnswerCache.Key, { answer, observed_at }: AnswerCache.Entry, keeping: AnswerCache.Keeping) =>
    Effect.suspend(() => {
      const text = AnswerCache.keyText(key)
      const sealed = seal(textOf(answer), placeOf(text, observed_at))
      return submit({ question: digestBytes(text), observed_at, key, sealed, keeping })
    })

  const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    swept((limit) =>
      bounded(
        sql`delete from lading.kept_answers where ctid in (select ctid from lading.kept_answers
          where greatest(expires_at, kept_until) <= ${Int8.from(now)} limit ${limit}) returning 1`,
        unavailable
      )
    )
  )

  const erase = (handles: ReadonlyArray<string>) => bounded(Erasing.rows(sql, "kept_answers", handles), unavailable)

  return { put, sweep, erase }
})

/** What reads. */
const reading = (sql: SqlClient.SqlClient, { open }: Seal["Service"]) => {
  const entryOf = (keyText: string, found: Found | undefined) => {
    if (found === undefined) return Effect.succeed(null)
    const observed_at = Number(found.observed_at)
    const text = open(found.sealed, placeOf(keyText, observed_at))
    if (text === null) return Effect.succeed(null)
    return Effect.mapBoth(decode(text), {
      onSuccess: (answer) => ({ answer, observed_at }),
      onFailure: () => unavailable("an entry cannot be read")
    })
  }

  const find = Effect.fnUntraced(function* (keys: ReadonlyArray<AnswerCache.Key>, since: number) {
    if (keys.length === 0) return []
    const now = yield* Clock.currentTimeMillis
    const texts = keys.map(AnswerCache.keyText)
    const questions = texts.map(digestBytes)
    const rows = yield* bounded(
      sql<Found>`select distinct on (question) question, observed_at, sealed from lading.kept_answers
        where question in ${sql.in(questions)} and observed_at >= ${Int8.from(since)}
          and expires_at > ${Int8.from(now)}
        order by question, observed_at desc`,
      unavailable
    )
    const byQuestion = new Map(rows.map((row) => [nameOf(row.question, 0), row]))
    return yield* Effect.forEach(texts, (text, index) =>
      entryOf(text, byQuestion.get(nameOf(questions[index] ?? new Uint8Array(), 0)))
    )
  })

  const recall = Effect.fnUntraced(function* (references: ReadonlyArray<AnswerCache.Reference>) {
    if (references.length === 0) return []
    const now = yield* Clock.currentTimeMillis
    const wanted = references.map(({ key, observed_at }) => {
      const text = AnswerCache.keyText(key)
      return { text, observed_at, question: digestBytes(text) }
    })
    const rows = yield* bounded(
      sql<Found>`select question, observed_at, sealed from lading.kept_answers
        where question in ${sql.in(wanted.map(({ question }) => question))} and kept_until > ${Int8.from(now)}`,
      unavailable
    )
    const byName = new Map(rows.map((row) => [nameOf(row.question, row.observed_at), row]))
    return yield* Effect.forEach(wanted, ({ text, observed_at, question }) =>
      entryOf(text, byName.get(nameOf(question, observed_at)))
    )
  })

  return { find, recall }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const seal = yield* Seal
  return AnswerCache.AnswerCache.of({ ...reading(sql, seal), ...(yield* writing(sql, seal)) })
})

export const layer: Layer.Layer<AnswerCache.AnswerCache, never, SqlClient.SqlClient | Seal> = Layer.effect(
  AnswerCache.AnswerCache,
  make
)
