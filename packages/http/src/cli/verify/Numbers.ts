/**
 * The mailboxes of a file, numbered from 0 in the order in which they first come, by digests of 64 bits: 24 bytes for each,
 * however long the addresses are. Whoever gives a row the answer of a number compares the addresses: should two ever share
 * a digest, the second one has no answer, and not that of another.
 */
import { createHash } from "node:crypto"

const FIRST = 1024

const digestOf = (key: string): bigint => createHash("sha256").update(key).digest().readBigUInt64LE(0)

export class Numbers {
  #digests = new BigUint64Array(FIRST)
  /** One more than the number; 0 is a free place. */
  #numbers = new Uint32Array(FIRST)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Its number, and whether it is a new one. */
  readonly of = (key: string): { readonly number: number; readonly isNew: boolean } => {
    if (2 * this.#size >= this.#numbers.length) this.#grow()
    const digest = digestOf(key)
    const place = this.#place(digest)
    const known = this.#numbers[place] ?? 0
    if (known !== 0) return { number: known - 1, isNew: false }
    this.#digests[place] = digest
    this.#numbers[place] = ++this.#size
    return { number: this.#size - 1, isNew: true }
  }

  /** Where it stands, or the free place where it belongs. */
  #place(digest: bigint): number {
    const last = this.#numbers.length - 1
    let place = Number(digest & BigInt(last))
    while (this.#numbers[place] !== 0 && this.#digests[place] !== digest) place = (place + 1) & last
    return place
  }

  #grow(): void {
    const [digests, numbers] = [this.#digests, this.#numbers]
    this.#digests = new BigUint64Array(2 * digests.length)
    this.#numbers = new Uint32Array(2 * numbers.length)
    for (const [place, number] of numbers.entries()) {
      const digest = digests[place]
      if (number === 0 || digest === undefined) continue
      const to = this.#place(digest)
      this.#digests[to] = digest
      this.#numbers[to] = number
    }
  }
}
