/**
 * The money of what goes on after its request: it is begun when the request has been settled, and ends its own hold. Every
 * part may be done again, by another process too, and comes to the same.
 */
import { Effect } from "effect"
import { patiently } from "../request/Patience.ts"
import type * as Bill from "./Bill.ts"
import type * as Ledger from "./Ledger.ts"

interface Own {
  readonly account: string
  readonly hold: Ledger.HoldId
}

export const make = (ledger: Ledger.Ledger["Service"]) => {
  /** Waits until the request's own hold has ended; whether it was settled. */
  const answered = (parent: Ledger.HoldId): Effect.Effect<boolean> =>
    Effect.flatMap(patiently(ledger.ending(parent)), (ending) =>
      ending === "open"
        ? Effect.delay(
            Effect.suspend(() => answered(parent)),
            "200 millis"
          )
        : Effect.succeed(ending === "settled")
    )

  /**
   * Ends the hold. `true` too where that was done before, by this part or by another one with the same bill; `false` when the
   * hold was released: nothing can be charged any more.
   */
  const settle = ({ account, hold }: Own, bill: Bill.Bill): Effect.Effect<boolean> =>
    ledger.settle(hold, { account, bill, outcome: null, subjects: [] }).pipe(
      Effect.as(true),
      Effect.catchTags({
        HoldEnded: () => Effect.map(ledger.ending(hold), (ending) => ending === "settled"),
        HoldExceeded: Effect.die
      }),
      patiently
    )

  return { answered, settle }
}
