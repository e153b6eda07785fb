/**
 * Verifies what is not verified yet. The own verifier is asked about parts of the list, one after the other, and then again
 * about those addresses whose hosts want to be asked again. To others the list is handed over in portions, all at once, and
 * they are asked how far each has come.
 */
import { Credits } from "@lading/core/billing"
import { EmailList, EmailResult, type EmailVerifier } from "@lading/core/email"
import { Clock, Duration, Effect, Stream } from "effect"
import * as Print from "../Print.ts"
import * as Progress from "../rows/Progress.ts"
import type { Stopped } from "../rows/Problem.ts"
import type { Answer } from "./Answers.ts"
import type { Counterpart, Direct, Lists } from "./Counterpart.ts"
import type { Job, Portion } from "./Job.ts"
import * as List from "./List.ts"

export interface Task {
  readonly job: Job
  readonly counterpart: Counterpart
  /** How long hosts are waited for that want to be asked again. */
  readonly patience: Duration.Duration
  readonly saying: (line: string) => Effect.Effect<void>
  /** Is told how many addresses are decided, where the answers are not here yet. */
  readonly elsewhere: (checked: number) => Effect.Effect<void>
}

/** Addresses that the own verifier is asked about together: enough to keep many hosts busy, few enough for the memory. */
const part = 25_000

/** Answers that are flushed together, at most, and how long the first of them waits for the others. */
const together = { answers: 250, wait: "2 seconds" } as const

const answerOf = (checked: EmailVerifier.Checked, number: number, attempt: number, now: number): Answer => ({
  number,
  email: checked.email,
  result: EmailResult.pack(checked.result),
  due: checked._tag === "Again" ? now + checked.after : null,
  attempt
})

/** Asks about these, and keeps what comes as it comes. */
const asking =
  (job: Job, { verify }: Direct, attempt: number) =>
  (some: ReadonlyArray<List.Numbered>) => {
    const numbers = new Map(some.map(({ email, number }) => [email, number]))
    return verify([...numbers.keys()], attempt).pipe(
      Stream.groupedWithin(together.answers, together.wait),
      Stream.runForEach((all) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          job.note(
            all.flatMap((checked) => {
              const number = numbers.get(checked.email)
              return number === undefined ? [] : [answerOf(checked, number, attempt, now)]
            })
          )
        )
      )
    )
  }

const those = (job: Job, isWanted: (number: number) => boolean) =>
  List.addresses(job.at.addresses).pipe(Stream.filter(({ number }) => isWanted(number)))

/** Those that were asked about least often, and that are due in time. */
const nextRound = ({ answers: { waiting } }: Job, until: number) => {
  const inTime = [...waiting].filter(([, { due }]) => due <= until)
  const attempt = inTime.reduce((least, [, one]) => Math.min(least, one.attempt), Number.POSITIVE_INFINITY)
  const round = inTime.filter(([, one]) => one.attempt === attempt)
  if (round.length === 0) return null
  return {
    attempt: attempt + 1,
    numbers: new Set(round.map(([number]) => number)),
    due: round.reduce((last, [, { due }]) => Math.max(last, due), 0)
  }
}

const directly = Effect.fnUntraced(function* (
  { job, patience, saying }: Task,
  bulk: Direct
): Effect.fn.Return<void, Stopped> {
  yield* those(job, (number) => !job.answers.has(number)).pipe(
    Stream.grouped(part),
    Stream.runForEach(asking(job, bulk, 1))
  )
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(patience)
  for (let round = nextRound(job, until); round !== null; round = nextRound(job, until)) {
    const { attempt, due, numbers } = round
    const pause = Math.max(0, due - (yield* Clock.currentTimeMillis))
    const hosts = `${Print.number(numbers.size)} of which the hosts want to be asked again`
    yield* saying(`Waiting ${Progress.duration(pause)} for addresses, ${hosts} (--wait)`)
    yield* Effect.sleep(Duration.millis(pause))
    yield* those(job, (number) => numbers.has(number)).pipe(
      Stream.grouped(part),
      Stream.runForEach(asking(job, bulk, attempt))
    )
  }
})

const cut = (addresses: number, most: number): ReadonlyArray<Portion> =>
  Array.from({ length: Math.ceil(addresses / most) }, (_, index) => ({
    from: index * most,
    to: Math.min(addresses, (index + 1) * most),
    handed_at: null,
    name: null,
    ended: null,
    credits: Credits.zero
  }))

const change = (job: Job, index: number, changed: Partial<Portion>) =>
  Effect.suspend(() =>
    job.keep({ portions: job.now().portions.map((one, at) => (at === index ? { ...one, ...changed } : one)) })
  )

const addressesOf = (job: Job, { from, to }: Portion) =>
  List.addresses(job.at.addresses).pipe(Stream.drop(from), Stream.take(to - from), Stream.runCollect)

/** Of addresses that are asked about by themselves: how many at once. */
const singles = 5

/** Keeps results that are final. Some name an address, or what is none, in lower case. */
const noting = (job: Job, some: ReadonlyArray<List.Numbered>) => {
  const known = new Map(
    some.flatMap((one) => [one.email.toLowerCase(), EmailList.keyOf(one.email)].map((key) => [key, one] as const))
  )
  return (results: ReadonlyArray<EmailResult.EmailResult>) =>
    job.note(
      results.flatMap((result) => {
        const one = known.get(EmailList.keyOf(result.email)) ?? known.get(result.email.toLowerCase())
        return one === undefined ? [] : [{ ...one, result: EmailResult.pack(result), due: null, attempt: 1 }]
      })
    )
}

/** Says what can be said of those of which nothing is known. */
const completing = (job: Job, { otherwise }: Lists, some: ReadonlyArray<List.Numbered>) =>
  Effect.suspend(() =>
    noting(
      job,
      some
    )(
      some.flatMap(({ email, number }) => {
        const result = job.answers.has(number) ? null : otherwise(email)
        return result === null ? [] : [{ ...result, email }]
      })
    )
  )

/** Hands over what nobody has taken yet. */
const handOver = Effect.fnUntraced(function* ({ counterpart, job }: Task, bulk: Lists) {
  const { begin, least, takes } = bulk
  for (const [index, portion] of job.now().portions.entries()) {
    if (portion.name !== null || portion.ended !== null) continue
    const all = yield* addressesOf(job, portion)
    const some = all.filter(({ email }) => takes(email))
    if (some.length < least) {
      const note = noting(job, some)
      yield* Effect.forEach(
        some.filter(({ number }) => !job.answers.has(number)),
        ({ email }) => Effect.flatMap(counterpart.single(email), ({ result }) => note([{ ...result, email }])),
        { concurrency: singles, discard: true }
      )
      yield* completing(job, bulk, all)
      yield* change(job, index, { ended: "completed" })
      continue
    }
    // The first time counts: the key of a list is as old as that.
    yield* change(job, index, { handed_at: portion.handed_at ?? (yield* Clock.currentTimeMillis) })
    const name = yield* begin(
      some.map(({ email }) => email),
      `${job.now().id}-${index}`
    )
    yield* change(job, index, { name })
  }
})

/** Fetches what a list has come to. */
const fetch = Effect.fnUntraced(function* (job: Job, bulk: Lists, portion: Portion, name: string) {
  const some = yield* addressesOf(job, portion)
  yield* bulk.results(name).pipe(Stream.grouped(1000), Stream.runForEach(noting(job, some)))
  yield* completing(job, bulk, some)
})

/** Milliseconds between two looks: the first, by how much it grows, and the longest. */
const pauses = { first: 200, factor: 1.5, longest: 5000 } as const

/** Until every list has ended and is fetched. */
const following = Effect.fnUntraced(function* ({ elsewhere, job }: Task, bulk: Lists) {
  let pause: number = pauses.first
  for (;;) {
    let checked = 0
    for (const [index, portion] of job.now().portions.entries()) {
      const { ended, name } = portion
      if (ended !== null || name === null) continue
      const looked = yield* bulk.look(name)
      if (looked.ended === null) checked += looked.checked
      else {
        yield* fetch(job, bulk, portion, name)
        yield* change(job, index, { ended: looked.ended, credits: looked.credits })
      }
    }
    yield* elsewhere(checked)
    if (job.now().portions.every(({ ended }) => ended !== null)) return
    yield* Effect.sleep(Duration.millis(pause))
    pause = Math.min(pause * pauses.factor, pauses.longest)
  }
})

/** Until everything is verified that can be. */
export const run = Effect.fnUntraced(function* (task: Task): Effect.fn.Return<void, Stopped> {
  const { counterpart, job } = task
  const { bulk } = counterpart
  if (bulk._tag === "Direct") return yield* directly(task, bulk)
  if (job.now().portions.length === 0) yield* job.keep({ portions: cut(job.now().counts.addresses, bulk.most) })
  yield* handOver(task, bulk)
  yield* following(task, bulk)
})

/** Ends what goes on elsewhere, and fetches what was verified by then. */
export const cancel = Effect.fnUntraced(function* (task: Task): Effect.fn.Return<void, Stopped> {
  const { counterpart, job } = task
  const { bulk } = counterpart
  if (bulk._tag === "Direct") return
  for (const [index, { ended, name }] of job.now().portions.entries()) {
    if (ended !== null) continue
    if (name !== null) yield* bulk.cancel(name)
    // Where it cannot be ended, nobody waits for it.
    if (name === null || (yield* bulk.look(name)).ended === null) yield* change(job, index, { ended: "cancelled" })
  }
  yield* following(task, bulk)
})
