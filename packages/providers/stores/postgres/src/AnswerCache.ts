/** Kept answers in PostgreSQL: JSON text under the digest of its key, until it expires and is swept. */
import { AnswerCache } from "@lading/core/waterfall"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"

const unavailable = (problem: string) => new AnswerCache.AnswerCacheUnavailable({ problem })

const Answer = Schema.fromJsonString(
  Schema.Union([
    Schema.TaggedStruct("Hit", { facts: Schema.Unknown, raw: Schema.Unknown }),
    Schema.TaggedStruct("Miss", {})
  ])
)
const decode = Schema.decodeUnknownEffect(Answer)

/** Rows that one statement of the sweep deletes: it must not run into the statement's time limit. */
const batch = 10_000

const digestOf = (keyText: string): Uint8Array => createHash("sha256").update(keyText).digest()

/** `undefined` is no JSON value; it would drop the member. */
const textOf = (answer: AnswerCache.Answer): string =>
  JSON.stringify(answer._tag === "Miss" ? answer : { ...answer, facts: answer.facts ?? null, raw: answer.raw ?? null })

const make = Effect.map(SqlClient.SqlClient, (sql): AnswerCache.AnswerCache["Service"] => {
  const find = Effect.fnUntraced(function* (keys: ReadonlyArray<AnswerCache.Key>, since: number) {
    if (keys.length === 0) return []
    const now = yield* Clock.currentTimeMillis
    const texts = keys.map(AnswerCache.keyText)
    const rows = yield* bounded(
      sql<{ key: string; answer: string; observed_at: bigint }>`select key, answer, observed_at from lading.answers
        where digest in ${sql.in(texts.map(digestOf))} and observed_at >= ${Int8.from(since)}
          and expires_at > ${Int8.from(now)}`,
      unavailable
    )
    const byKey = new Map(rows.map((row) => [row.key, row]))
    return yield* Effect.forEach(texts, (text) => {
      const row = byKey.get(text)
      if (row === undefined) return Effect.succeed(null)
      return Effect.mapBoth(decode(row.answer), {
        onSuccess: (answer) => ({ answer, observed_at: Number(row.observed_at) }),
        onFailure: () => unavailable("an entry cannot be read")
      })
    })
  })

  const put = (key: AnswerCache.Key, { answer, observed_at }: AnswerCache.Entry, keeping: AnswerCache.Keeping) => {
    const text = AnswerCache.keyText(key)
    return bounded(
      sql`insert into lading.answers as kept (digest, key, answer, observed_at, expires_at)
        values (${digestOf(text)}, ${text}, ${textOf(answer)}, ${Int8.from(observed_at)}, ${Int8.from(keeping.expires_at)})
        on conflict (digest) do update
          set answer = excluded.answer, observed_at = excluded.observed_at, expires_at = excluded.expires_at
          where kept.observed_at <= excluded.observed_at`,
      unavailable
    ).pipe(Effect.asVoid)
  }

  const sweep = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    let total = 0
    while (true) {
      const gone = yield* bounded(
        sql`delete from lading.answers where digest in
          (select digest from lading.answers where expires_at <= ${Int8.from(now)} limit ${batch}) returning 1`,
        unavailable
      )
      total += gone.length
      if (gone.length < batch) return total
    }
  })

  return { find, put, sweep, recall: () => Effect.succeed([]), erase: () => Effect.succeed(0) }
})

export const layer: Layer.Layer<AnswerCache.AnswerCache, never, SqlClient.SqlClient> = Layer.effect(
  AnswerCache.AnswerCache,
  make
)
