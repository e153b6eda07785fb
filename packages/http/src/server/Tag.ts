/** Tags of answers that clients may keep, and whether one that a client has is still the answer's (RFC 9110, 13.1.2). */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import type { HttpServerRequest } from "effect/http"

/** For the header `ETag`: the same for the same content. */
export const of = (content: string) =>
  Effect.flatMap(Digest.Digest, (digest) =>
    Effect.map(digest.digestHex(Digest.sha256, new TextEncoder().encode(content)), (hash) => `"${hash.slice(0, 32)}"`)
  )

/** Whether the client has it already. */
export const isKnown = ({ headers }: HttpServerRequest.HttpServerRequest, etag: string): boolean =>
  (headers["if-none-match"] ?? "").split(",").some((one) => [etag, "*"].includes(one.trim().replace(/^W\//, "")))
