/** What the waterfall is asked. */
import type { PriceBook } from "../billing/PriceBook.ts"
import type { Tab } from "../billing/Tab.ts"
import type { Plan, Step } from "./Plan.ts"
import type { Operation, Operations } from "./Source.ts"
import type { Subject } from "./Subject.ts"

export interface Request<Name extends Operation, Profile> {
  readonly subject: Subject<Name, Profile>
  readonly identity: Operations[Name]["identity"]
  readonly plan: Plan<Name>
  readonly prices: PriceBook
  readonly tab: Tab
  /** Epoch milliseconds after which nothing is waited for. */
  readonly deadline: number
  /** The oldest cached answer that is taken, in milliseconds; 0 asks afresh, `null` takes whatever is kept. */
  readonly maxCacheAge: number | null
  /** Whose own keys these are; answers to them are shared with nobody else. */
  readonly account: string
  /** What `fill_missing` goes on for. */
  readonly required: ReadonlyArray<string>
}

/** An answer that a vendor was still working on. */
export interface Resumed<Name extends Operation, Profile> {
  readonly subject: Subject<Name, Profile>
  readonly identity: Operations[Name]["identity"]
  readonly step: Step<Name>
  readonly handle: string
  /** How many calls began it: what they cost is due with the answer, and asking for it costs nothing. */
  readonly attempts: number
  readonly account: string
  /** The table that its worst price came from. */
  readonly prices: PriceBook
}

/** Who is asked about, and for whom. */
export type About<Name extends Operation, Profile> = Pick<Request<Name, Profile>, "subject" | "identity" | "account">
