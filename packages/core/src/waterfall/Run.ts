/**
 * What came of a plan: everything that was said, and what happened to each source of the order. Every list is in the
 * order of the plan, whatever order the answers arrived in. Pure.
 */
import * as Credits from "../billing/Credits.ts"
import type { Checked } from "./EmailChecks.ts"
import * as Ending from "./Ending.ts"
import type { StepReport } from "./Explanation.ts"
import type { Hedge } from "./Hedging.ts"
import type { LoggedStep } from "./LoggedRun.ts"
import * as Merge from "./Merge.ts"
import { type Observation, request } from "./Observation.ts"
import type { Operation, Operations } from "./Source.ts"
import type { FailureReason } from "./SourceError.ts"
import type { Subject } from "./Subject.ts"
import type { VerifiedEmail } from "./VerifiedEmail.ts"

/** A source that was not asked; the reason is one of `Plan.Skip`. */
interface Skipped {
  readonly source: string
  readonly reason: string
}

/** Of a plan, what a run is made from. */
export interface Planned {
  /** Every source of the request, asked or not. */
  readonly order: ReadonlyArray<string>
  readonly skips: ReadonlyArray<Skipped>
}

/** An answer that is still to come. */
export interface Pending {
  readonly source: string
  readonly handle: string
  readonly attempts: number
  /** What is set aside for verifying the addresses in it. */
  readonly checks: Credits.Credits
}

export interface Run {
  /** Every step of the plan, in its order: all else is made of these. */
  readonly endings: ReadonlyArray<Ending.Ending>
  readonly observations: ReadonlyArray<Observation>
  /** Sources that were asked, or whose kept answer was taken. */
  readonly attempted: ReadonlyArray<string>
  readonly cacheHits: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<Skipped>
  readonly failed: ReadonlyArray<{ readonly source: string; readonly reason: FailureReason }>
  readonly pending: ReadonlyArray<Pending>
  /** The raw answer of each source that gave one. */
  readonly raw: { readonly [source: string]: unknown }
  readonly steps: ReadonlyArray<StepReport>
  /** The steps for the log of runs. */
  readonly logged: ReadonlyArray<LoggedStep>
  /** Sources that were called with the caller's own key. */
  readonly byokUsed: ReadonlyArray<string>
  /** Sources that were late, and who was asked beside them; `null` where none was to be. */
  readonly hedged: ReadonlyArray<Hedge> | null
  /** What verifying the addresses in it came to; `null` where none was to be verified. */
  readonly verified: ReadonlyArray<VerifiedEmail> | null
}

export const make = (
  plan: Planned,
  requested: ReadonlyArray<Observation>,
  endings: ReadonlyArray<Ending.Ending>,
  hedged: ReadonlyArray<Hedge> | null = null,
  checked: Checked | null = null
): Run => {
  const rank = new Map(plan.order.map((source, index) => [source, index]))
  const inOrder = <A extends { readonly source: string }>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
    list.toSorted((a, b) => (rank.get(a.source) ?? 0) - (rank.get(b.source) ?? 0))
  const skips = endings.flatMap(({ source, verdict }) =>
    verdict._tag === "Skipped" ? [{ source, reason: verdict.reason }] : []
  )
  return {
    endings,
    observations: [...requested, ...endings.flatMap(({ observations }) => observations)],
    attempted: endings.filter(({ verdict }) => verdict._tag !== "Skipped").map(({ source }) => source),
    cacheHits: endings.filter(({ cached }) => cached).map(({ source }) => source),
    skipped: inOrder([...plan.skips, ...skips]),
    failed: endings.flatMap(({ source, verdict }) =>
      verdict._tag === "Failed" ? [{ source, reason: verdict.reason }] : []
    ),
    pending: endings.flatMap(({ source, verdict }) =>
      verdict._tag === "Pending"
        ? [
            {
              source,
              handle: verdict.handle,
              attempts: verdict.attempts,
              checks: checked?.setAside.get(source) ?? Credits.zero
            }
          ]
        : []
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
    hedged,
    verified: checked?.verified ?? null,
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
