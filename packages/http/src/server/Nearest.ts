/** The known word that somebody who mistyped another one probably meant. */

/** Insertions, deletions and substitutions from one word to the other (Levenshtein), row by row. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The first of the nearest; `null` where there is none to choose from. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | null => {
  let best: { readonly word: string; readonly steps: number } | null = null
  for (const candidate of known) {
    const steps = distance(word, candidate)
    if (best === null || steps < best.steps) best = { word: candidate, steps }
  }
  return best?.word ?? null
}
