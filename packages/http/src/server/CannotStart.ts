/**
 * Why the program does not start, in one line that an operator can act on. It never holds a secret: a variable whose
 * value may be one is named without its value.
 */
import { Schema } from "effect"

export class CannotStart extends Schema.TaggedError<CannotStart>()("CannotStart", {
  /** The variable to change; `null` where none is to blame. */
  variable: Schema.NullOr(Schema.String),
  problem: Schema.String
}) {
  override get message(): string {
    const problem = this.problem.split("\n", 1)[0] ?? ""
    return this.variable === null ? problem : `${this.variable}: ${problem}`
  }
}
