/**
 * Who trades with whom: a relation is one importer, one exporter and one good, declared in one publication, with a life:
 * it begins, grows, may pause, may die. As with traders, it is its number and is not kept.
 */
import type { Dice } from "./Dice.ts"
import { type Good, goods, type Sector, sectors } from "./Goods.ts"
import { type LandCode, places, type Publication, publications } from "./Lands.ts"
import { placesOf, sectorOf } from "./Trader.ts"

export interface Relation {
  readonly number: number
  readonly publication: Publication
  /** Numbers of traders. */
  readonly importer: number
  readonly exporter: number
  readonly good: Good
  /** Months since the first month of the data set; negative where it is older. The end is the first month without. */
  readonly begins: number
  readonly ends: number
  readonly pause_begins: number
  readonly pause_ends: number
  /** Months until it has its full size. */
  readonly grows: number
  /** Kilograms of a usual consignment. */
  readonly usual_kg: number
  readonly air: boolean
}

/** How many there are of everything, and of which seed. */
export interface Size {
  readonly seed: number
  readonly months: number
  readonly traders: number
  readonly relations: number
}

const never = Number.MAX_SAFE_INTEGER

/** Traders of a country are few large ones and many small ones; one in ten deals on the side that is not its usual. */
const traderIn = (dice: Dice, size: Size, land: LandCode, side: 0 | 1): number => {
  const place = dice.pick(placesOf.get(land) ?? [0])
  const ranks = Math.floor(size.traders / places.length / 2)
  const usual = dice.maybe(0.1) ? 1 - side : side
  return (2 * dice.rank(ranks, 0.85) + usual) * places.length + place
}

const abroad = (dice: Dice, land: LandCode): LandCode => {
  for (;;) {
    const other = places[dice.below(places.length)]
    if (other !== undefined && other !== land) return other
  }
}

const publicationOf = (dice: Dice): Publication => {
  let left = dice.next()
  for (const publication of publications) {
    left -= publication.share
    if (left < 0) return publication
  }
  return publications[0]
}

const bySector: ReadonlyMap<Sector, readonly [Good, ...ReadonlyArray<Good>]> = new Map(
  sectors.map((sector) => {
    const [first = goods[0], ...more] = goods.filter((good) => good.sector === sector)
    return [sector, [first, ...more]]
  })
)

/** Mostly what the exporter's business is; a tenth of it is anything. */
const goodOf = (dice: Dice, size: Size, exporter: number): Good =>
  dice.pick(dice.maybe(0.1) ? goods : (bySector.get(sectorOf(size.seed, exporter)) ?? goods))

type Life = Pick<Relation, "begins" | "ends" | "grows" | "pause_begins" | "pause_ends">

/** Half are older than the data set; a third of all die within it; one in seven rests for a while. */
const lifeOf = (dice: Dice, { months }: Size): Life => {
  const old = dice.maybe(0.5)
  const begins = old ? -1 - dice.below(48) : dice.below(months)
  const dies = dice.maybe(0.35)
  const ends = dies ? Math.max(begins, 0) + 3 + dice.below(months) : never
  const pauses = dice.maybe(0.15)
  const pause_begins = pauses ? Math.max(begins, 0) + 2 + dice.below(months) : never
  return {
    begins,
    ends,
    pause_begins,
    pause_ends: pauses ? pause_begins + 4 + dice.below(16) : never,
    grows: 3 + dice.below(24)
  }
}

/** Relation 0 never ends, so that there is always somebody to trade. */
const always: Life = { begins: -60, ends: never, grows: 1, pause_begins: never, pause_ends: never }

export const makeRelation = (dice: Dice, size: Size, number: number): Relation => {
  dice.of(size.seed, 7, number)
  const publication = publicationOf(dice)
  const { flow, land, sea_only } = publication
  const partner = abroad(dice, land)
  const importer = traderIn(dice, size, flow === "import" ? land : partner, 0)
  const exporter = traderIn(dice, size, flow === "export" ? land : partner, 1)
  const good = goodOf(dice, size, exporter)
  const drawn = lifeOf(dice, size)
  const { begins, ends, grows, pause_begins, pause_ends } = number === 0 ? always : drawn
  // Exponential of a bell-shaped number: consignments differ by powers of ten.
  const bell = dice.next() + dice.next() + dice.next() - 1.5
  const air = !sea_only && dice.maybe(good.air ? 0.8 : 0.04)
  return {
    number,
    publication,
    importer,
    exporter,
    good,
    begins,
    ends,
    grows,
    pause_begins,
    pause_ends,
    usual_kg: (air ? 90 : 6000) * Math.exp(1.6 * bell),
    air
  }
}

/** How lively a relation is in a month: 0 where it does not trade, 1 at its best. */
export const liveliness = (relation: Relation, month: number, monthOfYear: number): number => {
  const { begins, ends, good, grows, pause_begins, pause_ends } = relation
  if (month < begins || month >= ends || (month >= pause_begins && month < pause_ends)) return 0
  const size = Math.min(1, 0.3 + (0.7 * (month - begins)) / grows)
  const season = 1 + good.swing * Math.cos(((monthOfYear - good.peak) * Math.PI) / 6)
  return (size * season) / (1 + good.swing)
}
