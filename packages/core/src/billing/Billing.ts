/**
 * Billing: the one way in which a request spends credits. It holds the worst price, runs the work against a tab of that
 * size, and settles what is really owed together with the outcome. Whatever ends the work, the hold is ended with it:
 * a failure releases all, an interruption books what sources have already billed.
 */
import { Clock, Context, Effect, Exit, Layer, Schedule, Schema } from "effect"
import type { Caller } from "../request/Caller.ts"
import * as Mentions from "../value/Mentions.ts"
import * as Bill from "./Bill.ts"
import * as Credits from "./Credits.ts"
import * as Ledger from "./Ledger.ts"
import * as PriceBook from "./PriceBook.ts"
import * as Tab from "./Tab.ts"

/** The request's own ceiling does not cover the platform's fee and the first step. Nothing was held. */
export class CeilingTooLow extends Schema.TaggedError<CeilingTooLow>()("CeilingTooLow", {
  needed: Credits.Credits,
  ceiling: Credits.Credits
}) {}

/** An answer, and whether it is an earlier one under the same idempotency key. */
export interface Answered<A> {
  readonly answer: A
  readonly replayed: boolean
}

/** A part of the work that goes on after the request, with credits of its own. */
export interface Deferred<E> {
  /** The most that it can cost; it is taken out of the request's hold. */
  readonly amount: Credits.Credits
  /** How long it may take, in milliseconds. */
  readonly ttl: number
  /**
   * Notes down what is to go on; what it fails with the request fails with. It must not go on before `parent` has been
   * settled, see `Ledger.ending`: only then the request was answered.
   */
  readonly begin: (holds: { readonly parent: Ledger.HoldId; readonly child: Ledger.HoldId }) => Effect.Effect<void, E>
}

/** What the work of a request comes to. */
export interface Done<A, E> {
  readonly answer: A
  readonly deferred: Deferred<E> | null
}

export interface Order<A> {
  readonly caller: Caller
  readonly operation: string
  /** The worst price, see `Plan.quote`. */
  readonly quote: Credits.Credits
  /** The least with which it makes sense to begin. */
  readonly least: Credits.Credits
  /** The request's own ceiling. */
  readonly ceiling: Credits.Credits | null
  /** Epoch milliseconds when the work ends at the latest. */
  readonly deadline: number
  /** How the answer is kept for a replay: JSON text. */
  readonly codec: Schema.Codec<A, string>
}

export type BillingError =
  | CeilingTooLow
  | Ledger.InsufficientCredits
  | Ledger.KeyConflict
  | Ledger.HoldEnded
  | Ledger.LedgerUnavailable

/** Beyond its deadline a hold lives this long, for the settlement of slow stores; in milliseconds. */
export const grace = 60_000

/** Between two attempts to settle. */
const pauses = Schedule.spaced("250 millis")

/** How long an outcome can be replayed, in milliseconds. */
const keep = 24 * 60 * 60 * 1000

export class Billing extends Context.Service<
  Billing,
  {
    readonly prices: PriceBook.PriceBook
    /** What an account can spend now. */
    readonly available: (account: string) => Effect.Effect<Credits.Credits, Ledger.LedgerUnavailable>
    readonly charge: <A, E, F>(
      order: Order<A>,
      work: (tab: Tab.Tab) => Effect.Effect<Done<A, F>, E>
    ) => Effect.Effect<Answered<A>, E | F | BillingError>
  }
>()("@lading/core/billing/Billing") {}

/** What is held: the quote, or the request's own ceiling where that is less. */
const limitOf = <A>({ ceiling, quote }: Order<A>): Credits.Credits =>
  ceiling === null ? quote : Credits.min(quote, ceiling)

const openingOf = <A>(order: Order<A>): Ledger.Open => {
  const { caller, deadline, operation } = order
  return {
    request: {
      account: caller.account,
      key: caller.idempotency === null ? `request:${caller.request_id}` : `client:${caller.idempotency.key}`,
      fingerprint: caller.idempotency?.fingerprint ?? null
    },
    amount: limitOf(order),
    ttl: Math.max(0, deadline - caller.received_at) + grace,
    keep,
    api_key: caller.api_key,
    operation,
    request_id: caller.request_id,
    from: caller.paid_by ?? null
  }
}

/** Ends holds. */
const settling = (ledger: Ledger.Ledger["Service"]) => {
  /** A store that did not answer may have settled all the same, so it is asked again: the same settlement counts once. */
  const settle = (hold: Ledger.HoldId, settlement: Ledger.Settlement) =>
    ledger.settle(hold, settlement).pipe(
      Effect.retry({ while: (error) => error._tag === "LedgerUnavailable", times: 2, schedule: pauses }),
      // A tab never owes more than its hold: more would be a defect of ours.
      Effect.catchTag("HoldExceeded", Effect.die)
    )

  /** Ends the hold of work that gave no answer. That it could not be ended is logged: it ends with its time. */
  const abandon = (account: string, hold: Ledger.HoldId, bill: Bill.Bill) =>
    settle(hold, { account, bill, outcome: null, subjects: [] }).pipe(
      Effect.catch((error) => Effect.logWarning("hold not ended, it expires", error._tag))
    )

  return { settle, abandon }
}

/** The longest that what goes on may take to be noted down, in milliseconds: a long list, on a machine that is busy. */
const noting = 30_000

/**
 * Sets what goes on apart, before the request is settled. When that fails the credits for it are given back at once. But
 * nobody knows whether it was noted down, so the request's own hold is not settled: it expires, which is how whoever goes
 * on learns that there was no answer.
 */
const defer = Effect.fnUntraced(function* <E>(
  ledger: Ledger.Ledger["Service"],
  { account, parent }: { readonly account: string; readonly parent: Ledger.HoldId },
  { amount, begin, ttl }: Deferred<E>,
  giveBack: (child: Ledger.HoldId) => Effect.Effect<void>
) {
  const child = yield* ledger.split(parent, { account, amount, ttl }).pipe(
    // A tab never reserves more than its hold: more would be a defect of ours.
    Effect.catchTag("HoldExceeded", Effect.die)
  )
  yield* begin({ parent, child }).pipe(
    Effect.interruptible,
    Effect.timeoutOrElse({
      duration: noting,
      orElse: () => Effect.fail(new Ledger.LedgerUnavailable({ problem: "what goes on could not be noted down" }))
    }),
    Effect.onError(() => giveBack(child))
  )
})

/** Where another hold pays, what is left of it is all there is. */
const tooLittle = ({ needed, remaining }: Ledger.HoldExceeded) =>
  Effect.fail(new Ledger.InsufficientCredits({ needed, available: remaining }))

const make = Effect.fnUntraced(function* (prices: PriceBook.PriceBook) {
  const ledger = yield* Ledger.Ledger
  const { abandon, settle } = settling(ledger)

  /**
   * Takes the hold, within the time of the request. A store that answers too late may have taken it: that hold ends with
   * its life-time.
   */
  const open = Effect.fnUntraced(function* <A>(order: Order<A>) {
    const now = yield* Clock.currentTimeMillis
    return yield* ledger.open(openingOf(order)).pipe(
      Effect.catchTag("HoldExceeded", tooLittle),
      Effect.interruptible,
      Effect.timeoutOrElse({
        duration: Math.max(1, order.deadline - now),
        orElse: () => Effect.fail(new Ledger.LedgerUnavailable({ problem: "no hold before the deadline" }))
      })
    )
  })

  const charge = Effect.fnUntraced(function* <A, E, F>(
    order: Order<A>,
    work: (tab: Tab.Tab) => Effect.Effect<Done<A, F>, E>
  ): Effect.fn.Return<Answered<A>, E | F | BillingError> {
    const { ceiling, least, codec } = order
    if (ceiling !== null && least > ceiling) return yield* new CeilingTooLow({ needed: least, ceiling })
    return yield* Effect.uninterruptibleMask(
      Effect.fnUntraced(function* (restore): Effect.fn.Return<Answered<A>, E | F | BillingError> {
        const opened = yield* open(order)
        if (opened._tag === "Replayed") {
          // What is stored was encoded by the same codec.
          const answer = yield* Effect.orDie(Schema.decodeEffect(codec)(opened.outcome))
          return { answer, replayed: true }
        }
        const tab = Tab.make(limitOf(order), prices.version)
        // The answer is encoded before it is charged: one that cannot be kept is a failure like any other.
        const exit = yield* Effect.exit(
          Effect.flatMap(restore(work(tab)), ({ answer, deferred }) =>
            Effect.map(outcomeOf(order, answer), (outcome) => ({ answer, deferred, outcome }))
          )
        )
        if (Exit.isFailure(exit)) {
          yield* abandon(
            order.caller.account,
            opened.hold,
            Exit.hasInterrupts(exit) ? tab.bill() : Bill.empty(prices.version)
          )
          return yield* Effect.failCause(exit.cause)
        }
        const { answer, deferred, outcome } = exit.value
        if (deferred !== null) {
          const giveBack = (child: Ledger.HoldId) => abandon(order.caller.account, child, Bill.empty(prices.version))
          yield* defer(ledger, { account: order.caller.account, parent: opened.hold }, deferred, giveBack)
        }
        yield* settle(opened.hold, {
          account: order.caller.account,
          bill: tab.bill(),
          outcome,
          subjects: outcome === null ? [] : Mentions.of(answer)
        })
        return { answer, replayed: false }
      })
    )
  })

  const available = (account: string) => Effect.map(ledger.balance(account), (balance) => balance.available)

  return Billing.of({ prices, available, charge })
})

/** What a replay needs; nothing where nobody can ask for one. */
const outcomeOf = <A>({ caller, codec }: Order<A>, answer: A): Effect.Effect<string | null> =>
  caller.idempotency === null ? Effect.succeed(null) : Effect.orDie(Schema.encodeEffect(codec)(answer))

export const layer = (prices: PriceBook.PriceBook = PriceBook.standard): Layer.Layer<Billing, never, Ledger.Ledger> =>
  Layer.effect(Billing, make(prices))
