/** Files and folders of a job: written so that what was told to be safe is on the disk. */
import { Owner } from "@lading/postgres"
import { Effect } from "effect"
import * as fs from "node:fs/promises"
import { CannotBegin, codeOf } from "./Problem.ts"

const cannot = (problem: string) => new CannotBegin({ problem })

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
    attempt(path, () => fs.open(path, fresh ? "w" : "r+")),
    (file) => Effect.promise(() => file.close())
  )

/** A write may be a short one. */
const writeAll = async (file: fs.FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, position)
  if (bytesWritten < bytes.length) await writeAll(file, bytes.subarray(bytesWritten), position + bytesWritten)
}

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
