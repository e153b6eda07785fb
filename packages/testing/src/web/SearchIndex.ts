/**
 * The index of a simulated search engine: pages that are invented, and which of them a query finds. A phrase in quotation
 * marks has to stand in a page's title or text, without regard to case; without a phrase the first word has to.
 */

/** A page that the engine knows. */
export interface Listed {
  readonly url: string
  readonly title: string
  /** What the engine knows of its text. */
  readonly content: string
}

/** The pages that a query finds, in the order of the index. */
export const find = (index: ReadonlyArray<Listed>, query: string): ReadonlyArray<Listed> => {
  const phrases = Array.from(query.matchAll(/"([^"]+)"/g), ([, phrase = ""]) => phrase)
  const [first = ""] = query.split(" ")
  const wanted = (phrases.length === 0 ? [first] : phrases).map((phrase) => phrase.toLowerCase())
  return index.filter(({ content, title, url }) => {
    const text = `${title} ${content} ${url}`.toLowerCase()
    return wanted.every((phrase) => text.includes(phrase))
  })
}
