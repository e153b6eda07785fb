/**
 * Repeatable chance: numbers that depend on a key only, so that the same key gives the same choice in every process
 * and in any order of asking.
 */

/** FNV-1a, then a finaliser so that keys that differ in their last letter give unlike numbers. */
const hash = (key: string): number => {
  let h = 0x811c9dc5
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The choices that belong to one subject; `about` tells its choices apart. */
export interface Chance {
  /** From 0 to below 1. */
  readonly fraction: (about: string) => number
  /** A whole number from `min` to `max`, both included. */
  readonly int: (about: string, min: number, max: number) => number
  /** True in `share` of the cases. */
  readonly maybe: (about: string, share: number) => boolean
  readonly pick: <A>(about: string, from: readonly [A, ...Array<A>]) => A
  /** `count` different ones, in the order of `from`. */
  readonly sample: <A>(about: string, from: ReadonlyArray<A>, count: number) => ReadonlyArray<A>
}

export const chance = (subject: string): Chance => {
  const fraction = (about: string) => hash(`${subject}/${about}`) / 0x1_0000_0000
  const int = (about: string, min: number, max: number) => min + Math.floor(fraction(about) * (max - min + 1))
  return {
    fraction,
    int,
    maybe: (about, share) => fraction(about) < share,
    pick: (about, from) => from[int(about, 0, from.length - 1)] ?? from[0],
    sample: (about, from, count) => {
      const chosen = new Set(
        from
          .map((_, position) => ({ position, rank: fraction(`${about}/${position}`) }))
          .toSorted((a, b) => a.rank - b.rank)
          .slice(0, count)
          .map(({ position }) => position)
      )
      return from.filter((_, position) => chosen.has(position))
    }
  }
}
