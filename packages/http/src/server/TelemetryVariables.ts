/** The variables of what is sent to an OpenTelemetry collector. Where the standard has a name of its own, that is read too. */
import { Schema, SchemaTransformation } from "effect"
import { isBaseUrl, optional, redacted, type Text, withDefault } from "./Variable.ts"

export const signals = ["traces", "metrics", "logs"] as const
export type Signal = (typeof signals)[number]

const signalOf = (word: string): Signal | undefined => signals.find((signal) => signal === word.trim())

const isSignals = (text: string): boolean => {
  const found = text.split(",").map(signalOf)
  return !found.includes(undefined) && new Set(found).size === found.length
}

const signalList: Text<ReadonlyArray<Signal>> = Schema.String.check(Schema.makeFilter(isSignals)).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.Literals(signals)),
    SchemaTransformation.transform({
      decode: (text): ReadonlyArray<Signal> => text.split(",").flatMap((word) => signalOf(word) ?? []),
      encode: (list: ReadonlyArray<Signal>) => list.join(",")
    })
  )
)

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** `name=value,name=value`, percent-encoded, as OpenTelemetry writes headers and attributes; `null` where it is not. */
export const pairs = (text: string): Readonly<Record<string, string>> | null => {
  const found: Record<string, string> = {}
  for (const pair of text.split(",")) {
    const at = pair.indexOf("=")
    const name = pair.slice(0, Math.max(0, at)).trim()
    const value = decoded(pair.slice(at + 1).trim())
    if (!/^[A-Za-z0-9!#$&'*+.^_`|~-]+$/.test(name) || value === null || !/^[\x20-\x7e]*$/.test(value)) return null
    found[name] = value
  }
  return found
}

const isPairs = Schema.makeFilter((text: string) => pairs(text) !== null)

const isCollector = (text: string): boolean => isBaseUrl(text) && !/\/v1\/(?:traces|metrics|logs)\/?$/.test(text)

export const telemetry = {
  url: optional(
    {
      name: "LADING_OTLP_URL",
      standard: "OTEL_EXPORTER_OTLP_ENDPOINT",
      meaning:
        "OpenTelemetry collector that traces and metrics are sent to, over HTTP with Protocol Buffers, without `/v1/…`; left out, `OTEL_EXPORTER_OTLP_ENDPOINT`, else nothing is sent",
      expected: "an address like http://collector.example:4318, without credentials, query or /v1/traces",
      secret: true
    },
    Schema.String.check(Schema.makeFilter(isCollector))
  ),
  headers: optional(
    {
      name: "LADING_OTLP_HEADERS",
      standard: "OTEL_EXPORTER_OTLP_HEADERS",
      meaning:
        "Headers for the collector, such as a key: `name=value,name=value`, percent-encoded; left out, `OTEL_EXPORTER_OTLP_HEADERS`",
      expected: "name=value pairs with commas between them, percent-encoded",
      secret: true
    },
    redacted(Schema.String.check(isPairs))
  ),
  signals: withDefault<ReadonlyArray<Signal>>(
    {
      name: "LADING_OTLP_SIGNALS",
      meaning: "What is sent: some of `traces`, `metrics` and `logs`",
      expected: `some of ${signals.join(", ")}, each once, with commas between them`
    },
    signalList,
    "traces,metrics",
    ["traces", "metrics"]
  ),
  service: withDefault(
    {
      name: "LADING_OTLP_SERVICE",
      standard: "OTEL_SERVICE_NAME",
      meaning: "Name of the service (`service.name`); left out, `OTEL_SERVICE_NAME`",
      expected: "up to 100 letters, digits, dots, dashes and underscores"
    },
    Schema.String.check(Schema.isPattern(/^[A-Za-z0-9._/-]{1,100}$/)),
    "lading",
    "lading"
  ),
  attributes: optional(
    {
      name: "LADING_OTLP_ATTRIBUTES",
      standard: "OTEL_RESOURCE_ATTRIBUTES",
      meaning:
        "What else is said of this process: `name=value,name=value`, percent-encoded, e.g. `deployment.environment.name=production`; left out, `OTEL_RESOURCE_ATTRIBUTES`",
      expected: "name=value pairs with commas between them, percent-encoded"
    },
    Schema.String.check(isPairs)
  )
}
