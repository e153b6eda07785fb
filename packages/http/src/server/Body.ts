/**
 * The body of a request: JSON in UTF-8, of bounded length. It is read once; the bytes serve the fingerprint of a
 * repeatable request, and what they decode to serves the use case.
 *
 * - `application/json` with any parameters; another type, none at all with a body, or a compressed body is refused (415).
 * - A byte order mark is tolerated; text that is not UTF-8 is refused.
 * - Beyond the limit nothing more is read: a declared length is refused unread, a chunked body at the first byte too many.
 */
import { ByteSize, Effect, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import * as Refusal from "../api/Refusal.ts"
import * as Details from "./Details.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })

type Request = HttpServerRequest.HttpServerRequest

const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** The media type of a body, in lower case and without parameters. */
export const mediaType = ({ headers }: Request): string | undefined =>
  headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase()

/** Whether it is sent uncompressed. */
export const isPlain = ({ headers }: Request): boolean =>
  headers["content-encoding"] === undefined || headers["content-encoding"].toLowerCase() === "identity"

const notJson = (request_id: string, message: string) =>
  new Refusal.InvalidRequest({ request_id, message, details: [{ path: "", message }] })

/** What an endpoint takes beside JSON. */
export interface Taken {
  /** The longest body in bytes. */
  readonly limit: number
  /** Media types beside `application/json`. */
  readonly types?: ReadonlyArray<string>
}

/** The bytes of a body. */
export const read = Effect.fnUntraced(function* (request: Request, { limit, types = [] }: Taken, request_id: string) {
  if (!hasBody(request) && request.headers["content-type"] === undefined) {
    return yield* notJson(request_id, "Expected a JSON body, got none")
  }
  const taken = ["application/json", ...types]
  if (!taken.includes(mediaType(request) ?? "") || !isPlain(request)) {
    const message = `Expected an uncompressed body of type ${taken.join(" or ")}`
    return yield* new Refusal.UnsupportedMediaType({ request_id, message })
  }
  // Made only where it is needed: an error looks at its stack.
  const tooLarge = () =>
    new Refusal.PayloadTooLarge({ request_id, message: `Expected a body of at most ${limit} bytes` })
  if (Number(request.headers["content-length"] ?? 0) > limit) return yield* tooLarge()
  return yield* request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limit)),
    Effect.map((buffer) => new Uint8Array(buffer)),
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
        ? tooLarge()
        : notJson(request_id, "The body ended before it was complete")
    )
  )
})

/** Values of a body all of whose faults are named: each of them may be one, and naming them takes time. */
const mostValues = 50_000

/** Whether the values in it, however deep, are more than so many. */
const isMore = (value: unknown, most: number): boolean => {
  const waiting: Array<unknown> = [value]
  let count = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (++count + waiting.length > most) return true
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) waiting.push(inner)
  }
  return false
}

/** A judge of JSON by this schema, made once; it names every wrong field, of a very large body the first. */
export const judge = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  const nameAll = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (json: unknown, request_id: string): Effect.Effect<A, Refusal.InvalidRequest> =>
    decode(json).pipe(
      Effect.catch((first) => (isMore(json, mostValues) ? Effect.fail(first) : nameAll(json))),
      Effect.mapError(({ issue }) => {
        const details = Details.fromIssue(issue)
        return new Refusal.InvalidRequest({ request_id, message: "The request has wrong fields, see details", details })
      })
    )
}

/** A decoder for bodies of this schema, made once. */
export const decoder = <A, I>(schema: Schema.Codec<A, I>) => {
  const judged = judge(schema)
  return Effect.fnUntraced(function* (bytes: Uint8Array, request_id: string) {
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(utf8.decode(bytes)),
      // The parser's own message quotes the body.
      catch: () => notJson(request_id, "Expected JSON in UTF-8")
    })
    return yield* judged(json, request_id)
  })
}
