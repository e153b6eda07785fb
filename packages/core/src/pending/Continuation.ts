/**
 * Continuation: what becomes of a request whose vendors have not all answered by its deadline. What is known is answered;
 * the rest is noted down, paid from a hold of its own, gathered by a durable workflow, and can be fetched meanwhile.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { WorkflowEngine } from "effect/workflow"
import * as Suppression from "../account/Suppression.ts"
import type * as Bill from "../billing/Bill.ts"
import type { Deferred } from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import type { HoldId } from "../billing/Hold.ts"
import * as Ledger from "../billing/Ledger.ts"
import type { PriceBook } from "../billing/PriceBook.ts"
import type { Caller } from "../request/Caller.ts"
import * as Mentions from "../value/Mentions.ts"
import { SourcesUnavailable } from "../waterfall/Enrichment.ts"
import type { Plan, Step } from "../waterfall/Plan.ts"
import type { Planned, Run } from "../waterfall/Run.ts"
import type { Credential, Operation } from "../waterfall/Source.ts"
import type * as Waterfall from "../waterfall/Waterfall.ts"
import type { Settings } from "../waterfall/WaterfallOptions.ts"
import type { Continued } from "./Continued.ts"
import * as EnrichmentStore from "./EnrichmentStore.ts"
import { Gathering } from "./Gathering.ts"
import * as PendingEnrichment from "./PendingEnrichment.ts"
import { PendingWorkflow } from "./PendingWorkflow.ts"
import { grace, keepingOf } from "./Records.ts"

/** There is no such enrichment: it was complete when it was answered, it is another account's, or it is kept no longer. */
export class UnknownEnrichment extends Schema.TaggedError<UnknownEnrichment>()("UnknownEnrichment", {
  request_id: Schema.String
}) {}

/** Of a step, what its answer is found again by. */
type Begun = Pick<Step<Operation>, "source" | "adapter" | "credential" | "ownKey" | "storedKey" | "price" | "worst">

/** One subject that was asked about. */
interface Asked {
  readonly identity: unknown
  readonly plan: Planned & Pick<Plan<Operation>, "ranking"> & { readonly steps: ReadonlyArray<Begun> }
  readonly run: Run
}

/** A request as it is answered now. */
export interface Answered {
  readonly caller: Caller
  readonly operation: PendingEnrichment.PendingEnrichment["operation"]
  /** As it stood in the body, without credentials. */
  readonly request: unknown
  readonly settings: Pick<Settings, "mode" | "required">
  readonly prices: PriceBook
  /** What is charged now. */
  readonly bill: Bill.Bill
  readonly webhook_url: string | null
  readonly asked: ReadonlyArray<Asked>
}

export type ContinuationError = EnrichmentStore.EnrichmentStoreUnavailable | SourcesUnavailable

export class Continuation extends Context.Service<
  Continuation,
  {
    /** What goes on after the request; `null` where nothing does. */
    readonly deferred: (answered: Answered) => Deferred<ContinuationError> | null
    /** The answer to a request that was pending, as it is now. */
    readonly find: <Body>(
      continued: Continued<Body>,
      asked: { readonly operation: string; readonly request_id: string; readonly account: string }
    ) => Effect.Effect<
      Body,
      | UnknownEnrichment
      | EnrichmentStore.EnrichmentStoreUnavailable
      | Ledger.LedgerUnavailable
      | Suppression.SuppressionUnavailable
    >
  }
>()("@lading/core/pending/Continuation") {}

/** An answer that is still to come, and the step that began it. */
interface Expected {
  readonly waiting: PendingEnrichment.Waiting
  readonly step: Begun
}

const expectedOf = ({ asked }: Answered): ReadonlyArray<Expected> =>
  asked.flatMap(({ plan, run }, subject) =>
    run.pending.flatMap(({ attempts, checks, handle, source }) => {
      const step = plan.steps.find((planned) => planned.source === source)
      if (step === undefined) return []
      const { adapter, ownKey, price, storedKey, worst } = step
      const { kind } = price
      const waiting = { subject, source, adapter: adapter.adapter, handle, attempts, own_key: ownKey, kind, worst }
      const stored = storedKey === true ? { stored_key: storedKey } : {}
      return [{ step, waiting: { ...waiting, ...stored, ...(run.verified === null ? {} : { checks }) } }]
    })
  )

const askedOf = ({ asked, settings }: Answered): ReadonlyArray<PendingEnrichment.Asked> =>
  asked.map(({ identity, plan, run }) => ({
    identity,
    mode: settings.mode,
    required: settings.required,
    order: plan.order,
    skips: plan.skips,
    ranking: plan.ranking,
    hedged: run.hedged,
    endings: run.endings,
    ...(run.verified === null ? {} : { verified: run.verified })
  }))

const enrichmentOf = (
  answered: Answered,
  expected: ReadonlyArray<Expected>,
  holds: { readonly parent: HoldId; readonly child: HoldId },
  expires_at: number
): PendingEnrichment.PendingEnrichment => {
  const { bill, caller, operation, prices, request, webhook_url } = answered
  const { account, received_at, request_id } = caller
  return {
    version: 1,
    request_id,
    account,
    operation,
    request,
    received_at,
    expires_at,
    answered: false,
    completed_at: null,
    webhook_url,
    prices,
    bill,
    parent: holds.parent,
    hold: holds.child,
    asked: askedOf(answered),
    waiting: expected.map(({ waiting }) => waiting)
  }
}

const objected = new SourcesUnavailable({ sources: [{ source: "answer", reason: "suppressed" }] })

/** Hands the enrichment over to the engine. */
const start = (
  engine: WorkflowEngine.WorkflowEngine["Service"],
  { account, hold, parent, prices, request_id }: PendingEnrichment.PendingEnrichment
) =>
  PendingWorkflow.execute({ request_id, account, parent, hold, price_version: prices.version }, { discard: true }).pipe(
    Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("the workflow engine does not answer", defect),
        new EnrichmentStore.EnrichmentStoreUnavailable({ problem: "the workflow engine does not answer" })
      )
    )
  )

/** Whether its request was answered: what a failed one has left behind is nobody's. */
const isAnswered = (
  ledger: Ledger.Ledger["Service"],
  { answered, parent }: PendingEnrichment.PendingEnrichment
): Effect.Effect<boolean, Ledger.LedgerUnavailable> =>
  answered ? Effect.succeed(true) : Effect.map(ledger.ending(parent), (ending) => ending === "settled")

const make = Effect.fnUntraced(function* ({ pending }: Waterfall.Policy) {
  const ledger = yield* Ledger.Ledger
  const store = yield* EnrichmentStore.EnrichmentStore
  const suppression = yield* Suppression.Suppression
  const engine = yield* WorkflowEngine.WorkflowEngine
  const gathering = yield* Gathering
  const scope = yield* Effect.scope

  /** What was begun with keys of the request is asked for here, where the keys are; they are kept nowhere. */
  const followOwn = (enrichment: PendingEnrichment.PendingEnrichment, expected: ReadonlyArray<Expected>) => {
    const own = new Map<string, Credential>(
      expected.flatMap(({ step }) => (step.ownKey && step.storedKey !== true ? [[step.source, step.credential]] : []))
    )
    const following = Effect.flatMap(gathering.answered(enrichment), (answered) =>
      answered ? gathering.gather(enrichment.request_id, own) : Effect.void
    )
    return own.size === 0 ? Effect.void : Effect.forkIn(following, scope)
  }

  const begin = Effect.fnUntraced(function* (
    answered: Answered,
    expected: ReadonlyArray<Expected>,
    holds: { readonly parent: HoldId; readonly child: HoldId }
  ) {
    const expires_at = (yield* Clock.currentTimeMillis) + pending.life
    const enrichment = enrichmentOf(answered, expected, holds, expires_at)
    const { account, operation, request_id } = enrichment
    const stored = { request_id, account, operation, text: PendingEnrichment.textOf(enrichment) }
    yield* Effect.onError(
      Effect.gen(function* () {
        if (!(yield* store.put(stored, keepingOf(enrichment)))) return yield* objected
        yield* start(engine, enrichment)
      }),
      // What cannot be removed now is nobody's: its request was never settled.
      () => Effect.ignore(store.remove(request_id))
    )
    yield* followOwn(enrichment, expected)
  })

  const deferred = (answered: Answered): Deferred<ContinuationError> | null => {
    const expected = expectedOf(answered)
    return expected.length === 0
      ? null
      : {
          amount: Credits.sum(expected.flatMap(({ waiting }) => [waiting.worst, waiting.checks ?? Credits.zero])),
          ttl: pending.life + grace,
          begin: (holds) => begin(answered, expected, holds)
        }
  }

  const find: Continuation["Service"]["find"] = Effect.fnUntraced(function* (
    continued,
    { account, operation, request_id }
  ) {
    const unknown = new UnknownEnrichment({ request_id })
    const stored = yield* store.find(request_id)
    if (stored === null || stored.account !== account || stored.operation !== operation) return yield* unknown
    const enrichment = PendingEnrichment.parse(stored.text)
    if (enrichment === null || !(yield* isAnswered(ledger, enrichment))) return yield* unknown
    const made = continued.make(enrichment, yield* Clock.currentTimeMillis)
    if (made === null) return yield* unknown
    const found = yield* suppression.find(() => Mentions.of(made.body))
    return found.size > 0 ? yield* unknown : made.body
  })

  return Continuation.of({ deferred, find })
})

export const layer = (policy: Waterfall.Policy) => Layer.effect(Continuation, make(policy))
