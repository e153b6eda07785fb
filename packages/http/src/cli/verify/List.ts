/**
 * The addresses of a file, each mailbox once under its first spelling, and which of them each row has. Both are written
 * into files, so that memory does not grow with them:
 *
 *     addresses   a line of JSON for each
 *     rows        four bytes for each row: one more than the number of its address, 0 where it has none
 */
import { EmailAddress, EmailList, EmailRequest } from "@lading/core/email"
import { Effect, Schema, Stream } from "effect"
import * as Disk from "../rows/Disk.ts"
import * as Input from "../rows/Input.ts"
import type { CannotBegin, Stopped, Unreadable } from "../rows/Problem.ts"
import type { Column } from "./Column.ts"
import { Numbers } from "./Numbers.ts"

export const Counts = Schema.Struct({
  rows: Schema.Int,
  /** Each once. */
  addresses: Schema.Int,
  /** Rows that have none. */
  blank: Schema.Int
})
export type Counts = typeof Counts.Type

/** The rows, with the one that looks like a header where it is none. */
export const rowsOf = (
  place: Input.Place,
  survey: Input.Survey,
  { bare }: Column
): Stream.Stream<Input.Row, Unreadable> => {
  // Read anew by each who runs it.
  const below = Stream.suspend(() => Input.rows(place, survey))
  const first: Input.Row = { line: 1, cells: survey.header, object: null }
  return bare ? Stream.concat(Stream.make(first), below) : below
}

/** The address of a row; `null` where there is none, or a text that is longer than any. */
export const addressOf = ({ cells }: Input.Row, { place }: Column): string | null => {
  const text = EmailAddress.cleaned(cells[place] ?? "")
  return text === "" || text.length > EmailRequest.longest ? null : text
}

export interface Paths {
  readonly addresses: string
  readonly rows: string
}

/** Rows that are written at once. */
const together = 1000

/**
 * Gathers addresses, and numbers for rows, until they are worth a write. Of a row nothing else is kept: a part of a string
 * would keep the piece of the file that it stands in.
 */
class Gathered {
  readonly #numbers = new Numbers()
  #lines = ""
  #rows: Array<number> = []
  #counts = { rows: 0, blank: 0 }

  get counts(): Counts {
    return { ...this.#counts, addresses: this.#numbers.size }
  }

  get isEnough(): boolean {
    return this.#rows.length >= together
  }

  readonly add = (email: string | null): void => {
    this.#counts.rows++
    if (email === null) {
      this.#counts.blank++
      this.#rows.push(0)
      return
    }
    const { isNew, number } = this.#numbers.of(EmailList.keyOf(email))
    if (isNew) this.#lines += `${JSON.stringify(email)}\n`
    this.#rows.push(number + 1)
  }

  /** What is to be written, which is gathered no more. */
  readonly take = () => {
    const taken = { lines: this.#lines, rows: new Uint8Array(Uint32Array.from(this.#rows).buffer) }
    this.#lines = ""
    this.#rows = []
    return taken
  }
}

/** Writes both files. */
export const write = Effect.fnUntraced(function* (
  rows: Stream.Stream<Input.Row, Unreadable>,
  column: Column,
  at: Paths
): Effect.fn.Return<Counts, Unreadable | CannotBegin> {
  const gathered = new Gathered()
  const writing = Effect.gen(function* () {
    const addressFile = yield* Disk.openFile(at.addresses, true)
    const rowFile = yield* Disk.openFile(at.rows, true)
    const flush = Disk.attempt(at.addresses, async () => {
      const { lines, rows } = gathered.take()
      await addressFile.writeFile(lines)
      await rowFile.writeFile(rows)
    })
    yield* Stream.runForEachArray(rows, (some) => {
      for (const row of some) gathered.add(addressOf(row, column))
      return gathered.isEnough ? flush : Effect.void
    })
    yield* flush
  })
  yield* Effect.scoped(writing)
  return gathered.counts
})

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.String))

export interface Numbered {
  readonly number: number
  readonly email: string
}

async function* numbered(path: string): AsyncGenerator<Numbered> {
  let number = 0
  for await (const { text } of Disk.linesOf(path)) yield { number: number++, email: decode(text) }
}

/** The addresses in their order. */
export const addresses = (path: string): Stream.Stream<Numbered, Stopped> =>
  Stream.fromAsyncIterable(numbered(path), (cause) => Disk.lost(path, cause))
