/**
 * What is sent to an OpenTelemetry collector, where there is one (`effect/observability`). Nobody waits for it: what it
 * does not take is dropped.
 *
 * Gotchas: the exporter knows no limits of its own for a collector that is silent, so its client has them: a time for each
 * attempt, and a number of attempts at a time. After a failure it drops everything for a minute. The environment of the
 * process is kept from it, since a standard variable with a mistake in it would be a defect.
 */
import { NodeHttpClient } from "@effect/platform-node"
import { Clock, ConfigProvider, type Duration, Effect, Layer, Logger, Redacted, Tracer } from "effect"
import { HttpClient, HttpClientError, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import * as LogErrors from "./LogErrors.ts"
import { pairs, type Signal } from "./TelemetryVariables.ts"
import * as Tracing from "./Tracing.ts"

export interface Options {
  /** The collector; `null` for none. */
  readonly url: string | null
  readonly headers: Redacted.Redacted | null
  readonly signals: ReadonlyArray<Signal>
  readonly service: string
  /** `name=value,…` */
  readonly attributes: string | null
}

interface Program {
  readonly version: string
  /** Whether log lines have the messages of defects. */
  readonly logErrors: boolean
}

/** How long the collector may take for an attempt, and how long for what is left when the server stops. */
const patience = "5 seconds"
const farewell: Duration.Input = "2 seconds"

const compression: "gzip" | "none" = "gzip"

/** Attempts at a time. */
const most = 4

/** How often it is said that nothing arrives, in milliseconds. */
const reminder = 600_000

/** The client of the exporter: bounded, and it tells the log when nothing arrives. */
const bounded = Effect.map(HttpClient.HttpClient, (client) => {
  let under = 0
  let said = Number.NEGATIVE_INFINITY
  const say = Effect.fnUntraced(function* (problem: string) {
    const now = yield* Clock.currentTimeMillis
    if (now - said < reminder) return
    said = now
    yield* Effect.logWarning("the collector takes no telemetry", { problem })
  })
  return HttpClient.transform(client, (sending, request) => {
    const lost = (description: string) =>
      new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, description }) })
    const attempt = sending.pipe(
      // Its connection is free again when the answer has been read.
      Effect.tap((response) => Effect.ignore(response.text)),
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(lost("no answer in time")) }),
      Effect.tap(({ status }) => (status < 400 ? Effect.void : say(`status ${status}`))),
      Effect.tapError(({ reason }) => say(reason._tag)),
      Effect.ensuring(
        Effect.sync(() => {
          under--
        })
      )
    )
    return Effect.suspend(() => {
      if (under >= most) return Effect.fail(lost("too many attempts at once"))
      under++
      return attempt
    })
  })
})

const layerClient = Layer.effect(HttpClient.HttpClient, bounded).pipe(Layer.provide(NodeHttpClient.layerUndici))

const exporters = (
  { attributes, headers, service, signals, url }: Options & { readonly url: string },
  { logErrors, version }: Program
) => {
  const options = (signal: Signal) => ({
    url: `${url.replace(/\/+$/, "")}/v1/${signal}`,
    headers: (headers === null ? null : pairs(Redacted.value(headers))) ?? {},
    resource: {
      serviceName: service,
      serviceVersion: version,
      attributes: attributes === null ? {} : { ...pairs(attributes) }
    },
    compression,
    shutdownTimeout: farewell
  })
  const tracer = Layer.effect(
    Tracer.Tracer,
    Effect.map(OtlpTracer.make(options("traces")), (exporter) => Tracing.telling(exporter))
  )
  const layers = {
    traces: Layer.merge(tracer, Layer.succeed(Tracing.Traced, true)),
    metrics: OtlpMetrics.layer(options("metrics")),
    logs: Logger.layer(
      [
        Effect.map(OtlpLogger.make({ ...options("logs"), excludeLogSpans: true }), (logger) =>
          logErrors ? logger : LogErrors.withoutMessages(logger)
        )
      ],
      { mergeWithExisting: true }
    )
  }
  return signals.reduce<
    Layer.Layer<never, never, OtlpExporter.Flusher | HttpClient.HttpClient | OtlpSerialization.OtlpSerialization>
  >((all, signal) => Layer.merge(all, layers[signal]), Layer.empty)
}

/** No other span is opened, and nobody else learns of a trace. */
const quiet = Layer.mergeAll(
  Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
  Layer.succeed(HttpClient.TracerDisabledWhen, () => true),
  Layer.succeed(HttpClient.TracerPropagationEnabled, false)
)

/** Sends what is chosen for as long as its scope is open; nothing without a collector. */
export const layer = (options: Options, program: Program): Layer.Layer<never> => {
  const { url } = options
  if (url === null) return Layer.empty
  return exporters({ ...options, url }, program).pipe(
    Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerProtobuf, layerClient]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
    Layer.merge(quiet)
  )
}

/** Whether spans are opened at all. */
export const isTraced = ({ signals, url }: Options): boolean => url !== null && signals.includes("traces")
