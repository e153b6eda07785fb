/**
 * Plausible trade in any amount: record `i` follows from the seed and `i` alone, so that processes can make parts of one
 * data set, and nothing is kept but a bounded memory of names. Records are in the order of their months.
 *
 * What is in it: sources of both flows with the gaps of true ones, few large traders and many small, relations that
 * begin, grow, pause and die, seasons, names in many spellings whose true trader is known, house bills under master
 * bills, and corrected versions of bills. Every record says that it is synthetic.
 *
 * Gotcha: a corrected bill stands where its correction was published, in the same month and with the key of the first
 * version: there are fewer bills than records.
 */
import type { TradeRecord } from "@lading/core/trade"
import { Dice, mix } from "./Dice.ts"
import { type Land, type LandCode, lands, type Port, type Publication } from "./Lands.ts"
import { liveliness, makeRelation, type Relation, type Size } from "./Relation.ts"
import { draw, printed, spell } from "./Spelling.ts"
import { landOf, makeTrader, type Trader } from "./Trader.ts"

export interface Options {
  readonly seed?: number
  /** How many records, at most 2^31. */
  readonly records: number
  /** The first month, `YYYY-MM`. */
  readonly from?: string
  readonly months?: number
}

/** A record and the truth about its parties. */
export interface Generated {
  readonly record: TradeRecord.TradeRecord
  /** Numbers of the traders that are meant, whether the record names them or not. */
  readonly importer: number
  readonly exporter: number
  readonly relation: number
}

export interface SyntheticTrade {
  readonly records: number
  /** How many traders there may be; the smallest ones may trade nothing. */
  readonly traders: number
  readonly relations: number
  /** First record of each month, and behind the last one the number of records. */
  readonly shards: ReadonlyArray<number>
  readonly at: (index: number) => Generated
  /** Records from `from` to before `to`, one after the other. */
  readonly stream: (from?: number, to?: number) => Generator<Generated, void, void>
  readonly trader: (number: number) => Trader
}

/** A month of the data set. */
interface Month {
  readonly number: number
  readonly ofYear: number
  /** `YYYY-MM-` */
  readonly prefix: string
  /** `YYYYMM` */
  readonly compact: string
  readonly days: number
}

const monthAt = (from: string, number: number): Month => {
  const first = Number(from.slice(0, 4)) * 12 + Number(from.slice(5, 7)) - 1
  const [year, month] = [Math.floor((first + number) / 12), (first + number) % 12]
  const twoDigits = String(month + 1).padStart(2, "0")
  return {
    number,
    ofYear: month + 1,
    prefix: `${year}-${twoDigits}-`,
    compact: `${year}${twoDigits}`,
    days: new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  }
}

/** Trade grows by some percents a year. */
const shardsOf = (records: number, months: number): ReadonlyArray<number> => {
  const weights = Array.from({ length: months }, (_, month) => 1 + 0.005 * month)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let before = 0
  const starts = weights.map((weight) => {
    const start = Math.floor((records * before) / whole)
    before += weight
    return start
  })
  return [...starts, records]
}

const sizeOf = (options: Options): Size => ({
  seed: options.seed ?? 1,
  months: options.months ?? 60,
  relations: Math.min(4_000_000, Math.max(64, Math.floor(options.records / 25))),
  traders: 128 * Math.max(2, Math.min(12_000, Math.ceil(options.records / 25 / 3 / 128)))
})

/** One record in fifty is a correction of an earlier one of its month. */
const CORRECTED = 0.04
const REACH = 2000

/**
 * Keeps what was made for keys below `capacity`: low numbers are the large traders and relations, which come again and
 * again. What is rare is made anew, since keeping it would cost more than making it.
 */
const remembering = <A>(capacity: number, make: (key: number) => A): ((key: number) => A) => {
  const kept: Array<A | undefined> = Array.from({ length: capacity })
  return (key) => (key < capacity ? (kept[key] ??= make(key)) : make(key))
}

/** The data set of these options; making it costs next to nothing. */
export const make = (options: Options): SyntheticTrade => {
  const size = sizeOf(options)
  const { seed } = size
  const shards = shardsOf(options.records, size.months)
  const months = Array.from({ length: size.months }, (_, number) => monthAt(options.from ?? "2021-01", number))
  const dice = new Dice()
  const another = new Dice()
  const trader = remembering(2 ** 15, (number) => makeTrader(seed, number))
  const spelled = remembering(2 ** 19, (key) =>
    printed(spell(seed, trader(key >>> 5), (key >>> 1) & 15), key % 2 === 1)
  )
  const relation = remembering(2 ** 15, (number) => makeRelation(another, size, number))
  const writer = makeWriter({ trader, spelled })

  /** Chosen by size and by how lively it is in that month. */
  const relationOf = (index: number, month: Month): Relation => {
    dice.of(seed, 11, index)
    for (let attempt = 0; attempt < 200; attempt++) {
      const candidate = relation(dice.rank(size.relations, 0.75))
      if (dice.next() < liveliness(candidate, month.number, month.ofYear)) return candidate
    }
    return relation(0)
  }

  const monthOf = (index: number): Month => {
    let [low, high] = [0, size.months - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((shards[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return months[low] ?? monthAt("2021-01", 0)
  }

  const at = (index: number): Generated => {
    const month = monthOf(index)
    const place = index - (shards[month.number] ?? 0)
    // Corrections stand at odd places and correct even ones: nothing is a correction of a correction.
    const lot = mix(index ^ mix(seed + 31))
    const corrects = place % 2 === 1 && lot / 0x1_0000_0000 < CORRECTED
    const back = corrects ? 1 + 2 * (mix(lot) % Math.min(REACH, (place + 1) / 2)) : 0
    const chosen = relationOf(index - back, month)
    return {
      record: writer(dice, chosen, month, index - back, back),
      importer: chosen.importer,
      exporter: chosen.exporter,
      relation: chosen.number
    }
  }

  return {
    records: options.records,
    traders: size.traders,
    relations: size.relations,
    shards,
    at,
    *stream(from = 0, to = options.records) {
      for (let index = from; index < to; index++) yield at(index)
    },
    trader
  }
}

interface Writing {
  readonly trader: (number: number) => Trader
  /** By the trader's number, five bits further up, the spelling's number above the last bit, and that one for capitals. */
  readonly spelled: (key: number) => string
}

type Write = (dice: Dice, relation: Relation, month: Month, bill: number, back: number) => TradeRecord.TradeRecord

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

/** Kilograms, USD and units of a consignment. */
const consignment = (dice: Dice, { good, publication, usual_kg }: Relation, back: number) => {
  const said = usual_kg * Math.exp(dice.next() + dice.next() - 1) * (back === 0 ? 1 : 1 + (back % 7) / 50)
  const units = Math.max(1, Math.round(said / good.unit_kg))
  const net = units * good.unit_kg
  // With freight and insurance it is some percents more.
  const usd = net * good.usd_kg * (0.8 + 0.4 * dice.next()) * (publication.amount_kind === "cif" ? 1.07 : 1)
  return { units, net: rounded(net, 3), gross: rounded(net * (1.03 + 0.08 * dice.next()), 3), usd: rounded(usd, 2) }
}

/** House and master bills of a month and a publication; a master bill covers several house bills. */
const billsOf = (dice: Dice, { publication }: Relation, month: Month, own: string) => {
  const master = `SM${month.compact}${String(dice.below(40_000)).padStart(5, "0")}`
  const share = dice.next()
  if (share < publication.house_bills) return { bill_number: own, master_bill_number: master }
  // A few master bills are records of their own, beside the house bills under them.
  if (share > 1 - publication.house_bills / 15) return { bill_number: master, master_bill_number: null }
  return { bill_number: own, master_bill_number: null }
}

const makeWriter = ({ spelled, trader }: Writing): Write => {
  const party = (dice: Dice, number: number, publication: Publication, home: boolean): TradeRecord.Party => {
    const spelling = draw(dice)
    const [hasCountry, hasAddress] = [dice.maybe(publication.country_known), dice.maybe(publication.address_known)]
    const shown = home || publication.names_abroad
    // Two in a hundred write "TO ORDER" and the like.
    const named = !dice.maybe(0.02) && shown
    const capitals = publication.upper ? 1 : 0
    return {
      name: named
        ? spelled((number << 5) | (spelling << 1) | capitals)
            .slice(0, publication.longest_name)
            .trim()
        : null,
      country: shown && hasCountry ? landOf(number) : null,
      tax_id: home && publication.has_tax_id ? trader(number).tax_id : null,
      address: named && hasAddress ? trader(number).address : null
    }
  }
  const portOf = (dice: Dice, land: LandCode, locodes: boolean): string => {
    const { name, locode }: Port = dice.pick<Port>(lands[land].ports)
    return locodes ? locode : name
  }

  return (dice, relation, month, bill, back) => {
    const { air, good, publication } = relation
    const [from, to] = [landOf(relation.exporter), landOf(relation.importer)]
    const home: Land = lands[publication.land]
    const day = 1 + dice.below(month.days)
    const importer = party(dice, relation.importer, publication, publication.flow === "import")
    const exporter = party(dice, relation.exporter, publication, publication.flow === "export")
    const { gross, net, units, usd } = consignment(dice, relation, back)
    const [hsKnown, imputed] = [dice.maybe(publication.hs_known), publication.hs_known < 0.5]
    const [quantified, weighed, valued] = [
      dice.maybe(publication.quantity_known),
      dice.maybe(publication.net_known),
      dice.maybe(publication.amount_known)
    ]
    const [currency, rate] = publication.own_money ? [home.currency, home.per_usd] : ["USD", 1]
    const boxes = Math.max(1, Math.ceil(gross / 20_000))
    const own = `SB${bill.toString(36).toUpperCase().padStart(7, "0")}`
    const { bill_number, master_bill_number } = billsOf(dice, relation, month, own)
    return {
      source: publication.source,
      key: `${own}/1`,
      version: 1 + back,
      flow: publication.flow,
      date: month.prefix + (day < 10 ? `0${day}` : String(day)),
      importer,
      exporter,
      origin_country: dice.maybe(0.04) ? null : from,
      destination_country: publication.flow === "export" || dice.maybe(0.9) ? to : null,
      hs_raw: hsKnown ? (good.hs + "0000").slice(0, publication.hs_digits) : null,
      hs_code: hsKnown ? good.hs : null,
      hs_imputed: hsKnown && imputed,
      description: dice.maybe(0.015) ? null : said(dice, relation),
      quantity: quantified ? units : null,
      quantity_unit: quantified ? good.unit : null,
      quantity_unit_raw: quantified ? unitsAsWritten[good.unit] : null,
      gross_kg: gross,
      net_kg: weighed ? net : null,
      amount: valued ? rounded(usd * rate, 2) : null,
      currency: valued ? currency : null,
      amount_kind: valued ? publication.amount_kind : "unknown",
      amount_usd: valued ? usd : null,
      packages: Math.max(1, Math.round(gross / good.package_kg)),
      package_kind: good.package_kind,
      teu: air ? null : boxes * 2,
      port_of_loading: air ? null : portOf(dice, from, publication.locodes),
      port_of_unloading: air ? null : portOf(dice, to, publication.locodes),
      transport: air ? "air" : "sea",
      bill_number,
      master_bill_number,
      synthetic: true
    }
  }
}

const unitsAsWritten = { H87: "NIU", KGM: "KG", LTR: "LTS", MTK: "M2", PR: "PRS" } as const

const said = (dice: Dice, { good, publication }: Relation): string => {
  const text = dice.pick(good.says[publication.language])
  return publication.upper ? text.toUpperCase() : text
}
