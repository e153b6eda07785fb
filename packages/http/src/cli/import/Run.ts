/** `lading import <format> <file…>`: customs files into the store of customs records. */
import { TradeImport, type TradeLoads } from "@lading/core/trade"
import type { Batch, Format, ImportOptions } from "@lading/importers"
import { Effect, Ref, Schema, type Scope, Stream } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { basename, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import type * as Failure from "../Failure.ts"
import { codeOf, Unreadable } from "../rows/Problem.ts"
import { stopwatch } from "../rows/Progress.ts"
import type { Outcome, State } from "./Progress.ts"
import * as Rejects from "./Rejects.ts"

export interface Request {
  readonly name: string
  readonly format: Format
  readonly files: ReadonlyArray<string>
  readonly options: ImportOptions
  readonly replaces: TradeLoads.Replaces | null
  readonly rejects: string
}

/** SHA-256 of everything that the result depends on. */
const digestOf = Effect.fnUntraced(function* ({ files, name, options, replaces }: Request) {
  const { countries, mapping, rates, rows } = options
  const hash = createHash("sha256").update(JSON.stringify([name, rows, replaces, files.length]))
  const beside = [mapping, rates, countries].flatMap((file) => (file === null ? [] : [file]))
  for (const file of [...files, ...beside])
    yield* Effect.tryPromise({
      try: () =>
        pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) hash.update(chunk)
        }),
      catch: (cause) => new Unreadable({ file, line: null, problem: `the file cannot be read (${codeOf(cause)})` })
    })
  return hash.digest("hex")
})

/** Where an import goes on: the reader's own words, and how much of the file of rejected rows belongs to it. */
const Position = Schema.fromJsonString(
  Schema.Struct({ reader: Schema.String, rejects: Schema.Int, dropped: Schema.Int })
)
type Position = typeof Position.Type

const written = Schema.encodeSync(Position)

const positionOf = (text: string | null): Effect.Effect<Position | null> =>
  // What stands there was written by the line above.
  text === null ? Effect.succeed(null) : Effect.orDie(Schema.decodeEffect(Position)(text))

/** Does it; `show` is given what it has come to, at any time. */
export const run = Effect.fnUntraced(function* (
  request: Request,
  show: (state: Effect.Effect<State>) => Effect.Effect<void, never, Scope.Scope>
): Effect.fn.Return<Outcome, Failure.Failure, Scope.Scope | TradeLoads.TradeLoads> {
  const { files, format, name, options, rejects, replaces } = request
  const elapsed = yield* stopwatch
  const paths = files.map((file) => resolve(file))
  const digest = yield* digestOf({ ...request, files: paths })
  const opened = yield* format.open(paths, options)
  const counted = yield* Ref.make({ read: 0, rows: 0, before: -1, rejected: 0, dropped: 0, publishing: false })
  yield* show(
    Effect.gen(function* () {
      const { dropped: _, ...now } = yield* Ref.get(counted)
      return { ...now, before: Math.max(0, now.before), bytes: opened.bytes, elapsed: yield* elapsed }
    })
  )
  const batches = (from: string | null) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const position = yield* positionOf(from)
        const file = yield* Rejects.make(rejects, position?.rejects ?? 0)
        let dropped = position?.dropped ?? 0
        const told = Effect.fnUntraced(function* (batch: Batch) {
          const length = yield* file.add(batch.rejected)
          dropped += batch.dropped
          const so = dropped
          yield* Ref.update(counted, (now) => ({ ...now, read: batch.read, dropped: so }))
          return {
            records: batch.records,
            rejected: batch.rejected.length,
            position: written({ reader: batch.position, rejects: length, dropped: so })
          }
        })
        return opened.batches(position?.reader ?? null).pipe(Stream.mapEffect(told))
      })
    )
  const imported = yield* TradeImport.run({
    of: { name: paths.map((path) => basename(path)).join(" "), digest, format: name, replaces },
    batches,
    progress: ({ rejected, rows }) =>
      Ref.update(counted, (now) => ({ ...now, rejected, rows, before: now.before < 0 ? rows : now.before })),
    publishing: Ref.update(counted, (now) => ({ ...now, publishing: true }))
  })
  return { imported, dropped: (yield* Ref.get(counted)).dropped, rejects, elapsed: yield* elapsed }
})
