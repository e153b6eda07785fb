/** The scripts that texts are written in. A name in one script says nothing against its spelling in another. */

/** `Common` and `Inherited` (digits, punctuation, marks) are no script of their own. */
const scripts = (
  "Latin Cyrillic Greek Han Hiragana Katakana Hangul Arabic Hebrew Thai Devanagari Bengali Gujarati Gurmukhi Tamil " +
  "Telugu Kannada Malayalam Sinhala Armenian Georgian Ethiopic Khmer Lao Myanmar Tibetan Mongolian"
)
  .split(" ")
  .map((name) => new RegExp(`\\p{Script=${name}}`, "u"))

/** Such texts are Latin or have no letters. */
const ascii = /^[\x20-\x7e]*$/

/** Whether the letters of both are, in part, of one script; texts without letters are comparable with anything. */
export const shared = (a: string, b: string): boolean => {
  if (ascii.test(a) && ascii.test(b)) return true
  const [x, y] = [of(a), of(b)]
  return x.length === 0 || y.length === 0 || x.some((script) => y.includes(script))
}

const of = (text: string): ReadonlyArray<RegExp> => scripts.filter((script) => script.test(text))
