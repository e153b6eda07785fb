/**
 * Tab-separated text as bytes, written into one block of memory that grows and is used again: a part of a load is some 100
 * MB, which as a string would be made, joined and copied into bytes once more.
 */

/** Bytes of a new block. */
const FIRST = 1 << 20

const TAB = 9
const NEWLINE = 10

/** What has a meaning of its own in such a line. */
const special = /[\t\n\r\\\0\b\f']/
const specials = /[\t\n\r\\\0\b\f']/g

const escapes: { readonly [character: string]: string } = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\\": "\\\\",
  "\0": "\\0",
  "\b": "\\b",
  "\f": "\\f",
  "'": "\\'"
}

/** A text as it stands in a cell. */
export const escaped = (text: string): string =>
  special.test(text) ? text.replace(specials, (character) => escapes[character] ?? character) : text

/** Longer texts are written by the engine of JavaScript, shorter ones are done before it is called. */
const SHORT = 48

const isAscii = new Uint8Array(128).fill(1)
/** Of them those that stand for themselves. */
const isPlain = Uint8Array.from({ length: 128 }, (_, code) => (special.test(String.fromCharCode(code)) ? 0 : 1))

export class Lines {
  #bytes: Buffer = Buffer.allocUnsafe(FIRST)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** What was written; it is the block itself, which must not be written to while somebody reads this. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Takes back what is behind so many bytes. */
  cut(length: number): void {
    this.#length = Math.min(length, this.#length)
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  /** A text, as a cell has it. */
  text(text: string): void {
    if (!this.#short(text, isPlain)) this.#long(escaped(text))
  }

  /** A text as it is. */
  raw(text: string): void {
    if (!this.#short(text, isAscii)) this.#long(text)
  }

  /** Writes a short text if all of it is of these units. */
  #short(text: string, known: Uint8Array): boolean {
    const { length } = text
    if (length > SHORT) return false
    this.#room(length)
    const bytes = this.#bytes
    const from = this.#length
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code > 127 || known[code] === 0) return false
      bytes[from + at] = code
    }
    this.#length = from + length
    return true
  }

  #long(text: string): void {
    this.#room(3 * text.length)
    this.#length += this.#bytes.write(text, this.#length, "utf8")
  }

  /** What was written before, as it is. */
  copy(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** The end of a cell. */
  tab(): void {
    this.#room(1)
    this.#bytes[this.#length++] = TAB
  }

  /** The end of a line. */
  end(): void {
    this.#room(1)
    this.#bytes[this.#length++] = NEWLINE
  }
}
