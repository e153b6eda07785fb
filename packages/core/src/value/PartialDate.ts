/** Dates of which sources often know only the year. */

/** `YYYY-MM` from `YYYY-MM` or a longer date; `null` for a bare year (nothing is invented) and for what is no date. */
export const month = (text: string | null | undefined): string | null => {
  const match = /^(\d{4})-(\d{2})(?:\D|$)/.exec(text?.trim() ?? "")
  if (match === null) return null
  const value = Number(match[2])
  return value >= 1 && value <= 12 ? `${match[1]}-${match[2]}` : null
}

/** The year, or `null`. */
export const year = (text: string | null | undefined): number | null => {
  const match = /^(\d{4})(?:\D|$)/.exec(text?.trim() ?? "")
  return match === null ? null : Number(match[1])
}
