/**
 * Rows that are complete later than they were written. A pending row is noted down with everything that is needed to
 * write it once more; its later text is noted down beside it, and stands in its place when the result is made.
 */
import { Credits } from "@lading/core/billing"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import * as fs from "node:fs/promises"
import * as Disk from "./Disk.ts"
import { Row } from "./Input.ts"
import { Outcome } from "./Outcome.ts"

/** A row whose answer was not complete, a line of the file `pending`; these are in the order of the rows. */
export const PendingRow = Schema.Struct({
  /** Counted from 1. */
  number: Schema.Int,
  /** Where it stands in `rows`, in bytes. */
  at: Schema.Int,
  bytes: Schema.Int,
  /** What it may still cost. */
  later: Credits.Credits,
  row: Row,
  outcome: Outcome
})
export type PendingRow = typeof PendingRow.Type

/** Its text when it was complete, a line of the file `late`; these are in the order in which they came. */
const LateRow = Schema.Struct({ number: Schema.Int, text: Schema.String })

const pendingText = Schema.fromJsonString(PendingRow)
const lateText = Schema.fromJsonString(LateRow)
const decodePending = Schema.decodeUnknownSync(pendingText)
const encodePending = Schema.encodeSync(pendingText)
const decodeLate = Schema.decodeUnknownSync(lateText)
const encodeLate = Schema.encodeSync(lateText)

export const pendingLine = (row: PendingRow): string => `${encodePending(row)}\n`
export const lateLine = (number: number, text: string): string => `${encodeLate({ number, text })}\n`

/** The pending rows, in their order. */
export async function* pendingRows(path: string, bytes: number): AsyncGenerator<PendingRow> {
  for await (const { text } of Disk.linesOf(path, bytes)) yield decodePending(text)
}

/** Where the later text of each row stands that has one. */
export const lateRows = async (path: string, bytes: number): Promise<Map<number, Disk.Span>> => {
  const spans = new Map<number, Disk.Span>()
  for await (const { at, bytes: length, text } of Disk.linesOf(path, bytes)) {
    spans.set(decodeLate(text).number, { at, bytes: length })
  }
  return spans
}

const PIECE = 64 * 1024

/** The bytes from one place to another, in pieces. Not by streams: each would leave a listener with the file. */
async function* slice(file: fs.FileHandle, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- one piece at a time, each when the one before is written
    const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(PIECE, to - at)), { position: at })
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

const textAt = async (file: fs.FileHandle, { at, bytes }: Disk.Span): Promise<string> => {
  let text = ""
  const decoder = new TextDecoder()
  for await (const piece of slice(file, at, at + bytes)) text += decoder.decode(piece, { stream: true })
  return decodeLate(text).text
}

export interface Files {
  readonly rows: { readonly path: string; readonly bytes: number }
  readonly pending: { readonly path: string; readonly bytes: number }
  readonly late: { readonly path: string; readonly spans: ReadonlyMap<number, Disk.Span> }
}

/** The result: every row, the late ones as they are now. */
async function* merged({ late, pending, rows }: Files): AsyncGenerator<Uint8Array> {
  const [rowsFile, lateFile] = await Promise.all([fs.open(rows.path, "r"), fs.open(late.path, "r")])
  try {
    let position = 0
    for await (const { at, bytes, number } of pendingRows(pending.path, pending.bytes)) {
      const span = late.spans.get(number)
      if (span === undefined) continue
      yield* slice(rowsFile, position, at)
      yield new TextEncoder().encode(await textAt(lateFile, span))
      position = at + bytes
    }
    yield* slice(rowsFile, position, rows.bytes)
  } finally {
    await Promise.all([rowsFile.close(), lateFile.close()])
  }
}

/** Writes the result to a file of its own, flushed; gives its digest. */
export const write = async (files: Files, path: string): Promise<string> => {
  const hash = createHash("sha256")
  const file = await fs.open(path, "w")
  try {
    for await (const piece of merged(files)) {
      hash.update(piece)
      await file.writeFile(piece)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest("hex")
}

/** SHA-256 of a file, in hexadecimal. */
export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest("hex")
}
