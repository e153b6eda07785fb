/** Files and folders of a job: written so that what was told to be safe is on the disk. */
import { Owner } from "@lading/postgres"
import { Effect } from "effect"
import { createReadStream } from "node:fs"
import * as fs from "node:fs/promises"
import { CannotBegin, codeOf, Stopped } from "./Problem.ts"

const cannot = (problem: string) => new CannotBegin({ problem })

/** Nothing that is there is written over. */
export const taken = (out: string) =>
  Effect.fail(cannot(`${out} is there already; name another file, or --restart writes it anew`))

export const attempt = <A>(path: string, run: () => Promise<A>): Effect.Effect<A, CannotBegin> =>
  Effect.tryPromise({ try: run, catch: (cause) => cannot(`${path} cannot be used: ${codeOf(cause)}`) })

export const exists = (path: string): Promise<boolean> =>
  fs.stat(path).then(
    () => true,
    (cause) => (codeOf(cause) === "ENOENT" ? false : Promise.reject(cause))
  )

export const read = (path: string): Promise<string | null> =>
  fs.readFile(path, "utf8").catch((cause) => (codeOf(cause) === "ENOENT" ? null : Promise.reject(cause)))

export const owned = (folder: string) =>
  Owner.lock(folder).pipe(
    Effect.catchTags({
      FolderInUse: ({ host, pid }) => Effect.fail(cannot(`process ${pid} on ${host} works on this job already`)),
      FolderUnusable: ({ problem }) => Effect.fail(cannot(`${folder} cannot be used: ${problem}`))
    })
  )

export const openFile = (path: string, fresh: boolean) =>
  Effect.acquireRelease(
    attempt(path, () => fs.open(path, fresh ? "w+" : "r+")),
    (file) => Effect.promise(() => file.close())
  )

/** A write may be a short one. */
const writeAll = async (file: fs.FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, position)
  if (bytesWritten < bytes.length) await writeAll(file, bytes.subarray(bytesWritten), position + bytesWritten)
}

/** A file of the job that cannot be read back. */
export const lost = (path: string, cause: unknown) =>
  new Stopped({ problem: `${path} cannot be read: ${codeOf(cause)}` })

/** Flushed; gives where it ends. */
export const add = async (file: fs.FileHandle, text: string, position: number): Promise<number> => {
  if (text === "") return position
  const bytes = new TextEncoder().encode(text)
  await writeAll(file, bytes, position)
  await file.datasync()
  return position + bytes.length
}

/** A whole file with this text, or the one that was there before, wherever the process dies. */
export const replace = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.draft`
  const file = await fs.open(draft, "w")
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await fs.rename(draft, path)
}

export const syncFolder = async (path: string): Promise<void> => {
  const folder = await fs.open(path, "r")
  await folder.sync().finally(() => folder.close())
}

/** Where a line of a file is. */
export interface Span {
  readonly at: number
  readonly bytes: number
}

interface Line extends Span {
  readonly text: string
}

const newline = 0x0a

/** The lines of the first bytes of a file. */
export async function* linesOf(path: string, bytes = Number.POSITIVE_INFINITY): AsyncGenerator<Line> {
  if (bytes === 0) return
  let at = 0
  let rest = new Uint8Array()
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) {
    const piece: Uint8Array = chunk
    const all = new Uint8Array(rest.length + piece.length)
    all.set(rest)
    all.set(piece, rest.length)
    let begin = 0
    for (let end = all.indexOf(newline); end !== -1; end = all.indexOf(newline, begin)) {
      yield { at: at + begin, bytes: end + 1 - begin, text: new TextDecoder().decode(all.subarray(begin, end)) }
      begin = end + 1
    }
    at += begin
    rest = all.slice(begin)
  }
}
