/**
 * The text of a page, in the character encoding that it is in: by its byte order mark, else by what the server says, else
 * by what the page says, else UTF-8 where it is, else the encoding of the old west (WHATWG's order, without guessing by
 * language). Labels and decoders are `TextDecoder`'s.
 */

/** How far into the page its own word is looked for. */
const PRESCAN = 4096

const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label.trim())
  } catch {
    return null
  }
}

const byMark = (bytes: Uint8Array): string | null => {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8"
  if (a === 0xfe && b === 0xff) return "utf-16be"
  return a === 0xff && b === 0xfe ? "utf-16le" : null
}

/** `text/html; charset="iso-8859-1"`. */
const inType = (type: string): string | null => /charset\s*=\s*["']?([^\s"';]{1,40})/i.exec(type)?.[1] ?? null

const inPage = (bytes: Uint8Array): string | null => {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN))
  const label =
    /<meta[^>]{0,200}?charset\s*=\s*["']?([^\s"'>;/]{1,40})/i.exec(head)?.[1] ??
    /^<\?xml[^>]{0,100}?encoding\s*=\s*["']([^"']{1,40})/i.exec(head)?.[1] ??
    null
  // A page whose own word could be read this way is in no encoding of two bytes.
  return label !== null && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** Shorter pages are whole: a letter that ends too early in them is one of another encoding. */
const PROBABLY_CUT = 64 * 1024

const strict = (bytes: Uint8Array): string | null => {
  try {
    // The end of a page that was cut off may stand within a letter.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: bytes.length > PROBABLY_CUT })
  } catch {
    return null
  }
}

/** The text of a body with that `content-type`. What cannot be decoded becomes the replacement character. */
export const decode = (bytes: Uint8Array, contentType: string): string => {
  for (const label of [byMark(bytes), inType(contentType), inPage(bytes)]) {
    const decoder = label === null ? null : decoderOf(label)
    if (decoder !== null) return decoder.decode(bytes)
  }
  return strict(bytes) ?? new TextDecoder("windows-1252").decode(bytes)
}
