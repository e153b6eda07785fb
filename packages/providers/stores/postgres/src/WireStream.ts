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
}

/** `CancelRequest` and `SSLRequest` begin with a length and a code where other startup packets have a version. */
const cancelRequest = 80877102
const sslRequest = 80877103

const requestCode = (message: Buffer): number | null =>
  message.length >= 8 && message[0] === 0 ? message.readInt32BE(4) : null

const terminate = "X".charCodeAt(0)

export const make = (engine: Engine): Duplex => {
  const stream = new Duplex({
    read() {},
    // The stream hands over one chunk at a time, and waits for `done`: statements are answered in order.
    write(chunk: Buffer, _encoding, done) {
      const code = requestCode(chunk)
      if (code === cancelRequest || chunk[0] === terminate) {
        stream.push(null)
        done()
      } else if (code === sslRequest) {
        stream.push("N")
        done()
      } else {
        engine.execProtocolRaw(chunk).then(
          (answer) => {
            if (answer.length > 0) stream.push(answer)
            done()
          },
          (cause: unknown) => done(cause instanceof Error ? cause : new Error("The embedded database failed"))
        )
      }
    }
  })
  return stream
}
