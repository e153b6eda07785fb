/** What the waterfall measures. Names and labels are public: dashboards are built on them. */
import { Effect, Metric } from "effect"
import { labelled } from "../value/Labelled.ts"

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]

const callsOf = labelled(["source", "operation", "outcome"], (attributes) =>
  Metric.counter("lading_vendor_calls_total", {
    description: "Calls to data vendors by slot, operation and outcome",
    incremental: true,
    attributes
  })
)

const latencyOf = labelled(["source", "operation"], (attributes) =>
  Metric.histogram("lading_vendor_call_seconds", {
    description: "Time of a call to a data vendor, retries and waiting included",
    boundaries: seconds,
    attributes
  })
)

const cachedOf = labelled(["source", "operation"], (attributes) =>
  Metric.counter("lading_cache_hits_total", {
    description: "Answers taken from the answer cache",
    incremental: true,
    attributes
  })
)

const chargedOf = labelled(["source", "operation"], (attributes) =>
  Metric.counter("lading_source_credits_total", {
    description: "Credits charged for answers of sources",
    incremental: true,
    attributes
  })
)

const breakerOf = labelled(["source"], (attributes) =>
  Metric.gauge("lading_circuit_state", {
    description: "State of the platform's circuit of a slot: 0 closed, 1 half open, 2 open",
    attributes
  })
)

/** How a step ended, as it is measured. */
export interface Measured {
  readonly source: string
  readonly operation: string
  /** `hit`, `miss`, …, or the reason of a failure. */
  readonly outcome: string
  readonly cached: boolean
  readonly millis: number
  readonly credits: number
}

/** All measures of a step in one go. */
export const step = ({ source, operation, outcome, cached, millis, credits }: Measured): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    if (cached) cachedOf(source, operation).updateUnsafe(1, context)
    else {
      callsOf(source, operation, outcome).updateUnsafe(1, context)
      latencyOf(source, operation).updateUnsafe(millis / 1000, context)
    }
    if (credits > 0) chargedOf(source, operation).updateUnsafe(credits, context)
    return Effect.void
  })

export const circuit = (source: string, state: "Closed" | "HalfOpen" | "Open"): Effect.Effect<void> =>
  Metric.update(breakerOf(source), state === "Closed" ? 0 : state === "HalfOpen" ? 1 : 2)
