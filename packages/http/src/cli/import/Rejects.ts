/**
 * The file of rejected rows: CSV, a line for each, with where it stands and what was expected. It is written before the
 * rows beside it are acknowledged, and cut back to what belongs to them when an import goes on after a crash.
 */
import type { Rejected } from "@lading/importers"
import { Effect, type Scope } from "effect"
import { type FileHandle, open, truncate } from "node:fs/promises"
import { codeOf, Unreadable } from "../rows/Problem.ts"

const header = "file,line,column,problem,text\n"

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

const lineOf = ({ column, file, line, problem, text }: Rejected): string =>
  `${[quoted(file), line, column === null ? "" : quoted(column), quoted(problem), quoted(text)].join(",")}\n`

export interface Rejects {
  /** Writes them; gives the length of the file. */
  readonly add: (rejected: ReadonlyArray<Rejected>) => Effect.Effect<number, Unreadable>
}

const problem = (path: string, cause: unknown): Unreadable =>
  new Unreadable({ file: path, line: null, problem: `rejected rows cannot be written there (${codeOf(cause)})` })

/** Nothing is made before there is something to write. `length` is what is there already. */
export const make = (path: string, length: number): Effect.Effect<Rejects, never, Scope.Scope> =>
  Effect.gen(function* () {
    let handle: FileHandle | null = null
    let written = length
    yield* Effect.addFinalizer(() => Effect.promise(() => handle?.close() ?? Promise.resolve()))
    const begin = async (): Promise<FileHandle> => {
      if (length > 0) await truncate(path, length)
      return open(path, length > 0 ? "a" : "w")
    }
    const write = async (rejected: ReadonlyArray<Rejected>): Promise<number> => {
      if (rejected.length === 0) return written
      handle ??= await begin()
      const text = (written === 0 ? header : "") + rejected.map(lineOf).join("")
      await handle.write(text)
      written += Buffer.byteLength(text)
      return written
    }
    return {
      add: (rejected) => Effect.tryPromise({ try: () => write(rejected), catch: (cause) => problem(path, cause) })
    }
  })
