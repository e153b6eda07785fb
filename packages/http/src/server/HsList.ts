/**
 * The list of product codes of an installation: `lading import hs` copies it into the data folder, the server reads it
 * there when it starts.
 */
import { HsCode } from "@lading/core/trade"
import { Effect, Layer, Schema, Stream } from "effect"
import { Csv } from "effect/encoding"
import { existsSync } from "node:fs"
import { copyFile, mkdir, readFile } from "node:fs/promises"
import { join, resolve } from "node:path"

/** The file is no such list. */
export class NotAList extends Schema.TaggedError<NotAList>()("NotAList", {
  file: Schema.String,
  problem: Schema.String
}) {}

const fileIn = (dataDir: string): string => join(resolve(dataDir), "hs-codes.csv")

const Line = Schema.Struct({ hscode: Schema.String, description: Schema.String })

const read = (file: string): Effect.Effect<string, NotAList> =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) =>
      new NotAList({ file, problem: cause instanceof Error && "code" in cause ? String(cause.code) : "unreadable" })
  })

/** What a file says: CSV with the columns `hscode` and `description`, others beside them do no harm. */
const parse = Effect.fnUntraced(function* (file: string): Effect.fn.Return<HsCode.Loaded, NotAList> {
  const text = yield* read(file)
  const lines = yield* Stream.make(text.replace(/^\uFEFF/, "")).pipe(
    Stream.pipeThroughChannelOrFail(Csv.decodeSchemaString(Line)({ headers: true })),
    Stream.runCollect,
    Effect.mapError(() => new NotAList({ file, problem: "a CSV with the columns hscode and description is expected" }))
  )
  const loaded = HsCode.load(lines)
  return loaded.list.size === 0
    ? yield* new NotAList({ file, problem: "no code of four or six digits is in it" })
    : loaded
})

/** Takes a list over into a data folder. */
export const adopt = Effect.fnUntraced(function* (
  file: string,
  dataDir: string
): Effect.fn.Return<HsCode.Loaded, NotAList> {
  const loaded = yield* parse(file)
  yield* Effect.tryPromise({
    try: () => mkdir(resolve(dataDir), { recursive: true }).then(() => copyFile(file, fileIn(dataDir))),
    catch: () => new NotAList({ file, problem: `it cannot be copied to ${fileIn(dataDir)}` })
  })
  return loaded
})

/** The list that was taken over, else the chapters alone. */
export const layer = (dataDir: string): Layer.Layer<never, NotAList> =>
  Layer.effect(
    HsCode.List,
    Effect.suspend(() =>
      existsSync(fileIn(dataDir))
        ? Effect.map(parse(fileIn(dataDir)), ({ list }) => list)
        : Effect.succeed(HsCode.builtIn)
    )
  )
