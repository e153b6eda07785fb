/** Plain text: what counts as said, and how texts are compared. */

/** Trimmed; `null` when nothing is left. */
export const said = (text: string): string | null => {
  const trimmed = text.trim()
  return trimmed === "" ? null : trimmed
}

/** The key by which names, technologies and keywords are compared: case-folded, without accents, single spaces. */
export const key = (text: string): string =>
  (ascii.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase().replace(/\s+/g, " ").trim()

const ascii = /^[\x20-\x7e]*$/

/** The words of a text, compared as `key` does. */
export const words = (text: string): ReadonlyArray<string> => key(text).match(/[\p{L}\p{N}]+/gu) ?? []
