/** Flags that commands over the rows of a file have in common. */
import { Duration, Schema, SchemaGetter } from "effect"
import { Flag } from "effect/cli"
import * as Format from "./Format.ts"

const milliseconds: Readonly<Record<string, number>> = { "": 1000, s: 1000, m: 60_000, h: 3_600_000 }

/** `90s`, `15m`, `2h`; without a unit seconds. */
export const Patience = Schema.String.check(
  Schema.isPattern(/^\d{1,6} ?[smh]?$/, { expected: "a duration such as 90s, 15m or 2h" })
).pipe(
  Schema.decodeTo(Schema.Duration, {
    decode: SchemaGetter.transform((text: string) => {
      const [, count = "0", unit = ""] = /^(\d+) ?([smh]?)$/.exec(text) ?? []
      return Duration.millis(Number(count) * (milliseconds[unit] ?? 0))
    }),
    encode: SchemaGetter.transform((duration: Duration.Duration) => `${Math.round(Duration.toSeconds(duration))}s`)
  })
)

export const ofFiles = {
  url: Flag.String("url").pipe(
    Flag.withDescription("Server to ask, with the API key in LADING_API_KEY; by default the one on the data folder"),
    Flag.optional
  ),
  format: Flag.Literals("format", Format.formats).pipe(
    Flag.withDescription("Format of the file, where its ending does not say it"),
    Flag.optional
  ),
  delimiter: Flag.String("delimiter").pipe(
    Flag.withDescription("What separates its cells, where it is not found out"),
    Flag.withSchema(Schema.String.check(Schema.isPattern(/^[^"\r\n]$/, { expected: "one character" }))),
    Flag.optional
  ),
  rawCells: Flag.Boolean("raw-cells").pipe(
    Flag.withDescription("Leave values that begin like a formula without the apostrophe in front"),
    Flag.withDefault(false)
  ),
  restart: Flag.Boolean("restart").pipe(
    Flag.withDescription("Throw away the result, or what there is of it, and begin anew"),
    Flag.withDefault(false)
  ),
  quiet: Flag.Boolean("quiet").pipe(Flag.withDescription("Show no progress"), Flag.withDefault(false))
}
