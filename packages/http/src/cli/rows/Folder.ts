/**
 * The files of a job, once they are open. Files are written and flushed first, then `job.json` is replaced by a whole new
 * one. So whatever stands behind the bytes that it names is the beginning of something that was not finished: the next run
 * cuts it off and asks again.
 */
import type { Credits } from "@lading/core/billing"
import * as fs from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Disk from "./Disk.ts"
import type { Row } from "./Input.ts"
import * as Kept from "./Kept.ts"
import * as Late from "./Late.ts"
import type { Outcome } from "./Outcome.ts"
import type { Tally } from "./Tally.ts"

/** A row as it is written. */
export interface Written {
  readonly number: number
  readonly row: Row
  readonly outcome: Outcome
  /** What it may still cost. */
  readonly later: Credits.Credits
  readonly text: string
}

/** A pending row as it is written when it is complete. */
export type Completed = Pick<Written, "number" | "text">

export const files = ["rows", "pending", "late"] as const

export const paths = (folder: string) => ({
  folder,
  job: join(folder, "job.json"),
  rows: join(folder, "rows"),
  pending: join(folder, "pending"),
  late: join(folder, "late"),
  result: join(folder, "result")
})

/** One at a time may change it. */
export interface Folder {
  readonly out: string
  readonly at: ReturnType<typeof paths>
  readonly handles: Readonly<Record<(typeof files)[number], fs.FileHandle>>
  /** Where the later text of each row stands that has one. */
  readonly spans: Map<number, Disk.Span>
  /** As `job.json` says it. */
  now: Kept.Kept
}

export const keep = async (folder: Folder, changed: Partial<Kept.Kept>): Promise<void> => {
  folder.now = { ...folder.now, ...changed }
  await Disk.replace(folder.at.job, Kept.encode(folder.now))
}

const lengthOf = (text: string): number => new TextEncoder().encode(text).length

/** Adds rows that are done. */
export const append = async (folder: Folder, rows: ReadonlyArray<Written>, tally: Tally): Promise<void> => {
  const { handles, now } = folder
  let position = now.bytes.rows
  let notes = ""
  for (const { later, number, outcome, row, text } of rows) {
    const bytes = lengthOf(text)
    if (outcome.status === "pending") notes += Late.pendingLine({ number, at: position, bytes, later, row, outcome })
    position += bytes
  }
  await Disk.add(handles.rows, rows.map(({ text }) => text).join(""), now.bytes.rows)
  const pending = await Disk.add(handles.pending, notes, now.bytes.pending)
  await keep(folder, { bytes: { ...now.bytes, rows: position, pending }, tally })
}

/** Adds what pending rows have become. */
export const complete = async (folder: Folder, rows: ReadonlyArray<Completed>, tally: Tally): Promise<void> => {
  const { handles, now, spans } = folder
  const lines = rows.map(({ number, text }) => ({ number, line: Late.lateLine(number, text) }))
  let at = now.bytes.late
  const late = await Disk.add(handles.late, lines.map(({ line }) => line).join(""), at)
  for (const { line, number } of lines) {
    const bytes = lengthOf(line)
    spans.set(number, { at, bytes })
    at += bytes
  }
  await keep(folder, { bytes: { ...now.bytes, late }, tally })
}

/** Makes the result; the folder goes, unless rows are pending. */
export const publish = async (folder: Folder): Promise<void> => {
  const { at, now, out, spans } = folder
  const { bytes, published, tally } = now
  const whole = bytes.pending === 0
  const files: Late.Files = {
    rows: { path: at.rows, bytes: bytes.rows },
    pending: { path: at.pending, bytes: bytes.pending },
    late: { path: at.late, spans }
  }
  const digest = whole ? "" : await Late.write(files, at.result)
  const stays = tally.pending > 0
  if (stays) await keep(folder, { published: [...published, digest] })
  await fs.rename(whole ? at.rows : at.result, out)
  await Disk.syncFolder(dirname(out))
  if (stays) await keep(folder, { published: [digest] })
  else await fs.rm(at.folder, { recursive: true, force: true })
}
