/** What the verification of addresses measures. Names and labels are public: dashboards are built on them. */
import { Effect, Metric, Stream } from "effect"
import { labelled } from "../value/Labelled.ts"
import type { EmailStatus } from "./EmailResult.ts"
import type { Delegated, Direct, EmailVerifier } from "./EmailVerifier.ts"

const resultsOf = labelled(["verifier", "status"], (attributes) =>
  Metric.counter("lading_email_results_total", {
    description: "Mail addresses that were decided, by verifier and status",
    incremental: true,
    attributes
  })
)

const decided = (verifier: string, statuses: Iterable<EmailStatus>): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    for (const status of statuses) resultsOf(verifier, status).updateUnsafe(1, context)
    return Effect.void
  })

const direct = (name: string, bulk: Direct): Direct => ({
  ...bulk,
  verify: (emails, attempt) =>
    Stream.tap(bulk.verify(emails, attempt), (checked) =>
      checked._tag === "Decided" ? decided(name, [checked.result.status]) : Effect.void
    )
})

const delegated = (name: string, bulk: Delegated): Delegated => ({
  ...bulk,
  progress: (task) =>
    Effect.tap(bulk.progress(task), ({ results }) =>
      results === null
        ? Effect.void
        : decided(
            name,
            results.map(({ status }) => status)
          )
    )
})

/** The verifier, counted. Addresses are counted again where a process died before it noted them. */
export const counted = (verifier: EmailVerifier["Service"]): EmailVerifier["Service"] => {
  const { bulk, name } = verifier
  return {
    name,
    single: (email, deadline) => Effect.tap(verifier.single(email, deadline), ({ status }) => decided(name, [status])),
    bulk: bulk._tag === "Direct" ? direct(name, bulk) : bulk._tag === "Delegated" ? delegated(name, bulk) : bulk
  }
}
