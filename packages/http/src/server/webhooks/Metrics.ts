/** What the sender of webhooks measures. Names and labels are public: dashboards are built on them. */
import type { Webhooks } from "@lading/core/net"
import { type Effect, Metric } from "effect"

const attemptsOf = (outcome: string) =>
  Metric.counter("lading_webhook_attempts_total", {
    description: "Attempts to deliver a webhook by outcome: delivered, or the problem",
    incremental: true,
    attributes: { outcome }
  })

const failures = Metric.counter("lading_webhooks_failed_total", {
  description: "Webhooks that were given up",
  incremental: true
})

const waitingNow = Metric.gauge("lading_webhooks_waiting", {
  description: "Webhooks that wait for an attempt, or are in the air, in the whole database"
})

export const attempted = (problem: Webhooks.Problem | null): Effect.Effect<void> =>
  Metric.update(attemptsOf(problem ?? "delivered"), 1)

export const givenUp: Effect.Effect<void> = Metric.update(failures, 1)

export const waiting = (count: number): Effect.Effect<void> => Metric.update(waitingNow, count)
