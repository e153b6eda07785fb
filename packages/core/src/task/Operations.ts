/**
 * The port of the server's own operations, as something that is chosen by name at run time calls them: a task's steps, and
 * whoever lists them to a language model. A request comes as JSON and is judged by the operation's own schema; the answer
 * is the body of its endpoint; what goes wrong is what the interface would say.
 *
 * Each run is a request of its own, billed like any other: once under its idempotency key, from the balance or from
 * `Caller.paid_by`.
 */
import { Context, type Effect, Layer, Schema } from "effect"
import type { Scope } from "../account/Scope.ts"
import type * as Credits from "../billing/Credits.ts"
import type { Caller } from "../request/Caller.ts"
import { Detail } from "../request/InvalidRequest.ts"

/** What the interface says to an operation that gives no answer. */
export class OperationFailed extends Schema.TaggedError<OperationFailed>()("OperationFailed", {
  /** As in the body of an error, e.g. `invalid_request`. */
  code: Schema.String,
  message: Schema.String,
  /** The same may succeed later. */
  retryable: Schema.Boolean,
  details: Schema.Array(Detail),
  /** What pays does not cover what it may cost; nobody was asked. */
  isUnpaid: Schema.Boolean
}) {}

/** What came of a run. */
export interface Outcome {
  /** The body of the endpoint's answer, as JSON. */
  readonly body: unknown
  readonly credits: Credits.Credits
  /** Who supplied something, by slot; empty for what is the installation's own. */
  readonly sources: ReadonlyArray<string>
  /** It is an earlier answer under the same idempotency key. */
  readonly replayed: boolean
  /** A source is still working on a part of it: `Operation.latest` has the rest later. */
  readonly isPending: boolean
}

/** Who runs it. */
export interface Runner {
  readonly caller: Caller
  readonly scopes: ReadonlyArray<Scope>
}

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Operation {
  /** `company.enrich`, `customs.match`, … */
  readonly name: string
  /** Of the endpoint that does the same. */
  readonly path: string
  readonly title: string
  readonly description: string
  /** What a key must have for any request of it. */
  readonly scopes: ReadonlyArray<Scope>
  /** Of its request and of its answer, each whole in itself: what it refers to is under `$defs`. */
  readonly request: JsonSchema
  readonly answer: JsonSchema
  /** A request that is right. */
  readonly sample: Readonly<Record<string, unknown>>
  /** In words, with numbers of the price book. */
  readonly price: string
  /** The most that a request can cost; `null` where it is no request. */
  readonly worst: (input: unknown, account: string) => Effect.Effect<Credits.Credits | null>
  readonly run: (input: unknown, runner: Runner) => Effect.Effect<Outcome, OperationFailed>
  /** The answer to a request as it is by now; `null` where an answer is always complete at once. */
  readonly latest: ((request_id: string, account: string) => Effect.Effect<Outcome, OperationFailed>) | null
}

export class Operations extends Context.Service<
  Operations,
  {
    /** In the order in which they are listed. */
    readonly all: ReadonlyArray<Operation>
    readonly find: (name: string) => Operation | undefined
  }
>()("@lading/core/task/Operations") {}

export const make = (all: ReadonlyArray<Operation>): Operations["Service"] => {
  const byName = new Map(all.map((operation) => [operation.name, operation]))
  return { all, find: (name) => byName.get(name) }
}

/** These and no others, for embedders and tests. */
export const layer = (all: ReadonlyArray<Operation>): Layer.Layer<Operations> => Layer.succeed(Operations, make(all))

/** Those that a key with these scopes may run. */
export const permitted = ({ all }: Operations["Service"], scopes: ReadonlyArray<Scope>): ReadonlyArray<Operation> =>
  all.filter((operation) => operation.scopes.every((scope) => scopes.includes(scope)))
