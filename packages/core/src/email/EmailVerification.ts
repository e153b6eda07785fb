/**
 * Verification of mail addresses: one at once, or a list that goes on after its request. `POST /api/email/verify` is this
 * use case behind HTTP; embedders call it directly.
 *
 * An address with a definite result costs its price, an `unknown` one nothing. Of a list the whole is held, and what came
 * of it is charged when it ends.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { WorkflowEngine } from "effect/workflow"
import * as Suppression from "../account/Suppression.ts"
import * as Billing from "../billing/Billing.ts"
import * as Credits from "../billing/Credits.ts"
import type * as Ledger from "../billing/Ledger.ts"
import * as PriceBook from "../billing/PriceBook.ts"
import * as WebhookUrl from "../net/WebhookUrl.ts"
import type { Caller } from "../request/Caller.ts"
import type { InvalidRequest } from "../request/InvalidRequest.ts"
import * as Mentions from "../value/Mentions.ts"
import * as Enrichment from "../waterfall/Enrichment.ts"
import * as WaterfallOptions from "../waterfall/WaterfallOptions.ts"
import * as EmailList from "./EmailList.ts"
import type * as EmailRequest from "./EmailRequest.ts"
import * as EmailResult from "./EmailResult.ts"
import * as EmailTask from "./EmailTask.ts"
import * as EmailTasks from "./EmailTasks.ts"
import * as EmailVerifier from "./EmailVerifier.ts"
import { EmailWorkflow } from "./EmailWorkflow.ts"
import * as Metrics from "./Metrics.ts"
import * as Verdict from "./Verdict.ts"
import { progressOf, Verifying } from "./Verifying.ts"

/** There is no such task: it is another account's, or it is kept no longer. */
export class UnknownEmailTask extends Schema.TaggedError<UnknownEmailTask>()("UnknownEmailTask", {}) {}

/** It has ended already. */
export class EmailTaskEnded extends Schema.TaggedError<EmailTaskEnded>()("EmailTaskEnded", {
  state: EmailTask.State
}) {}

export const Verification = Schema.Struct({
  request_id: Schema.String,
  type: Schema.Literals(["single", "bulk", "bulk_result", "cancel"]),
  /** Empty where there is no task. */
  task_id: Schema.String,
  /** The task's name at another verifier; of a list that had to be divided there, all of them with commas between. */
  verifier_task_id: Schema.String,
  status: EmailTask.State,
  progress: Schema.Struct({ total: Schema.Int, checked: Schema.Int, percentage: Schema.Int }),
  /** By the address as it was sent. */
  results: Schema.Record(Schema.String, EmailResult.EmailResult),
  credits_charged: Schema.Finite
})
export type Verification = typeof Verification.Type

const codec = Schema.fromJsonString(Verification)

type Common = Billing.BillingError | Suppression.SuppressionUnavailable

export type VerificationError =
  | Common
  | InvalidRequest
  | EmailTasks.EmailTasksUnavailable
  | EmailVerifier.EmailVerifierUnavailable
  | Enrichment.DeadlineExceeded
  | UnknownEmailTask
  | EmailTaskEnded

export class EmailVerification extends Context.Service<
  EmailVerification,
  {
    readonly single: (
      request: EmailRequest.Single,
      caller: Caller
    ) => Effect.Effect<
      Billing.Answered<Verification>,
      Common | EmailVerifier.EmailVerifierUnavailable | Enrichment.DeadlineExceeded
    >
    /** Takes a list over; it is verified after the answer. */
    readonly bulk: (
      request: EmailRequest.Bulk,
      caller: Caller
    ) => Effect.Effect<
      Billing.Answered<Verification>,
      Common | InvalidRequest | EmailTasks.EmailTasksUnavailable | EmailVerifier.EmailVerifierUnavailable
    >
    /** What is known of a list by now. Free. */
    readonly result: (
      request: EmailRequest.BulkResult,
      caller: Caller
    ) => Effect.Effect<
      Verification,
      EmailTasks.EmailTasksUnavailable | UnknownEmailTask | Suppression.SuppressionUnavailable
    >
    /** Ends a list; what was verified stays, and is charged. */
    readonly cancel: (
      request: EmailRequest.Cancel,
      caller: Caller
    ) => Effect.Effect<Verification, EmailTasks.EmailTasksUnavailable | UnknownEmailTask | EmailTaskEnded>
  }
>()("@lading/core/email/EmailVerification") {}

/** Results of a page that says no limit. */
const usualPage = 1000

/** How long a single address may take, in milliseconds. */
export const timeout = WaterfallOptions.timeout.maximum

const HOUR = 60 * 60 * 1000

/** How long a list is worked on, how long its hold outlives that, and how long its results are kept; in milliseconds. */
const life = { work: 24 * HOUR, grace: 24 * HOUR, kept: 30 * 24 * HOUR }

const platform = { _tag: "Platform" } as const

/** Credits of a task: what was charged, or what it comes to so far. */
const creditsOf = ({ charged, definite, price }: EmailTask.EmailTask): number =>
  Credits.toNumber(charged ?? Credits.times(price, definite))

const verificationOf = (
  task: EmailTask.EmailTask,
  asked: Pick<Verification, "request_id" | "type">,
  results: ReadonlyArray<EmailResult.EmailResult> = []
): Verification => ({
  ...asked,
  task_id: task.id,
  verifier_task_id: task.verifier_tasks.join(","),
  status: task.state,
  progress: progressOf(task),
  results: Object.fromEntries(results.map((result) => [result.email, result])),
  credits_charged: creditsOf(task)
})

const singly = Effect.gen(function* () {
  const { charge, prices } = yield* Billing.Billing
  const verifier = Metrics.counted(yield* EmailVerifier.EmailVerifier)
  const suppression = yield* Suppression.Suppression
  const price = PriceBook.emailFee(prices)

  const verify = Effect.fnUntraced(function* (email: string, deadline: number) {
    const objected = yield* suppression.find(() => Mentions.of(email))
    if (objected.size > 0) return EmailResult.unknown(email)
    return Verdict.ofNone(email) ?? (yield* verifier.single(email, deadline))
  })

  const single: EmailVerification["Service"]["single"] = (request, caller) => {
    const email = request.email.trim()
    const deadline = caller.received_at + timeout
    const order = { caller, operation: "email", quote: price, least: Credits.zero, ceiling: null, deadline, codec }
    return charge(order, (tab) => {
      tab.reserve(price)
      return Effect.map(
        Enrichment.within(deadline, timeout)(verify(email, deadline)),
        (result): Billing.Done<Verification, never> => {
          const credits = EmailResult.isDefinite(result) ? price : Credits.zero
          tab.charge(price, { payee: platform, credits })
          const answer: Verification = {
            request_id: caller.request_id,
            type: "single",
            task_id: "",
            verifier_task_id: "",
            status: "completed",
            progress: progressOf({ checked: 1, total: 1 }),
            // A key finds its entry, and an entry its key, as in a list.
            results: { [email]: { ...result, email } },
            credits_charged: Credits.toNumber(credits)
          }
          return { answer, deferred: null }
        }
      )
    })
  }
  return single
})

/** Hands a list over to the engine. */
const start = (engine: WorkflowEngine.WorkflowEngine["Service"], task: EmailTask.Ordered) => {
  const { account, hold, id, parent, price_version } = task
  return EmailWorkflow.execute({ id, account, parent, hold, price_version }, { discard: true }).pipe(
    Effect.provideService(WorkflowEngine.WorkflowEngine, engine),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("the workflow engine does not answer", defect),
        new EmailTasks.EmailTasksUnavailable({ problem: "the workflow engine does not answer" })
      )
    )
  )
}

const inBulk = Effect.gen(function* () {
  const { charge, prices } = yield* Billing.Billing
  const verifier = yield* EmailVerifier.EmailVerifier
  const tasks = yield* EmailTasks.EmailTasks
  const engine = yield* WorkflowEngine.WorkflowEngine
  const admission = yield* WebhookUrl.Policy
  const price = PriceBook.emailFee(prices)

  /**
   * The workflow before the list, which takes its time: whoever dies meanwhile leaves a workflow that finds its request never
   * settled, and gives the credits back.
   */
  const begin = Effect.fnUntraced(function* (task: EmailTask.Ordered, emails: ReadonlyArray<string>) {
    yield* Effect.onError(
      Effect.andThen(start(engine, task), tasks.put(task, emails, task.expires_at + life.grace + life.kept)),
      // What cannot be removed now is nobody's: its request was never settled.
      () => Effect.ignore(tasks.remove(task.id))
    )
  })

  const bulk: EmailVerification["Service"]["bulk"] = Effect.fnUntraced(function* (request, caller) {
    yield* Effect.provideService(WebhookUrl.admit(request.webhook_url), WebhookUrl.Policy, admission)
    if (verifier.bulk._tag === "Absent") return yield* EmailVerifier.absent(verifier.bulk)
    const emails = EmailList.distinct(request.emails)
    const quote = Credits.times(price, emails.length)
    const now = yield* Clock.currentTimeMillis
    const id = `ver_${caller.request_id.replace(/^req_/, "")}`
    const ordered = (holds: { readonly parent: Ledger.HoldId; readonly child: Ledger.HoldId }): EmailTask.Ordered => ({
      id,
      account: caller.account,
      verifier: verifier.name,
      webhook_url: request.webhook_url ?? null,
      received_at: caller.received_at,
      expires_at: now + life.work,
      price,
      price_version: prices.version,
      parent: holds.parent,
      hold: holds.child
    })
    const answer: Verification = {
      request_id: caller.request_id,
      type: "bulk",
      task_id: id,
      verifier_task_id: "",
      status: "queued",
      progress: progressOf({ checked: 0, total: emails.length }),
      results: {},
      credits_charged: 0
    }
    const deadline = caller.received_at + timeout
    const order = { caller, operation: "email", quote, least: Credits.zero, ceiling: null, deadline, codec }
    return yield* charge(order, (tab) => {
      tab.reserve(quote)
      return Effect.succeed({
        answer,
        deferred: {
          amount: quote,
          ttl: life.work + life.grace,
          begin: (holds: { readonly parent: Ledger.HoldId; readonly child: Ledger.HoldId }) =>
            begin(ordered(holds), emails)
        }
      })
    })
  })
  return bulk
})

const afterwards = Effect.gen(function* () {
  const tasks = yield* EmailTasks.EmailTasks
  const suppression = yield* Suppression.Suppression
  const { finish } = yield* Verifying

  const own = Effect.fnUntraced(function* (id: string, { account }: Caller) {
    const task = yield* tasks.find(id)
    return task === null || task.account !== account ? yield* new UnknownEmailTask() : task
  })

  const unobjected = (found: ReadonlyArray<EmailResult.EmailResult>) =>
    Effect.map(
      suppression.find(() => Mentions.of(found.map(({ email }) => email))),
      (objected) =>
        objected.size === 0
          ? found
          : found.filter(({ email }) => !Mentions.of(email).some((handle) => objected.has(handle)))
    )

  const paged = (id: string, page: number, limit: number) =>
    Effect.flatMap(tasks.results(id, (page - 1) * limit, limit), unobjected)

  /** Chunk by chunk, so that others are answered in between, and an erasure moves nothing that is still to be read. */
  const whole = Effect.fnUntraced(function* (id: string) {
    const found: Array<EmailResult.EmailResult> = []
    for (const { number } of yield* tasks.chunks(id)) {
      const opened = yield* tasks.open(id, number)
      if (opened !== null) found.push(...(yield* unobjected(EmailTask.resultsOf(opened.chunk))))
      yield* Effect.yieldNow
    }
    return found
  })

  const result: EmailVerification["Service"]["result"] = Effect.fnUntraced(function* (
    { limit, page, task_id },
    caller
  ) {
    const task = yield* own(task_id, caller)
    const isPaged = limit !== undefined || page !== undefined
    const shown = isPaged ? yield* paged(task.id, page ?? 1, limit ?? usualPage) : yield* whole(task.id)
    return verificationOf(task, { request_id: caller.request_id, type: "bulk_result" }, shown)
  })

  const cancel: EmailVerification["Service"]["cancel"] = Effect.fnUntraced(function* ({ task_id }, caller) {
    const task = yield* own(task_id, caller)
    const ended = yield* tasks.end(task.id, { state: "cancelled", at: yield* Clock.currentTimeMillis })
    if (ended === null) return yield* new UnknownEmailTask()
    if (ended.state !== "cancelled") return yield* new EmailTaskEnded({ state: ended.state })
    // Its workflow may be asleep until a greylist lets it through, and the credits are wanted back now.
    yield* finish(ended)
    const settled = (yield* tasks.find(task.id)) ?? ended
    return verificationOf(settled, { request_id: caller.request_id, type: "cancel" })
  })

  return { result, cancel }
})

export const layer: Layer.Layer<
  EmailVerification,
  never,
  | Billing.Billing
  | EmailTasks.EmailTasks
  | EmailVerifier.EmailVerifier
  | Suppression.Suppression
  | Verifying
  | WorkflowEngine.WorkflowEngine
> = Layer.effect(
  EmailVerification,
  Effect.map(Effect.all([singly, inBulk, afterwards]), ([single, bulk, { cancel, result }]) =>
    EmailVerification.of({ single, bulk, result, cancel })
  )
)
