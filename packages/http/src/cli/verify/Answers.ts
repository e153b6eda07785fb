/**
 * What is known of the addresses of a job, in the file `answers`: a line for each time that something was learnt, the last
 * one counts. In memory is where each stands, and its status: 13 bytes for each address.
 */
import { EmailResult } from "@lading/core/email"
import { Schema } from "effect"
import { readSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import * as Disk from "../rows/Disk.ts"

export const Answer = Schema.Struct({
  number: Schema.Int,
  email: Schema.String,
  result: EmailResult.Packed,
  /** When its host wants to be asked again, epoch milliseconds; `null` where that is all. */
  due: Schema.NullOr(Schema.Finite),
  /** How often it was asked about. */
  attempt: Schema.Int
})
export type Answer = typeof Answer.Type

/** One whose host wants to be asked again. */
export interface Waiting {
  readonly due: number
  readonly attempt: number
}

export type Statuses = Readonly<Partial<Record<EmailResult.EmailStatus, number>>>

const Text = Schema.fromJsonString(Answer)
const decode = Schema.decodeUnknownSync(Text)

const statuses = EmailResult.EmailStatus.literals

/** One more than the place of its status; 0 is none. */
const markOf = (status: EmailResult.EmailStatus): number => statuses.indexOf(status) + 1

export class Answers {
  readonly #file: FileHandle
  readonly #offsets: Float64Array
  readonly #lengths: Uint32Array
  readonly #marks: Uint8Array
  readonly #counts = new Uint32Array(statuses.length + 1)
  readonly waiting = new Map<number, Waiting>()
  #known = 0

  constructor(file: FileHandle, addresses: number) {
    this.#file = file
    this.#offsets = new Float64Array(addresses)
    this.#lengths = new Uint32Array(addresses)
    this.#marks = new Uint8Array(addresses)
  }

  /** Reads what an earlier run has left. */
  readonly restore = async (path: string, bytes: number): Promise<void> => {
    for await (const { at, bytes: length, text } of Disk.linesOf(path, bytes)) this.#note(decode(text), at, length)
  }

  /** Adds them behind these bytes, flushed; gives where they end. */
  readonly add = async (answers: ReadonlyArray<Answer>, position: number): Promise<number> => {
    const lines = answers.map((answer) => `${JSON.stringify(answer)}\n`)
    const end = await Disk.add(this.#file, lines.join(""), position)
    let at = position
    for (const [index, answer] of answers.entries()) {
      const length = Buffer.byteLength(lines[index] ?? "")
      this.#note(answer, at, length)
      at += length
    }
    return end
  }

  readonly has = (number: number): boolean => this.#marks[number] !== 0

  /** Those of which all is known that will be. */
  get decided(): number {
    return this.#known - this.waiting.size
  }

  get known(): number {
    return this.#known
  }

  get statuses(): Statuses {
    return Object.fromEntries(
      statuses.flatMap((status) => {
        const count = this.#counts[markOf(status)] ?? 0
        return count === 0 ? [] : [[status, count]]
      })
    )
  }

  /** `null` where nothing is known of it. */
  readonly at = (number: number): Answer | null => {
    if (!this.has(number)) return null
    const bytes = Buffer.allocUnsafe(this.#lengths[number] ?? 0)
    readSync(this.#file.fd, bytes, 0, bytes.length, this.#offsets[number] ?? 0)
    return decode(bytes.toString("utf8"))
  }

  #note({ attempt, due, number, result: [, , status] }: Answer, at: number, length: number): void {
    const before = this.#marks[number] ?? 0
    if (before === 0) this.#known++
    else this.#count(before, -1)
    this.#marks[number] = markOf(status)
    this.#count(markOf(status), 1)
    this.#offsets[number] = at
    this.#lengths[number] = length
    if (due === null) this.waiting.delete(number)
    else this.waiting.set(number, { due, attempt })
  }

  #count(mark: number, by: number): void {
    this.#counts[mark] = (this.#counts[mark] ?? 0) + by
  }
}
