/**
 * The kinds of profile fields. `CompanyFields` and `PersonFields` are tables of these; merge, `fill_missing`,
 * attribution and explanation read nothing else, so that a new field is one row.
 *
 * - scalar: the first valid value in the order of the sources;
 * - list: the union by comparison key, first spelling and order kept;
 * - group: one source's value as a whole (an address is never put together from two);
 * - members: an object whose members are scalars of their own (social links).
 */
import type { Delivery, Observation, Reading } from "./Observation.ts"

/** Why an observation is not in the profile. */
export type LossReason = "later_in_order" | "invalid" | "duplicate" | "identity_mismatch" | "undeliverable"

export type Rule = "first_valid" | "first_of_invalid" | "union" | "union_of_invalid" | "first_whole" | "first_of_each"

export interface Loss {
  readonly observation: Observation
  readonly reason: LossReason
}

export interface Resolution<Value> {
  readonly value: Value
  readonly rule: Rule
  /** What the value is made of, first in order first. Never empty. */
  readonly winners: ReadonlyArray<Observation>
  /** The sources that said what is shown, first in order first; more than the winners where several said the same. */
  readonly contributors: ReadonlyArray<string>
  readonly losses: ReadonlyArray<Loss>
}

/** What reading a value may depend on: the country that a number without a country code is in. */
export interface Region {
  /** ISO 3166-1 alpha-2, or `null` where the source says none. */
  readonly country: string | null
}

/** Of values that hold a mail address. Their key is that of the address. */
export interface Verifiable<Item> {
  readonly address: (item: Item) => string
  /** The value with what verifying its address came to. */
  readonly judged: (item: Item, delivery: Delivery) => Item
}

export interface Field<Said, Item, Value> {
  readonly kind: "scalar" | "list" | "group" | "members"
  /** Whether `fill_missing` goes on for it when the request does not say what it requires. */
  readonly required: boolean
  /** What the profile shows when nobody said anything. */
  readonly empty: Value
  /** The readings of what one source said; none when it said nothing (an empty text, an empty list). */
  readonly read: (said: Said, region: Region) => ReadonlyArray<Reading<Item>>
  /** From at least one observation, sorted, none of them a mismatch. */
  readonly resolve: (observations: ReadonlyArray<Observation<Item>>) => Resolution<Value>
  /** Left out where there are no addresses. */
  readonly verifiable?: Verifiable<Item>
}

/** One row for each field of a profile, by what sources say of it. */
export type FieldTable<Facts, Profile> = {
  readonly [Name in keyof Profile]: Field<
    Name extends keyof Facts ? NonNullable<Facts[Name]> : never,
    // The item is between `read` and `resolve` of the same row; nobody else looks into it.
    // oxlint-disable-next-line typescript/no-explicit-any
    any,
    Profile[Name]
  >
}

const sources = (observations: ReadonlyArray<Observation>): ReadonlyArray<string> => [
  ...new Set(observations.map(({ origin }) => origin.source))
]

const losers = (observations: ReadonlyArray<Observation>, winner: Observation): ReadonlyArray<Loss> =>
  observations
    .filter((observation) => observation !== winner)
    .map((observation) => ({ observation, reason: observation.reading.valid ? "later_in_order" : "invalid" }))

/** The first that passes its check, else the first at all. */
const firstValid = <Item>(observations: ReadonlyArray<Observation<Item>>): Observation<Item> | undefined =>
  observations.find(({ reading }) => reading.valid) ?? observations[0]

const nothing = (): never => {
  throw new Error("a field is resolved from at least one observation")
}

interface Options {
  readonly required?: boolean
}

/** A single value. `read` gives `null` for what says nothing. */
export const scalar = <Said, Item>(
  read: (said: Said, region: Region) => Omit<Reading<Item>, "key" | "raw"> | null,
  options?: Options
): Field<Said, Item, Item | null> => ({
  kind: "scalar",
  required: options?.required ?? false,
  empty: null,
  read: (said, region) => {
    const reading = read(said, region)
    return reading === null ? [] : [{ key: "", raw: said, ...reading }]
  },
  resolve: (observations) => {
    const winner = firstValid(observations) ?? nothing()
    return {
      value: winner.reading.value,
      rule: winner.reading.valid ? "first_valid" : "first_of_invalid",
      winners: [winner],
      contributors: sources([winner]),
      losses: losers(observations, winner)
    }
  }
})

/** A value that survives as a whole, from one source. */
export const group = <Said, Item>(
  empty: Item,
  read: (said: Said, region: Region) => Omit<Reading<Item>, "key" | "raw"> | null,
  options?: Options
): Field<Said, Item, Item> => {
  const single = scalar(read, options)
  return {
    ...single,
    kind: "group",
    empty,
    resolve: (observations) => {
      const winner = firstValid(observations) ?? nothing()
      return {
        value: winner.reading.value,
        rule: "first_whole",
        winners: [winner],
        contributors: sources([winner]),
        losses: losers(observations, winner)
      }
    }
  }
}

/**
 * A union. Where two sources give the same key, `combine` makes one item of all of them in order (by default the first
 * is kept). Items that fail their check are shown only where no source has a better one.
 */
export const list = <Said, Item>(
  read: (said: Said, region: Region) => Reading<Item> | null,
  options?: Options & {
    readonly combine?: (items: ReadonlyArray<Observation<Item>>) => Item
    readonly verifiable?: Verifiable<Item>
  }
): Field<ReadonlyArray<Said>, Item, ReadonlyArray<Item>> => ({
  kind: "list",
  required: options?.required ?? false,
  empty: [],
  ...(options?.verifiable === undefined ? {} : { verifiable: options.verifiable }),
  read: (said, region) => said.map((item) => read(item, region)).filter((reading) => reading !== null),
  resolve: (observations) => {
    const anyValid = observations.some(({ reading }) => reading.valid)
    const shown = anyValid ? observations.filter(({ reading }) => reading.valid) : observations
    const value: Array<Item> = []
    const winners: Array<Observation> = []
    const losses: Array<Loss> = observations
      .filter(({ reading }) => anyValid && !reading.valid)
      .map((observation) => ({ observation, reason: "invalid" }))
    for (const sameKey of Map.groupBy(shown, ({ reading }) => reading.key).values()) {
      for (const same of variants(sameKey)) {
        const first = same[0] ?? nothing()
        winners.push(first)
        value.push(options?.combine === undefined ? first.reading.value : options.combine(same))
        for (const observation of same.slice(1)) losses.push({ observation, reason: "duplicate" })
      }
    }
    return {
      value,
      rule: anyValid ? "union" : "union_of_invalid",
      winners,
      contributors: sources(shown),
      losses
    }
  }
})

/** One group for each variant of a key; what names no variant goes with the first that does. */
const variants = <Item>(sameKey: ReadonlyArray<Observation<Item>>): ReadonlyArray<ReadonlyArray<Observation<Item>>> => {
  if (sameKey.length === 1) return [sameKey]
  const groups = Map.groupBy(sameKey, ({ reading }) => reading.variant ?? "")
  const vague = groups.get("") ?? []
  if (groups.size === 1) return [sameKey]
  groups.delete("")
  return Array.from(groups.values(), (group, index) => (index === 0 ? [...group, ...vague] : group))
}

/** An object whose members are merged one by one; `read` gives one reading a member, keyed by the member's name. */
export const members = <Said, Name extends string>(
  names: ReadonlyArray<Name>,
  read: (said: Said, name: Name) => Omit<Reading<string>, "key"> | null,
  options?: Options
): Field<Said, string, { readonly [K in Name]: string | null }> => {
  // `Object.fromEntries` forgets the names of the keys, which are exactly `names`.
  const of = (value: (name: Name) => string | null) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as { readonly [K in Name]: string | null }
  return {
    kind: "members",
    required: options?.required ?? false,
    empty: of(() => null),
    read: (said) =>
      names.flatMap((name) => {
        const reading = read(said, name)
        return reading === null ? [] : [{ key: name, ...reading }]
      }),
    resolve: (observations) => {
      const byMember = Map.groupBy(observations, ({ reading }) => reading.key)
      const winners = Array.from(byMember.values(), (same) => firstValid(same) ?? nothing())
      const winnerOf = new Map(winners.map(({ reading }) => [reading.key, reading.value]))
      return {
        value: of((name) => winnerOf.get(name) ?? null),
        rule: "first_of_each",
        winners: observations.filter((observation) => winners.includes(observation)),
        contributors: sources(observations.filter((observation) => winners.includes(observation))),
        losses: observations
          .filter((observation) => !winners.includes(observation))
          .map((observation) => ({ observation, reason: observation.reading.valid ? "later_in_order" : "invalid" }))
      }
    }
  }
}

/** Whether a profile value says nothing: `null`, an empty list, an object of `null`s. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && !Array.isArray(value) && Object.values(value).every((member) => member === null))
