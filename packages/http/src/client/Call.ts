/** How calls are made with promises: what goes in and comes out is plain JSON, and a refusal rejects. */
import { Effect, Schema } from "effect"
import type { HttpApiClient } from "effect/http-api"
import type { LadingApi } from "../api/LadingApi.ts"

export type Client = HttpApiClient.ForApi<typeof LadingApi>

export interface CallOptions {
  /** Makes the call repeatable: the same again gives the first answer and is charged once. */
  readonly idempotencyKey?: string
  /** Hangs up; without an idempotency key the server then gives up too. */
  readonly signal?: AbortSignal | undefined
}

/** What a call without a body can be told. */
export type ReadOptions = Pick<CallOptions, "signal">

/** What comes out. */
export type Plain<S extends Schema.Top> = Promise<S["Encoded"]>

export const headers = ({ idempotencyKey }: CallOptions) =>
  idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }

export const run = <A, E>(call: Effect.Effect<A, E>, { signal }: CallOptions): Promise<A> =>
  Effect.runPromise(call, signal === undefined ? {} : { signal })

/** With something that is sent; gives the answer's `data`. */
export const sent = <A, I, E, B extends { readonly body: { readonly data: D } }, D, J>(
  [request, answer]: readonly [Schema.Codec<A, I>, Schema.Codec<D, J>],
  value: I,
  call: (payload: A) => Effect.Effect<B, E>,
  options: CallOptions
): Promise<J> =>
  run(
    Schema.decodeEffect(request)(value).pipe(
      Effect.flatMap(call),
      Effect.flatMap(({ body }) => Schema.encodeEffect(answer)(body.data))
    ),
    options
  )

/** Without; gives the answer's `data`. */
export const got = <E, B extends { readonly body: { readonly data: D } }, D, J>(
  answer: Schema.Codec<D, J>,
  call: Effect.Effect<B, E>,
  options: ReadOptions
): Promise<J> =>
  run(
    Effect.flatMap(call, ({ body }) => Schema.encodeEffect(answer)(body.data)),
    options
  )
