/**
 * What came of a plan: everything that was said, and what happened to each source of the order. Every list is in the
 * order of the plan, whatever order the answers arrived in. Pure.
 */
import * as Ending from "./Ending.ts"
import type { StepReport } from "./Explanation.ts"
import type { LoggedStep } from "./LoggedRun.ts"
import * as Merge from "./Merge.ts"
import { type Observation, request } from "./Observation.ts"
import type { Plan, Skip } from "./Plan.ts"
import type { Operation, Operations } from "./Source.ts"
import type { FailureReason } from "./SourceError.ts"
import type { Subject } from "./Subject.ts"

export interface Run {
  readonly observations: ReadonlyArray<Observation>
  /** Sources that were asked, or whose kept answer was taken. */
  readonly attempted: ReadonlyArray<string>
  readonly cacheHits: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<Skip>
  readonly failed: ReadonlyArray<{ readonly source: string; readonly reason: FailureReason }>
  readonly pending: ReadonlyArray<{ readonly source: string; readonly handle: string }>
  /** The raw answer of each source that gave one. */
  readonly raw: { readonly [source: string]: unknown }
  readonly steps: ReadonlyArray<StepReport>
  /** The steps for the log of runs. */
  readonly logged: ReadonlyArray<LoggedStep>
  /** Sources that were called with the caller's own key. */
  readonly byokUsed: ReadonlyArray<string>
}

export const make = <Name extends Operation>(
  plan: Plan<Name>,
  requested: ReadonlyArray<Observation>,
  endings: ReadonlyArray<Ending.Ending>
): Run => {
  const rank = new Map(plan.order.map((source, index) => [source, index]))
  const inOrder = <A extends { readonly source: string }>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
    list.toSorted((a, b) => (rank.get(a.source) ?? 0) - (rank.get(b.source) ?? 0))
  const skips = endings.flatMap(({ source, verdict }) =>
    verdict._tag === "Skipped" ? [{ source, reason: verdict.reason }] : []
  )
  return {
    observations: [...requested, ...endings.flatMap(({ observations }) => observations)],
    attempted: endings.filter(({ verdict }) => verdict._tag !== "Skipped").map(({ source }) => source),
    cacheHits: endings.filter(({ cached }) => cached).map(({ source }) => source),
    skipped: inOrder([...plan.skips, ...skips]),
    failed: endings.flatMap(({ source, verdict }) =>
      verdict._tag === "Failed" ? [{ source, reason: verdict.reason }] : []
    ),
    pending: endings.flatMap(({ source, verdict }) =>
      verdict._tag === "Pending" ? [{ source, handle: verdict.handle }] : []
    ),
    raw: Object.fromEntries(
      endings.filter(({ raw }) => raw !== undefined && raw !== null).map(({ source, raw }) => [source, raw])
    ),
    steps: inOrder([
      ...endings.map(Ending.report),
      ...plan.skips.map(({ source, reason }): StepReport => ({
        source,
        outcome: "skipped",
        reason,
        cached: false,
        credits: 0
      }))
    ]),
    logged: endings.flatMap(({ logged }) => logged ?? []),
    byokUsed: endings.filter(({ byok }) => byok).map(({ source }) => source)
  }
}

/** What the request itself says of the subject: first in order, but for what counts only where nobody says anything. */
export const requested = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  identity: Operations[Name]["identity"]
): ReadonlyArray<Observation> =>
  (["request", "fallback"] as const).flatMap((precedence) => {
    const facts = precedence === "request" ? subject.requested(identity) : subject.fallback(identity)
    return Merge.observe(subject.table, facts, subject.region(facts), {
      source: request,
      precedence,
      adapter: request,
      observed_at: null,
      mismatch: false
    })
  })
