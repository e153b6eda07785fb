/**
 * Merge: from observations and the order of the sources to a profile, with the source of every field. A pure function:
 * no clock, no I/O, no randomness; the order in which answers arrived changes nothing, and leaving out a source gives
 * what would have come out had that source said nothing.
 */
import type { FieldTable, Loss, LossReason, Region, Resolution } from "./Field.ts"
import { isEmpty } from "./Field.ts"
import { type Observation, type Origin, sort } from "./Observation.ts"

/** The rows of a table, each with its name as a key of the profile. */
const names = <Facts, Profile>(table: FieldTable<Facts, Profile>): ReadonlyArray<keyof Profile & string> =>
  // `Object.keys` forgets that the keys of a table are the profile's.
  Object.keys(table) as Array<keyof Profile & string>

/** The observations in what one source said. */
export const observe = <Facts extends object, Profile>(
  table: FieldTable<Facts, Profile>,
  facts: Facts,
  region: Region,
  origin: Origin
): ReadonlyArray<Observation> => {
  const observations: Array<Observation> = []
  for (const field of names(table)) {
    // A table's row named like a fact reads exactly that fact (see `FieldTable`).
    const said = (facts as Record<string, unknown>)[field]
    if (said === null || said === undefined) continue
    // Which fact that is, the loop over the names has forgotten.
    const readings = table[field].read(said as never, region)
    for (const [position, reading] of readings.entries()) observations.push({ field, position, reading, origin })
  }
  return observations
}

export interface Merged<Profile> {
  readonly profile: Profile
  /** For each field that is not empty: the source that supplied it, the first of them for a union. */
  readonly field_sources: { readonly [field: string]: string }
  /** For each field that anybody spoke of: how it was decided. */
  readonly decisions: ReadonlyMap<string, Decision>
}

export interface Decision {
  /** `null` where all that was said was about somebody else. */
  readonly resolution: Resolution<unknown> | null
  readonly losses: ReadonlyArray<Loss>
}

/** Why it is not to be looked at, whoever else says something; `null` where it is. */
const refusal = ({ delivery, origin }: Observation): LossReason | null =>
  origin.mismatch ? "identity_mismatch" : delivery === "undeliverable" ? "undeliverable" : null

/** The profile of a set of observations. */
export const merge = <Facts, Profile>(
  table: FieldTable<Facts, Profile>,
  observations: ReadonlyArray<Observation>,
  order: ReadonlyArray<string>
): Merged<Profile> => {
  const byField = Map.groupBy(observations, ({ field }) => field)
  const profile: Partial<Profile> = {}
  const field_sources: Record<string, string> = {}
  const decisions = new Map<string, Decision>()
  for (const name of names(table)) {
    const unsorted = byField.get(name)
    profile[name] = table[name].empty
    if (unsorted === undefined) continue
    const said = sort(unsorted, order)
    const about = said.filter((observation) => refusal(observation) === null)
    const refused: ReadonlyArray<Loss> = said.flatMap((observation) => {
      const reason = refusal(observation)
      return reason === null ? [] : [{ observation, reason }]
    })
    if (about.length === 0) {
      decisions.set(name, { resolution: null, losses: refused })
      continue
    }
    const resolution = table[name].resolve(about)
    profile[name] = resolution.value
    decisions.set(name, { resolution, losses: [...resolution.losses, ...refused] })
    const first = resolution.winners[0]
    if (first !== undefined && !isEmpty(resolution.value)) field_sources[name] = first.origin.source
  }
  // Every row of the table has put its value above.
  return { profile: profile as Profile, field_sources, decisions }
}

/** Which of the required fields are still empty. A value that failed its check is shown, but it fills nothing. */
export const missing = <Profile>(
  { decisions, profile }: Merged<Profile>,
  required: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const values = new Map<string, unknown>(Object.entries(profile ?? {}))
  return required.filter((field) => {
    const valid = decisions.get(field)?.resolution?.winners.some(({ reading }) => reading.valid) ?? false
    return !valid || isEmpty(values.get(field) ?? null)
  })
}

/** The fields that are required when the request names none. */
export const requiredByDefault = <Facts, Profile>(table: FieldTable<Facts, Profile>): ReadonlyArray<string> =>
  names(table).filter((name) => table[name].required)
