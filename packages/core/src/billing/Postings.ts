/**
 * What a settlement writes into the journal. Every store posts exactly these lines.
 *
 * A capture: the hold pays every payee once. A memo: the account itself brings the vendor's units that its own key
 * used, so they go from `granted` to the source, in the unit of that vendor.
 */
import * as Bill from "./Bill.ts"
import { scale } from "./Credits.ts"

/** One line of a group; `amount` is signed millionths. */
export interface Posting {
  readonly book: string
  readonly unit: string
  readonly amount: number
}

/** A line in credits. */
export const credit = (book: string, amount: number): Posting => ({ book, unit: "credit", amount })

/** The capture of a bill; empty when it is free. */
export const capture = (bill: Bill.Bill): ReadonlyArray<Posting> => {
  const paid = [
    credit("platform", Bill.platform(bill)),
    ...Bill.bySource(bill).map(({ credits, source }) => credit(`source:${source}`, credits))
  ].filter(({ amount }) => amount > 0)
  return paid.length === 0 ? [] : [credit("held", -Bill.total(bill)), ...paid]
}

/**
 * What a refund of `amount` posts, where `refunded` of the hold was given back before: what was paid last comes back first,
 * so the sources give before the platform does. `paid` are the lines of the capture that name a payee, in their order.
 */
export const refund = (paid: ReadonlyArray<Posting>, refunded: number, amount: number): ReadonlyArray<Posting> => {
  const lines = [credit("available", amount)]
  let behind = 0
  for (const line of paid.toReversed()) {
    const share = Math.min(behind + line.amount, refunded + amount) - Math.max(behind, refunded)
    if (share > 0) lines.push(credit(line.book, -share))
    behind += line.amount
  }
  return lines
}

/** The memos of a bill, two lines each. */
export const memos = (bill: Bill.Bill): ReadonlyArray<Posting> =>
  bill.memos.flatMap(({ source, units }) => {
    const unit = `vendor:${source}`
    const amount = Math.round(units * scale)
    return amount === 0
      ? []
      : [
          { book: "granted", unit, amount: -amount },
          { book: `source:${source}`, unit, amount }
        ]
  })
