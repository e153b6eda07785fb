/** Plain text: what counts as said, and how texts are compared. */

/** Trimmed; `null` when nothing is left. */
export const said = (text: string): string | null => {
  const trimmed = text.trim()
  return trimmed === "" ? null : trimmed
}

const ascii = /^[\x20-\x7e]*$/

/**
 * Accents say little in these scripts. In others a mark is a letter or tells words apart (`グ` and `ク`, `ไม่` and `ไม้`,
 * the vowels of `दिन`), and stays.
 */
const accented = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu

/**
 * The key by which names, technologies and keywords are compared: case-folded, without accents, single spaces. Letters
 * of their own (`ø`, `ł`, `ß`) stay what they are; see `spellings`.
 */
export const key = (text: string): string =>
  (ascii.test(text) ? text : text.normalize("NFKD").replace(accented, "$1").normalize("NFC"))
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()

/** The words of a text, compared as `key` does. */
export const words = (text: string): ReadonlyArray<string> => key(text).match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []

/** Latin letters that have no accent to lose, as they are written where the keyboard lacks them. */
const plainLetters = new Map([
  ["ł", "l"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ı", "i"],
  ["ħ", "h"]
])

/** The other way of writing some of them: `Müller` is `Muller` or `Mueller`. */
const twoLetters = new Map([
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
  ["ø", "oe"],
  ["å", "aa"]
])

const written = (letters: ReadonlyMap<string, string>, text: string): string =>
  text.replace(/[^\x20-\x7e]/gu, (letter) => letters.get(letter) ?? letter)

/** The key without what is special about letters of their own: `ø` is `o`, `ß` is `ss`. */
export const bare = (text: string): string => (ascii.test(text) ? key(text) : written(plainLetters, key(text)))

/**
 * The ways in which a name may be written, each a key: the letters without what is special about them, and umlauts as
 * two letters. One where both are the same; for comparing names, which are the same where any of them is.
 */
export const spellings = (text: string): readonly [string, ...ReadonlyArray<string>] => {
  const plain = bare(text)
  if (ascii.test(text)) return [plain]
  const long = written(plainLetters, key(written(twoLetters, text.normalize("NFC").toLowerCase())))
  return plain === long ? [plain] : [plain, long]
}
