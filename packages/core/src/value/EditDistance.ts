/** How many mistakes of typing lie between two words (Damerau and Levenshtein, each letter touched once). */

/** Letters left out, put in, changed, or swapped with the next: 0, 1, 2, and 3 for everything beyond. */
export const upToTwo = (a: string, b: string): number => {
  if (Math.abs(a.length - b.length) > 2) return 3
  let [older, before] = [new Array<number>(), Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (before[j - 1] ?? 0) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      let least = Math.min(change, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (older[j - 2] ?? 0) + 1)
      row.push(least)
    }
    older = before
    before = row
  }
  return Math.min(3, before[b.length] ?? 3)
}
