/**
 * Everything that an operator could see of an effect: how it ended, what it logged at any level, and its spans with
 * attributes, events and ends.
 */
import { Effect, type Exit, Logger, References, Tracer } from "effect"

export interface Seen<A, E> {
  readonly exit: Exit.Exit<A, E>
  readonly logs: ReadonlyArray<unknown>
  readonly spans: ReadonlyArray<{
    readonly name: string
    readonly attributes: ReadonlyMap<string, unknown>
    readonly events: ReadonlyArray<unknown>
    readonly status: Tracer.SpanStatus
  }>
}

/** Runs the effect in a span of its own, as the waterfall does. */
export const watched = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Seen<A, E>, never, R> =>
  Effect.suspend(() => {
    const logs: Array<unknown> = []
    const spans: Array<Tracer.NativeSpan> = []
    const logger = Logger.make(({ cause, message }) => void logs.push(message, cause))
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    return effect.pipe(
      Effect.withSpan("call"),
      Effect.exit,
      Effect.map((exit) => ({
        exit,
        logs,
        spans: spans.map(({ attributes, events, name, status }) => ({ name, attributes, events, status }))
      })),
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provideService(References.MinimumLogLevel, "All"),
      Effect.provide(Logger.layer([logger]))
    )
  })
