/**
 * The way that Snov.io answers most questions: a start that gives the hash of a task, and a result that is asked for
 * until the task is done.
 *
 * Gotchas
 * - The hash stands in `data.task_hash` for some operations and in `meta.task_hash` for others; both are looked at.
 *   `links.result` is not followed, since the token would go wherever it leads.
 * - A start is paid for: when a request for its result fails, the task is not lost but asked for again.
 * - `in_progress` is also written "in progress". How a task says that it failed is not documented.
 */
import { Said, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Effect, Option, Schema } from "effect"
import * as Refusal from "./Refusal.ts"

const { source } = Refusal

/** A hash becomes part of a path. */
const HASH = /^[\w-]{1,128}$/

export const isHash = (text: string): boolean => HASH.test(text)

const Hash = Schema.Struct({ task_hash: Said.said(Schema.String.check(Schema.isPattern(HASH))) })
const Started = Schema.Struct({
  // A list where there is nothing to say, as PHP writes an empty object.
  data: Said.said(Schema.Union([Schema.Array(Schema.Unknown), Hash])),
  meta: Said.said(Schema.Union([Schema.Array(Schema.Unknown), Hash]))
})
const readStarted = VendorHttp.decode(source, Started)

const hashIn = (part: (typeof Started.Type)["data"]): string | null =>
  part !== null && part !== undefined && "task_hash" in part ? (part.task_hash ?? null) : null

/** The hash in the answer to a start. */
export const hashOf = (body: unknown): Effect.Effect<string, SourceError.SourceError> =>
  Effect.flatMap(readStarted(body), ({ data, meta }) => {
    const hash = hashIn(data) ?? hashIn(meta)
    return hash === null
      ? Effect.fail(new SourceError.InvalidResponse({ source, problem: "missing field at data.task_hash" }))
      : Effect.succeed(hash)
  })

const readStatus = VendorHttp.decode(source, Schema.Struct({ status: Schema.String }))

/** Whether the task is done. */
export const isDone = (body: unknown): Effect.Effect<boolean, SourceError.SourceError> =>
  Effect.flatMap(readStatus(body), ({ status }): Effect.Effect<boolean, SourceError.SourceError> => {
    switch (
      status
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, "_")
    ) {
      case "completed":
        return Effect.succeed(true)
      case "in_progress":
        return Effect.succeed(false)
      case "not_enough_credits":
        return Effect.fail(new SourceError.QuotaExhausted({ source }))
      case "failed":
      case "error":
        return Effect.fail(new SourceError.Unavailable({ source, problem: "the task failed" }))
      default:
        return Effect.fail(new SourceError.InvalidResponse({ source, problem: "wrong value at status" }))
    }
  })

/** When results are asked for, in milliseconds. */
export interface Pace {
  /** From the start to the first time. */
  readonly first: number
  /** From one answer to the next time. */
  readonly every: number
  /** From the beginning of the call until an answer is called pending. */
  readonly patience: number
}

/** What Snov.io's clients wait after a refusal for the rate, which names no time. */
const AFTER_RATE = 60_000

/**
 * The body of the result; none when it is not ready after `millis`. A request that fails for now, or comes too often, is
 * no end of the task.
 */
export const result = (
  ask: Effect.Effect<unknown, SourceError.SourceError>,
  { every, first }: Pace,
  millis: number
): Effect.Effect<Option.Option<unknown>, SourceError.SourceError> => {
  const asked = ask.pipe(
    Effect.asSome,
    Effect.catchTags({
      Unavailable: () => Effect.succeedNone,
      RateLimited: ({ retryAfter }) => Effect.as(Effect.sleep(retryAfter ?? AFTER_RATE), Option.none())
    })
  )
  const done: Effect.Effect<unknown, SourceError.SourceError> = Effect.flatMap(asked, (body) =>
    Effect.flatMap(Option.isSome(body) ? isDone(body.value) : Effect.succeed(false), (ready) =>
      ready && Option.isSome(body)
        ? Effect.succeed(body.value)
        : Effect.delay(
            Effect.suspend(() => done),
            every
          )
    )
  )
  if (millis <= 0) return Effect.succeedNone
  return done.pipe(
    Effect.delay(first),
    Effect.asSome,
    Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.succeedNone })
  )
}
