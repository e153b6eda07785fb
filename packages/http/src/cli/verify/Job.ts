/**
 * A list that is verified, and what is needed to go on with it after any end: a folder beside the result,
 * `<result>.partial`, with the files of `List`, those of `Answers`, and
 *
 *     job.json     what the job is, which lists were handed over under which names, how much of `answers` is whole
 *     owner.json   the process that works on it; a second one is refused
 */
import { Credits } from "@lading/core/billing"
import { Clock, Effect, Option, Schema, type Scope, Semaphore } from "effect"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Disk from "../rows/Disk.ts"
import * as Kept from "../rows/Kept.ts"
import { CannotBegin, codeOf, Stopped, type Unreadable } from "../rows/Problem.ts"
import { type Answer, Answers } from "./Answers.ts"
import * as List from "./List.ts"

/** A list that is handed over: the addresses from a number on, up to another. */
export const Portion = Schema.Struct({
  from: Schema.Int,
  to: Schema.Int,
  /** When it was handed over, epoch milliseconds: from then on it may have been taken. */
  handed_at: Schema.NullOr(Schema.Int),
  /** What it is called there. */
  name: Schema.NullOr(Schema.String),
  ended: Schema.NullOr(Schema.Literals(["completed", "cancelled", "failed"])),
  credits: Credits.Credits
})
export type Portion = typeof Portion.Type

const State = Schema.Struct({
  version: Schema.Literal(1),
  /** Random: the idempotency keys of its lists begin with it. */
  id: Schema.String,
  subject: Schema.Record(Schema.String, Schema.Unknown),
  counts: List.Counts,
  /** Whether somebody has agreed to its price. */
  agreed: Schema.Boolean,
  portions: Schema.Array(Portion),
  /** Bytes of `answers` that are whole. */
  bytes: Schema.Int
})
export type State = typeof State.Type

const Text = Schema.fromJsonString(State)
const decode = Schema.decodeUnknownOption(Text)
const encode = Schema.encodeSync(Text)

export interface Job {
  readonly at: ReturnType<typeof pathsOf>
  readonly now: () => State
  readonly answers: Answers
  readonly keep: (change: Partial<Pick<State, "agreed" | "portions">>) => Effect.Effect<void, Stopped>
  /** On the disk when it ends. */
  readonly note: (answers: ReadonlyArray<Answer>) => Effect.Effect<void, Stopped>
  /** The result is written: the folder goes. */
  readonly publish: Effect.Effect<void, Stopped>
}

export interface Wanted {
  readonly out: string
  readonly subject: State["subject"]
  readonly restart: boolean
  /** Writes the files of `List`. */
  readonly list: (at: List.Paths) => Effect.Effect<List.Counts, Unreadable | CannotBegin>
}

const pathsOf = (out: string) => {
  const folder = Kept.folderOf(out)
  return {
    out,
    folder,
    job: join(folder, "job.json"),
    addresses: join(folder, "addresses"),
    rows: join(folder, "rows"),
    answers: join(folder, "answers"),
    result: join(folder, "result")
  }
}

const cannot = (problem: string) => new CannotBegin({ problem })

/** Whether nobody was asked yet. */
const isUntouched = ({ bytes, portions }: State): boolean =>
  bytes === 0 && portions.every(({ handed_at }) => handed_at === null)

/** What an earlier run has left behind; `null` where there is nothing to go on with. */
const earlier = Effect.fnUntraced(function* (at: Job["at"], { restart, subject }: Wanted) {
  const text = restart ? null : yield* Disk.attempt(at.job, () => Disk.read(at.job))
  if (text === null) return null
  const decoded = decode(text)
  if (Option.isNone(decoded)) return yield* cannot(`${at.job} cannot be read; ${Kept.beginAnew}`)
  const state = decoded.value
  const others = Kept.differences(state.subject, subject)
  if (others.length > 0) {
    if (isUntouched(state)) return null
    return yield* cannot(`${at.folder} is a job with other settings: ${others.join(", ")}; ${Kept.beginAnew}`)
  }
  const size = yield* Disk.attempt(at.answers, async () => (await fs.stat(at.answers)).size)
  return size < state.bytes ? yield* cannot(`${at.answers} has lost answers; ${Kept.beginAnew}`) : state
})

const fresh = (subject: State["subject"], counts: List.Counts): State => ({
  version: 1,
  id: randomBytes(12).toString("base64url"),
  subject,
  counts,
  agreed: false,
  portions: [],
  bytes: 0
})

/** Opens a job, a new one or the one that was begun before; it belongs to this process until the scope closes. */
export const open = Effect.fnUntraced(function* (
  wanted: Wanted
): Effect.fn.Return<Job, CannotBegin | Unreadable, Scope.Scope> {
  const at = pathsOf(wanted.out)
  if (!wanted.restart && (yield* Disk.attempt(at.out, () => Disk.exists(at.out)))) return yield* Disk.taken(at.out)
  yield* Disk.owned(at.folder)
  const kept = yield* earlier(at, wanted)
  let now = kept ?? fresh(wanted.subject, yield* wanted.list(at))
  const file = yield* Disk.openFile(at.answers, kept === null)
  const answers = new Answers(file, now.counts.addresses)
  yield* Disk.attempt(at.folder, async () => {
    await file.truncate(now.bytes)
    await file.sync()
    await Disk.replace(at.job, encode(now))
    await answers.restore(at.answers, now.bytes)
  })
  const one = yield* Semaphore.make(1)
  /** One after the other. What has begun is finished: half of it would be cut off, and asked again. */
  const writing = (run: () => Promise<void>): Effect.Effect<void, Stopped> =>
    Effect.tryPromise({
      try: run,
      catch: (cause) => new Stopped({ problem: `${at.folder} cannot be written: ${codeOf(cause)}` })
    }).pipe(one.withPermit, Effect.uninterruptible)
  const keep = async (change: Partial<State>) => {
    now = { ...now, ...change }
    await Disk.replace(at.job, encode(now))
  }
  return {
    at,
    now: () => now,
    answers,
    keep: (change) => writing(() => keep(change)),
    note: (some) => writing(async () => keep({ bytes: await answers.add(some, now.bytes) })),
    publish: writing(async () => {
      await fs.rename(at.result, at.out)
      await Disk.syncFolder(dirname(at.out))
      await fs.rm(at.folder, { recursive: true, force: true })
    })
  }
})

/** How old a list may be that is handed over again: a server keeps idempotency keys for 24 hours, and clocks differ. */
const keysLast = 23 * 60 * 60 * 1000

/** Refuses where a list may have been taken, and would be taken and charged once more. */
export const guarded = Effect.fnUntraced(function* (job: Job, chargeAgain: boolean) {
  const now = yield* Clock.currentTimeMillis
  const old = job
    .now()
    .portions.some(({ handed_at, name }) => name === null && handed_at !== null && now - handed_at > keysLast)
  if (old && !chargeAgain)
    return yield* cannot(
      "this job stopped more than 23 hours ago while a list was handed over, and a server keeps idempotency keys for 24 hours: that list may be charged twice; --charge-again goes on all the same"
    )
})
