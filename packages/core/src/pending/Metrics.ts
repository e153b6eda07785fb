/** What is measured of answers that come later. Names and labels are public: dashboards are built on them. */
import { Effect, Metric } from "effect"
import { labelled } from "../value/Labelled.ts"

const now = Metric.gauge("lading_pending_enrichments", {
  description: "Enrichments whose answers this process is waiting for"
})

const endedOf = labelled(["operation", "outcome"], (attributes) =>
  Metric.counter("lading_pending_ended_total", {
    description: "Pending enrichments that have ended, by operation and outcome",
    incremental: true,
    attributes
  })
)

const secondsOf = labelled(["operation"], (attributes) =>
  Metric.histogram("lading_pending_seconds", {
    description: "Time from a request to the last answer that came later",
    boundaries: [5, 10, 30, 60, 120, 300, 600, 900, 1800],
    attributes
  })
)

let waiting = 0

/** Counts an enrichment while its answers are waited for. */
export const during = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.suspend(() => Metric.update(now, ++waiting)),
    () => work,
    () => Effect.suspend(() => Metric.update(now, --waiting))
  )

/** `completed`: charged and kept; `unbilled`: kept, but its credits were gone; `dropped`: nobody is to have it. */
export type Outcome = "completed" | "unbilled" | "dropped"

/** `millis`: since the request, `null` where it is not known. */
export const ended = (operation: string, outcome: Outcome, millis: number | null): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(endedOf(operation, outcome), 1),
    millis === null ? Effect.void : Metric.update(secondsOf(operation), millis / 1000)
  )
