/**
 * Random bytes in advance: every request has an id, and asking the system for a few bytes costs as much as asking for
 * thousands. Each byte is given out once.
 */
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomFillSync } from "node:crypto"

const capacity = 8192

/** Larger wishes are drawn for themselves. */
const longest = 256

const make = (): ((size: number) => Uint8Array) => {
  const pool = new Uint8Array(capacity)
  let used = capacity
  return (size) => {
    if (size > longest) return randomFillSync(new Uint8Array(size))
    if (used + size > capacity) {
      randomFillSync(pool)
      used = 0
    }
    used += size
    // A copy: what was given out is overwritten by the next draw.
    return pool.slice(used - size, used)
  }
}

export const layer: Layer.Layer<SecureRandom.SecureRandom> = Layer.sync(SecureRandom.SecureRandom, () =>
  SecureRandom.make(make())
)
