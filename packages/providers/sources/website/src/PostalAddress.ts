/**
 * Postal addresses in the lines of a page, by the line that holds postal code and city with a street before it. Only
 * forms that leave no doubt are read; the rest is left alone.
 */
import { Country } from "@lading/core/value"
import type { CompanyFacts } from "@lading/core/company"

type Address = NonNullable<CompanyFacts["hq"]>

const MOST = 10

/** Longer lines are sentences. */
const LONGEST = 200

const city = "\\p{Lu}[\\p{L}.'’ -]{1,40}"

interface Form {
  readonly pattern: RegExp
  /** Which groups are what. */
  readonly read: (
    match: RegExpExecArray
  ) => Pick<Address, "city" | "postal_code"> & { readonly state?: string; readonly code?: string }
}

const said = (text: string | undefined): string => (text ?? "").trim()

/** The country stands in the form itself, or is nobody's guess. */
const forms: ReadonlyArray<Form> = [
  // 10115 Berlin, D-10115 Berlin, 75002 Paris, 111 22 Stockholm, 1017 AB Amsterdam
  {
    pattern: new RegExp(`^(?:[A-Z]{1,2}[- ])?(\\d{4} ?[A-Z]{2}|\\d{4,5}|\\d{3} \\d{2}) (${city})$`, "u"),
    read: ([, postal, place]) => ({ postal_code: said(postal), city: said(place) })
  },
  // London EC1A 1AA
  {
    pattern: new RegExp(`^(${city}),? ([A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2})$`, "u"),
    read: ([, place, postal]) => ({ city: said(place), postal_code: said(postal), code: "GB" })
  },
  // New York, NY 10001
  {
    pattern: new RegExp(`^(${city}), ([A-Z]{2}) (\\d{5}(?:-\\d{4})?)$`, "u"),
    read: ([, place, state, postal]) => ({
      city: said(place),
      state: said(state),
      postal_code: said(postal),
      code: "US"
    })
  }
]

const match = (line: string): ReturnType<Form["read"]> | null => {
  for (const { pattern, read } of forms) {
    const found = line.length > 80 ? null : pattern.exec(line)
    if (found !== null) return read(found)
  }
  return null
}

/** One line that holds several parts, as its parts; `New York, NY 10001` stays whole. */
const parts = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => (match(line) !== null ? [line] : line.split(/\s*[,|•·]\s+(?!(?:[A-Z]{2}) \d{5})/)))

/** A street has a number, and is no telephone. */
const isStreet = (line: string): boolean =>
  line.length <= 80 && /\p{L}{3}/u.test(line) && /\d/.test(line) && !/[@:]|\d{6}/.test(line)

/**
 * Places of a text that may be addresses: a line that holds postal code and city with one line before it and one behind.
 */
export const candidates = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const all = text.split("\n")
  return all
    .flatMap((line, at) => {
      if (line.length > LONGEST) return []
      const split = parts([line])
      if (split.length > 1) return split.some((part) => match(part) !== null) ? [[line]] : []
      return match(line) === null ? [] : [all.slice(Math.max(0, at - 1), at + 2)]
    })
    .slice(0, MOST)
}

/** The address in these lines; `null` where none is read without doubt. */
export const read = (lines: ReadonlyArray<string>): Address | null => {
  const all = parts(lines.filter((line) => line.length <= LONGEST))
  const at = all.findIndex((line) => match(line) !== null)
  const found = at === -1 ? null : match(all[at] ?? "")
  if (found === null) return null
  const street = all[at - 1]
  // "2020 Conference" looks like a place, too: without a street there is no address.
  if (street === undefined || !isStreet(street)) return null
  const last = all[at + 1]
  const country = last === undefined ? null : Country.code(last)
  return {
    full_address: [street, all[at], ...(country === null ? [] : [last])].join(", "),
    city: found.city ?? null,
    state: found.state ?? null,
    postal_code: found.postal_code ?? null,
    country: country === null ? null : (last ?? null),
    country_code: country ?? found.code ?? null
  }
}
