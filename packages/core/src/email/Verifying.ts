/**
 * What is done for a list of addresses after its request was answered. Every part may be done again, by another process
 * too: what was noted down is not asked again, and the hold is settled with the same bill.
 */
import { Clock, Context, Effect, Layer, Schema, Stream } from "effect"
import * as Aftermath from "../billing/Aftermath.ts"
import type * as Bill from "../billing/Bill.ts"
import * as Credits from "../billing/Credits.ts"
import * as Ledger from "../billing/Ledger.ts"
import * as Webhooks from "../net/Webhooks.ts"
import { patiently } from "../request/Patience.ts"
import * as Chunks from "./Chunks.ts"
import * as EmailList from "./EmailList.ts"
import * as EmailResult from "./EmailResult.ts"
import * as EmailTask from "./EmailTask.ts"
import * as EmailTasks from "./EmailTasks.ts"
import * as EmailVerifier from "./EmailVerifier.ts"
import * as Metrics from "./Metrics.ts"
import * as Verdict from "./Verdict.ts"

/** How often an address is asked about whose host wants to be asked again. */
export const rounds = 4

/** What is noted down at once: so many answers, or those of so much time. */
const noted = { answers: 250, time: "2 seconds" } as const

/** Between two looks at a list that somebody else verifies, in milliseconds. */
const looks = { first: 5_000, most: 60_000 }

/** The most that the clocks of two servers are apart, in milliseconds: less than any host wants to be left alone for. */
const apart = 60_000

/** Of addresses that are asked about by themselves: how many at once, and how long each may take, in milliseconds. */
const together = 5
const patience = 120_000

/** The task has ended, or somebody else has changed the chunk: an erasure, or another process. */
class Over extends Schema.TaggedError<Over>()("Over", {}) {}

export class Verifying extends Context.Service<
  Verifying,
  {
    /** Waits until the request has been settled; `false` when that never happened. */
    readonly answered: (parent: Ledger.HoldId) => Effect.Effect<boolean>
    /** Puts the list into its chunks; gives its lanes. */
    readonly arrange: (id: string) => Effect.Effect<ReadonlyArray<number>>
    /** The chunks of a lane. */
    readonly chunks: (id: string, lane: number) => Effect.Effect<ReadonlyArray<number>>
    /** Asks about those of a chunk that nobody was asked about, or in a later round those that are due. */
    readonly verify: (id: string, number: number, round: number) => Effect.Effect<void>
    /** How long until the next round of a lane, in milliseconds; `null` when there is none. */
    readonly pause: (id: string, lane: number) => Effect.Effect<number | null>
    /** Hands a lane over to a verifier that takes lists. */
    readonly handOver: (id: string, lane: number) => Effect.Effect<void>
    /** Whether the lane is complete there; how long until it is asked again, in milliseconds, otherwise. */
    readonly look: (id: string, lane: number, time: number) => Effect.Effect<number | null>
    /** Closes what is open, settles, and tells who wants to be told. */
    readonly finish: (holds: Holds) => Effect.Effect<void>
    /** Forgets the list and gives its credits back. */
    readonly drop: (holds: Holds) => Effect.Effect<void>
    /** Whether lanes are handed over. */
    readonly isDelegated: boolean
  }
>()("@lading/core/email/Verifying") {}

/** What the workflow of a list knows of it. */
export interface Holds {
  readonly id: string
  readonly account: string
  readonly hold: Ledger.HoldId
  readonly price_version: string
}

const platform: Bill.Payee = { _tag: "Platform" }

const billOf = ({ price_version }: EmailTask.EmailTask, credits: Credits.Credits): Bill.Bill => ({
  price_version,
  lines: credits > 0 ? [{ payee: platform, credits }] : [],
  memos: []
})

/** Whether an address is asked about in a round: a later one is for those whose hosts want it, and it may be done again. */
const isWanted = (answer: EmailTask.Answer | null, round: number, now: number): boolean => {
  if (answer === null) return true
  return round > 1 && answer.due !== null && answer.due <= now + apart
}

/** Asks this process's own verifier about a chunk, and notes down what comes as it comes. */
const asking = (tasks: EmailTasks.EmailTasks["Service"], verifier: EmailVerifier.Direct) => {
  const noting = Effect.fnUntraced(function* (
    id: string,
    number: number,
    { chunk, revision }: EmailTasks.Opened,
    some: ReadonlyArray<EmailVerifier.Checked>
  ) {
    const now = yield* Clock.currentTimeMillis
    const next = Chunks.withAnswers(chunk, some, now)
    if (yield* patiently(tasks.note(id, number, { chunk: next, revision })))
      return { chunk: next, revision: revision + 1 }
    // What was learnt is not asked again; and who has left the list is not asked any more.
    yield* Chunks.change(tasks, id, number, (other) => Chunks.withAnswers(other, some, now))
    return yield* new Over()
  })

  return Effect.fnUntraced(function* (id: string, number: number, opened: EmailTasks.Opened, round: number) {
    const { answers, emails } = opened.chunk
    const now = yield* Clock.currentTimeMillis
    const wanted = emails.filter((_, index) => isWanted(answers[index] ?? null, round, now))
    if (wanted.length === 0) return
    yield* verifier.verify(wanted, round).pipe(
      Stream.groupedWithin(noted.answers, noted.time),
      Stream.runFoldEffect(
        () => opened,
        (known, some) => noting(id, number, known, some)
      )
    )
  })
}

interface Steps {
  readonly going: (id: string) => Effect.Effect<EmailTask.EmailTask | null>
  readonly ofLane: (id: string, lane: number) => Effect.Effect<ReadonlyArray<EmailTasks.ChunkHead>>
  readonly waiting: <A>(
    id: string,
    work: Effect.Effect<A, EmailVerifier.EmailVerifierUnavailable | Over>
  ) => Effect.Effect<A | null>
}

/** What the parts have in common. */
const stepping = (tasks: EmailTasks.EmailTasks["Service"]): Steps => {
  const going = Effect.fnUntraced(function* (id: string) {
    const task = yield* patiently(tasks.find(id))
    if (task === null || !EmailTask.isOpen(task)) return null
    return (yield* Clock.currentTimeMillis) < task.expires_at ? task : null
  })

  /** A verifier that cannot work now is waited for; one that never will ends the task. */
  const waiting = <A>(
    id: string,
    work: Effect.Effect<A, EmailVerifier.EmailVerifierUnavailable | Over>
  ): Effect.Effect<A | null> =>
    work.pipe(
      Effect.catchTags({
        // Read again, it is as it is by now.
        Over: Effect.fnUntraced(function* (): Effect.fn.Return<A | null> {
          return (yield* going(id)) === null
            ? null
            : yield* Effect.delay(
                Effect.suspend(() => waiting(id, work)),
                "1 second"
              )
        }),
        EmailVerifierUnavailable: Effect.fnUntraced(function* ({ problem, retryable }): Effect.fn.Return<A | null> {
          yield* Effect.logWarning("the verifier does not work", { problem, retryable })
          if (!retryable) {
            yield* patiently(tasks.end(id, { state: "failed", at: yield* Clock.currentTimeMillis }))
            return null
          }
          if ((yield* going(id)) === null) return null
          return yield* Effect.delay(
            Effect.suspend(() => waiting(id, work)),
            "10 seconds"
          )
        })
      })
    )

  const ofLane = (id: string, lane: number) =>
    Effect.map(patiently(tasks.chunks(id)), (heads) => heads.filter((head) => head.lane === lane))

  return { going, ofLane, waiting }
}

/** Lists that this process verifies, and how every list is arranged. */
const directing = (
  tasks: EmailTasks.EmailTasks["Service"],
  { bulk }: EmailVerifier.EmailVerifier["Service"],
  { going, ofLane, waiting }: Steps
) => {
  const arrange = Effect.fnUntraced(function* (id: string) {
    const emails = yield* patiently(tasks.intake(id))
    if (emails.length > 0) {
      const domains = [...new Set(emails.map(EmailList.domainOf))].filter((domain) => domain !== "")
      const hosts = bulk._tag === "Direct" ? yield* bulk.hosts(domains) : new Map<string, string>()
      const placed =
        bulk._tag === "Direct"
          ? EmailList.placed(emails, (domain) => hosts.get(domain) ?? domain)
          : EmailList.portions(emails, bulk._tag === "Delegated" ? bulk.most : emails.length)
      yield* patiently(tasks.arrange(id, placed))
    }
    return [...new Set((yield* patiently(tasks.chunks(id))).map(({ lane }) => lane))]
  })

  const verify = Effect.fnUntraced(function* (id: string, number: number, round: number) {
    if (bulk._tag !== "Direct" || (yield* going(id)) === null) return
    const ask = asking(tasks, bulk)
    const once = Effect.flatMap(patiently(tasks.open(id, number)), (opened) =>
      opened === null ? Effect.void : ask(id, number, opened, round)
    )
    yield* waiting(id, once)
  })

  const pause = Effect.fnUntraced(function* (id: string, lane: number) {
    const task = yield* going(id)
    const due = (yield* ofLane(id, lane)).flatMap((head) => head.due ?? [])
    if (task === null || due.length === 0) return null
    const now = yield* Clock.currentTimeMillis
    return Math.max(0, Math.min(Math.max(...due), task.expires_at) - now)
  })

  const chunks = (id: string, lane: number) =>
    Effect.map(ofLane(id, lane), (heads) => heads.map(({ number }) => number))

  return { arrange, chunks, verify, pause }
}

const make = Effect.gen(function* () {
  const paid = Aftermath.make(yield* Ledger.Ledger)
  const tasks = yield* EmailTasks.EmailTasks
  const webhooks = yield* Webhooks.Webhooks
  const verifier = Metrics.counted(yield* EmailVerifier.EmailVerifier)
  const steps = stepping(tasks)
  return Verifying.of({
    isDelegated: verifier.bulk._tag === "Delegated",
    answered: paid.answered,
    ...directing(tasks, verifier, steps),
    ...delegating(tasks, verifier, steps),
    ...ending(tasks, webhooks, paid)
  })
})

/** Nobody else is told of a text that is no address. */
const isAddress = (text: string): boolean => Verdict.ofNone(text) === null

/** Lists that somebody else verifies. */
const delegating = (
  tasks: EmailTasks.EmailTasks["Service"],
  { bulk, single }: EmailVerifier.EmailVerifier["Service"],
  { going, ofLane, waiting }: Steps
) => {
  const opened = (id: string, lane: number) =>
    Effect.flatMap(ofLane(id, lane), (heads) =>
      Effect.forEach(heads, ({ number }) =>
        Effect.map(patiently(tasks.open(id, number)), (found) => (found === null ? [] : [{ number, ...found }]))
      )
    ).pipe(Effect.map((chunks) => chunks.flat()))

  const one = (email: string) => Effect.flatMap(Clock.currentTimeMillis, (now) => single(email, now + patience))

  const land = Effect.fnUntraced(function* (id: string, lane: number, results: ReadonlyArray<EmailResult.EmailResult>) {
    // As they are spelled there.
    const byEmail = new Map(results.map((result) => [result.email.toLowerCase(), result]))
    const decided = (email: string): EmailVerifier.Checked => ({
      _tag: "Decided",
      email,
      result: byEmail.get(email.toLowerCase()) ?? Verdict.ofNone(email) ?? EmailResult.unknown(email)
    })
    for (const { number } of yield* ofLane(id, lane))
      yield* Chunks.change(tasks, id, number, (chunk) => Chunks.withAnswers(chunk, chunk.emails.map(decided), 0))
  })

  const handOver = Effect.fnUntraced(function* (id: string, lane: number) {
    if (bulk._tag !== "Delegated" || (yield* going(id)) === null) return
    // Noted before: this part is done again after a crash, and each list is paid.
    if ((yield* patiently(tasks.nameOf(id, lane))) !== null) return
    const emails = (yield* opened(id, lane)).flatMap(({ chunk }) => chunk.emails).filter(isAddress)
    if (emails.length < bulk.least) {
      const results = yield* waiting(id, Effect.forEach(emails, one, { concurrency: together }))
      if (results !== null) yield* land(id, lane, results)
      return
    }
    const name = yield* waiting(id, bulk.begin(emails))
    if (name !== null) yield* patiently(tasks.named(id, lane, name))
  })

  const look = Effect.fnUntraced(function* (id: string, lane: number, time: number) {
    const name = yield* patiently(tasks.nameOf(id, lane))
    if (bulk._tag !== "Delegated" || name === null || (yield* going(id)) === null) return null
    const progress = yield* waiting(id, bulk.progress(name))
    if (progress === null) return null
    if (progress.results === null) return Math.min(looks.most, looks.first * (time + 1))
    yield* land(id, lane, progress.results)
    return null
  })

  return { handOver, look }
}

/** How a list ends. */
const ending = (
  tasks: EmailTasks.EmailTasks["Service"],
  webhooks: Webhooks.Webhooks["Service"],
  { settle }: ReturnType<typeof Aftermath.make>
) => {
  const close = Effect.fnUntraced(function* (id: string) {
    for (const { checked, number, size } of yield* patiently(tasks.chunks(id)))
      if (checked < size) yield* Chunks.change(tasks, id, number, EmailTask.closed)
  })

  const tell = (task: EmailTask.EmailTask, charged: Credits.Credits) =>
    task.webhook_url === null
      ? Effect.void
      : patiently(
          webhooks.send({
            id: `email:${task.id}`,
            account: task.account,
            url: task.webhook_url,
            type: "email.verified",
            data: {
              task_id: task.id,
              status: task.state,
              progress: progressOf(task),
              credits_charged: Credits.toNumber(charged)
            },
            subjects: []
          })
        )

  const finish = Effect.fnUntraced(function* (holds: Holds) {
    const before = yield* patiently(tasks.find(holds.id))
    if (before !== null && EmailTask.isOpen(before)) yield* close(holds.id)
    const task = yield* patiently(tasks.end(holds.id, { state: "completed", at: yield* Clock.currentTimeMillis }))
    if (task === null) {
      yield* settle(holds, { price_version: holds.price_version, lines: [], memos: [] })
      return
    }
    // Said before it is settled: whoever does this again, or at the same time, settles the same, whatever was erased by then.
    const charged = yield* patiently(tasks.charge(holds.id, Credits.times(task.price, task.definite)))
    const isPaid = yield* settle(holds, billOf(task, charged))
    if (!isPaid) {
      yield* Effect.logWarning("the credits for a list were given back before it was complete")
      yield* patiently(tasks.waive(holds.id))
    }
    yield* tell(task, isPaid ? charged : Credits.zero)
  })

  const drop = Effect.fnUntraced(function* (holds: Holds) {
    yield* patiently(tasks.remove(holds.id))
    yield* settle(holds, { price_version: holds.price_version, lines: [], memos: [] })
  })

  return { finish, drop }
}

export const progressOf = ({ checked, total }: Pick<EmailTask.EmailTask, "checked" | "total">) => ({
  total,
  checked,
  percentage: total === 0 ? 100 : Math.floor((100 * checked) / total)
})

export const layer = Layer.effect(Verifying, make)
