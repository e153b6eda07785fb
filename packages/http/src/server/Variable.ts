/** A variable that configures an installation, as data, and the texts that variables are written as. */
import { Config, Duration, Option, type Redacted, Schema, SchemaTransformation } from "effect"

export interface Variable<A> {
  readonly name: string
  /** What a standard calls the same; read where the variable is not set. */
  readonly standard: string | null
  readonly meaning: string
  /** The default as the documentation shows it; empty where there is none. */
  readonly initial: string
  /** Completes "expected …". */
  readonly expected: string
  /** Its value never appears in a message. */
  readonly secret: boolean
  readonly config: Config.Config<A>
}

export type Text<A> = Schema.Codec<A, string>

interface About {
  readonly name: string
  readonly standard?: string
  readonly meaning: string
  readonly expected: string
  readonly secret?: boolean
}

export const withDefault = <A>(about: About, schema: Text<A>, initial: string, value: A): Variable<A> => ({
  secret: false,
  standard: null,
  ...about,
  initial,
  config: Config.withDefault(Config.schema(schema, about.name), value)
})

export const optional = <A>(about: About, schema: Text<A>): Variable<A | null> => ({
  secret: false,
  standard: null,
  ...about,
  initial: "",
  config: Config.map(Config.option(Config.schema(schema, about.name)), Option.getOrNull)
})

/** `minimum` to `maximum`, in digits only: no `8e3`, no `0x50`. */
export const whole = (minimum: number, maximum: number): Text<number> =>
  Schema.String.check(Schema.isPattern(/^\d{1,15}$/)).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })), SchemaTransformation.numberFromString)
  )

/** A price in digits, with or without decimals: no `1e3`, no sign. */
export const price: Text<number> = Schema.String.check(Schema.isPattern(/^\d{1,6}(?:\.\d{1,9})?$/)).pipe(
  Schema.decodeTo(Schema.Finite, SchemaTransformation.numberFromString)
)

const tenYears = Duration.toMillis(Duration.days(3650))

/** Milliseconds, from a duration such as `12 hours`. */
export const duration: Text<number> = Schema.DurationFromString.check(
  Schema.makeFilter((value) => Duration.toMillis(value) >= 0 && Duration.toMillis(value) <= tenYears)
).pipe(
  Schema.decodeTo(
    Schema.Finite,
    SchemaTransformation.transform({ decode: Duration.toMillis, encode: (millis) => Duration.millis(millis) })
  )
)

export const aDuration = "a duration up to ten years such as 30 days, 12 hours or 90 seconds"

export const redacted = (text: Schema.Codec<string, string>): Text<Redacted.Redacted> => Schema.RedactedFromValue(text)

/** What can stand in a header: a line break at the end of a pasted key is a usual mistake. */
export const credential = redacted(Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,4096}$/)))

export const isUrl = (protocols: ReadonlyArray<string>) => (text: string) => {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol) && url.hostname !== ""
}

export const isBaseUrl = (text: string) => {
  const url = URL.parse(text)
  return isUrl(["http:", "https:"])(text) && url !== null && url.username === "" && url.search === "" && url.hash === ""
}

export const onOrOff: Text<boolean> = Schema.Literals(["on", "off"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({
      decode: (word) => word === "on",
      encode: (enabled): "on" | "off" => (enabled ? "on" : "off")
    })
  )
)
