/**
 * What a job knows of itself, as `job.json` holds it: what it is about, how much of each of its files is whole, and what
 * may have happened beyond that. Whether a run may go on with it is decided here.
 *
 * Before a row is sent, its number is covered by `asked`. So after any end the rows between those that are written and
 * that one may have been answered and charged, and no others.
 */
import { Credits } from "@lading/core/billing"
import { Effect, Equal, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { CannotBegin } from "./Problem.ts"
import * as Progress from "./Progress.ts"
import * as Tally from "./Tally.ts"

/** What makes the answers what they are: another subject is another job. */
export const Subject = Schema.Struct({
  "the input file": Schema.String,
  "--format": Schema.String,
  "--delimiter": Schema.String,
  "--kind": Schema.String,
  "--columns": Schema.Record(Schema.String, Schema.Int),
  "--mode": Schema.String,
  "--source-order": Schema.NullOr(Schema.Array(Schema.String)),
  "--verify-emails": Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  "--stored-keys": Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  "--raw-cells": Schema.Boolean,
  "where rows are asked": Schema.String,
  "the format of the result": Schema.String
})
export type Subject = typeof Subject.Type

export const Kept = Schema.Struct({
  version: Schema.Literal(2),
  /** Random: the idempotency keys of its rows begin with it. */
  id: Schema.String,
  subject: Subject,
  /** What a row may cost at most, where somebody said it. */
  row_credits: Schema.NullOr(Credits.Credits),
  /** The highest of all runs; `null` in a job without one. */
  ceiling: Schema.NullOr(Credits.Credits),
  /** What rows cost at most, by their shape. */
  prices: Schema.Record(Schema.String, Credits.Credits),
  /** Rows up to this one may have been sent. */
  asked: Schema.Int,
  /** What rows may have been charged that were sent again after their keys had ended. */
  lost: Credits.Credits,
  /** Epoch milliseconds. */
  written_at: Schema.Int,
  /** Digests of the result as it was written with rows pending: the last one, and the one that replaces it. */
  published: Schema.Array(Schema.String),
  bytes: Schema.Struct({ rows: Schema.Int, pending: Schema.Int, late: Schema.Int }),
  tally: Tally.Tally
})
export type Kept = typeof Kept.Type

const Text = Schema.fromJsonString(Kept)
export const decode = Schema.decodeUnknownOption(Text)
export const encode = Schema.encodeSync(Text)

export interface Wanted {
  /** The path of the result. */
  readonly out: string
  readonly subject: Subject
  readonly rowCredits: Option.Option<Credits.Credits>
  readonly ceiling: Credits.Credits | null
  /** Whether rows are charged, each once under its key. */
  readonly charged: boolean
  /** Go on although rows may be charged again. */
  readonly chargeAgain: boolean
  /** Throw away what there is. */
  readonly restart: boolean
  /** What stands before the first row. */
  readonly beginning: string
}

export const folderOf = (out: string): string => `${out}.partial`

export const beginAnew = "--restart throws away what there is and begins anew"

const cannot = (problem: string) => Effect.fail(new CannotBegin({ problem }))

/** What differs between two jobs, in the words of who asked. */
export const differences = (kept: object, wanted: object): ReadonlyArray<string> => {
  const before = new Map<string, unknown>(Object.entries(kept))
  return Object.entries(wanted).flatMap(([name, value]) => (Equal.equals(before.get(name), value) ? [] : [name]))
}

/** Requests of a job all say what they may cost, or none does: a ceiling needs that they do. */
const limited = (rowCredits: Credits.Credits | null, ceiling: Credits.Credits | null): boolean =>
  rowCredits !== null || ceiling !== null

/** The job, if it is the one that is wanted; one that has not asked anybody is not worth a question. */
const same = (kept: Kept, { ceiling, charged, out, rowCredits, subject }: Wanted) => {
  const said = Option.getOrElse(rowCredits, () => kept.row_credits)
  const others = [
    ...differences(kept.subject, subject),
    ...(kept.row_credits === said ? [] : ["--row-credits"]),
    ...(limited(kept.row_credits, kept.ceiling) === limited(said, ceiling) ? [] : ["--max-credits (with or without)"])
  ]
  if (others.length === 0) return Effect.succeed(kept)
  return kept.tally.rows === 0 && (!charged || kept.asked === 0)
    ? Effect.succeed(null)
    : cannot(`${folderOf(out)} is a job with other settings: ${others.join(", ")}; ${beginAnew}`)
}

/** How many rows may have been charged that are not written. */
const inAir = ({ asked, tally }: Kept): number => Math.max(0, asked - tally.rows)

/** The most that they may have been charged. */
const atRisk = (kept: Kept): Credits.Credits => {
  const prices = [...Object.values(kept.prices), ...(kept.row_credits === null ? [] : [kept.row_credits])]
  return Credits.times(prices.reduce(Credits.max, Credits.zero), inAir(kept))
}

/** What is spent, as far as it cannot be ruled out. */
export const spentOf = ({ lost, tally }: Kept): Credits.Credits => Credits.sum([tally.credits, tally.later, lost])

const hour = 60 * 60 * 1000

/** How old a job may be whose rows are sent again: a server keeps keys for 24 hours, and clocks differ. */
const keysLast = 23 * hour

/** With rows that were in the air as spent, which are charged anew. */
const charging = (kept: Kept): Kept => ({
  ...kept,
  lost: Credits.add(kept.lost, atRisk(kept)),
  asked: kept.tally.rows
})

/** Refuses where somebody could be charged what they do not expect. */
const guarded = (kept: Kept, { ceiling, chargeAgain, charged }: Wanted, now: number) => {
  if (!charged || inAir(kept) === 0) return Effect.succeed(kept)
  const age = now - kept.written_at
  if (age > keysLast) {
    if (chargeAgain) return Effect.succeed(charging(kept))
    return cannot(
      `this job stopped ${Progress.duration(age)} ago with up to ${inAir(kept)} rows in the air, and a server keeps ` +
        `idempotency keys for 24 hours: those rows may be charged twice; --charge-again goes on all the same`
    )
  }
  const possible = Credits.add(spentOf(kept), atRisk(kept))
  const bound = kept.ceiling === null ? possible : Credits.min(kept.ceiling, possible)
  if (ceiling === null || ceiling >= bound) return Effect.succeed(kept)
  return cannot(
    `rows that were in the air may have been charged, ${Credits.toNumber(bound)} credits in all at most; ` +
      `--max-credits cannot be less`
  )
}

/** What a run goes on with; `null` where it begins anew. */
export const goOn = Effect.fnUntraced(function* (kept: Kept, wanted: Wanted, now: number) {
  const known = yield* same(kept, wanted)
  if (known === null) return null
  const safe = yield* guarded(known, wanted, now)
  const { ceiling } = wanted
  const highest =
    ceiling === null || safe.ceiling === null ? (ceiling ?? safe.ceiling) : Credits.max(ceiling, safe.ceiling)
  return { ...safe, ceiling: highest }
})

export const fresh = ({ beginning, ceiling, rowCredits, subject }: Wanted, now: number): Kept => ({
  version: 2,
  id: randomBytes(12).toString("base64url"),
  subject,
  row_credits: Option.getOrNull(rowCredits),
  ceiling,
  prices: {},
  asked: 0,
  lost: Credits.zero,
  written_at: now,
  published: [],
  bytes: { rows: new TextEncoder().encode(beginning).length, pending: 0, late: 0 },
  tally: Tally.zero
})
