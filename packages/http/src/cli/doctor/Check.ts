/** Something about an installation that was looked at, and what was found. */
import { Schema } from "effect"

export const Check = Schema.Struct({
  name: Schema.String,
  /** `warning`: it works, and is perhaps not what was meant. `off`: nobody wants it. `unknown`: it cannot be told from here. */
  outcome: Schema.Literals(["ok", "warning", "failed", "unknown", "off"]),
  /** What was found and, where it is not well, what to do. Never a secret. */
  says: Schema.String
})
export type Check = typeof Check.Type

export const make = (name: string, outcome: Check["outcome"], says: string): Check => ({ name, outcome, says })

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Something that a start would be refused for. */
export const refused = (name: string, { message }: { readonly message: string }): Check =>
  make(name, "failed", ended(message))
