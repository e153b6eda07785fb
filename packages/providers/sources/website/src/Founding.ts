/**
 * The year in which a company says that it was founded, in the languages of most sites.
 *
 * Gotcha: `since 1998` may be said of a product, of a customer or of a copyright, and is not taken.
 */

const verb =
  "founded|established|incorporated|gegründet|gründung|gründungsjahr|fondée?|créée?|fundad[ao]|fondat[ao]|opgericht|grundat|grundades|grundlagt|stiftet|etablert|perustettu|założon[ay]|založen[ao]?|основан[ао]?|kuruluş|成立于|创立于|設立|创建于"

const year = "1[6-9]\\d\\d|20\\d\\d"

/** At most 40 characters without the end of a sentence between the word and its year. */
const pattern = new RegExp(`(?<![\\p{L}])(?:${verb})(?![\\p{Ll}])[^.!?\\n\\d]{0,40}(?<!\\d)(${year})(?!\\d)`, "iu")

/** `In 1921 wurde … gegründet`, `er stiftet`: the year before the word. */
const before = new RegExp(`(?<!\\d)(${year})(?!\\d)[^.!?\\n\\d]{0,40}(?<![\\p{L}])(?:${verb})(?![\\p{Ll}])`, "iu")

const LONGEST = 400

/** Lines of a page that speak of a founding, short ones only. */
export const sentences = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .filter((line) => line.length <= LONGEST && (pattern.test(line) || before.test(line)))
    .slice(0, 5)

/** The year in such a line; `null` where it says none. */
export const yearOf = (line: string): number | null => {
  const found = pattern.exec(line)?.[1] ?? before.exec(line)?.[1]
  return found === undefined ? null : Number(found)
}

/** The year of a date as schema.org writes it: `1998`, `1998-04`, `1998-04-02`. */
export const yearOfDate = (text: string): number | null => {
  const found = new RegExp(`^\\s*(${year})(?:-\\d\\d(?:-\\d\\d)?)?(?:T.*)?\\s*$`).exec(text)?.[1]
  return found === undefined ? null : Number(found)
}
