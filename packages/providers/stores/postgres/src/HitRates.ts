/**
 * Hit rates in PostgreSQL, for all servers on it. Answers are written together, a moment later (`Batch`), and what a process
 * reads is a copy that it reads again every `freshness`.
 *
 * Gotchas: whoever finds the copy stale has it read again and goes on with it; only who comes before there is one waits.
 * While the database is down the last copy stays, and answers that cannot be written are lost: they are statistics.
 */
import { HitRates, type Source } from "@lading/core/waterfall"
import { Clock, Data, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Batch from "./Batch.ts"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"

class Unavailable extends Data.TaggedError("Unavailable")<{ readonly problem: string }> {}

const unavailable = (problem: string) => new Unavailable({ problem })

/** How many answers one statement counts, how many milliseconds are between two, and how many may wait. */
const writing = { limit: 1000, pause: 500, most: 20_000, full: () => unavailable("too much waits to be written") }

/** How long the copy is believed, in milliseconds. */
const freshness = 5000

/** More are not read: beyond all segments there can be for a dozen sources. */
const capacity = 20_000

interface Row {
  readonly operation: string
  readonly source: string
  readonly adapter: string
  readonly segment: string
  readonly hits: number
  readonly misses: number
  readonly at: bigint
}

/** An answer, and when it came in epoch milliseconds. */
interface Timed {
  readonly answer: HitRates.Answer
  readonly at: number
}

type Sum = HitRates.Rate & { readonly at: number }

/** What is counted together comes into one row; rows in one order everywhere, so that servers never deadlock. */
const summed = (answers: ReadonlyArray<Timed>): ReadonlyArray<Sum> => {
  const sums = new Map<string, Sum>()
  for (const { answer, at } of answers) {
    const { hit, ...counted } = answer
    const key = HitRates.keyOf(counted)
    const { hits, misses } = sums.get(key) ?? { hits: 0, misses: 0 }
    sums.set(key, { ...counted, hits: hits + (hit ? 1 : 0), misses: misses + (hit ? 0 : 1), at })
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rate]) => rate)
}

/** A server whose clock is behind adds to what is there as of then. */
const add = (sql: SqlClient.SqlClient, rates: ReadonlyArray<Sum>) => sql`
  insert into lading.hit_rates as known (operation, source, adapter, segment, hits, misses, at)
  select operation, source, adapter, segment, hits, misses, at
    from unnest(
      ${rates.map(({ operation }) => operation)}::text[],
      ${rates.map(({ source }) => source)}::text[],
      ${rates.map(({ adapter }) => adapter)}::text[],
      ${rates.map(({ segment }) => segment)}::text[],
      ${rates.map(({ hits }) => hits)}::float8[],
      ${rates.map(({ misses }) => misses)}::float8[],
      ${rates.map(({ at }) => Int8.from(at))}::bigint[]
    ) as fresh (operation, source, adapter, segment, hits, misses, at)
  on conflict (operation, source, adapter, segment) do update set
    hits = known.hits * power(0.5::float8, greatest(0, excluded.at - known.at) / ${HitRates.halfLife}::float8)
      + excluded.hits,
    misses = known.misses * power(0.5::float8, greatest(0, excluded.at - known.at) / ${HitRates.halfLife}::float8)
      + excluded.misses,
    at = greatest(known.at, excluded.at)`

const isOperation = (text: string): text is Source.Operation => text === "company" || text === "person"

const rateOf = ({ adapter, at, hits, misses, operation, segment, source }: Row, now: number) =>
  isOperation(operation)
    ? [
        {
          operation,
          source,
          adapter,
          segment,
          hits: HitRates.faded(hits, now - Number(at)),
          misses: HitRates.faded(misses, now - Number(at))
        }
      ]
    : []

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scope = yield* Effect.scope
  let copy: { readonly rates: ReadonlyArray<HitRates.Rate>; until: number } | null = null

  const { submit } = yield* Batch.makeUnhurried<Timed, void, Unavailable>(
    (answers) => Effect.map(bounded(add(sql, summed(answers)), unavailable), () => answers.map(() => Exit.void)),
    writing
  )

  const complain = ({ problem }: Unavailable) => Effect.logWarning("hit rates unavailable", problem)

  const write = (answer: HitRates.Answer) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => Effect.catch(submit({ answer, at }), complain))

  const record = (answer: HitRates.Answer) =>
    Effect.asVoid(Effect.forkIn(write(answer), scope, { startImmediately: true }))

  const read = Effect.gen(function* () {
    const rows = yield* bounded(
      sql<Row>`select operation, source, adapter, segment, hits, misses, at from lading.hit_rates
        order by at desc limit ${capacity}`,
      unavailable
    )
    const now = yield* Clock.currentTimeMillis
    copy = { rates: rows.flatMap((row) => rateOf(row, now)), until: now + freshness }
    return copy.rates
  })

  const all = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const last = copy
    if (last === null) return yield* Effect.catch(read, (error) => Effect.as(complain(error), []))
    if (last.until <= now) {
      last.until = now + freshness
      yield* Effect.forkIn(Effect.catch(Effect.asVoid(read), complain), scope, { startImmediately: true })
    }
    return last.rates
  })

  return HitRates.HitRates.of({ record, all })
})

export const layer: Layer.Layer<HitRates.HitRates, never, SqlClient.SqlClient> = Layer.effect(HitRates.HitRates, make)
