/** What is told of the seals of stored vendor keys, so that an operator sees when a former key is needed no more. */
import type { Vault } from "@lading/core/account"
import { Effect, Metric } from "effect"

const stored = (sealed: keyof Vault.Seals) =>
  Metric.gauge("lading_vendor_keys", {
    description: "Stored vendor keys of all accounts, by the key that they are sealed with",
    attributes: { sealed }
  })

const gauges = { current: stored("current"), former: stored("former"), unknown: stored("unknown") }

export const told = (seals: Vault.Seals): Effect.Effect<void> =>
  Effect.all(
    [
      Metric.update(gauges.current, seals.current),
      Metric.update(gauges.former, seals.former),
      Metric.update(gauges.unknown, seals.unknown),
      seals.former + seals.unknown === 0
        ? Effect.void
        : Effect.logWarning("stored vendor keys are not sealed with the key in use", { ...seals })
    ],
    { discard: true }
  )
