/** An operation of the catalogue: what it is made of, closed over its own types. */
import type { Scope } from "@lading/core/account"
import { type Billing, Credits } from "@lading/core/billing"
import { Caller } from "@lading/core/request"
import { Operations } from "@lading/core/task"
import { Effect, type Schema } from "effect"
import type * as Refusal from "../../api/Refusal.ts"
import * as Body from "../Body.ts"
import * as Metrics from "../Metrics.ts"
import * as Operation from "../Operation.ts"
import { fromUseCase, type UseCaseError } from "../Refused.ts"
import * as Documented from "./Documented.ts"

/** What is shown of an answer. */
export interface Shown {
  readonly body: unknown
  readonly credits: number
  /** The platform's part of them; all, unless it is said. */
  readonly platform?: number
  readonly sources: ReadonlyArray<string>
  /** Whether a source is still working on a part of it; never, unless it is said. */
  readonly isPending?: boolean
}

export interface Entry<Request, Encoded, Answer, E extends UseCaseError> {
  readonly name: string
  /** What metrics call it; the same, unless it is said. */
  readonly label?: string
  /** Of its endpoint. */
  readonly path: string
  readonly request: Schema.Codec<Request, Encoded>
  readonly sample: Readonly<Record<string, unknown>>
  readonly scopes: ReadonlyArray<Scope.Scope>
  /** What this request needs besides. */
  readonly more?: (request: Request) => ReadonlyArray<Scope.Scope>
  readonly price: string
  /** Credits. */
  readonly worst: (request: Request, caller: Caller.Caller) => Effect.Effect<number, E>
  readonly ask: (request: Request, caller: Caller.Caller) => Effect.Effect<Billing.Answered<Answer>, E>
  readonly show: (answer: Answer) => Shown
  /** The answer as it is by now, where it may not be complete at once. */
  readonly find?: (request_id: string, account: string) => Effect.Effect<Answer, UseCaseError>
}

const failed = (refusal: Refusal.Refusal, isUnpaid = false) => {
  const { code, details, message, retryable } = refusal
  return new Operations.OperationFailed({ code, message, retryable, details, isUnpaid })
}

/** What a use case fails with; a request whose own ceiling is too low is another thing than credits that are not there. */
const failedBy = (request_id: string) => (error: UseCaseError) =>
  failed(fromUseCase(request_id)(error), error._tag === "InsufficientCredits")

const outcomeOf = ({ body, credits, isPending = false, sources }: Shown, replayed: boolean): Operations.Outcome => ({
  body,
  credits: Credits.fromNumber(credits),
  sources,
  isPending,
  replayed
})

/** Whoever asks what it costs is nobody's request. */
const asking = (account: string) => Caller.embedded("req_quote", 0, account)

/** The operation; `documented` says what the interface says of its endpoint. */
export const make =
  (documented: (path: string) => Documented.Documented) =>
  <Request, Encoded, Answer, E extends UseCaseError>(
    entry: Entry<Request, Encoded, Answer, E>
  ): Operations.Operation => {
    const { ask, find, label = entry.name, more, name, path, price, request, sample, scopes, show, worst } = entry
    const judge = Body.judge(request)
    return {
      ...documented(path),
      name,
      path,
      scopes,
      sample,
      price,
      request: Documented.requestOf(request),
      worst: (input, account) =>
        judge(input, "req_quote").pipe(
          Effect.flatMap((asked) => worst(asked, asking(account))),
          Effect.map(Credits.fromNumber),
          Effect.orElseSucceed(() => null)
        ),
      run: Effect.fnUntraced(function* (input: unknown, { caller, scopes: has }: Operations.Runner) {
        const { request_id } = caller
        const permit = (needed: ReadonlyArray<Scope.Scope>) =>
          Effect.mapError(Operation.permit(needed, { scopes: has }, request_id), (refusal) => failed(refusal))
        yield* permit(scopes)
        const asked = yield* Effect.mapError(judge(input, request_id), (refusal) => failed(refusal))
        yield* permit(more?.(asked) ?? [])
        const { answer, replayed } = yield* Effect.mapError(ask(asked, caller), failedBy(request_id))
        const shown = show(answer)
        if (!replayed) yield* Metrics.platformCredits(label, shown.platform ?? shown.credits)
        return outcomeOf(shown, replayed)
      }),
      latest:
        find === undefined
          ? null
          : (request_id, account) =>
              find(request_id, account).pipe(
                Effect.map((answer) => outcomeOf(show(answer), true)),
                Effect.mapError(failedBy(request_id))
              )
    }
  }

/** Makes operations of one interface. */
export type Closing = ReturnType<typeof make>
