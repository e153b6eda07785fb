/**
 * PGlite as a connection: a stream that `@effect/sql-pg` writes protocol messages to and reads answers from.
 *
 * Gotchas: PGlite has one session, so there is one such stream at a time. It answers the startup packet itself. It
 * cannot cancel: a cancel request comes on a stream of its own, which is closed without an answer, and the statement
 * runs to its end. A `Terminate` ends the stream and not the engine.
 */
import { Duplex } from "node:stream"

/** The part of PGlite that is used. */
export interface Engine {
  readonly execProtocolRaw: (message: Uint8Array) => Promise<Uint8Array>
  readonly execProtocolRawStream: (
    message: Uint8Array,
    options: { readonly onRawData: (data: Uint8Array) => void }
  ) => Promise<void>
}

/** `CancelRequest` and `SSLRequest` begin with a length and a code where other startup packets have a version. */
const cancelRequest = 80877102
const sslRequest = 80877103

/** `N`: no TLS here. */
const refusal = new TextEncoder().encode("N")

const requestCode = (message: Uint8Array): number | null =>
  message.length >= 8 && message[0] === 0 ? new DataView(message.buffer, message.byteOffset).getInt32(4) : null

const terminate = "X".charCodeAt(0)

/**
 * The answer to one message. Only the startup packet goes through `execProtocolRaw`, which reads every answer itself and
 * keeps what it has read; pieces are copied, since the engine writes the next one into the same memory.
 */
const exchange = async (engine: Engine, message: Uint8Array, code: number | null): Promise<Uint8Array> => {
  if (code !== null) return engine.execProtocolRaw(message)
  const pieces: Array<Uint8Array> = []
  await engine.execProtocolRawStream(message, { onRawData: (piece) => void pieces.push(piece.slice()) })
  return Buffer.concat(pieces)
}

export const make = (engine: Engine): Duplex =>
  // One chunk at a time, and the next one after its answer: statements are answered in order.
  Duplex.from(async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      const code = requestCode(chunk)
      if (code === cancelRequest || chunk[0] === terminate) return
      if (code === sslRequest) yield refusal
      else {
        const answer = await exchange(engine, chunk, code)
        if (answer.length > 0) yield answer
      }
    }
  })
