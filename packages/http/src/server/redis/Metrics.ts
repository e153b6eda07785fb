/** What is measured of Redis. Names are public: dashboards are built on them. */
import { type Effect, Metric } from "effect"

const up = Metric.gauge("lading_redis_up", {
  description: "Whether limits and circuits are shared over Redis: 1, or 0 while this process counts alone"
})

const fallbacks = Metric.counter("lading_redis_fallbacks_total", {
  description: "Questions about limits and circuits that this process answered alone, since Redis did not",
  incremental: true
})

export const isUp = (state: boolean): Effect.Effect<void> => Metric.update(up, state ? 1 : 0)

export const fallback: Effect.Effect<void> = Metric.update(fallbacks, 1)
