/**
 * Remembers what was made of the texts that came last: names and descriptions come again and again. At most twice
 * `capacity` results are kept; those that were not asked for in the meantime go.
 *
 * Gotcha: a text that was cut out of a block of a file keeps the whole block in memory. What is remembered is of a copy.
 */
const alone = (text: string): string => ` ${text}`.slice(1)

export const remembering = <A>(capacity: number, make: (text: string) => A): ((text: string) => A) => {
  let [young, old] = [new Map<string, A>(), new Map<string, A>()]
  return (text) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const own = alone(text)
    const made = old.get(own) ?? make(own)
    if (young.size >= capacity) [old, young] = [young, new Map()]
    young.set(own, made)
    return made
  }
}
