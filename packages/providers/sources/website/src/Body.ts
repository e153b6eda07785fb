/**
 * The body of an answer, within a limit that counts for what comes over the wire and for what it is decompressed to:
 * whichever is reached first ends it, and what was read by then is what there is.
 *
 * Gotchas
 * - A stream of empty compressed blocks gives nothing and never ends, hence the limit on the wire.
 * - An end that is missing is forgiven, as browsers do; compressed garbage is not.
 */
import { PageError } from "@lading/core/contact"
import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import * as Zlib from "node:zlib"

export const acceptEncoding = "gzip, deflate, br"

export type Result =
  /** `whole`: the answer was read to its end, so that its connection may serve again. */
  | { readonly body: Uint8Array; readonly whole: boolean }
  /** Of the connection (`error`), or of what came over it. */
  | { readonly trouble: PageError.PageUnreadable | null; readonly error: unknown }

const inflate = { finishFlush: Zlib.constants.Z_SYNC_FLUSH }

/** `null` for a body that is as it is, `undefined` for an encoding that was not asked for. */
const decoderOf = (encoding: string): (Zlib.Gunzip | Zlib.BrotliDecompress) | null | undefined => {
  switch (encoding.trim().toLowerCase()) {
    case "":
    case "identity":
      return null
    case "gzip":
    case "x-gzip":
    case "deflate":
      // Reads gzip and zlib, whichever it is: servers mix them up.
      return Zlib.createUnzip(inflate)
    case "br":
      return Zlib.createBrotliDecompress({ finishFlush: Zlib.constants.BROTLI_OPERATION_FLUSH })
    default:
      return undefined
  }
}

const unreadable = (problem: string): Result => ({ trouble: new PageError.PageUnreadable({ problem }), error: null })

/** The first `size` bytes. */
const joined = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, size - at), at)
    at += Math.min(chunk.length, size - at)
  }
  return bytes
}

/** Reads the body and says once what came of it. Whoever calls ends the connection where it is not `whole`. */
export const read = (response: IncomingMessage, limit: number, done: (result: Result) => void): void => {
  const decoder = decoderOf(response.headers["content-encoding"] ?? "")
  if (decoder === undefined) return done(unreadable("an encoding that was not asked for"))
  const chunks: Array<Uint8Array> = []
  let size = 0
  let wire = 0
  let ended = false
  const finish = (result: Result) => {
    if (ended) return
    ended = true
    decoder?.destroy()
    done(result)
  }
  const bodyOf = (whole: boolean): Result => ({ body: joined(chunks, Math.min(size, limit)), whole })
  const take = (chunk: Uint8Array) => {
    if (ended) return
    chunks.push(chunk)
    size += chunk.length
    if (size >= limit) finish(bodyOf(false))
  }
  const source: Readable = decoder === null ? response : response.pipe(decoder)
  response.on("data", (chunk: Uint8Array) => {
    wire += chunk.length
    if (wire > limit) finish(bodyOf(false))
  })
  source.on("data", take)
  source.on("end", () => finish(bodyOf(true)))
  response.on("error", (error) => finish({ trouble: null, error }))
  decoder?.on("error", () => finish(size > 0 ? bodyOf(false) : unreadable("a body that cannot be decompressed")))
}
