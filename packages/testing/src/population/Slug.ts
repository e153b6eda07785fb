/**
 * Names as parts of addresses: ASCII, lower case.
 */

/** Letters that do not decompose into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = { ø: "o", ł: "l", ß: "ss", æ: "ae", đ: "d" }

/** Without marks and case, for comparing: `Søren` and `soren` are one. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[øłßæđ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll("’", "'")
    .trim()

/** `Mary Ann` as `mary-ann`; with another `joint`, e.g. `""`, as `maryann`. */
export const slug = (text: string, joint = "-"): string =>
  folded(text)
    .replaceAll("'", "")
    .replaceAll(/[^a-z0-9]+/g, joint)
