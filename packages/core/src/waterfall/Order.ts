/**
 * The order of sources that costs least: pure, from what a call costs and how often it finds something.
 */

export interface Candidate {
  readonly source: string
  /** Price of a call, whatever comes of it. */
  readonly perCall: number
  /** Price of a call that hits, on top. */
  readonly perHit: number
  /** Price of verifying a hit. */
  readonly verify: number
  /** Share of calls that hit, 0 to 1. */
  readonly hitRate: number
  /** Share of hits that pass verification, 0 to 1. */
  readonly passRate: number
}

/** What is paid on average until this source alone has given one hit that passes; infinite for one that never does. */
export const pricePerPass = ({ perCall, perHit, verify, hitRate, passRate }: Candidate): number =>
  // Not over one fraction line: where only hits cost, equal prices must come out equal, whatever the hit rates are.
  hitRate * passRate === 0 ? Number.POSITIVE_INFINITY : perCall / (hitRate * passRate) + (perHit + verify) / passRate

/** What asking in this order until the first hit that passes costs on average, for independent sources. */
export const expectedCost = (order: ReadonlyArray<Candidate>): number => {
  let reached = 1
  let cost = 0
  for (const { perCall, perHit, verify, hitRate, passRate } of order) {
    cost += reached * (perCall + hitRate * (perHit + verify))
    reached *= 1 - hitRate * passRate
  }
  return cost
}

/** Ascending by `pricePerPass`, equal ones as they stand: no other order of independent sources has a smaller `expectedCost`. */
export const cheapest = <One extends Candidate>(candidates: ReadonlyArray<One>): ReadonlyArray<One> =>
  candidates.toSorted((a, b) => {
    const [x, y] = [pricePerPass(a), pricePerPass(b)]
    return x === y ? 0 : x - y
  })
