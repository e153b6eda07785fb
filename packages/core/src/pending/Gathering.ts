/**
 * Gathering: what is done for an enrichment after its request was answered. Every part may be done again, by another
 * process too, and comes to the same: an answer lands once, the hold is settled with the same bill, the event has one id.
 *
 * A store that is down is waited for. What an own key was used for can only be asked for by the process that has the key:
 * the others wait for it until the time is over.
 */
import { Clock, Context, Effect, Layer } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Vault from "../account/Vault.ts"
import * as Aftermath from "../billing/Aftermath.ts"
import * as Bill from "../billing/Bill.ts"
import * as Ledger from "../billing/Ledger.ts"
import * as Webhooks from "../net/Webhooks.ts"
import { patiently } from "../request/Patience.ts"
import * as Mentions from "../value/Mentions.ts"
import * as Slots from "../waterfall/Slots.ts"
import type { Credential } from "../waterfall/Source.ts"
import * as Waterfall from "../waterfall/Waterfall.ts"
import * as EnrichmentStore from "./EnrichmentStore.ts"
import * as Following from "./Following.ts"
import * as Metrics from "./Metrics.ts"
import * as PendingEnrichment from "./PendingEnrichment.ts"
import * as Records from "./Records.ts"

/** What the workflow of an enrichment knows of it. */
interface Holds {
  readonly request_id: string
  readonly account: string
  readonly parent: Ledger.HoldId
  readonly hold: Ledger.HoldId
  readonly price_version: string
}

export class Gathering extends Context.Service<
  Gathering,
  {
    /** Waits until the request has been settled; `false` when that never happened: then nobody has the answer. */
    readonly answered: (holds: Pick<Holds, "parent" | "request_id">) => Effect.Effect<boolean>
    /** Asks until every answer is there or its time is over. `own`: own keys by source, which only these can be asked with. */
    readonly gather: (requestId: string, own?: ReadonlyMap<string, Credential>) => Effect.Effect<void>
    /** Settles what came, marks the enrichment as completed and tells who wants to be told. */
    readonly finish: (holds: Holds) => Effect.Effect<void>
    /** Forgets the enrichment and gives its credits back. */
    readonly drop: (holds: Holds) => Effect.Effect<void>
  }
>()("@lading/core/pending/Gathering") {}

/** Tells who wants to be told, once: the event has the name of the request. */
const tell = Effect.fnUntraced(function* (
  webhooks: Webhooks.Webhooks["Service"],
  { account, operation, request_id, webhook_url }: PendingEnrichment.PendingEnrichment,
  body: unknown
) {
  if (webhook_url === null) return
  yield* patiently(
    webhooks.send({
      id: `enrichment:${request_id}`,
      account,
      url: webhook_url,
      type: `${operation}.enriched`,
      data: body,
      subjects: Mentions.of(body)
    })
  )
})

/** How an enrichment ends. */
const ending = (
  operations: Following.Operations,
  suppression: Suppression.Suppression["Service"],
  waterfall: Waterfall.Waterfall["Service"],
  kept: Records.Records,
  settle: ReturnType<typeof Aftermath.make>["settle"]
) => {
  /** Whether nobody in the answer has objected since. */
  const isShown = (body: unknown): Effect.Effect<boolean> =>
    Effect.map(patiently(suppression.find(() => Mentions.of(body))), (objected) => objected.size === 0)

  const made = (enrichment: PendingEnrichment.PendingEnrichment) =>
    Effect.map(Clock.currentTimeMillis, (now) => operations[enrichment.operation].make(enrichment, now))

  /** The enrichment as it stays: charged, and completed now. `null` when it is gone. */
  const complete = Effect.fnUntraced(function* (
    holds: Holds,
    enrichment: PendingEnrichment.PendingEnrichment
  ): Effect.fn.Return<PendingEnrichment.PendingEnrichment | null, Records.Unreadable> {
    if (enrichment.completed_at !== null) return enrichment
    const charged = yield* settle(holds, PendingEnrichment.laterBill(enrichment))
    if (!charged) yield* Effect.logWarning("the credits for a pending answer were given back before it came")
    const completed_at = yield* Clock.currentTimeMillis
    yield* Metrics.ended(
      enrichment.operation,
      charged ? "completed" : "unbilled",
      completed_at - enrichment.received_at
    )
    const completed = yield* kept.change(holds.request_id, (known) =>
      known.completed_at === null ? { ...(charged ? known : PendingEnrichment.unbilled(known)), completed_at } : known
    )
    const answer = completed === null ? null : yield* made(completed)
    if (completed === null || answer === null) return completed
    const { account, operation, request_id } = completed
    yield* waterfall.log({ request_id, account, operation, runs: answer.runs })
    yield* answer.learn
    return completed
  })

  return { complete, isShown, made }
}

const make = Effect.fnUntraced(function* (operations: Following.Operations, policy: Waterfall.Policy) {
  const paid = Aftermath.make(yield* Ledger.Ledger)
  const { settle } = paid
  const suppression = yield* Suppression.Suppression
  const waterfall = yield* Waterfall.Waterfall
  const webhooks = yield* Webhooks.Webhooks
  const kept = Records.make(yield* EnrichmentStore.EnrichmentStore)
  const follow = Following.make(
    { operations, slots: yield* Slots.Slots, vault: yield* Vault.Vault, waterfall },
    kept,
    policy.pending
  )

  const { complete, isShown, made } = ending(operations, suppression, waterfall, kept, settle)

  /** Unreadable ones are left to who can read them. */
  const readable = <A>(work: Effect.Effect<A, Records.Unreadable>, otherwise: A): Effect.Effect<A> =>
    Effect.catch(work, ({ request_id }) =>
      Effect.as(Effect.logError("a pending enrichment was kept in another shape", { request_id }), otherwise)
    )

  const answered = Effect.fnUntraced(function* ({ parent, request_id }: Pick<Holds, "parent" | "request_id">) {
    const settled = yield* paid.answered(parent)
    if (settled) yield* kept.change(request_id, PendingEnrichment.toBeShown)
    return settled
  })

  const gather = Effect.fnUntraced(function* (requestId: string, own?: ReadonlyMap<string, Credential>) {
    const found = yield* kept.find(requestId)
    if (found === null) return
    const mine = PendingEnrichment.open(found.enrichment).filter(({ source }) => own === undefined || own.has(source))
    yield* Effect.forEach(
      mine,
      (waiting) =>
        Effect.delay(follow(requestId, waiting, own ?? new Map(), policy.pending.first), policy.pending.first),
      { concurrency: "unbounded", discard: true }
    )
  })

  const drop = Effect.fnUntraced(function* (holds: Holds) {
    yield* kept.remove(holds.request_id)
    yield* settle(holds, Bill.empty(holds.price_version))
  })

  const finish = Effect.fnUntraced(function* (holds: Holds) {
    const found = yield* kept.find(holds.request_id)
    const before = found === null ? null : yield* made(found.enrichment)
    // Gone, or about somebody who has objected meanwhile.
    if (found === null || before === null || !(yield* isShown(before.body))) {
      yield* drop(holds)
      if (found !== null) yield* Metrics.ended(found.enrichment.operation, "dropped", null)
      return
    }
    const completed = yield* complete(holds, found.enrichment)
    const answer = completed === null ? null : yield* made(completed)
    if (completed !== null && answer !== null) yield* tell(webhooks, completed, answer.body)
  })

  return Gathering.of({
    answered: (holds) => readable(answered(holds), true),
    gather: (requestId, own) => Metrics.during(readable(gather(requestId, own), undefined)),
    finish: (holds) => readable(finish(holds), undefined),
    drop
  })
})

export const layer = (operations: Following.Operations, policy: Waterfall.Policy) =>
  Layer.effect(Gathering, make(operations, policy))
