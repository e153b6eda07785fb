/**
 * Values of JSON-LD, in whatever shape they come: as a text, a number, an object, or a list of them. What has another
 * shape says nothing.
 */
import type { CompanyFacts } from "@lading/core/company"
import { DomainName, Text } from "@lading/core/value"
import { listOf, type Node } from "./Organizations.ts"

/** A text on one line, without characters that nobody sees. */
export const clean = (text: string): string | null => Text.said(text.toWellFormed().replace(/[\p{Cc}\s]+/gu, " "))

/** Texts of a JSON-LD value: a string, a number, `{"@value": …}`, or a list of them. */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  listOf(value).flatMap((one) => {
    if (typeof one === "string") return clean(one) ?? []
    if (typeof one === "number") return String(one)
    return typeof one === "object" && one !== null && "@value" in one ? textsOf(one["@value"]) : []
  })

/** The first of them. */
export const textOf = (value: unknown): string | null => textsOf(value)[0] ?? null

/** Objects, in a list or alone. */
export const nodesOf = (value: unknown): ReadonlyArray<Node> =>
  listOf(value).flatMap((one) => (typeof one === "object" && one !== null ? [{ ...one }] : []))

/** Whether an organization is the site's own: its address is here, or it has none. */
export const isOwn =
  (domain: string) =>
  (organization: Node): boolean => {
    const urls = [...textsOf(organization["url"]), ...textsOf(organization["@id"])].flatMap((text) =>
      /^https?:\/\//i.test(text) ? (DomainName.parse(text) ?? []) : []
    )
    return urls.length === 0 || urls.some((one) => DomainName.sameOwner(one, domain))
  }

const count = (value: unknown): number | null => {
  const text = textOf(value)
  return text !== null && /^\d{1,8}$/.test(text) ? Number(text) : null
}

/** A number, a text of digits, or a `QuantitativeValue`. */
export const employees = (value: unknown): CompanyFacts["estimated_employee_count"] => {
  const plain = count(value)
  if (plain !== null) return plain
  const [quantity] = nodesOf(value)
  if (quantity === undefined) return null
  const exact = count(quantity["value"])
  if (exact !== null) return exact
  const min = count(quantity["minValue"])
  const max = count(quantity["maxValue"])
  return min === null ? null : { min, max, text: max === null ? `${min}+` : `${min}-${max}` }
}

const country = (value: unknown): Pick<NonNullable<CompanyFacts["hq"]>, "country" | "country_code"> => {
  const text = textOf(value) ?? textOf(nodesOf(value)[0]?.["name"])
  if (text === null) return {}
  return /^[A-Za-z]{2}$/.test(text) ? { country_code: text.toUpperCase() } : { country: text }
}

/** A `PostalAddress`; nothing where it has neither city nor country. */
export const postal = (node: Node): CompanyFacts["hq"] => {
  const street = textOf(node["streetAddress"])
  const city = textOf(node["addressLocality"])
  const postal_code = textOf(node["postalCode"])
  const { country: name = null, country_code = null } = country(node["addressCountry"])
  if (city === null && name === null && country_code === null) return null
  const place = [postal_code, city].filter((part) => part !== null).join(" ")
  const shown = [street, place === "" ? null : place, name ?? country_code].filter((part) => part !== null)
  return {
    full_address: street === null ? null : shown.join(", "),
    city,
    state: textOf(node["addressRegion"]),
    postal_code,
    country: name,
    country_code
  }
}

/** Of the organizations and their contact points. */
export const contactPoints = (organizations: ReadonlyArray<Node>, name: "telephone" | "email"): ReadonlyArray<string> =>
  organizations.flatMap((one) => [
    ...textsOf(one[name]),
    ...nodesOf(one["contactPoint"]).flatMap((point) => textsOf(point[name]))
  ])
