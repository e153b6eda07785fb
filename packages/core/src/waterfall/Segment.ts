/**
 * A segment: questions of one operation that a source answers about equally often. What is known of the subject decides,
 * and the country of its domain. It names nobody: there are at most three forms and 676 countries for an operation.
 */

/** A domain of a country; `.com` and the like say nothing. */
const country = /\.([a-z]{2})$/

/** E.g. `domain+name.no`, `domain`, `name`. */
export const of = (domain: string | null, named: boolean): string => {
  if (domain === null) return "name"
  const [suffix = ""] = country.exec(domain) ?? []
  return `${named ? "domain+name" : "domain"}${suffix}`
}
