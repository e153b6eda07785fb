/**
 * Reads replies out of what comes over a connection, however it is split. Bytes are kept as one character each until a
 * reply is whole, so that a split inside a character changes nothing; then text that is not ASCII is read as UTF-8.
 *
 * Gotchas
 * - A bare LF ends a line too, since some hosts send no CR.
 * - Codes within one reply should be equal and sometimes are not: the line that ends it decides.
 * - Text beyond `LINE` and `LINES` is cut off; a host that goes on for `BYTES` without an end is broken.
 */
import type { Reply } from "./Reply.ts"

/** Characters of a line that are kept. RFC 5321 allows 512. */
const LINE = 1_024

/** Lines that are kept; EHLO gives the most, some twenty. */
const LINES = 64

/** Bytes of one reply. */
const BYTES = 65_536

/** What is not SMTP: a line that begins with no code, or a reply without an end. */
export type Violation = "no_code" | "endless"

/** Bytes, one character each. */
export type Latin1 = string

export interface ReplyReader {
  /** The replies that end in this part, in their order. A violation is the last that is read: nothing comes after it. */
  readonly read: (bytes: Latin1) => ReadonlyArray<Reply | Violation>
  /** Whether a part of a reply waits for the rest of it. */
  readonly isInside: () => boolean
}

const CODE = /^[2-5]\d\d(?=[ -]|$)/

// oxlint-disable-next-line no-control-regex
const BEYOND_ASCII = /[^\x00-\x7f]/

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

const textOf = (bytes: Latin1): string =>
  BEYOND_ASCII.test(bytes) ? utf8.decode(Uint8Array.from(bytes, (each) => each.charCodeAt(0))) : bytes

const withoutEnd = (line: Latin1): Latin1 => (line.endsWith("\r") ? line.slice(0, -1) : line)

export const make = (): ReplyReader => {
  let rest = ""
  let lines: Array<string> = []
  let size = 0
  let isBroken = false

  /** Takes a whole line. */
  const take = (line: Latin1): Reply | Violation | null => {
    size += line.length + 1
    if (size > BYTES) return "endless"
    const whole = withoutEnd(line)
    const code = CODE.exec(whole)?.[0]
    if (code === undefined && lines.length === 0) return "no_code"
    if (lines.length < LINES) lines.push(textOf((code === undefined ? whole : whole.slice(4)).slice(0, LINE)))
    if (code === undefined || whole[3] === "-") return null
    const reply = { code: Number(code), lines }
    lines = []
    size = 0
    return reply
  }

  const read = (bytes: Latin1): ReadonlyArray<Reply | Violation> => {
    const found: Array<Reply | Violation> = []
    let from = 0
    for (let end = bytes.indexOf("\n"); end !== -1 && !isBroken; end = bytes.indexOf("\n", from)) {
      const each = take(rest + bytes.slice(from, end))
      rest = ""
      from = end + 1
      if (each !== null) found.push(each)
      isBroken = typeof each === "string"
    }
    if (isBroken) return found
    rest += bytes.slice(from)
    isBroken = size + rest.length >= BYTES
    if (isBroken) found.push("endless")
    return found
  }

  return { read: (bytes) => (isBroken ? [] : read(bytes)), isInside: () => rest !== "" || lines.length > 0 }
}
