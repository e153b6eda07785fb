/**
 * Functions of texts that come again and again, remembered up to a bound.
 *
 * Gotcha: a text cut out of a block of a file keeps the whole block in memory, as engines make strings. What is remembered
 * is a copy of its own, or a thousand country names would hold a thousand blocks.
 */

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Shorter ones are copied by the engine. */
const SHORT = 13

const alone = (text: string): string => (text.length < SHORT ? text : decoder.decode(encoder.encode(text)))

const MOST = 20_000
/** Longer texts hardly come twice. */
const LONGEST = 100

/** What `read` gives for `undefined` is asked for anew each time. */
export const remembering = <A>(read: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    if (text.length > LONGEST) return read(text)
    const before = known.get(text)
    if (before !== undefined) return before
    const own = alone(text)
    const found = read(own)
    if (known.size >= MOST) known.clear()
    known.set(own, found)
    return found
  }
}
