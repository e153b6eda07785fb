/**
 * What the server measures, beside what core measures (`lading_vendor_calls_total` and others). Names and labels are
 * public: dashboards are built on them. `route` is the declared path, so that labels stay few whatever is asked for.
 */
import { Effect, Metric } from "effect"

const requests = Metric.counter("lading_http_requests_total", {
  description: "Requests by route, method and status",
  incremental: true
})

const latency = Metric.histogram("lading_http_request_seconds", {
  description: "Time from a request's headers to its answer",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60]
})

const running = Metric.gauge("lading_http_requests_in_flight", { description: "Requests that wait for their answer" })

const platform = Metric.counter("lading_platform_credits_total", {
  description: "Credits charged as the platform's own fee"
})

/** A metric for each combination of labels, made once: making one costs more than using it. */
const labelled = <M extends object, Labels extends ReadonlyArray<string>>(label: (...labels: Labels) => M) => {
  const made = new Map<string, M>()
  return (...labels: Labels): M => {
    const key = labels.join("|")
    const metric = made.get(key) ?? label(...labels)
    made.set(key, metric)
    return metric
  }
}

const requestsOf = labelled((route: string, method: string, status: string) =>
  Metric.withAttributes(requests, { route, method, status })
)
const latencyOf = labelled((route: string, method: string) => Metric.withAttributes(latency, { route, method }))
const platformOf = labelled((operation: string) => Metric.withAttributes(platform, { operation }))

export const begun: Effect.Effect<void> = Metric.modify(running, 1)

/** A request has its answer; `status` is 499 where its client did not wait for one. */
export const ended = (route: string, method: string, status: number, millis: number): Effect.Effect<void> =>
  Metric.modify(running, -1).pipe(
    Effect.andThen(Metric.update(requestsOf(route, method, String(status)), 1)),
    Effect.andThen(Metric.update(latencyOf(route, method), millis / 1000))
  )

export const platformCredits = (operation: string, credits: number): Effect.Effect<void> =>
  Metric.update(platformOf(operation), credits)
