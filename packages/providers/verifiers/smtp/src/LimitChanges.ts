/** An operator's own limits, by provider: JSON such as `{"default":{"connections":4,"askEvery":0}}`. */
import { Result, Schema } from "effect"
import { bounds, type Changes, names } from "./Provider.ts"

const limit = (name: keyof typeof bounds) => Schema.optionalKey(Schema.Int.check(Schema.isBetween(bounds[name])))

const Limits = Schema.Struct({
  connections: limit("connections"),
  questions: limit("questions"),
  refusals: limit("refusals"),
  connectEvery: limit("connectEvery"),
  askEvery: limit("askEvery"),
  daily: limit("daily")
})

const LimitChanges = Schema.fromJsonString(
  Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.optionalKey(Limits)])))
)

const decode = Schema.decodeUnknownResult(LimitChanges, { errors: "all", onExcessProperty: "error" })

/** What the text says; else what is wrong with it, in lines. */
export const parse = (text: string): Result.Result<Changes, string> =>
  Result.mapError(decode(text), (error) => error.message)
