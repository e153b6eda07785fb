/**
 * How an adapter talks to its vendor over HTTP: one request, one JSON answer of bounded size, and trouble as a typed
 * error. What a status means is the adapter's own table.
 *
 * Gotchas
 * - Never retries and never follows a redirect: a redirect would carry the key to another host.
 * - Opens no span of its own, since the client's would hold the request with its headers, and sends no trace headers.
 * - No problem text holds a value or a URL of the vendor, only statuses, codes and names of fields.
 * - An integer that a number cannot hold (an identifier beyond 2^53) is the text of its digits in `body`: `JSON.parse`
 *   would round it, and nobody would find it again.
 */
import { Effect, Redacted, Result, Schema, SchemaIssue, Stream } from "effect"
import { Base64, Base64Url } from "effect/encoding"
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
  /** Decoded JSON, its integers beyond what a number holds as the text of their digits; or `NotJson`. */
  readonly body: unknown
}

/**
 * Sends the request with the `HttpClient` of the context. Every status is an answer; a connection that fails or breaks
 * off is `Unavailable`, an answer beyond `SIZE_LIMIT` is `InvalidResponse`.
 *
 * With `credential`, a vendor that echoes the key finds it replaced in `body`, however JSON, a URL or Basic credentials
 * spell it.
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
          body: withoutSecrets(body, credential)
        }))
      ),
      Effect.catchTag("HttpClientError", (error) =>
        Effect.fail(new Unavailable({ source, problem: connectionProblem(error) }))
      ),
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" })
    )

const tooLarge = (source: string) => new InvalidResponse({ source, problem: `answer larger than ${SIZE_LIMIT} bytes` })

/** The size that an answer announces; `null` where it does not, or where it is that of a compressed one. */
const announced = ({ headers }: HttpClientResponse.HttpClientResponse): number | null => {
  const length = headers["content-length"]
  const plain = (headers["content-encoding"] ?? "identity") === "identity"
  return length !== undefined && plain && /^\d{1,15}$/.test(length) ? Number(length) : null
}

/** An answer that says how long it is is read at once, which costs a fraction of reading it piece by piece. */
const text = (
  source: string,
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<string, InvalidResponse | HttpClientError.HttpClientError> => {
  const size = announced(response)
  if (size === null) return pieces(source, response)
  if (size > SIZE_LIMIT) return Effect.fail(tooLarge(source))
  return size === 0 ? Effect.succeed("") : response.text
}

const pieces = (source: string, response: HttpClientResponse.HttpClientResponse) =>
  response.stream.pipe(
    Stream.catchIf(
      (error) => error.reason._tag === "EmptyBodyError",
      () => Stream.empty
    ),
    Stream.runFoldEffect(
      (): Body => ({ size: 0, chunks: [] }),
      ({ size, chunks }, chunk) => {
        if (size + chunk.length > SIZE_LIMIT) {
          return Effect.fail(tooLarge(source))
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

/** Without so many digits in a row there is no integer in the text that a number does not hold. */
const LONG_INTEGER = /\d{16}/

/** Deeper answers are refused: no profile is, and not everything that handles one has a stack for it. */
const DEPTH_LIMIT = 200

const [QUOTE, BACKSLASH] = ['"', "\\"].map((character) => character.charCodeAt(0))

/** By how much a character changes the depth. */
const STEPS: ReadonlyMap<number, number> = new Map(
  [
    ["[", 1],
    ["{", 1],
    ["]", -1],
    ["}", -1]
  ].map(([bracket, step]) => [String(bracket).charCodeAt(0), Number(step)])
)

/** Where the string that begins at `from` ends; the end of the text where it does not. */
const endOfString = (body: string, from: number): number => {
  let at = from + 1
  while (at < body.length && body.charCodeAt(at) !== QUOTE) at += body.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}

/**
 * Whether it is nested too deeply, by its brackets outside of strings. No regular expression: over a string of megabytes
 * the engine's stack for going back runs full.
 */
const tooDeep = (body: string): boolean => {
  let depth = 0
  for (let at = 0; at < body.length; at++) {
    const character = body.charCodeAt(at)
    if (character === QUOTE) at = endOfString(body, at)
    else depth += STEPS.get(character) ?? 0
    if (depth > DEPTH_LIMIT) return true
  }
  return false
}

const parse = (body: string): unknown => (tooDeep(body) ? NotJson : parsed(body))

const parsed = (body: string): unknown =>
  LONG_INTEGER.test(body)
    ? // A reviver is a recursion; whatever it cannot do, the integers are rounded then.
      Result.getOrElse(
        Result.try((): unknown => JSON.parse(body, exact)),
        () => rounded(body)
      )
    : rounded(body)

const rounded = (body: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.parse(body)),
    () => NotJson
  )

/** `JSON.parse` tells a reviver how a number was written, where the engine knows (V8 since 11.4). */
const exact = (_name: string, value: unknown, context?: { readonly source?: string }): unknown => {
  const source = context?.source
  if (typeof value !== "number" || source === undefined || Number.isSafeInteger(value)) return value
  return /^-?\d+$/.test(source) && !(Number.isFinite(value) && BigInt(value) === BigInt(source)) ? source : value
}

/** Shorter secrets are no real keys, and replacing them would garble the answer. */
const SHORTEST_SECRET = 8

const REDACTED = "<redacted>"

/**
 * The decoded answer, with the credential replaced in all strings and names of members. Not done on the text before it
 * is decoded: JSON has many spellings of one string. What is no JSON is not kept at all.
 */
const withoutSecrets = (body: string, credential: Credential): unknown => {
  const decoded = parse(body)
  const needles = spellingsOf(credential)
  if (decoded === NotJson || needles.length === 0) return decoded
  // Without an escape every string stands in the text as it is.
  if (!/[\\%]/.test(body) && !needles.some((needle) => body.includes(needle))) return decoded
  return walk(decoded, (text) => {
    const kept = needles.reduce((rest, needle) => rest.replaceAll(needle, REDACTED), text)
    // Percent-encoding escapes as many characters as it likes: then the whole text goes.
    if (!kept.includes("%")) return kept
    const plain = percentDecoded(kept)
    return needles.some((needle) => plain.includes(needle)) ? REDACTED : kept
  })
}

/** The platform's credential is the same object for every call; a caller's own goes with its request. */
const spellings = new WeakMap<Credential, ReadonlyArray<string>>()

const spellingsOf = (credential: Credential): ReadonlyArray<string> => {
  const known = spellings.get(credential)
  if (known !== undefined) return known
  const made = spell(credential)
  spellings.set(credential, made)
  return made
}

/** As a vendor may echo it: as it is, in a URL, or as Basic credentials, with and without padding. */
const spell = (credential: Credential): ReadonlyArray<string> => {
  const secrets = secretsOf(credential).map(Redacted.value)
  const real = secrets.filter((secret) => secret.length >= SHORTEST_SECRET)
  if (real.length === 0) return []
  const basic = credential._tag === "Client" ? [secrets.join(":")] : real.flatMap((key) => [`${key}:`, `:${key}`, key])
  const encoded = basic.flatMap((text) => [Base64.encode(text), Base64Url.encode(text)])
  const all = new Set([...real, ...real.map(percentEncoded), ...encoded, ...encoded.map(withoutPadding)])
  // One may be the beginning of another, which then would leave its end.
  return [...all].toSorted((a, b) => b.length - a.length)
}

const withoutPadding = (base64: string): string => base64.replace(/=+$/, "")

/** `encodeURIComponent`, which throws on half a surrogate pair. */
const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Never fails, unlike `decodeURIComponent`: a vendor may cut a URL anywhere. */
const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    new TextDecoder().decode(Uint8Array.from(run.slice(1).split("%"), (byte) => Number.parseInt(byte, 16)))
  )

/**
 * Rewrites all strings of a decoded body, in place. With a stack of its own: an answer may be nested deeper than
 * functions can be.
 */
const walk = (decoded: unknown, rewrite: (text: string) => string): unknown => {
  const root = [decoded]
  const open: Array<object> = [root]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const name of Object.keys(parent)) {
      const value: unknown = Reflect.get(parent, name)
      if (typeof value === "object" && value !== null) open.push(value)
      const kept = Array.isArray(parent) ? name : rewrite(name)
      const rewritten = typeof value === "string" ? rewrite(value) : value
      if (kept !== name) Reflect.deleteProperty(parent, name)
      if (kept !== name || rewritten !== value) Reflect.set(parent, kept, rewritten)
    }
  }
  return root[0]
}

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
