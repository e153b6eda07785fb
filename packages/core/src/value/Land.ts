/** What is usual in a country (`countries-list`): its continent, its currency and its calling code, by alpha-2 code. */
import { countries as listed } from "countries-list"

const continents: Readonly<Record<string, string>> = {
  AF: "Africa",
  AN: "Antarctica",
  AS: "Asia",
  EU: "Europe",
  NA: "North America",
  OC: "Oceania",
  SA: "South America"
}

export interface Land {
  /** E.g. `South America`. */
  readonly continent: string | null
  /** ISO 4217, the first of those in use; `null` where there is none. */
  readonly currency: string | null
  /** Digits, the first of those in use. */
  readonly calling_code: string | null
}

interface Listed {
  readonly continent: string
  readonly currency: ReadonlyArray<string>
  readonly phone: ReadonlyArray<number>
}

const listedOf: ReadonlyMap<string, Listed> = new Map(Object.entries(listed))

/** By alpha-2 code in upper case; what is not known is `null`. */
export const of = (code: string): Land => {
  const about = listedOf.get(code)
  return {
    continent: continents[about?.continent ?? ""] ?? null,
    currency: about?.currency[0] ?? null,
    calling_code: about?.phone[0]?.toString() ?? null
  }
}
