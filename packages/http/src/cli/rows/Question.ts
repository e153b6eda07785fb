/** A row as a request of the interface, read by the same schema that the server reads it by. */
import { Credits } from "@lading/core/billing"
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { InvalidRequest } from "@lading/core/request"
import { Effect, Struct } from "effect"
import * as Asked from "../Asked.ts"
import type { Columns, Field, Kind } from "./Columns.ts"
import type { Row } from "./Input.ts"

/** What is the same for every row. */
export interface Options {
  readonly mode: "first_match" | "aggregate" | "fill_missing"
  /** `null` leaves it to the installation. */
  readonly sourceOrder: "cheapest" | ReadonlyArray<string> | null
  /** Of people. */
  readonly verifyEmails: boolean
  /** Vendors are asked with the keys that the account has stored at the server. */
  readonly storedKeys: boolean
}

export type Question =
  | { readonly kind: "company"; readonly payload: CompanyEnrichment.CompanyEnrichmentRequest }
  | { readonly kind: "person"; readonly payload: PersonEnrichment.PersonEnrichmentRequest }

const waterfall = ({ mode, sourceOrder, storedKeys, verifyEmails }: Options, most: Credits.Credits | null) => ({
  mode,
  ...(sourceOrder === null ? {} : { source_order: sourceOrder }),
  ...(verifyEmails ? { verify_emails: true } : {}),
  ...(storedKeys ? { byok: "stored" } : {}),
  ...(most === null ? {} : { max_credits: Credits.toNumber(most) })
})

/** Without the blank ones. */
const said = (parts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ""))

/** What a row says of whom it means, by the names of the columns. */
type Parts = Readonly<Record<Field, string>>

const partsOf = ({ at }: Columns, { cells }: Row): Parts => {
  const cell = (name: Field): string => {
    const position = at[name]
    return position === undefined ? "" : (cells[position] ?? "").trim()
  }
  return {
    domain: cell("domain"),
    name: cell("name"),
    first_name: cell("first_name"),
    last_name: cell("last_name")
  }
}

/** Fails with what is wrong with it. */
const make = (
  kind: Kind,
  { domain, first_name, last_name, name }: Parts,
  shared: object
): Effect.Effect<Question, InvalidRequest.InvalidRequest> => {
  if (kind === "person") {
    const identity = said({ first_name, last_name, domain })
    return Effect.map(
      Asked.read(PersonEnrichment.PersonEnrichmentRequest, { identity, waterfall: shared }),
      (payload) => ({ kind, payload })
    )
  }
  if (domain === "" && name === "") return Effect.fail(InvalidRequest.at("identity", "Expected a domain or a name"))
  const identity = { ...(domain === "" ? {} : { domains: [domain] }), ...(name === "" ? {} : { names: [name] }) }
  return Effect.map(
    Asked.read(CompanyEnrichment.CompanyEnrichmentRequest, { identity, waterfall: shared }),
    (payload) => ({ kind, payload })
  )
}

/** The question of a row that may cost so much at most; `null` leaves it to its sources. */
export const of = (columns: Columns, options: Options, row: Row, most: Credits.Credits | null) =>
  make(columns.kind, partsOf(columns, row), waterfall(options, most))

/** Somebody invented. */
const nobody: Parts = { domain: "acme.example", name: "Acme", first_name: "Mara", last_name: "Ellison" }

const names = Struct.keys(nobody)

/** Which parts a row has: rows of one shape can cost the same, since the same sources can be asked. */
export const shapeOf = (columns: Columns, row: Row): string => {
  const parts = partsOf(columns, row)
  return names.filter((name) => parts[name] !== "" && name in columns.at).join("+")
}

/** A question of that shape about somebody invented, who is neither suppressed nor anybody's business. */
export const sample = (kind: Kind, shape: string, options: Options, most: Credits.Credits | null) => {
  const has = new Set(shape.split("+"))
  const part = (name: Field): string => (has.has(name) ? nobody[name] : "")
  const parts = {
    domain: part("domain"),
    name: part("name"),
    first_name: part("first_name"),
    last_name: part("last_name")
  }
  return make(kind, parts, waterfall(options, most))
}
