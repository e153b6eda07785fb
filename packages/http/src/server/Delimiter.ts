/** What parts the cells of a row: told by the header. */
const delimiters = [",", ";", "\t", "|"] as const

/** The first line that does not end inside quotes, without what stands in quotes. */
const firstLine = (text: string): string => {
  let bare = ""
  let quoted = false
  for (const letter of text) {
    if (letter === '"') quoted = !quoted
    else if (!quoted && (letter === "\n" || letter === "\r")) break
    else if (!quoted) bare += letter
  }
  return bare
}

/** The delimiter that a header uses most; a comma where there is none, since a single column needs none. */
export const delimiterOf = (beginning: string): string => {
  const line = firstLine(beginning)
  const count = (delimiter: string): number => line.split(delimiter).length - 1
  return delimiters.reduce<string>((best, one) => (count(one) > count(best) ? one : best), ",")
}
