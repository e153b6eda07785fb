/**
 * `pnpm bench names`: how well names are told to be of one trader, on 418 labelled pairs in a dozen scripts and languages
 * (`pairs.tsv`), and how fast. Precision, recall and F1 of `TraderMatch.score` at several thresholds, on all pairs and on
 * the half that is kept aside; right answers by kind at the documented threshold. Then what identities do with the names
 * of generated trade, and how many identities and comparisons a second there are.
 *
 * - `--errors`: prints the pairs that are answered wrong; of those kept aside only how many.
 * - `--quick`: less generated trade; nothing is written.
 */
import { parseArgs } from "node:util"
import { TraderId, TraderMatch } from "@lading/core/trade"
import * as Measure from "../Measure.ts"
import * as Identities from "./Identities.ts"
import * as Pairs from "./Pairs.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, errors: { type: "boolean", default: false } }
})

interface Scored extends Pairs.Labelled {
  readonly match: TraderMatch.Match
}

const matchOf = ({ country, name, other, other_country }: Pairs.Labelled): TraderMatch.Match =>
  TraderMatch.score({ name, country, tax_id: null }, { name: other, aliases: [], country: other_country, tax_ids: [] })

const figuresOf = (scored: ReadonlyArray<Scored>, threshold: number) => {
  const count = (same: boolean, found: boolean) =>
    scored.filter((pair) => pair.same === same && pair.match.score >= threshold === found).length
  const [right, missed, wrong] = [count(true, true), count(true, false), count(false, true)]
  const precision = right / Math.max(1, right + wrong)
  const recall = right / Math.max(1, right + missed)
  return {
    threshold,
    pairs: scored.length,
    precision,
    recall,
    f1: (2 * right) / Math.max(1, 2 * right + wrong + missed)
  }
}

const isRight = ({ match, same }: Scored): boolean => match.score >= TraderMatch.THRESHOLD === same

const thresholds = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]

const kindsOf = (scored: ReadonlyArray<Scored>) =>
  [...Map.groupBy(scored, ({ kind, same }) => `${same ? "same" : "different"}: ${kind}`)].map(([kind, pairs]) => ({
    kind,
    pairs: pairs.length,
    right: pairs.filter(isRight).length,
    aside: pairs.filter(({ aside }) => aside).length,
    right_aside: pairs.filter((pair) => pair.aside && isRight(pair)).length
  }))

/** How often a second, by CPU time, the median of some rounds. */
const rate = (jobs: number, round: () => void): number => {
  round()
  return Measure.median(
    Array.from({ length: 5 }, () => {
      const before = process.cpuUsage()
      round()
      const { system, user } = process.cpuUsage(before)
      return jobs / ((user + system) / 1e6)
    })
  )
}

const pairs = await Pairs.read()
const scored = pairs.map((pair): Scored => ({ ...pair, match: matchOf(pair) }))
const aside = scored.filter((pair) => pair.aside)
const tuned = scored.filter((pair) => !pair.aside)
const accuracy = thresholds.map((threshold) => ({
  threshold,
  all: figuresOf(scored, threshold),
  tuned: figuresOf(tuned, threshold),
  aside: figuresOf(aside, threshold)
}))
const kinds = kindsOf(scored)

console.log(
  `${pairs.length} pairs, ${pairs.filter(({ same }) => same).length} of one trader, ${aside.length} kept aside`
)
console.table(
  accuracy.map(({ all, aside, threshold, tuned }) => ({
    threshold,
    precision: all.precision.toFixed(3),
    recall: all.recall.toFixed(3),
    F1: all.f1.toFixed(3),
    "F1 tuned": tuned.f1.toFixed(3),
    "precision aside": aside.precision.toFixed(3),
    "recall aside": aside.recall.toFixed(3),
    "F1 aside": aside.f1.toFixed(3)
  }))
)
console.table(kinds)
if (values.errors) {
  for (const { kind, match, name, other, same } of tuned.filter((pair) => !isRight(pair))) {
    console.log(
      `${same ? "same" : "different"} ${kind}: ${name} | ${other}: ${match.score.toFixed(3)} ${match.reasons.join(" ")}`
    )
  }
  console.log(`${aside.filter((pair) => !isRight(pair)).length} of those kept aside`)
}

const identities = Identities.measure(values.quick ? 20_000 : 200_000)
console.log("Identities of the names of generated trade, without tax ids and with every country known")
console.table(identities.kinds)
console.table([identities.traders])

const parties = Identities.parties(values.quick ? 20_000 : 200_000)
const speed = {
  matches_per_second: rate(pairs.length * 20, () => {
    for (let round = 0; round < 20; round++) for (const pair of pairs) matchOf(pair)
  }),
  ids_per_second: rate(parties.length, () => {
    for (const party of parties) TraderId.of(party)
  })
}
console.table([speed])
if (!values.quick) {
  const threshold = TraderMatch.THRESHOLD
  await Measure.write("names", {
    threshold,
    at_threshold: { all: figuresOf(scored, threshold), aside: figuresOf(aside, threshold) },
    accuracy,
    kinds,
    identities,
    speed
  })
}
