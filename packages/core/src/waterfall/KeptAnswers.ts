/**
 * Kept answers: the answer cache as the waterfall uses it. A cache that is down is an empty cache; an entry that can no
 * longer be read is none.
 */
import { Clock, Effect, Option } from "effect"
import * as Mentions from "../value/Mentions.ts"
import type * as AnswerCache from "./AnswerCache.ts"
import type { Answered } from "./Guard.ts"
import type { Operation, Operations } from "./Source.ts"
import type { Subject } from "./Subject.ts"

export interface Lives {
  /** How long a hit and a miss are kept, in milliseconds. */
  readonly keepHit: number
  readonly keepMiss: number
  /** How long an answer can be recalled for a replay, in milliseconds. */
  readonly keepRaw: number
}

/** Of a step, what its answers are found by. */
export interface Asked {
  readonly source: string
  /** The adapter and its version. */
  readonly adapter: string
  readonly ownKey: boolean
}

/** Answers to own keys belong to the account that bought them. */
export const keyOf = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  identity: Operations[Name]["identity"],
  { adapter, ownKey, source }: Asked,
  account: string
): AnswerCache.Key => ({
  tenant: ownKey ? `account:${account}` : "platform",
  source,
  adapter,
  operation: subject.operation,
  identity: subject.key(identity)
})

const trouble = (error: AnswerCache.AnswerCacheUnavailable) =>
  Effect.logWarning("answer cache unavailable", error.problem)

const read = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  entry: AnswerCache.Entry | null
): Answered<Operations[Name]["facts"]> | null => {
  if (entry === null) return null
  const { answer, observed_at } = entry
  if (answer._tag === "Miss") return { outcome: answer, attempts: 0, observed_at }
  const facts = subject.decode(answer.facts)
  return Option.isNone(facts)
    ? null
    : { outcome: { _tag: "Hit", facts: facts.value, raw: answer.raw }, attempts: 0, observed_at }
}

/**
 * The kept answer to each key, where one is young enough. `maxAge` in milliseconds: 0 takes none, `null` whatever there
 * is.
 */
export const find = <Name extends Operation, Profile>(
  cache: AnswerCache.AnswerCache["Service"],
  subject: Subject<Name, Profile>,
  keys: ReadonlyArray<AnswerCache.Key>,
  maxAge: number | null
): Effect.Effect<ReadonlyArray<Answered<Operations[Name]["facts"]> | null>> =>
  maxAge === 0
    ? Effect.succeed([])
    : Effect.flatMap(Clock.currentTimeMillis, (now) => cache.find(keys, maxAge === null ? 0 : now - maxAge)).pipe(
        Effect.catch((error) => Effect.as(trouble(error), [])),
        Effect.map((entries) => entries.map((entry) => read(subject, entry)))
      )

/** Keeps a hit or a miss; what is pending is no answer yet. */
export const keep = (
  cache: AnswerCache.AnswerCache["Service"],
  { keepHit, keepMiss, keepRaw }: Lives,
  key: AnswerCache.Key,
  { outcome, observed_at }: Answered<unknown>,
  /** What was asked about. */
  subjects: unknown
): Effect.Effect<void> => {
  const expires_at = observed_at + (outcome._tag === "Hit" ? keepHit : keepMiss)
  return outcome._tag === "Pending"
    ? Effect.void
    : Effect.catch(
        cache.put(
          key,
          { answer: outcome, observed_at },
          {
            expires_at,
            // A run that took it from the cache on its last day can be replayed for as long as any other.
            kept_until: outcome._tag === "Hit" ? expires_at + keepRaw : expires_at,
            subjects:
              outcome._tag === "Hit" ? Mentions.of([subjects, outcome.facts, outcome.raw]) : Mentions.of(subjects)
          }
        ),
        trouble
      )
}
