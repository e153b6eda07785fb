/**
 * What a search fills its pages from: lists of rows, one a source, asked one after the other until the page is full. What
 * this installation knows is one of them (`own`), vendors' directories are the others.
 */
import type { Effect } from "effect"
import type { Credits } from "../billing/Credits.ts"

/** The name of what this installation knows. */
export const own = "own"

export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  /** How many there are on all pages, where it is known. */
  readonly total: number | null
  /** Where the next page begins; `null` at the end. */
  readonly next: string | null
}

/** Why a list could not be read: it was not asked, or it failed. */
export type Trouble =
  | { readonly _tag: "Skipped"; readonly reason: string }
  | { readonly _tag: "Failed"; readonly reason: string }
  /** The position is none of this list's. */
  | { readonly _tag: "WrongPosition" }

export interface List<Row> {
  readonly source: string
  /** Of a page with anything on it. */
  readonly price: Credits
  readonly ask: (limit: number, position: string | null) => Effect.Effect<Page<Row>, Trouble>
}

/** A source that is named and not asked, and why. */
export interface Skip {
  readonly source: string
  readonly reason: string
}
