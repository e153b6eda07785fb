/** What the waterfall measures. Names and labels are public: dashboards are built on them. */
import { type Effect, Metric } from "effect"

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]

const calls = Metric.counter("lading_vendor_calls_total", {
  description: "Calls to data vendors by slot, operation and outcome",
  incremental: true
})

const latency = Metric.histogram("lading_vendor_call_seconds", {
  description: "Time of a call to a data vendor, retries and waiting included",
  boundaries: seconds
})

const cached = Metric.counter("lading_cache_hits_total", {
  description: "Answers taken from the answer cache",
  incremental: true
})

const charged = Metric.counter("lading_source_millicredits_total", {
  description: "Thousandths of a credit charged for answers of sources"
})

const breaker = Metric.gauge("lading_circuit_state", {
  description: "State of the platform's circuit of a slot: 0 closed, 1 half open, 2 open"
})

/** A metric for each combination of labels, made once: making one costs more than using it. */
const labelled = <M extends object, Labels extends ReadonlyArray<string>>(
  metric: M,
  label: (metric: M, labels: Labels) => M
) => {
  const made = new Map<string, M>()
  return (...labels: Labels): M => {
    const key = labels.join("|")
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = label(metric, labels)
    made.set(key, fresh)
    return fresh
  }
}

const callsOf = labelled(calls, (metric, [source, operation, outcome]: [string, string, string]) =>
  Metric.withAttributes(metric, { source, operation, outcome })
)
const latencyOf = labelled(latency, (metric, [source, operation]: [string, string]) =>
  Metric.withAttributes(metric, { source, operation })
)
const cachedOf = labelled(cached, (metric, [source, operation]: [string, string]) =>
  Metric.withAttributes(metric, { source, operation })
)
const chargedOf = labelled(charged, (metric, [source, operation]: [string, string]) =>
  Metric.withAttributes(metric, { source, operation })
)
const breakerOf = labelled(breaker, (metric, [source]: [string]) => Metric.withAttributes(metric, { source }))

export const vendorCall = (source: string, operation: string, outcome: string): Effect.Effect<void> =>
  Metric.update(callsOf(source, operation, outcome), 1)

export const vendorLatency = (source: string, operation: string, millis: number): Effect.Effect<void> =>
  Metric.update(latencyOf(source, operation), millis / 1000)

export const cacheHit = (source: string, operation: string): Effect.Effect<void> =>
  Metric.update(cachedOf(source, operation), 1)

export const sourceCredits = (source: string, operation: string, credits: number): Effect.Effect<void> =>
  Metric.update(chargedOf(source, operation), credits * 1000)

export const circuit = (source: string, state: "Closed" | "HalfOpen" | "Open"): Effect.Effect<void> =>
  Metric.update(breakerOf(source), state === "Closed" ? 0 : state === "HalfOpen" ? 1 : 2)
