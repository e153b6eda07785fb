/** How a file is read and its result written: what can be known of both before anybody is asked. */
import { Effect, Option } from "effect"
import { realpath } from "node:fs/promises"
import { resolve } from "node:path"
import * as Format from "./Format.ts"
import * as Input from "./Input.ts"
import { CannotBegin } from "./Problem.ts"

export interface Wanted {
  readonly file: string
  readonly out: string
  readonly format: Option.Option<Format.Format>
  readonly delimiter: Option.Option<string>
}

const cannot = (problem: string) => new CannotBegin({ problem })

const same = (one: string, other: string) =>
  Effect.promise(() => Promise.all([one, other].map((path) => realpath(path).catch(() => resolve(path))))).pipe(
    Effect.map(([a, b]) => a === b)
  )

const formats = Effect.fnUntraced(function* ({ file, format, out }: Wanted) {
  const read = Option.getOrElse(format, () => Format.ofPath(file))
  if (read === null) return yield* cannot(`${file}: its ending does not say what it is; say --format csv, tsv or jsonl`)
  const write = Format.ofPath(out)
  if (write === null) return yield* cannot(`${out}: expected a name that ends in .csv, .tsv or .jsonl`)
  if (yield* same(file, out)) return yield* cannot("the result cannot be the file itself")
  return { read, write }
})

/** Looks at all of the file. */
export const survey = Effect.fnUntraced(function* (wanted: Wanted) {
  const { read, write } = yield* formats(wanted)
  const delimiter = Option.isSome(wanted.delimiter) ? wanted.delimiter.value : yield* Input.delimiter(wanted.file, read)
  const place: Input.Place = { path: wanted.file, format: read, delimiter }
  return { place, write, survey: yield* Input.survey(place) }
})
