/**
 * US import manifests: the tables of CBP's vessel manifests, one CSV file each (`ams__<table>_<year>__<stamp>.csv`), joined
 * by bill. `Spread.ts` says how that stays within memory, `Bill.ts` what a bill becomes.
 *
 * Gotchas
 * - Nothing comes out before all tables have been read: the first batches are empty and say how far reading is.
 * - Going on from a position reads the tables again, unless the scratch folder still has them in parts.
 * - Names are cut at 35 signs by the manifests themselves, and stay so.
 */
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Effect, type Scope, Stream } from "effect"
import type { Batch, Rejected, TradeFile } from "../Batch.ts"
import * as Bytes from "../bytes/Bytes.ts"
import type { ImportOptions } from "../Format.ts"
import { ImportError } from "../ImportError.ts"
import * as Bill from "./Bill.ts"
import * as Spread from "./Spread.ts"
import { type Named, named } from "./Tables.ts"

/** Bills of one batch. */
const BILLS = 2000

interface Input {
  readonly file: string
  readonly named: Named
  /** Bytes of the files before it. */
  readonly before: number
}

interface Job {
  readonly inputs: ReadonlyArray<Input>
  readonly bytes: number
  readonly parts: number
  /** Names these files as they are now. */
  readonly mark: string
  readonly scratch: string | null
}

type Position =
  | { readonly _tag: "Spread"; readonly sheets: number }
  | { readonly _tag: "Join"; readonly part: number; readonly bills: number }

const positionText = (position: Position): string =>
  position._tag === "Spread" ? `spread:${position.sheets}` : `join:${position.part}:${position.bills}`

const positionOf = (text: string | null): Position | null => {
  if (text === null) return { _tag: "Spread", sheets: 0 }
  const [, sheets] = /^spread:(\d{1,12})$/.exec(text) ?? []
  if (sheets !== undefined) return { _tag: "Spread", sheets: Number(sheets) }
  const [, part, bills] = /^join:(\d{1,6}):(\d{1,12})$/.exec(text) ?? []
  return part === undefined || bills === undefined ? null : { _tag: "Join", part: Number(part), bills: Number(bills) }
}

const failed = (file: string) => (cause: unknown) =>
  new ImportError({
    reason: "unreadable",
    file,
    problem: `cannot be read or written: ${cause instanceof Error ? cause.message : String(cause)}`
  })

const attempt = <A>(file: string, run: () => Promise<A>): Effect.Effect<A, ImportError> =>
  Effect.tryPromise({ try: run, catch: failed(file) })

/** A sheet at a time of all tables, one behind the other, into parts. */
const spread = (job: Job, folder: string): Stream.Stream<Batch, ImportError> => {
  const parts = new Spread.Parts(folder, job.parts)
  let sheets = 0
  const table = ({ before, file, named }: Input, index: number) =>
    Stream.unwrap(
      Effect.map(Spread.open(file, named), (opened) =>
        Stream.unfold(null, () =>
          Effect.gen(function* () {
            const sheet = yield* opened.table.read
            if (sheet === null) return
            const rejected = Spread.add(parts, opened, index, sheet)
            yield* parts.flush(false)
            sheets++
            const read = Math.round((before + opened.table.taken()) / 2)
            const position = positionText({ _tag: "Spread", sheets })
            return [{ records: [], rejected, dropped: 0, read, position } satisfies Batch, null] as const
          })
        )
      )
    )
  const all = Stream.flatMap(Stream.fromIterable(job.inputs.entries()), ([index, input]) => table(input, index))
  const done = attempt(folder, () => writeFile(join(folder, "done"), job.mark))
  return Stream.concat(all, Stream.fromEffectDrain(Effect.andThen(parts.flush(true), done)))
}

/** The lines of a part by bill, in the order of the identifiers. */
const billsOf = Effect.fnUntraced(function* (folder: string, part: number) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(Spread.pathOf(folder, part), "utf8"),
    catch: failed(folder)
  }).pipe(
    // No bill fell into it.
    Effect.catchIf(
      (error) => error.problem.includes("ENOENT"),
      () => Effect.succeed("")
    )
  )
  const lines = text.split("\n").filter((line) => line !== "")
  // Lines stay texts until their bill is read: their cells would be most of what a part takes.
  return [...Map.groupBy(lines, (line) => line.slice(2, line.indexOf("\t", 2)))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, bill]) => bill)
})

const rejectedOf = (job: Job, bill: ReadonlyArray<Bill.Line>, found: Bill.Read): ReadonlyArray<Rejected> => {
  if (found.problem === null) return []
  const [file = "0", line = "0"] = found.problem.from.split(":")
  const { column, problem } = found.problem
  const text = `identifier ${bill[0]?.identifier ?? ""}`
  return [{ file: job.inputs[Number(file)]?.file ?? "", line: Number(line), column, problem, text }]
}

const batchOf = (job: Job, bills: ReadonlyArray<ReadonlyArray<string>>, part: number, done: number): Batch => {
  const read = bills.map((texts) => {
    const bill = texts.flatMap((text) => Bill.lineOf(text) ?? [])
    return { bill, found: Bill.read(bill) }
  })
  return {
    records: read.flatMap(({ found }) => found.records),
    rejected: read.flatMap(({ bill, found }) => rejectedOf(job, bill, found)),
    dropped: read.reduce((sum, { found }) => sum + found.dropped, 0),
    read: Math.round(job.bytes / 2 + (job.bytes / 2) * ((part + 1) / job.parts)),
    position: positionText({ _tag: "Join", part, bills: done })
  }
}

/** The bills of all parts from one on, `skip` of the first left out. */
const joined = (job: Job, folder: string, from: number, skip: number): Stream.Stream<Batch, ImportError> =>
  Stream.flatMap(
    Stream.fromIterable(Array.from({ length: Math.max(0, job.parts - from) }, (_, index) => from + index)),
    (part) =>
      Stream.unwrap(
        Effect.map(billsOf(folder, part), (bills) => {
          const first = part === from ? skip : 0
          const starts = Array.from(
            { length: Math.ceil(Math.max(0, bills.length - first) / BILLS) },
            (_, at) => first + at * BILLS
          )
          return Stream.map(Stream.fromIterable(starts), (at) => {
            const some = bills.slice(at, at + BILLS)
            return batchOf(job, some, part, at + some.length)
          })
        })
      )
  )

/** A folder for the parts: the operator's, where it is found again after a crash, or one that goes with the reading. */
const folderOf = (job: Job): Effect.Effect<string, ImportError, Scope.Scope> => {
  if (job.scratch !== null) {
    const folder = join(job.scratch, `us-ams-${job.mark.slice(0, 16)}`)
    return Effect.as(
      attempt(folder, () => mkdir(folder, { recursive: true })),
      folder
    )
  }
  return Effect.acquireRelease(
    attempt(tmpdir(), () => mkdtemp(join(tmpdir(), "lading-us-ams-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )
}

const isDone = (job: Job, folder: string): Effect.Effect<boolean> =>
  Effect.match(
    attempt(folder, () => readFile(join(folder, "done"), "utf8")),
    { onFailure: () => false, onSuccess: (mark) => mark === job.mark }
  )

const emptied = (folder: string) =>
  attempt(folder, async () => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  })

const removed = (folder: string) =>
  Stream.fromEffectDrain(attempt(folder, () => rm(folder, { recursive: true, force: true })))

const batches = (job: Job, from: Position): Stream.Stream<Batch, ImportError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const folder = yield* folderOf(job)
      if (from._tag === "Join") {
        if (!(yield* isDone(job, folder))) {
          yield* emptied(folder)
          yield* Stream.runDrain(spread(job, folder))
        }
        return Stream.concat(joined(job, folder, from.part, from.bills), removed(folder))
      }
      yield* emptied(folder)
      const spreading = Stream.drop(spread(job, folder), from.sheets)
      return Stream.concat(Stream.concat(spreading, joined(job, folder, 0, 0)), removed(folder))
    })
  )

const inputsOf = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const inputs: Array<Input> = []
  const seen = new Set<string>()
  let before = 0
  for (const file of files) {
    const found = named(file)
    const name = basename(file)
    if (found === null) {
      const problem = "expected a table of the manifests, named ams__<table>_<year>__<date>.csv"
      return yield* new ImportError({ reason: "option", file, problem })
    }
    if (seen.has(name)) {
      return yield* new ImportError({ reason: "option", file, problem: "it is given twice" })
    }
    seen.add(name)
    if (found.table === null) continue
    inputs.push({ file, named: found, before })
    before += yield* Bytes.total([file])
  }
  if (!inputs.some((input) => input.named.table === "header")) {
    const problem = "expected the table header among the files: it has the dates, ports and weights"
    return yield* new ImportError({ reason: "option", file: files.join(", "), problem })
  }
  return { inputs, bytes: before }
})

/** Names, sizes and times of the files: what the parts on the disk are of. */
const markOf = (inputs: ReadonlyArray<Input>) =>
  Effect.map(
    Effect.forEach(inputs, ({ file }) =>
      Effect.map(
        attempt(file, () => stat(file)),
        ({ mtimeMs, size }) => [file, size, mtimeMs]
      )
    ),
    (about) => createHash("sha256").update(JSON.stringify(about)).digest("hex")
  )

export const open = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  { scratch }: ImportOptions
): Effect.fn.Return<TradeFile, ImportError> {
  const { bytes, inputs } = yield* inputsOf(files)
  const job: Job = { inputs, bytes, parts: Spread.partsFor(bytes), mark: yield* markOf(inputs), scratch }
  return {
    bytes,
    batches: (from) => {
      const position = positionOf(from)
      const problem = `reading cannot go on from ${JSON.stringify(from)}: it is no position in these files`
      return position === null || (position._tag === "Join" && position.part >= job.parts)
        ? Stream.fail(new ImportError({ reason: "position", file: files.join(", "), problem }))
        : batches(job, position)
    }
  }
})
