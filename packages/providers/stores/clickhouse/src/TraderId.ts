/** Ids of traders: numbers of 64 bits in the store, decimal texts outside. */

const most = 2n ** 64n - 1n

const isNumber = (id: string): boolean => /^[1-9][0-9]{0,19}$/.test(id)

/** The number of an id; `null` for a text that is none, which is a trader that nobody knows. */
export const read = (id: string): bigint | null => {
  if (!isNumber(id)) return null
  const number = BigInt(id)
  return number <= most ? number : null
}

/** The numbers of ids, each once; without those that are none. */
export const readAll = (ids: ReadonlyArray<string>): ReadonlyArray<bigint> =>
  [...new Set(ids)].flatMap((id) => read(id) ?? [])

/** As the largest number is written: of numbers of as many digits the order of the texts is theirs. */
const longest = `${most}`

/** An id as it stands in a line; `0`, which is nobody, for a text that is none. */
export const written = (id: string | null): string =>
  id !== null && isNumber(id) && (id.length < longest.length || id <= longest) ? id : "0"
