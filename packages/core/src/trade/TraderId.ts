/**
 * Which trader a party is, told by the party alone: no table of traders is kept, so that files can be imported by many
 * processes, in any order and again, and the same party has the same identity on every machine and in every version.
 *
 * By its tax id and the country of it; without one by its name and country. The name is its words without legal form, in
 * alphabetical order: declarations write `GARCIA PEREZ JUAN` and `JUAN GARCIA PEREZ`, `FOODS BELKATOR` and `BELKATOR
 * FOODS`, and hardly ever are two traders of a country told apart by the order of their words. Numbers are words like any
 * other, so that names that differ in one are two traders.
 *
 * Gotchas
 * - It never guesses: a mistyped, abbreviated or cut name is a trader of its own, and so is a name of which one record
 *   says the country and another does not. What may be one trader is the question of `TraderMatch`.
 * - A change of what is written here, or of how names are read, gives traders other ids: a store has to be filled anew.
 */
import type { Party } from "./TradeRecord.ts"
import * as TraderKeys from "./TraderKeys.ts"
import * as TraderName from "./TraderName.ts"

/** Two lanes of 32 bits over the UTF-16 units of a text: multiply and rotate, and mixed with each other at the end. */
class Lanes {
  private a = 0x9ae16a3b
  private b = 0x2f90404f

  add(text: string): void {
    let [a, b] = [this.a, this.b]
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      a = Math.imul(a ^ unit, 0x85ebca6b)
      a = (a << 13) | (a >>> 19)
      b = Math.imul(b ^ (unit + 0x7f4a7c15), 0xc2b2ae35)
      b = (b << 17) | (b >>> 15)
    }
    // What is behind a part is not the beginning of the next.
    this.a = Math.imul(a ^ 0x1f, 0x27d4eb2f) ^ text.length
    this.b = Math.imul(b ^ 0x1f, 0x165667b1) ^ text.length
  }

  /** The number of both lanes in decimal digits; never 0, which stores have for nobody. */
  toDecimal(): string {
    const [high, low] = [mixed(this.a ^ mixed(this.b)), mixed(this.b + Math.imul(mixed(this.a), 0x9e3779b1))]
    return decimal(high, high === 0 && low === 0 ? 1 : low)
  }
}

/** Every bit of the result depends on every bit of a number. */
const mixed = (number: number): number => {
  let bits = number | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Seven digits: a part that engines write fast. */
const PART = 1e7

/** `high` times 2^32 and `low`, exactly: divided by the size of a part sixteen bits at a time. */
const decimal = (high: number, low: number): string => {
  // The first division: four digits of 16 bits, of which the first is less than a part.
  const [b, rest1] = divided(high >>> 16, high & 0xffff)
  const [c, rest2] = divided(rest1, low >>> 16)
  const [d, last] = divided(rest2, low & 0xffff)
  const [e, rest3] = divided(b, c)
  const [f, middle] = divided(rest3, d)
  const first = e * 0x1_0000 + f
  if (first > 0) return `${first}${String(PART + middle).slice(1)}${String(PART + last).slice(1)}`
  return middle > 0 ? `${middle}${String(PART + last).slice(1)}` : String(last)
}

const divided = (rest: number, digit: number): readonly [whole: number, rest: number] => {
  const part = rest * 0x1_0000 + digit
  const whole = Math.floor(part / PART)
  return [whole, part - whole * PART]
}

/** Of the same inputs the same decimal number below 2^64. */
export const identity = (
  kind: "company" | "name" | "tax",
  country: string | null,
  words: ReadonlyArray<string>
): string => {
  const lanes = new Lanes()
  lanes.add(kind)
  lanes.add(country === null ? "" : country.toUpperCase())
  for (const word of words) lanes.add(word)
  return lanes.toDecimal()
}

/** By code unit; each word is put in its place, since names have few. */
const inOrder = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (words.length < 2) return words
  const sorted = [...words]
  for (let from = 1; from < sorted.length; from++) {
    const word = sorted[from] ?? ""
    let at = from
    for (; at > 0 && (sorted[at - 1] ?? "") > word; at--) sorted[at] = sorted[at - 1] ?? ""
    sorted[at] = word
  }
  return sorted
}

/**
 * A decimal number that fits 64 bits without sign and is not 0; `null` where nobody is named: no name and no tax id, or
 * a placeholder such as `TO ORDER`.
 */
export const of = ({ country, name, tax_id }: Pick<Party, "country" | "name" | "tax_id">): string | null => {
  const tax = tax_id === null ? null : TraderKeys.taxId(tax_id)
  if (tax !== null) return identity("tax", country, [tax])
  if (name === null) return null
  const { placeholder, words } = TraderName.read(name)
  if (placeholder || words.length === 0) return null
  return identity("name", country, inOrder(words))
}
