/** The result: every row of the file in its place, with the verdict on its address. */
import { EmailList, EmailResult } from "@lading/core/email"
import { Effect, Stream } from "effect"
import * as fs from "node:fs/promises"
import * as Disk from "../rows/Disk.ts"
import type * as Input from "../rows/Input.ts"
import type { Output } from "../rows/Output.ts"
import type { Stopped, Unreadable } from "../rows/Problem.ts"
import type { Column } from "./Column.ts"
import type { Job } from "./Job.ts"
import * as List from "./List.ts"
import type { Verdict } from "./Verdict.ts"

export interface Task {
  readonly job: Job
  readonly column: Column
  readonly rows: Stream.Stream<Input.Row, Unreadable>
  readonly output: Output<Verdict>
}

const without = (error: string): Verdict => ({ result: null, error })

/** Why nothing is known of an address. */
const reasonOf = (job: Job, number: number): string => {
  const portion = job.now().portions.find(({ from, to }) => from <= number && number < to)
  switch (portion?.ended) {
    case "completed":
      return "not verified: its owner has objected"
    case "failed":
      return "not verified: the verifier gave up"
    default:
      return "not verified: cancelled"
  }
}

/** `has` is one more than the number of its address. */
const verdictOf = ({ column, job }: Task, row: Input.Row, has: number): Verdict => {
  const email = List.addressOf(row, column)
  if (email === null || has === 0)
    return without((row.cells[column.place] ?? "").trim() === "" ? "no address" : "longer than any address")
  const answer = job.answers.at(has - 1)
  if (answer === null) return without(reasonOf(job, has - 1))
  if (EmailList.keyOf(answer.email) !== EmailList.keyOf(email)) return without("not verified")
  return { result: EmailResult.unpack(email, answer.result), error: "" }
}

/** Characters that are written at once. */
const piece = 64 * 1024

/** Text that comes in pieces of any size, written in pieces of some size. */
const gathering = (put: (text: string) => Effect.Effect<void, Stopped>) => {
  let gathered = ""
  const flush = Effect.suspend(() => {
    const text = gathered
    gathered = ""
    return put(text)
  })
  const add = (text: string) =>
    Effect.suspend(() => {
      gathered += text
      return gathered.length < piece ? Effect.void : flush
    })
  return { add, flush }
}

const numbersOf = async (path: string): Promise<Uint32Array> => {
  const bytes = await fs.readFile(path)
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
}

/** Writes it beside the job, flushed. Rows come as they are read, not so many of them where they are long. */
export const write = Effect.fnUntraced(function* (task: Task): Effect.fn.Return<void, Stopped | Unreadable> {
  const { job, output, rows } = task
  const failed = (cause: unknown) => Disk.lost(job.at.folder, cause)
  const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: failed })
  const numbers = yield* attempt(() => numbersOf(job.at.rows))
  const writing = Effect.gen(function* () {
    const file = yield* Effect.acquireRelease(
      attempt(() => fs.open(job.at.result, "w")),
      (file) => Effect.promise(() => file.close())
    )
    const { add, flush } = gathering((text) => attempt(() => file.writeFile(text)))
    yield* add(yield* output.beginning)
    let next = 0
    const judged = (some: ReadonlyArray<Input.Row>) =>
      Effect.try({
        try: () => some.map((row) => ({ row, outcome: verdictOf(task, row, numbers[next++] ?? 0) })),
        catch: failed
      })
    yield* Stream.runForEachArray(rows, (some) => judged(some).pipe(Effect.flatMap(output.texts), Effect.flatMap(add)))
    yield* flush
    yield* attempt(() => file.sync())
  })
  yield* Effect.scoped(writing)
})
