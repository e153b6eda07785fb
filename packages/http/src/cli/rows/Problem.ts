/** What can stand in the way of many rows: a file that cannot be read, a job that cannot begin, a run that has to stop. */
import { Credits } from "@lading/core/billing"
import { Schema } from "effect"

/** The input is not what was promised; `line` is where, counted from 1, or `null` where it is the file as a whole. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  file: Schema.String,
  line: Schema.NullOr(Schema.Int),
  problem: Schema.String
}) {}

/** Nothing was asked. */
export class CannotBegin extends Schema.TaggedError<CannotBegin>()("CannotBegin", { problem: Schema.String }) {}

/** Rows were answered, and are kept; no other row makes sense until somebody has done something. */
export class Stopped extends Schema.TaggedError<Stopped>()("Stopped", { problem: Schema.String }) {}

/** What is spent leaves no room for another row, which may cost `worst`. */
export class CeilingReached extends Schema.TaggedError<CeilingReached>()("CeilingReached", {
  worst: Credits.Credits
}) {}

/** A run has ended before its last row; `problem` says why, what is safe, and how to go on. */
export class Paused extends Schema.TaggedError<Paused>()("Paused", {
  problem: Schema.String,
  /** Whether a signal ended it. */
  signal: Schema.Boolean
}) {}

/** The code of a failure of the file system, e.g. `ENOENT`. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason"
