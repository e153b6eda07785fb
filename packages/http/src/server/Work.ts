/**
 * Work that may outlive its client. Every request's use case runs in a fibre of the server; the connection only waits for
 * it. When the client hangs up, work under an idempotency key goes on, so that the retry finds its outcome, and other work
 * is interrupted with its vendor calls. When the server stops, it waits for what still runs.
 */
import { WaterfallOptions } from "@lading/core/waterfall"
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import * as Refusal from "../api/Refusal.ts"
import { Exchange } from "./Exchange.ts"

/** Beyond its own time-out a request is given up after this, in milliseconds. */
export const grace = 5000

/** The longest that any request may take, and so the longest that a stopping server waits; in milliseconds. */
export const longest = (beyond: number = grace): number => WaterfallOptions.timeout.maximum + beyond

export class Work extends Context.Service<
  Work,
  {
    /**
     * Waits for `work` until `deadline` (epoch milliseconds), which is later than its own: work that has not ended by
     * then is interrupted, and the answer does not even wait for that.
     */
    readonly wait: <A, E>(
      work: Effect.Effect<A, E>,
      options: { readonly request_id: string; readonly deadline: number; readonly outlives: boolean }
    ) => Effect.Effect<A, E | Refusal.DeadlineExceeded>
    /** All work has ended that runs now. */
    readonly ended: Effect.Effect<void>
  }
>()("@lading/http/server/Work") {}

export const layer: Layer.Layer<Work> = Layer.effect(
  Work,
  Effect.gen(function* () {
    const running = new Set<Fiber.Fiber<unknown, unknown>>()
    const interruptAll = Effect.sync(() => running.forEach((fiber) => fiber.interruptUnsafe()))
    yield* Effect.addFinalizer(() => interruptAll)
    return Work.of({
      ended: Effect.suspend(() => Effect.asVoid(Fiber.awaitAll(running))),
      wait: Effect.fnUntraced(function* (work, { request_id, deadline, outlives }) {
        const duration = Math.max(0, deadline - (yield* Clock.currentTimeMillis))
        // Made only where it is needed: an error looks at its stack.
        const late = () =>
          Effect.fail(new Refusal.DeadlineExceeded({ request_id, message: "The request did not end in time" }))
        const timed = Effect.timeoutOrElse({ duration, orElse: late })
        const fiber = yield* Effect.forkDetach(timed(work))
        running.add(fiber)
        fiber.addObserver(() => running.delete(fiber))
        const exchange = yield* Exchange
        const leaving = Effect.sync(() => {
          // Work that goes on takes its part of the server still: whoever hangs up and asks again would have ever more.
          if (outlives) exchange.outliving = fiber
          else fiber.interruptUnsafe()
        })
        return yield* Fiber.join(fiber).pipe(
          Effect.onInterrupt(() => leaving),
          // The fibre ends itself in time, unless it cannot be interrupted: then nobody waits for it any more.
          Effect.timeoutOrElse({
            duration,
            orElse: () =>
              Effect.andThen(
                Effect.sync(() => running.delete(fiber)),
                Effect.suspend(late)
              )
          })
        )
      })
    })
  })
)
