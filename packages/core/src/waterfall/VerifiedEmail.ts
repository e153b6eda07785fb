/**
 * What verifying the addresses that sources told came to, and what becomes of observations by it. Pure: a replay judges
 * the same observations by the same verdicts, and asks nobody.
 *
 * Gotchas
 * - Only who takes no mail for certain is refused. What nobody could find out changes nothing: neither the status that the
 *   source gave nor the place in the list.
 * - A verdict speaks of the address, not of the source: all who told it are judged alike.
 */
import { Schema } from "effect"
import * as EmailResult from "../email/EmailResult.ts"
import * as MailAddress from "../value/MailAddress.ts"
import type { FieldTable, Verifiable } from "./Field.ts"
import type { Delivery, Observation } from "./Observation.ts"

/** Why nobody has verified an address. */
export const NotVerified = Schema.Literals([
  "verifier_unavailable",
  "deadline_exceeded",
  "budget_exhausted",
  "too_many_addresses"
])
export type NotVerified = typeof NotVerified.Type

export const VerifiedEmail = Schema.Struct({
  email: Schema.String.annotate({ description: "As the first source spelled it" }),
  status: EmailResult.EmailStatus,
  overall_score: Schema.String.annotate({ description: "0 to 100" }),
  credits: Schema.Finite.annotate({ description: "What the verdict cost; a part of the platform's credits" }),
  reason: Schema.NullOr(NotVerified).annotate({ description: "Why nobody verified it; null where somebody did" })
}).annotate({ identifier: "VerifiedEmail" })
export type VerifiedEmail = typeof VerifiedEmail.Type

/** How many addresses of one answer are verified: the first ones. */
export const mostOfAnswer = 5

/** Of an address that nobody has verified. */
export const notVerified = (email: string, reason: NotVerified): VerifiedEmail => ({
  email,
  status: "unknown",
  overall_score: EmailResult.unknown(email).overall_score,
  credits: 0,
  reason
})

/** What a status means for an address in an answer. */
export const deliveryOf: { readonly [Status in EmailResult.EmailStatus]: Delivery } = {
  safe: "deliverable",
  valid: "deliverable",
  role_account: "deliverable",
  catch_all: "catch_all",
  // The mailbox is there, and will take mail again.
  inbox_full: "unknown",
  unknown: "unknown",
  // They take mail, and are nobody's address to be reached at.
  disposable: "unwanted",
  spamtrap: "unwanted",
  invalid: "undeliverable",
  disabled: "undeliverable"
}

/** An address that can be verified: what it is told apart by, and how it is spelled. */
export interface Address {
  readonly key: string
  readonly email: string
}

/** The rows of a table whose values hold addresses, by the name of the field. */
const rowsOf = <Facts, Profile>(table: FieldTable<Facts, Profile>): ReadonlyMap<string, Verifiable<unknown>> => {
  const rows = Object.entries<{ readonly verifiable?: Verifiable<unknown> }>(table)
  return new Map(rows.flatMap(([field, { verifiable }]) => (verifiable === undefined ? [] : [[field, verifiable]])))
}

/** Whether any of these fields has addresses. */
export const isIn = <Facts, Profile>(table: FieldTable<Facts, Profile>, fields: ReadonlyArray<string>): boolean => {
  const rows = rowsOf(table)
  return fields.some((field) => rows.has(field))
}

/** The addresses in observations, each once. What fails its check, or speaks of somebody else, is not looked at. */
export const addressesIn = <Facts, Profile>(
  table: FieldTable<Facts, Profile>,
  observations: ReadonlyArray<Observation>
): ReadonlyArray<Address> => {
  const rows = rowsOf(table)
  const found = new Map<string, Address>()
  for (const { field, origin, reading } of observations) {
    const verifiable = reading.valid && !origin.mismatch ? rows.get(field) : undefined
    if (verifiable === undefined || found.has(reading.key)) continue
    found.set(reading.key, { key: reading.key, email: verifiable.address(reading.value) })
  }
  return [...found.values()]
}

/** By what addresses are told apart, as the rows do. */
const byKey = (verified: ReadonlyArray<VerifiedEmail>): ReadonlyMap<string, VerifiedEmail> =>
  new Map(verified.map((one) => [MailAddress.key(one.email), one]))

/** Every address in the observations, in their order, and what came of it; nobody was asked about what is not known. */
export const inOrder = <Facts, Profile>(
  table: FieldTable<Facts, Profile>,
  observations: ReadonlyArray<Observation>,
  verified: ReadonlyArray<VerifiedEmail>
): ReadonlyArray<VerifiedEmail> => {
  const known = byKey(verified)
  return addressesIn(table, observations).map(
    ({ email, key }) => known.get(key) ?? notVerified(email, "too_many_addresses")
  )
}

/** The observations with what verifying came to; `null` where nothing was to be verified. */
export const judged = <Facts, Profile>(
  table: FieldTable<Facts, Profile>,
  observations: ReadonlyArray<Observation>,
  verified: ReadonlyArray<VerifiedEmail> | null
): ReadonlyArray<Observation> => {
  if (verified === null || verified.length === 0) return observations
  const [rows, known] = [rowsOf(table), byKey(verified)]
  return observations.map((observation) => {
    const { field, reading } = observation
    const verifiable = rows.get(field)
    const one = known.get(reading.key)
    if (verifiable === undefined || one === undefined || !reading.valid) return observation
    const delivery = deliveryOf[one.status]
    return {
      ...observation,
      delivery,
      reading: {
        ...reading,
        value: verifiable.judged(reading.value, delivery),
        valid: delivery !== "unwanted"
      }
    }
  })
}
