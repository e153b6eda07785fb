/** Asks in turn, ours and by hand, and says how long each took. */
import { deepStrictEqual } from "node:assert/strict"
import * as Clickhouse from "@lading/clickhouse"
import { TradeStore } from "@lading/core/trade"
import { Effect, Layer } from "effect"
import * as Measure from "../Measure.ts"
import * as OfCompanies from "./OfCompanies.ts"
import * as OfMarkets from "./OfMarkets.ts"
import * as OfNames from "./OfNames.ts"
import * as Plain from "./Plain.ts"
import * as Postgres from "./Postgres.ts"
import type { Ask, ByHand, Question, Store } from "./Question.ts"
import * as Subject from "./Subject.ts"

export interface Wanted {
  readonly store: string
  /** Milliseconds for a question, for both sides together, and how often it is asked at most. */
  readonly time: number
  readonly most: number
  /** Part of a question's name. */
  readonly only: string | null
}

/** Milliseconds. */
export interface Took {
  readonly median: number
  readonly p99: number
}

export interface Asked {
  readonly name: string
  readonly about: Question["about"]
  readonly asks: number
  readonly ours: Took
  readonly byHand: Took | null
  /** Medians of neighbouring asks. */
  readonly ratio: number | null
  readonly difference: number | null
}

const tookOf = (times: ReadonlyArray<number>): Took => {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    median: Measure.median(times),
    p99: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN
  }
}

const timed = async <A>(job: () => Promise<A>): Promise<readonly [A, number]> => {
  const begun = performance.now()
  const answer = await job()
  return [answer, performance.now() - begun]
}

interface Pair {
  readonly ours: number
  readonly byHand: number | null
}

const askBoth = async (
  question: Question,
  store: Store,
  byHand: ByHand | null,
  ask: Ask,
  index: number
): Promise<Pair> => {
  const [counts, ours] = await timed(() => Effect.runPromise(question.ours(store, index)))
  if (byHand === null) return { ours, byHand: null }
  const [rows, theirs] = await timed(() => byHand(ask, index))
  deepStrictEqual(
    rows.map(({ n }) => Number(n)),
    counts(),
    `${question.name} is answered otherwise by hand`
  )
  return { ours, byHand: theirs }
}

const measure = async (
  question: Question,
  store: Store,
  byHand: ByHand | null,
  ask: Ask,
  { most, time }: Wanted
): Promise<Asked> => {
  await askBoth(question, store, byHand, ask, 0)
  const pairs: Array<Pair> = []
  const begun = performance.now()
  while (pairs.length < 5 || (pairs.length < most && performance.now() - begun < time))
    pairs.push(await askBoth(question, store, byHand, ask, pairs.length + 1))
  const theirs = pairs.flatMap((pair) => pair.byHand ?? [])
  const of = (value: (ours: number, byHand: number) => number): number | null =>
    theirs.length === 0 ? null : Measure.median(pairs.map((pair) => value(pair.ours, pair.byHand ?? Number.NaN)))
  return {
    name: question.name,
    about: question.about,
    asks: pairs.length,
    ours: tookOf(pairs.map(({ ours }) => ours)),
    byHand: theirs.length === 0 ? null : tookOf(theirs),
    ratio: of((ours, theirs) => ours / theirs),
    difference: of((ours, theirs) => ours - theirs)
  }
}

const asking = async <A>(wanted: Wanted, job: (store: Store, plain: Plain.Plain) => Promise<A>): Promise<A> => {
  const layer = Clickhouse.layer.pipe(Layer.provide(Clickhouse.Engine.layerEmbedded(wanted.store)))
  const run = Effect.flatMap(TradeStore.TradeStore, (store) =>
    Effect.promise(async () => {
      await using plain = await Plain.open(wanted.store)
      return await job(store, plain)
    })
  )
  return Effect.runPromise(Effect.provide(run, layer))
}

const questionsOf = (subject: Subject.Subject, { only }: Wanted): ReadonlyArray<Question> =>
  [...OfCompanies.questions(subject), ...OfNames.questions(subject), ...OfMarkets.questions(subject)].filter(
    ({ name }) => only === null || name.includes(only)
  )

/** Beside the bare engine. */
export const beside = (wanted: Wanted) =>
  asking(wanted, async (store, plain) => {
    const subject = await Subject.read(plain)
    const asked: Array<Asked> = []
    for (const question of questionsOf(subject, wanted))
      asked.push(await measure(question, store, question.engine, plain.rows, wanted))
    return { asked, rss_mib: process.memoryUsage().rss / 2 ** 20 }
  })

/** Beside PostgreSQL with the same records. */
export const postgres = (wanted: Wanted) =>
  asking(wanted, async (store, plain) => {
    const subject = await Subject.read(plain)
    await using database = await Postgres.filled(plain, subject.version)
    const asked: Array<Asked> = []
    for (const question of questionsOf(subject, wanted))
      if (question.postgres !== null)
        asked.push(await measure(question, store, question.postgres, database.rows, wanted))
    return { asked, loaded: database.loaded }
  })
