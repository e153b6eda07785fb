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
}

const failed = ({ code, details, message, retryable }: Refusal.Refusal) =>
  new Operations.OperationFailed({ code, message, retryable, details })

/** Whoever asks what it costs is nobody's request. */
const asking = (account: string) => Caller.embedded("req_quote", 0, account)

/** The operation; `documented` says what the interface says of its endpoint. */
export const make =
  (documented: (path: string) => Documented.Documented) =>
  <Request, Encoded, Answer, E extends UseCaseError>(
    entry: Entry<Request, Encoded, Answer, E>
  ): Operations.Operation => {
    const { ask, label = entry.name, more, name, path, price, request, sample, scopes, show, worst } = entry
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
        yield* Operation.permit(scopes, { scopes: has }, request_id)
        const asked = yield* judge(input, request_id)
        yield* Operation.permit(more?.(asked) ?? [], { scopes: has }, request_id)
        const { answer, replayed } = yield* Effect.mapError(ask(asked, caller), fromUseCase(request_id))
        const { body, credits, platform = credits, sources } = show(answer)
        if (!replayed) yield* Metrics.platformCredits(label, platform)
        return { body, credits: Credits.fromNumber(credits), sources, replayed }
      }, Effect.mapError(failed))
    }
  }

/** Makes operations of one interface. */
export type Closing = ReturnType<typeof make>
