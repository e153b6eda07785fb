/** Why files cannot be read at all, or no further. A line that is wrong is no error: it is rejected, and reading goes on. */
import { Schema } from "effect"

export class ImportError extends Schema.TaggedError<ImportError>()("ImportError", {
  /**
   * `unreadable`: the system does not give the bytes, or they end before their time. `format`: they are not what the
   * format says. `mapping`: the mapping file is wrong, or asks for columns that are not there. `option`: a format needs
   * one, or cannot use it. `position`: reading cannot go on from there.
   */
  reason: Schema.Literals(["unreadable", "format", "mapping", "option", "position"]),
  file: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.file}: ${this.problem}`
  }
}
