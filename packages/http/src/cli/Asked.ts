/** What commands are asked, read by the schemas of the interface: the same words are wrong on both ways. */
import { InvalidRequest } from "@lading/core/request"
import { Clock, DateTime, Duration, Effect, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import * as Details from "../server/Details.ts"

/** Reads it by its schema, without what was not said; every wrong part is named. */
export const read = <A, I>(schema: Schema.Codec<A, I>, asked: object) =>
  Schema.decodeUnknownEffect(schema, { errors: "all" })(
    Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  ).pipe(
    Effect.mapError(({ issue }) => {
      const [first = { path: "", message: "Expected something else" }, ...others] = Details.fromIssue(issue)
      return new InvalidRequest.InvalidRequest({ details: [first, ...others] })
    })
  )

const duration = Schema.decodeUnknownOption(Schema.DurationFromString)

/** An instant as the interface has it: as it was given, or so much later than now. */
export const instant = Effect.fnUntraced(function* (text: string) {
  const given = duration(text)
  if (Option.isNone(given) || !Number.isFinite(Duration.toMillis(given.value))) return text
  return DateTime.formatIso(DateTime.makeUnsafe((yield* Clock.currentTimeMillis) + Duration.toMillis(given.value)))
})

export const expires = Flag.String("expires").pipe(
  Flag.withDescription("When it ends: an ISO 8601 date or instant, or a duration such as 30 days; never unless said"),
  Flag.withMetavar("<date or duration>"),
  Flag.optional
)

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print the answer as one JSON value, and nothing else"),
  Flag.withDefault(false)
)
