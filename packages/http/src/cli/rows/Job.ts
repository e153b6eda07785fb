/**
 * A job: the result so far, and what is needed to go on with it after any end. Until it is finished it is a folder
 * beside the result, `<result>.partial`:
 *
 *     rows         the result so far
 *     pending      the rows of it whose answers were not complete, see `Late`
 *     late         what those rows are, once they are complete
 *     job.json     what the job is, and how many rows and bytes are whole and on the disk, see `Kept`
 *     owner.json   the process that works on it; a second one is refused
 */
import type { Credits } from "@lading/core/billing"
import { Clock, Effect, Option, type Scope, Semaphore, Stream } from "effect"
import * as fs from "node:fs/promises"
import * as Disk from "./Disk.ts"
import * as Folder from "./Folder.ts"
import * as Kept from "./Kept.ts"
import * as Late from "./Late.ts"
import { CannotBegin, codeOf, Stopped } from "./Problem.ts"
import type { Tally } from "./Tally.ts"

export interface Job {
  readonly id: string
  /** What a row may cost at most, where somebody said it. */
  readonly rowCredits: Credits.Credits | null
  /** Where it stands. */
  readonly tally: () => Tally
  /** What is spent, as far as it cannot be ruled out. */
  readonly spent: () => Credits.Credits
  /** What rows of a shape cost at most. */
  readonly price: (shape: string) => Credits.Credits | undefined
  readonly setPrice: (shape: string, price: Credits.Credits) => Effect.Effect<void, Stopped>
  /** Has to be told before a row is sent. */
  readonly asking: (number: number) => Effect.Effect<void, Stopped>
  /** No row is in the air. */
  readonly landed: Effect.Effect<void, Stopped>
  /** Adds whole rows; they are on the disk when it ends. */
  readonly append: (rows: ReadonlyArray<Folder.Written>, tally: Tally) => Effect.Effect<void, Stopped>
  /** Rows that are not complete, in their order. */
  readonly pending: Stream.Stream<Late.PendingRow, Stopped>
  /** They are complete; on the disk when it ends. */
  readonly complete: (rows: ReadonlyArray<Folder.Completed>, tally: Tally) => Effect.Effect<void, Stopped>
  /** Makes it the result. While rows are pending the job stays, so that a later run can fetch them. */
  readonly publish: Effect.Effect<void, Stopped>
}

const cannot = (problem: string) => new CannotBegin({ problem })

/** What an earlier run has left behind; `null` where there is nothing to go on with. */
const earlier = Effect.fnUntraced(function* (wanted: Kept.Wanted): Effect.fn.Return<Kept.Kept | null, CannotBegin> {
  const at = Folder.paths(Kept.folderOf(wanted.out))
  const text = yield* Disk.attempt(at.job, () => Disk.read(at.job))
  if (text === null) return null
  const decoded = Kept.decode(text)
  if (Option.isNone(decoded)) return yield* cannot(`${at.job} cannot be read; ${Kept.beginAnew}`)
  const kept = yield* Kept.goOn(decoded.value, wanted, yield* Clock.currentTimeMillis)
  if (kept === null) return null
  for (const name of Folder.files) {
    const size = yield* Disk.attempt(at[name], async () => (await fs.stat(at[name])).size)
    if (size < kept.bytes[name]) return yield* cannot(`${at[name]} has lost rows; ${Kept.beginAnew}`)
  }
  return kept
})

/** A result that is there stays, unless this job wrote it while rows were pending and nobody has changed it since. */
const free = Effect.fnUntraced(function* (out: string) {
  if (!(yield* Disk.attempt(out, () => Disk.exists(out)))) return
  const { job } = Folder.paths(Kept.folderOf(out))
  const text = yield* Disk.attempt(job, () => Disk.read(job))
  const published =
    text === null
      ? []
      : Option.getOrElse(
          Option.map(Kept.decode(text), (kept) => kept.published),
          () => []
        )
  if (published.length === 0) {
    return yield* Disk.taken(out)
  }
  if (published.includes(yield* Disk.attempt(out, () => Late.digestOf(out)))) return
  return yield* cannot(
    `${out} was changed since it was written; move it away, and the same command fetches what was pending`
  )
})

/** How many rows are covered at once, so that not every row waits for the disk. */
const covered = 32

/** What a job does with its files. */
const over = Effect.fnUntraced(function* (folder: Folder.Folder) {
  const { at, spans } = folder
  const one = yield* Semaphore.make(1)
  const failed = (cause: unknown) => new Stopped({ problem: `${at.folder} cannot be written: ${codeOf(cause)}` })

  /** One after the other. What has begun is finished: half of it would be cut off, and asked and paid for again. */
  const writing = (run: () => Promise<void>): Effect.Effect<void, Stopped> =>
    Clock.currentTimeMillis.pipe(
      Effect.flatMap((written_at) => {
        folder.now = { ...folder.now, written_at }
        return Effect.tryPromise({ try: run, catch: failed })
      }),
      one.withPermit,
      Effect.uninterruptible
    )
  const keeping = (change: (now: Kept.Kept) => Partial<Kept.Kept>) =>
    writing(() => Folder.keep(folder, change(folder.now)))

  return {
    id: folder.now.id,
    rowCredits: folder.now.row_credits,
    tally: () => folder.now.tally,
    spent: () => Kept.spentOf(folder.now),
    price: (shape) => folder.now.prices[shape],
    setPrice: (shape, price) => keeping(({ prices }) => ({ prices: { ...prices, [shape]: price } })),
    asking: (number) =>
      Effect.suspend(() =>
        number <= folder.now.asked ? Effect.void : keeping(() => ({ asked: number + covered - 1 }))
      ),
    landed: keeping(({ tally }) => ({ asked: tally.rows })),
    append: (rows, tally) => writing(() => Folder.append(folder, rows, tally)),
    pending: Stream.suspend(() =>
      Stream.fromAsyncIterable(Late.pendingRows(at.pending, folder.now.bytes.pending), failed).pipe(
        Stream.filter(({ number }) => !spans.has(number))
      )
    ),
    complete: (rows, tally) => writing(() => Folder.complete(folder, rows, tally)),
    publish: writing(() => Folder.publish(folder))
  } satisfies Job
})

/** Opens a job, a new one or the one that was begun before; it belongs to this process until the scope closes. */
export const open = Effect.fnUntraced(function* (wanted: Kept.Wanted): Effect.fn.Return<Job, CannotBegin, Scope.Scope> {
  const { beginning, out, restart } = wanted
  const folder = Kept.folderOf(out)
  const at = Folder.paths(folder)
  if (!restart) yield* free(out)
  yield* Disk.owned(folder)
  const kept = restart ? null : yield* earlier(wanted)
  const now = kept ?? Kept.fresh(wanted, yield* Clock.currentTimeMillis)
  const handles = {
    rows: yield* Disk.openFile(at.rows, kept === null),
    pending: yield* Disk.openFile(at.pending, kept === null),
    late: yield* Disk.openFile(at.late, kept === null)
  }
  yield* Disk.attempt(folder, async () => {
    if (kept === null) await handles.rows.writeFile(beginning)
    await Promise.all(
      Folder.files.map(async (name) => {
        await handles[name].truncate(now.bytes[name])
        await handles[name].sync()
      })
    )
    await Disk.replace(at.job, Kept.encode(now))
  })
  const spans = yield* Disk.attempt(at.late, () => Late.lateRows(at.late, now.bytes.late))
  return yield* over({ out, at, handles, spans, now })
})
