/**
 * How an adapter talks to its vendor over HTTP: one request, one JSON answer of bounded size, and trouble as a typed
 * error. What a status means is the adapter's own table.
 *
 * Gotchas
 * - Never retries and never follows a redirect: a redirect would carry the key to another host.
 * - Opens no span of its own, since the client's would hold the request with its headers, and sends no trace headers.
 * - No problem text holds a value or a URL of the vendor, only statuses, codes and names of fields.
 * - Integers beyond 2^53 lose digits, as in every `JSON.parse`; read such identifiers as strings.
 */
import { Effect, Redacted, Result, Schema, SchemaIssue, Stream } from "effect"
import {
  FetchHttpClient,
  type Headers,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"
import type { Credential } from "./Source.ts"
import { InvalidResponse, Unavailable } from "./SourceError.ts"

/** Larger answers are refused: 4 MiB is some hundred times what a profile takes. */
export const SIZE_LIMIT = 4 * 1024 * 1024

/** Stands for a body that is empty or no JSON. */
export const NotJson: unique symbol = Symbol.for("@lading/core/waterfall/VendorHttp/NotJson")

export interface Answer {
  readonly status: number
  readonly headers: Headers.Headers
  /** Decoded JSON, or `NotJson`. */
  readonly body: unknown
}

/**
 * Sends the request with the `HttpClient` of the context. Every status is an answer; a connection that fails or breaks
 * off is `Unavailable`, an answer beyond `SIZE_LIMIT` is `InvalidResponse`.
 *
 * With `credential`, a vendor that echoes the key finds it replaced in `body`.
 */
export const json =
  (source: string, credential: Credential = { _tag: "None" }) =>
  (
    request: HttpClientRequest.HttpClientRequest
  ): Effect.Effect<Answer, Unavailable | InvalidResponse, HttpClient.HttpClient> =>
    HttpClient.execute(HttpClientRequest.acceptJson(request)).pipe(
      Effect.flatMap((response) =>
        Effect.map(text(source, response), (body): Answer => ({
          status: response.status,
          headers: response.headers,
          body: parse(withoutSecrets(body, credential))
        }))
      ),
      Effect.catchTag("HttpClientError", (error) =>
        Effect.fail(new Unavailable({ source, problem: connectionProblem(error) }))
      ),
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
    )

const text = (source: string, response: HttpClientResponse.HttpClientResponse) =>
  response.stream.pipe(
    Stream.catchIf(
      (error) => error.reason._tag === "EmptyBodyError",
      () => Stream.empty
    ),
    Stream.runFoldEffect(
      (): Body => ({ size: 0, chunks: [] }),
      ({ size, chunks }, chunk) => {
        if (size + chunk.length > SIZE_LIMIT) {
          return Effect.fail(new InvalidResponse({ source, problem: `answer larger than ${SIZE_LIMIT} bytes` }))
        }
        chunks.push(chunk)
        return Effect.succeed({ size: size + chunk.length, chunks })
      }
    ),
    Effect.map(({ chunks }) => {
      const decoder = new TextDecoder()
      return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
    })
  )

interface Body {
  readonly size: number
  readonly chunks: Array<Uint8Array>
}

const parse = (body: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.parse(body)),
    () => NotJson
  )

/** Shorter secrets are no real keys, and replacing them would garble the answer. */
const SHORTEST_SECRET = 8

const withoutSecrets = (body: string, credential: Credential): string =>
  secretsOf(credential)
    .map(Redacted.value)
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((kept, secret) => kept.replaceAll(JSON.stringify(secret).slice(1, -1), "<redacted>"), body)

const secretsOf = (credential: Credential): ReadonlyArray<Redacted.Redacted> => {
  switch (credential._tag) {
    case "None":
      return []
    case "ApiKey":
      return [credential.key]
    case "Client":
      return [credential.id, credential.secret]
  }
}

/** `TransportError ECONNREFUSED`: the message of the error itself would name the URL. */
const connectionProblem = (error: HttpClientError.HttpClientError): string => {
  const code = codeOf("cause" in error.reason ? error.reason.cause : undefined)
  return code === null ? error.reason._tag : `${error.reason._tag} ${code}`
}

/** The system's code of the innermost cause (`fetch` wraps it once). */
const codeOf = (cause: unknown): string | null => {
  if (!(cause instanceof Error)) return null
  if ("code" in cause && typeof cause.code === "string" && /^[A-Z][A-Z0-9_]*$/.test(cause.code)) return cause.code
  return codeOf(cause.cause)
}

/**
 * The milliseconds of a `Retry-After` header, which is seconds or an HTTP date (RFC 9110, 10.2.3); `null` where it is
 * missing or unreadable. `now` in epoch milliseconds; a date in the past is 0.
 */
export const retryAfter = (headers: Headers.Headers, now: number): number | null => {
  const value = headers["retry-after"]?.trim()
  if (value === undefined) return null
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const date = /^[A-Za-z]{3}.*\d{2}:\d{2}:\d{2}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/**
 * Reads the part of an answer's body that `schema` names; anything else is `InvalidResponse` with the path of the first
 * field that is wrong.
 */
export const decode = <S extends Schema.ConstraintDecoder<unknown>>(source: string, schema: S) => {
  const read = Schema.decodeUnknownEffect(schema)
  return (body: unknown): Effect.Effect<S["Type"], InvalidResponse> =>
    body === NotJson
      ? Effect.fail(new InvalidResponse({ source, problem: "body is not JSON" }))
      : Effect.mapError(read(body), (error) => new InvalidResponse({ source, problem: shapeProblem(error.issue) }))
}

const MISSING = "missing field"
const WRONG = "wrong value"

/** Only the place and what kind of wrong it is: the formatter's own messages may hold the value. */
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? MISSING : WRONG),
  checkHook: () => WRONG
})

const shapeProblem = (issue: SchemaIssue.Issue): string => {
  const first = formatIssue(issue).issues[0]
  const kind = first?.message === MISSING ? MISSING : WRONG
  return `${kind} at ${pathText(first?.path ?? [])}`
}

const PLAIN_WORD = /^[A-Za-z_][\w-]{0,39}$/

/** `data.emails[0].value`. A key that is no plain word may be one of the vendor's values, e.g. an address. */
const pathText = (path: ReadonlyArray<unknown>): string =>
  path.length === 0
    ? "the root"
    : path
        .map((key) => (typeof key === "number" ? `[${key}]` : `.${PLAIN_WORD.test(String(key)) ? String(key) : "*"}`))
        .join("")
        .replace(/^\./, "")
