/**
 * What every question about customs records has in common: a price, the most that an answer can cost, and the answer. It
 * is charged for what came, so nothing for an empty answer.
 *
 * What costs nothing and cannot be repeated goes past the ledger.
 */
import { Clock, Effect, Schema } from "effect"
import type * as Bill from "../billing/Bill.ts"
import type * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import type { Caller } from "../request/Caller.ts"
import * as Enrichment from "../waterfall/Enrichment.ts"
import * as WaterfallOptions from "../waterfall/WaterfallOptions.ts"

/** How long a question may take, in milliseconds. */
export const timeout = WaterfallOptions.timeout.default

/** An answer, and what it cost. */
export const Charged = <Data extends Schema.Top>(data: Data) =>
  Schema.Struct({
    request_id: Schema.String,
    /** Epoch milliseconds. */
    answered_at: Schema.Int,
    credits_charged: Schema.Finite,
    data
  })

export interface Charged<Data> {
  readonly request_id: string
  readonly answered_at: number
  readonly credits_charged: number
  readonly data: Data
}

export interface TradeOperation<Request, Answer, Encoded, E> {
  /** For usage by operation, e.g. `customs.records`. */
  readonly name: string
  readonly price: keyof PriceBook.CustomsPrices
  readonly answer: Schema.Codec<Answer, Encoded>
  /** How often the price can be due at most. */
  readonly most: (request: Request) => number
  /** How often it is due for an answer. */
  readonly due: (answer: Answer) => number
  readonly ask: (request: Request, caller: Caller, deadline: number) => Effect.Effect<Answer, E>
}

/** A question as callers ask it. */
export interface Ask<Request, Answer, E> {
  (
    request: Request,
    caller: Caller
  ): Effect.Effect<Billing.Answered<Charged<Answer>>, E | Enrichment.DeadlineExceeded | Billing.BillingError>
  /** The most that it can cost: what is held for it. */
  readonly worst: (request: Request) => Credits.Credits
  /** Which price it has, and what that is in credits: `row` is due for every row, each other one for a call. */
  readonly price: { readonly name: keyof PriceBook.CustomsPrices; readonly credits: number }
}

const once = () => 1

/** Of something that is there or not. */
export const perCall = <Answer>(hasData: (answer: Answer) => boolean) => ({
  most: once,
  due: (answer: Answer) => (hasData(answer) ? 1 : 0)
})

/** For every row of a list. */
export const perRow = <Request>(limitOf: (request: Request) => number) => ({
  most: limitOf,
  due: ({ list }: { readonly list: ReadonlyArray<unknown> }) => list.length
})

export const running =
  ({ charge, prices }: Billing.Billing["Service"]) =>
  <Request, Answer, Encoded, E>(operation: TradeOperation<Request, Answer, Encoded, E>): Ask<Request, Answer, E> => {
    const codec = Schema.fromJsonString(Charged(operation.answer))
    const priceOf = (units: number) => PriceBook.customsFee(prices, operation.price, units)
    const worstOf = (request: Request) => priceOf(operation.most(request))

    const answered = (request: Request, caller: Caller, deadline: number) =>
      Effect.gen(function* () {
        const data = yield* Enrichment.within(deadline, timeout)(operation.ask(request, caller, deadline))
        const credits = priceOf(operation.due(data))
        const answer: Charged<Answer> = {
          request_id: caller.request_id,
          answered_at: yield* Clock.currentTimeMillis,
          credits_charged: Credits.toNumber(credits),
          data
        }
        return { answer, credits }
      })

    const ask = Effect.fnUntraced(
      function* (
        request: Request,
        caller: Caller
      ): Effect.fn.Return<Billing.Answered<Charged<Answer>>, E | Enrichment.DeadlineExceeded | Billing.BillingError> {
        const worst = worstOf(request)
        const deadline = caller.received_at + timeout
        if (worst === Credits.zero && caller.idempotency === null) {
          const { answer } = yield* answered(request, caller, deadline)
          return { answer, replayed: false }
        }
        const order = { caller, operation: operation.name, quote: worst, least: Credits.zero, ceiling: null, deadline }
        return yield* charge({ ...order, codec }, (tab) => {
          tab.reserve(worst)
          return Effect.map(
            answered(request, caller, deadline),
            ({ answer, credits }): Billing.Done<Charged<Answer>, never> => {
              tab.charge(worst, { payee: platform, credits })
              return { answer, deferred: null }
            }
          )
        })
      },
      (asking) => Effect.withSpan(asking, operation.name, { captureStackTrace: false })
    )
    const price = { name: operation.price, credits: prices.customs[operation.price] }
    return Object.assign(ask, { worst: worstOf, price })
  }

const platform: Bill.Payee = { _tag: "Platform" }
