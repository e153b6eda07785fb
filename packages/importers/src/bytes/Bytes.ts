/**
 * The bytes of a file from front to back, as it is, out of gzip, or out of the one fitting entry of a ZIP. What a file is
 * shows in its first bytes, whatever its name says.
 *
 * Gotchas
 * - Memory is what `peek` asks for and a few blocks of the decompressor.
 * - A compressed file has no places to jump to: to go on from the middle everything before it is decompressed again.
 */
import { createReadStream } from "node:fs"
import { type FileHandle, open as openHandle } from "node:fs/promises"
import type { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { Effect, type Scope } from "effect"
import { ImportError } from "../ImportError.ts"
import * as Zip from "./Zip.ts"

export interface Bytes {
  /** Of the file on the disk. */
  readonly size: number
  /** The next bytes, `count` of them, fewer only at the end. They stay the next until `skip`. */
  readonly peek: (count: number) => Effect.Effect<Uint8Array, ImportError>
  readonly skip: (count: number) => Effect.Effect<void, ImportError>
  /** Bytes of the file on the disk so far, about. */
  readonly taken: () => number
}

const unreadable =
  (file: string) =>
  (cause: unknown): ImportError =>
    new ImportError({
      reason: "unreadable",
      file,
      problem: `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
    })

const attempt = <A>(file: string, run: () => Promise<A>): Effect.Effect<A, ImportError> =>
  Effect.tryPromise({ try: run, catch: unreadable(file) })

/** Straight from the disk, where any place can be read again. */
const plain = (file: string, handle: FileHandle, size: number): Bytes => {
  let position = 0
  return {
    size,
    peek: (count) =>
      attempt(file, async () => {
        const into = new Uint8Array(Math.max(0, Math.min(count, size - position)))
        const { bytesRead } = await handle.read(into, 0, into.length, position)
        if (bytesRead < into.length) throw new Error("it is shorter than it was")
        return into
      }),
    skip: (count) =>
      Effect.sync(() => {
        position += count
      }),
    taken: () => Math.min(position, size)
  }
}

const joined = (parts: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only.subarray(0, length)
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    const fitting = part.subarray(0, length - at)
    all.set(fitting, at)
    at += fitting.length
  }
  return all
}

/** Out of a decompressor: what was given and not skipped is kept. */
const streamed = (file: string, readable: Readable, size: number, taken: () => number): Bytes => {
  const chunks: AsyncIterator<Uint8Array> = readable[Symbol.asyncIterator]()
  const state = { kept: new Array<Uint8Array>(), length: 0, ended: false }
  const pull = Effect.map(
    attempt(file, () => chunks.next()),
    (next) => {
      if (next.done === true) state.ended = true
      else {
        state.kept.push(next.value)
        state.length += next.value.length
      }
    }
  )
  const peek = Effect.fnUntraced(function* (count: number) {
    while (state.length < count && !state.ended) yield* pull
    if (state.kept.length > 1) state.kept = [joined(state.kept, state.length)]
    return joined(state.kept, Math.min(count, state.length))
  })
  const skip = Effect.fnUntraced(function* (count: number) {
    let left = count
    while (left > 0) {
      if (state.length === 0) yield* pull
      if (state.length === 0 && state.ended) return
      const [first = new Uint8Array()] = state.kept
      const now = Math.min(left, first.length)
      if (now === first.length) state.kept.shift()
      else state.kept[0] = first.subarray(now)
      state.length -= now
      left -= now
    }
  })
  return { size, peek, skip, taken }
}

const GZIP = [0x1f, 0x8b]
const ZIP = [0x50, 0x4b, 0x03, 0x04]
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06]

const begins = (bytes: Uint8Array, magic: ReadonlyArray<number>): boolean =>
  magic.every((byte, index) => bytes[index] === byte)

const gunzipped = (file: string, size: number): Effect.Effect<Bytes, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const raw = createReadStream(file)
        const gunzip = createGunzip()
        raw.on("error", (cause) => gunzip.destroy(cause))
        return { raw, gunzip: raw.pipe(gunzip) }
      }),
      ({ gunzip, raw }) =>
        Effect.sync(() => {
          raw.destroy()
          gunzip.destroy()
        })
    ),
    ({ gunzip, raw }) => streamed(file, gunzip, size, () => raw.bytesRead)
  )

/** What a ZIP holds beside tables: notes on them. `wanted` says which entry is meant. */
const unzipped = Effect.fnUntraced(function* (file: string, size: number, wanted: RegExp) {
  const zip = yield* Effect.acquireRelease(
    attempt(file, () => Zip.open(file)),
    (zip) => Effect.sync(() => zip.close())
  )
  const entries = (yield* attempt(file, () => Zip.entries(zip))).filter(({ fileName }) => wanted.test(fileName))
  const [entry] = entries
  if (entry === undefined || entries.length > 1) {
    const names = entries.map(({ fileName }) => fileName).join(", ")
    const problem = `expected one entry that fits ${wanted.source}, found ${entry === undefined ? "none" : names}`
    return yield* new ImportError({ reason: "format", file, problem })
  }
  if (entry.isEncrypted()) {
    return yield* new ImportError({ reason: "format", file, problem: `${entry.fileName} is encrypted` })
  }
  const readable = yield* Effect.acquireRelease(
    attempt(file, () => Zip.read(zip, entry)),
    (stream) => Effect.sync(() => void stream.destroy())
  )
  let given = 0
  const bytes = streamed(file, readable, size, () =>
    entry.uncompressedSize === 0 ? size : Math.round((given / entry.uncompressedSize) * size)
  )
  const skip = (count: number) =>
    Effect.map(bytes.skip(count), () => {
      given += count
    })
  return { ...bytes, skip }
})

/** Opens a file until the scope ends. `wanted` chooses the entry of a ZIP. */
export const open = Effect.fnUntraced(function* (file: string, wanted: RegExp = /[^/]$/) {
  const handle = yield* Effect.acquireRelease(
    attempt(file, () => openHandle(file, "r")),
    (handle) => Effect.promise(() => handle.close())
  )
  const { size } = yield* attempt(file, () => handle.stat())
  const bytes = plain(file, handle, size)
  const first = yield* bytes.peek(4)
  if (begins(first, GZIP)) return yield* gunzipped(file, size)
  if (begins(first, ZIP) || begins(first, EMPTY_ZIP)) return yield* unzipped(file, size, wanted)
  return bytes
})

/** The sizes of files together. */
export const total = (files: ReadonlyArray<string>): Effect.Effect<number, ImportError> =>
  Effect.map(
    Effect.forEach(files, (file) =>
      Effect.scoped(
        Effect.flatMap(
          Effect.acquireRelease(
            attempt(file, () => openHandle(file, "r")),
            (handle) => Effect.promise(() => handle.close())
          ),
          (handle) => attempt(file, () => handle.stat())
        )
      )
    ),
    (all) => all.reduce((sum, { size }) => sum + size, 0)
  )
