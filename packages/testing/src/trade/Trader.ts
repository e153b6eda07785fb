/**
 * The traders of the generated trade. A trader is its number: from it follow country, business and name, so that none is
 * kept, whatever their count. Companies are invented, their tax ids of a form that no authority gives.
 */
import { Dice, mix } from "./Dice.ts"
import { type Sector, sectors, sectorWords } from "./Goods.ts"
import { type Land, type LandCode, lands, type LegalForm, places } from "./Lands.ts"

export interface Trader {
  /** From 0. */
  readonly number: number
  /** `idOf` its number: the truth that the spellings of its name are measured against. */
  readonly id: string
  readonly land: LandCode
  readonly sector: Sector
  /** Its invented word, e.g. `Belkatorin`. */
  readonly word: string
  /** Beyond the first quarter of a million a second word, else `null`. */
  readonly second: string | null
  readonly business: readonly [string, string]
  readonly form: LegalForm
  /** E.g. `Belkatorin Foods S.A.C.` */
  readonly name: string
  readonly tax_id: string
  readonly address: string
  /** On a reserved domain. */
  readonly domain: string
}

/** A trader as a store knows it: a number from 1, in decimal. */
export const idOf = (number: number): string => String(number + 1)

const syllables = (text: string): ReadonlyArray<string> => text.split(" ")

const first = syllables(
  "Bel Cor Dav El Fir Gan Hol Iv Jal Kem Lor Mav Nol Or Pel Quen Ras Sol Tam Ul Ver Wan Xan Yel Zor Bram Crin Dral Fesk " +
    "Gorm Hesk Jorv Kald Lint Morv Nesk Oxt Prel Rond Skel Tarn Urv Vand Welk Yarn Zelt Arb Ebb Ilk Osk Umb Barl Celd " +
    "Durn Fald Gild Hurn Jund Korl Lasp Mirl Nurv Perk Rusk"
)
const middle = syllables(
  "a e i o u ai ei ou ana ene ini ono uru ama emi iri olo uga abe edo ilu oka ula ato evi ipa odi uke ari esa iko ota " +
    "una aza ela ibo ore usa aki emo ido ofa ulo ava ego ima ono-u isa oba ute aro ezi ile opa ubi ada eto ika oru uma " +
    "awe eni ilo osa uvi"
).map((part) => part.replace("-", ""))
const last = syllables(
  "belt ching dane fax gard hart ject kin lent mond ness parr quist ron sten tex vik wick xel yard zane bor cade dor fen " +
    "grim holt jan kett lund mar nox pont rell stad torp vell wyn zig bril cov drel fost gell hask jorn keld lorn mint " +
    "norr pask rint salk tolv varn wold zent bask corm dask falk gorn hilm"
)
const seconds = syllables(
  "Norte Global Union Prime Delta Star Royal Atlas Pacific Andina Omega Sigma Nova Terra Alpha Vista Horizon Summit Apex " +
    "Orient Central Zenith Metro Ocean Vector Cosmo Grand Eagle Lotus Crown Solar Titan"
)

/** So many names of one word there are. */
const WORDS = 64 * 64 * 64

const at = <A>(from: readonly [A, ...ReadonlyArray<A>], index: number): A => from[index % from.length] ?? from[0]

const part = (from: ReadonlyArray<string>, index: number): string => from[index & 63] ?? ""

/** A different word for each of the first quarter of a million numbers: multiplying by an odd number is one to one. */
const wordOf = (number: number): string => {
  const code = (Math.imul(number, 0x9e3779b1) >>> 0) % WORDS
  return part(first, code) + part(middle, code >>> 6) + part(last, code >>> 12)
}

const secondOf = (number: number): string | null => {
  const round = Math.floor(number / WORDS)
  return round === 0 ? null : (seconds[(round - 1) % seconds.length] ?? null)
}

/** Which country a trader is of. */
export const landOf = (number: number): LandCode => places[number % places.length] ?? "US"

/** Numbers of the places of each country. */
export const placesOf: ReadonlyMap<LandCode, readonly [number, ...ReadonlyArray<number>]> = new Map(
  places.map((land) => {
    const [one = 0, ...more] = places.flatMap((other, place) => (other === land ? [place] : []))
    return [land, [one, ...more] as const]
  })
)

export const sectorOf = (seed: number, number: number): Sector =>
  sectors[mix(number ^ mix(seed + 17)) % sectors.length] ?? "foods"

export const makeTrader = (seed: number, number: number): Trader => {
  const dice = new Dice().of(seed, 3, number)
  const code = landOf(number)
  const land: Land = lands[code]
  const sector = sectorOf(seed, number)
  const word = wordOf(number)
  const second = secondOf(number)
  const business = sectorWords[land.language][sector]
  const form = at(land.forms, dice.below(land.forms.length))
  const slug = `${word}${second === null ? "" : `-${second}`}`.toLowerCase()
  return {
    number,
    id: idOf(number),
    land: code,
    sector,
    word,
    second,
    business,
    form,
    name: [word, ...(second === null ? [] : [second]), business[0], form[0]].join(" "),
    tax_id: `SAMPLE-${code}-${String(number).padStart(8, "0")}`,
    address: `${1 + dice.below(180)} Sample Street, ${land.city}`,
    domain: `${slug}-${number}.example`
  }
}
