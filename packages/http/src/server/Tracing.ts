/**
 * Which spans are told, and what of them: one for each request and one for each call of a vendor, with the few attributes
 * that are named here. What the libraries below would say of theirs (statements, addresses, headers, keys of entities)
 * leaves nowhere; a span that is not told passes on whose child it is.
 *
 * Of a failure its tag is told: a message or a stack may hold a value.
 */
import { Cause, Context, Effect, Exit, Option, Predicate, Tracer } from "effect"
import { HttpTraceContext, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Exchange } from "./Exchange.ts"

/** Whether a span is opened for each request; nobody pays for one that nobody sees. */
export const Traced = Context.Reference<boolean>("@lading/http/server/Traced", { defaultValue: () => false })

const statusCode = "http.response.status_code"

const attributes: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.route",
  statusCode,
  "request_id",
  "source",
  "adapter",
  "operation"
])

const isRequest = /^[A-Z-]{1,20} (?:\/|unmatched$)/

type Options = Parameters<Tracer.Tracer["span"]>[0]

const isTold = ({ kind, name }: Options): boolean =>
  name === "source.call" || (kind === "server" && isRequest.test(name))

const none = "0".repeat(32)

/** A span that nobody is told of. */
class Untold implements Tracer.Span {
  readonly _tag = "Span"
  readonly name: string
  readonly annotations: Context.Context<never>
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly kind: Tracer.SpanKind
  readonly sampled: boolean
  readonly links: ReadonlyArray<Tracer.SpanLink> = []
  readonly attributes: ReadonlyMap<string, unknown> = new Map()
  status: Tracer.SpanStatus

  constructor({ annotations, kind, name, parent, sampled, startTime }: Options) {
    this.name = name
    this.annotations = annotations
    this.parent = parent
    this.kind = kind
    this.sampled = sampled
    this.status = { _tag: "Started", startTime }
  }

  get traceId(): string {
    return Option.match(this.parent, { onNone: () => none, onSome: ({ traceId }) => traceId })
  }

  get spanId(): string {
    return Option.match(this.parent, { onNone: () => none.slice(16), onSome: ({ spanId }) => spanId })
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
  }

  attribute(): void {}

  event(): void {}

  addLinks(): void {}
}

/** The nearest one that is told. One that was written down without any has no ids. */
const visible = (parent: Option.Option<Tracer.AnySpan>): Option.Option<Tracer.AnySpan> => {
  if (Option.isNone(parent)) return parent
  if (parent.value instanceof Untold) return parent.value.parent
  return parent.value.traceId === none ? Option.none() : parent
}

/** An error that says its tag and nothing else. */
const failure = (tag: string): Exit.Exit<never, Error> => {
  const error = new Error(tag)
  error.name = tag
  error.stack = tag
  return Exit.fail(error)
}

const tagOf = (cause: Cause.Cause<unknown>): string => {
  const failed = cause.reasons.find((reason) => reason._tag === "Fail")
  if (failed === undefined) return "Defect"
  return Predicate.hasProperty(failed.error, "_tag") ? String(failed.error._tag) : "Error"
}

const ending = (exit: Exit.Exit<unknown, unknown>, status: unknown): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return typeof status === "number" && status >= 500 ? failure(String(status)) : Exit.void
  return Cause.hasInterruptsOnly(exit.cause) ? exit : failure(tagOf(exit.cause))
}

/** A span of the exporter's, with what may be known of it. */
class Told implements Tracer.Span {
  readonly _tag = "Span"
  readonly #inner: Tracer.Span

  constructor(inner: Tracer.Span) {
    this.#inner = inner
  }

  get name() {
    return this.#inner.name
  }
  get spanId() {
    return this.#inner.spanId
  }
  get traceId() {
    return this.#inner.traceId
  }
  get parent() {
    return this.#inner.parent
  }
  get annotations() {
    return this.#inner.annotations
  }
  get status() {
    return this.#inner.status
  }
  get attributes() {
    return this.#inner.attributes
  }
  get links() {
    return this.#inner.links
  }
  get sampled() {
    return this.#inner.sampled
  }
  get kind() {
    return this.#inner.kind
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.#inner.end(endTime, ending(exit, this.#inner.attributes.get(statusCode)))
  }

  attribute(key: string, value: unknown): void {
    if (attributes.has(key)) this.#inner.attribute(key, value)
  }

  event(): void {}

  addLinks(): void {}
}

/** The tracer that tells the other one only what may be known. */
export const telling = (exporter: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const parent = visible(options.parent)
      const shown = { ...options, parent, links: [] }
      return isTold(options) ? new Told(exporter.span(shown)) : new Untold(shown)
    }
  })

interface Asked {
  readonly request: HttpServerRequest.HttpServerRequest
  /** As it is declared. */
  readonly route: string
  readonly exchange: Exchange
}

/** The span of a request, in the trace that its sender has begun (`traceparent`), where there is one. */
export const request = <E, R>(
  answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  { exchange, request, route }: Asked
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, Exclude<R, Tracer.ParentSpan>> => {
  const parent = HttpTraceContext.w3c(request.headers)
  const within = Effect.flatMap(Effect.orDie(Effect.currentSpan), (span) => {
    exchange.trace_id = span.traceId
    return Effect.tap(answering, ({ status }) => Effect.sync(() => span.attribute(statusCode, status)))
  })
  return Effect.withSpan(within, `${request.method} ${route}`, {
    kind: "server",
    captureStackTrace: false,
    ...(Option.isSome(parent) ? { parent: parent.value } : { root: true }),
    attributes: { "http.request.method": request.method, "http.route": route, request_id: exchange.request_id }
  })
}
