/**
 * A bill: what one request owes, line by line. Each line says who was paid for and which price table it came from.
 */
import * as Credits from "./Credits.ts"

/** What a line pays for: the platform's own fee, or a source by its slot name. */
export type Payee = { readonly _tag: "Platform" } | { readonly _tag: "Source"; readonly source: string }

export interface Line {
  readonly payee: Payee
  readonly credits: Credits.Credits
}

/**
 * A call that was made with the caller's own key: the vendor's money, never our credits.
 * `units` are the vendor's own units as its adapter declares them.
 */
export interface Memo {
  readonly source: string
  readonly units: number
}

export interface Bill {
  /** The version of the price table that every line was computed from. */
  readonly price_version: string
  readonly lines: ReadonlyArray<Line>
  readonly memos: ReadonlyArray<Memo>
}

export const empty = (priceVersion: string): Bill => ({ price_version: priceVersion, lines: [], memos: [] })

export const total = (bill: Bill): Credits.Credits => Credits.sum(bill.lines.map((line) => line.credits))

/** What goes to the platform, without the sources. */
export const platform = (bill: Bill): Credits.Credits =>
  Credits.sum(bill.lines.filter((line) => line.payee._tag === "Platform").map((line) => line.credits))

/** What went to each source, in the order of the lines, one entry a source. */
export const bySource = (bill: Bill): ReadonlyArray<{ readonly source: string; readonly credits: Credits.Credits }> => {
  const totals = new Map<string, Credits.Credits>()
  for (const { payee, credits } of bill.lines) {
    if (payee._tag === "Source") {
      totals.set(payee.source, Credits.add(totals.get(payee.source) ?? Credits.zero, credits))
    }
  }
  return Array.from(totals, ([source, credits]) => ({ source, credits }))
}

/** Two bills of one request as one; both come from the same price table. */
export const concat = (a: Bill, b: Bill): Bill => ({
  price_version: a.price_version,
  lines: [...a.lines, ...b.lines],
  memos: [...a.memos, ...b.memos]
})
