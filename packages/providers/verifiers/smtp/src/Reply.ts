/**
 * What a mail host says to a command (RFC 5321, 4.2): a code of three digits and one or more lines of text.
 *
 * Gotcha: the text quotes the address that was asked for, and often ours. It is read and forgotten, never kept or logged.
 */

export interface Reply {
  readonly code: number
  /** Text of each line without its code, at least one; cut off where it is longer than anybody means it to be. */
  readonly lines: ReadonlyArray<string>
}

/** A code of RFC 3463 at the beginning of a line; some put a `#` before it, or brackets around it. */
const ENHANCED = /^[#([<]?([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)/

/** The first code of RFC 3463 that begins a line, `5.1.1`; `null` where there is none. */
export const enhanced = ({ lines }: Reply): string | null => {
  for (const line of lines) {
    const found = ENHANCED.exec(line)?.[1]
    if (found !== undefined) return found
  }
  return null
}

/** The text as one line. */
export const text = ({ lines }: Reply): string => lines.join(" ")

/** Whether the command was done, or may go on. */
export const isPositive = ({ code }: Reply): boolean => code >= 200 && code < 400
