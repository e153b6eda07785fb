/**
 * The part of Elasticsearch's query language that questions are made of. The vendor runs a query on its data as it is:
 * everything is lower case there, and nothing is cleaned before it is compared.
 */

/** A query, or a part of one. */
export type Query = Readonly<Record<string, unknown>>

const lower = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.map((value) => value.trim().toLowerCase())

/** Every one of these holds. */
export const every = (queries: ReadonlyArray<Query>): Query => ({ bool: { must: queries } })

/** At least one of these holds. */
export const some = (queries: ReadonlyArray<Query>): Query => ({ bool: { should: queries } })

/** The field is one of the values. */
export const among = (field: string, values: ReadonlyArray<string>): Query => ({ terms: { [field]: lower(values) } })

/** The field has the word. */
export const word = (field: string, value: string): Query => ({ match: { [field]: value.toLowerCase() } })

/** The field has the words, one after the other. */
export const phrase = (field: string, value: string): Query => ({
  match_phrase: { [field]: value.trim().toLowerCase() }
})

/** The field lies between the ends, both included. */
export const between = <A>(field: string, min: A | null, max: A | null): Query => ({
  range: { [field]: { ...(min === null ? {} : { gte: min }), ...(max === null ? {} : { lte: max }) } }
})
