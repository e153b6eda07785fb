/**
 * How the enrichments of one operation go on: how an answer that is still to come is asked for, and how the answer to the
 * request is made from what is known by now. A use case makes one from its subject and its own `compose`.
 */
import { Clock, Effect, Option } from "effect"
import * as Bill from "../billing/Bill.ts"
import * as Credits from "../billing/Credits.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import * as Tab from "../billing/Tab.ts"
import type { Checked } from "../waterfall/EmailChecks.ts"
import type { Ending } from "../waterfall/Ending.ts"
import * as Enrichment from "../waterfall/Enrichment.ts"
import type { LoggedRun } from "../waterfall/LoggedRun.ts"
import type { Step } from "../waterfall/Plan.ts"
import * as Run from "../waterfall/Run.ts"
import type { Slot } from "../waterfall/Slots.ts"
import type { Credential, Operation, Operations } from "../waterfall/Source.ts"
import type { FailureReason } from "../waterfall/SourceError.ts"
import type { Subject } from "../waterfall/Subject.ts"
import * as VerifiedEmail from "../waterfall/VerifiedEmail.ts"
import type { Waterfall } from "../waterfall/Waterfall.ts"
import { timeout } from "../waterfall/WaterfallOptions.ts"
import * as PendingEnrichment from "./PendingEnrichment.ts"

/** A subject and what is known of it by now. */
export interface Known<Name extends Operation, Profile> {
  readonly identity: Operations[Name]["identity"]
  readonly found: Enrichment.Found<Profile>
}

/** The answer as it is now. */
export interface Made<Body> {
  readonly body: Body
  /** For the log of runs. */
  readonly runs: ReadonlyArray<LoggedRun>
  /** Has what was found remembered, where that is wanted. */
  readonly learn: Effect.Effect<void>
}

/** What is asked once more. */
export interface Resuming {
  readonly enrichment: PendingEnrichment.PendingEnrichment
  readonly waiting: PendingEnrichment.Waiting
  /** What the source's name is bound to by now. */
  readonly slot: Slot | undefined
  /** `null` where nobody has it any more. */
  readonly credential: Credential | null
}

export interface Continued<Body> {
  /** How the answer stands; `Pending` where it has to be asked for again. */
  readonly resume: (waterfall: Waterfall["Service"], resuming: Resuming) => Effect.Effect<Ending>
  /** Verifies the addresses in an answer that has come, where that was asked for. */
  readonly verify: (
    waterfall: Waterfall["Service"],
    enrichment: PendingEnrichment.PendingEnrichment,
    waiting: PendingEnrichment.Waiting,
    ending: Ending
  ) => Effect.Effect<ReadonlyArray<VerifiedEmail.VerifiedEmail>>
  /** `now` in epoch milliseconds. `null` for what was kept in another shape. */
  readonly make: (enrichment: PendingEnrichment.PendingEnrichment, now: number) => Made<Body> | null
}

/** The ending of an answer that will not come. */
export const failed = (
  { own_key, source }: Pick<PendingEnrichment.Waiting, "own_key" | "source">,
  reason: FailureReason
): Ending => ({
  source,
  verdict: { _tag: "Failed", reason },
  cached: false,
  credits: Credits.zero,
  observations: [],
  raw: undefined,
  byok: own_key,
  vendorUnits: 0,
  logged: null
})

/** Still to come, as far as can be said here. */
const pending = ({ attempts, handle, own_key, source }: PendingEnrichment.Waiting): Ending => ({
  ...failed({ own_key, source }, "unavailable"),
  verdict: { _tag: "Pending", handle, attempts }
})

/**
 * The step as it was planned, with the adapter of today. `unknown` where this process cannot ask: it has no vendor or no
 * credential under the name, and another process may. `other` where the name is another vendor's by now.
 */
const stepOf = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  { credential, slot, waiting }: Resuming
): Step<Name> | "unknown" | "other" => {
  const adapter = slot?.source ?? null
  if (adapter === null || credential === null) return "unknown"
  const serve = adapter.adapter === waiting.adapter ? subject.serve(adapter) : undefined
  if (serve?.resume === undefined) return "other"
  const { kind, own_key: ownKey, source, worst } = waiting
  const price = { operation: subject.operation, source, kind, ownKey }
  return { source, adapter, serve, credential, ownKey, worst, price }
}

/** What verifying came to by now. */
const checkedOf = <Name extends Operation, Profile>(
  { table }: Subject<Name, Profile>,
  asked: PendingEnrichment.Asked,
  endings: ReadonlyArray<Ending>
): Checked | null => {
  if (asked.verified === undefined) return null
  const observations = endings.flatMap((ending) => ending.observations)
  const known = [...PendingEnrichment.known(asked).values()]
  return { verified: VerifiedEmail.inOrder(table, observations, known), setAside: new Map() }
}

/** Remembers what was found for an account. */
export type Learn<Profile> = (found: ReadonlyArray<Enrichment.Found<Profile>>, account: string) => Effect.Effect<void>

/** One that may have what it finds remembered. */
export interface Learning<Profile, Body> extends Continued<Body> {
  readonly learning: (learn: Learn<Profile>) => Continued<Body>
}

/** `compose` gives `null` for a request that was kept in another shape. Nothing is remembered unless that is said. */
export const of = <Name extends Operation, Profile extends object, Body>(
  subject: Subject<Name, Profile>,
  compose: Compose<Name, Profile, Body>
): Learning<Profile, Body> => ({
  ...remembering(subject, compose, () => Effect.void),
  learning: (learn) => remembering(subject, compose, learn)
})

type Compose<Name extends Operation, Profile, Body> = (
  enrichment: PendingEnrichment.PendingEnrichment,
  known: ReadonlyArray<Known<Name, Profile>>,
  bill: Bill.Bill
) => Body | null

const remembering = <Name extends Operation, Profile extends object, Body>(
  subject: Subject<Name, Profile>,
  compose: Compose<Name, Profile, Body>,
  learn: Learn<Profile>
): Continued<Body> => ({
  resume: (waterfall, resuming) => {
    const { enrichment, waiting } = resuming
    const identity = subject.decodeIdentity(enrichment.asked[waiting.subject]?.identity)
    const step = stepOf(subject, resuming)
    if (step === "unknown") return Effect.succeed(pending(waiting))
    if (step === "other" || Option.isNone(identity)) return Effect.succeed(failed(waiting, "unavailable"))
    const { account, prices } = enrichment
    const { attempts, handle } = waiting
    return waterfall.resume({ subject, identity: identity.value, step, handle, attempts, account, prices })
  },

  verify: Effect.fnUntraced(function* (waterfall, { asked, prices }, { checks, subject: index }, ending) {
    const of = asked[index]
    if (of?.verified === undefined || checks === undefined || ending.verdict._tag !== "Hit") return []
    const deadline = (yield* Clock.currentTimeMillis) + timeout.default
    const tab = Tab.make(checks, prices.version)
    const verdict = PriceBook.emailFee(prices)
    const request = { table: subject.table, tab, verdict, deadline }
    return yield* waterfall.verify(ending, request, PendingEnrichment.known(of))
  }),

  make: (enrichment, now) => {
    const latency = (enrichment.completed_at ?? now) - enrichment.received_at
    const runs: Array<LoggedRun> = []
    const known: Array<Known<Name, Profile>> = []
    for (const [index, asked] of enrichment.asked.entries()) {
      const identity = Option.getOrNull(subject.decodeIdentity(asked.identity))
      if (identity === null) return null
      const endings = asked.endings.map(PendingEnrichment.endingOf)
      const checked = checkedOf(subject, asked, endings)
      const run = Run.make(asked, Run.requested(subject, identity), endings, asked.hedged, checked)
      const made = Enrichment.made(subject, run, asked, latency)
      // What is not settled yet may still change: it is complete when that is done, not before.
      const open = enrichment.completed_at === null && enrichment.waiting.some((waiting) => waiting.subject === index)
      const found = open ? { ...made, waterfall: { ...made.waterfall, async_pending: true } } : made
      known.push({ identity, found })
      runs.push(Enrichment.logged(identity, asked.order, found))
    }
    const body = compose(enrichment, known, Bill.concat(enrichment.bill, PendingEnrichment.laterBill(enrichment)))
    const found = known.map((one) => one.found)
    return body === null ? null : { body, runs, learn: Effect.suspend(() => learn(found, enrichment.account)) }
  }
})
