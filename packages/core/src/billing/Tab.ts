/**
 * A tab: what a running request may still spend and what it already owes. Before a vendor is called its worst price is
 * reserved; afterwards the reservation becomes what the call really cost. All in one process and without waiting, so
 * that parallel steps cannot spend the same credit twice.
 */
import type * as Bill from "./Bill.ts"
import * as Credits from "./Credits.ts"

export interface Tab {
  /** Sets the worst price aside; `false` when it does not fit into what is left. */
  readonly reserve: (worst: Credits.Credits) => boolean
  /** Ends a reservation: what is really owed (at most `worst`) goes onto the bill. */
  readonly charge: (worst: Credits.Credits, line: Bill.Line) => void
  /** Ends a reservation that came to nothing. */
  readonly free: (worst: Credits.Credits) => void
  /** Notes a call that was made with the caller's own key. */
  readonly memo: (memo: Bill.Memo) => void
  /** What is owed so far. */
  readonly bill: () => Bill.Bill
}

export const make = (limit: Credits.Credits, priceVersion: string): Tab => {
  let spoken = 0
  const lines: Array<Bill.Line> = []
  const memos: Array<Bill.Memo> = []
  return {
    reserve: (worst) => {
      if (spoken + worst > limit) return false
      spoken += worst
      return true
    },
    charge: (worst, line) => {
      const owed = Credits.min(line.credits, worst)
      spoken += owed - worst
      if (owed > 0) lines.push({ payee: line.payee, credits: owed })
    },
    free: (worst) => {
      spoken -= worst
    },
    memo: (memo) => {
      memos.push(memo)
    },
    bill: () => ({ price_version: priceVersion, lines: [...lines], memos: [...memos] })
  }
}
