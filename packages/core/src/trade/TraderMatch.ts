/**
 * How much speaks for two names being of one trader, 0 to 1, and what does.
 *
 * Words are aligned, each with at most one of the other name, whatever their order: the same, mistyped, run together, cut
 * off, abbreviated, or as first letters. What is aligned counts by its weight against what is not. A word weighs by how
 * rare it is; places and kinds of business weigh little, but stand against each other when both names have another one:
 * `Acme Foods Peru` is not `Acme Foods Chile`, and may be `Acme Foods`. Other numbers are other traders. Legal form and
 * country weigh a little for or against, a tax id decides.
 */
import * as EditDistance from "../value/EditDistance.ts"
import * as LegalForms from "./LegalForms.ts"
import * as NameKinds from "./NameKinds.ts"
import * as Romanized from "./Romanized.ts"
import type { KeyCounts } from "./TradeAnswer.ts"
import * as TraderKeys from "./TraderKeys.ts"
import * as TraderName from "./TraderName.ts"

/** What is known of a trader that is looked for. */
export interface Wanted {
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
  readonly tax_id: string | null
}

/** A trader that may be it. */
export interface Known {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly country: string | null
  readonly tax_ids: ReadonlyArray<string>
}

/** How rare a word is among traders, from 0 for one that all have to 1 for one that hardly another has. */
export type Rarity = (word: string) => number

export type Reason =
  | "same_name"
  | "same_words"
  | "similar_words"
  | "cut_name"
  | "initials"
  | "numbers_differ"
  | "places_differ"
  | "business_differs"
  | "same_form"
  | "form_differs"
  | "same_country"
  | "country_differs"
  | "same_tax_id"
  | "tax_id_differs"
  | "no_name"

export interface Match {
  readonly score: number
  /** The name of the candidate that fits best. */
  readonly name: string
  readonly reasons: ReadonlyArray<Reason>
}

/** From here on two names are taken for one trader's: where F1 is best on the labelled pairs (`bench names`). */
export const THRESHOLD = 0.85

/** How rare words are by how many traders have them; of what nobody counted nothing is known, and it counts as rare. */
export const rarityOf =
  ({ counts, traders }: KeyCounts): Rarity =>
  (word) => {
    const count = counts.get(word)
    if (count === undefined || traders < 2) return 1
    return Math.min(1, Math.max(0.2, Math.log(traders / count) / Math.log(traders)))
  }

const anyWord: Rarity = () => 1

const PLACE = 0.35
const BUSINESS = 0.3
const SMALL = 0.1

const small = new Set(
  "of de del la las los el le les du des da do dos das di der die das den van von for the no al & co ltd sa".split(" ")
)
const roman = new Map(
  ["ii", "iii", "iv", "vi", "vii", "viii", "ix"].map((word, index) => [word, String(index < 3 ? index + 2 : index + 3)])
)

type Kind = "place" | "business" | "small" | "other"

interface Word {
  /** In Latin letters. */
  readonly text: string
  readonly written: string
  readonly kind: Kind
  readonly weight: number
  /** Written in another script. */
  readonly romanized: boolean
}

interface Name {
  readonly read: TraderName.TraderName
  readonly words: ReadonlyArray<Word>
  readonly numbers: string
}

const kindOf = (word: string): Kind => {
  if (NameKinds.isPlace(word)) return "place"
  if (NameKinds.isBusiness(word)) return "business"
  return small.has(word) ? "small" : "other"
}

const weights: Readonly<Record<Kind, number>> = { place: PLACE, business: BUSINESS, small: SMALL, other: 1 }

/** A name made ready for comparing; reading it takes longer than comparing it. */
const nameOf = (text: string, rarity: Rarity): Name => {
  const read = TraderName.read(text)
  const words = read.tokens.map((token): Word => {
    const kind = kindOf(token)
    const latin = Romanized.latin(token)
    return {
      text: latin.replace(/^0+(?=\d+$)/, ""),
      written: token,
      kind,
      weight: weights[kind] * (kind === "other" ? rarity(latin) * (token.length === 1 ? 0.5 : 1) : 1),
      romanized: latin !== token
    }
  })
  const numbers = [
    ...read.numbers,
    ...read.tokens.flatMap((token, index) => (index > 0 ? (roman.get(token) ?? []) : []))
  ]
  return { read, words, numbers: numbers.toSorted().join(" ") }
}

/**
 * How alike two words are spelled, 0 to 1. A letter too many, one too few or two that changed places are errors of typing;
 * another letter in a short word is rather another word (`Minova`, `Minora`).
 */
const spelledAlike = (a: string, b: string): number => {
  if (a === b) return 1
  const least = Math.min(a.length, b.length)
  if (least < 4 || (a.charCodeAt(0) !== b.charCodeAt(0) && least < 8)) return 0
  const errors = EditDistance.upToTwo(a, b)
  if (errors === 1) {
    const changed = a.length === b.length && [...a].toSorted().join("") !== [...b].toSorted().join("")
    if (changed) return least < 6 ? 0 : least < 8 ? 0.7 : 0.92
    return least < 7 ? 0.9 : 0.94
  }
  return errors === 2 && least >= 8 ? 0.85 : 0
}

/** Short for each other: `Intl`, `Mfg`, `Ind`. */
const short = new Map(
  (
    "intl:international internacional,mfg:manufacturing,mfrs:manufacturers,ind:industrial industries industria industrias,inds:industries,imp:import importacion importaciones importadora," +
    "exp:export exportacion exportaciones exportadora,com:comercial comercio,cial:comercial,gen:general,gral:general,dist:distribution distribuidora distributors,distr:distribuidora distribution," +
    "svc:services service,svcs:services,serv:servicios services,tech:technology technologies,eng:engineering,engg:engineering,elec:electric electronics,equip:equipment equipos,prod:products productos," +
    "prods:products,tex:textiles textile,pharm:pharmaceuticals pharma,chem:chemical chemicals,mach:machinery,agri:agricultural agricola,nat:national,natl:national,hnos:hermanos,bros:brothers," +
    "mkt:marketing,mktg:marketing,trdg:trading,trd:trading,ent:enterprises enterprise,ents:enterprises,grp:group,hldgs:holdings,hldg:holding,const:construction construcciones constructora," +
    "mats:materials,alim:alimentos,fab:fabrica,rep:representaciones,repr:representaciones,inv:inversiones investments,dev:development,st:saint,mt:mount,univ:universal,tpte:transporte,log:logistics"
  )
    .split(",")
    .map((line) => line.split(":"))
    .map(([abbreviation = "", words = ""]) => [abbreviation, new Set(words.split(" "))])
)

/** Kinds of business in several languages, a line each. */
const concepts = new Map(
  [
    "import imports importing importadora importador importaciones importacion importacao importer importers импорт",
    "export exports exporting exportadora exportador exportaciones exportacion exportacao exporter exporters экспорт",
    "trading trade trader traders commercial comercial comercio commerce comercializadora handel handels torgovyi ticaret torgovaya торговый торговая трейд трейдинг",
    "food foods alimentos alimentar alimentaria alimenticia aliments alimentaires lebensmittel gida продукты",
    "fruit fruits fruta frutas frutera frutos",
    "steel acero aceros stahl aco acos acier",
    "furniture muebles moveis mobel mobilya meubles mobili",
    "textile textiles textil texteis textilien tekstil tessile tex textilwerk",
    "chemical chemicals quimica quimicos quimicas chemie chimie kimya chem",
    "plastic plastics plastico plasticos plasticas plastiques plastik",
    "machine machines machinery maquinaria maquinarias maquinas maschinen machinerie makina makine maschinenbau",
    "electronic electronics electronica electronicos electronique elektronik",
    "electric electrical electrico electricos elektrik elektro electrica",
    "mineral minerals minerales minerais",
    "mining minera mineria",
    "paper papel papier",
    "wood timber madera maderas madeira madeiras",
    "shoes footwear calzado calzados",
    "leather cuero cueros deri",
    "product products producto productos produto produtos produits produkte prodotti urunleri",
    "industry industries industria industrias industrie industrial industriales industriel",
    "service services servicio servicios servicos",
    "international internacional internationale internacionales",
    "laboratory laboratories laboratorio laboratorios laboratoires",
    "pharmaceutical pharmaceuticals farmaceutica farmaceuticos pharma",
    "construction construcciones construcoes constructora",
    "distributor distributors distribution distribuidora distribuidores distribucion distribuciones",
    "technology technologies tecnologia tecnologias technologie technologien",
    "group grupo groupe gruppe gruppo группа",
    "seafood seafoods pesquera pesca fish fishery",
    "agricultural agricola agro agri",
    "garment garments clothing apparel confecciones",
    "transport transportes transporte",
    "brothers hermanos irmaos freres",
    "sons hijos filhos figli"
  ].flatMap((line, index) => line.split(" ").map((word) => [word, index] as const))
)

const sameBusiness = (a: string, b: string): boolean => {
  const concept = concepts.get(a)
  return concept !== undefined && concept === concepts.get(b)
}

const abbreviates = (a: Word, b: Word): boolean => {
  if (a.text.length >= b.text.length) return false
  if (short.get(a.text)?.has(b.text) === true) return true
  // "Const." is the beginning of a word of business, "Alim" of another.
  return b.kind === "business" && a.text.length >= 3 && b.text.length >= a.text.length + 2 && b.text.startsWith(a.text)
}

/** Two words as they sound, where one of them is written in another script. */
const heardAlike = (a: Word, b: Word): number => {
  if (a.romanized === b.romanized) return 0
  const [some, other] = [Romanized.sound(a.text), Romanized.sound(b.text)]
  return some.length < 3 ? 0 : 0.96 * (some === other ? 1 : spelledAlike(some, other))
}

const alike = (a: Word, b: Word): number => {
  if (a.text === b.text) return 1
  if (/\d/.test(a.text) || /\d/.test(b.text)) return 0
  const spelled = a.romanized && b.romanized ? spelledAlike(a.written, b.written) : spelledAlike(a.text, b.text)
  const means = sameBusiness(a.written, b.written) || abbreviates(a, b) || abbreviates(b, a) ? 0.95 : 0
  const initial = (a.text.length === 1 || b.text.length === 1) && a.text[0] === b.text[0] ? 0.8 : 0
  return Math.max(spelled, heardAlike(a, b), means, initial)
}

interface Pair {
  readonly a: number
  readonly b: number
  readonly aWords: number
  readonly bWords: number
  readonly alike: number
  readonly how: "words" | "cut" | "initials"
}

const join = (words: ReadonlyArray<Word>, from: number, count: number): string =>
  words
    .slice(from, from + count)
    .map(({ text }) => text)
    .join("")

/** Pairs of one word with two that are written apart: `Wal Mart`, `Walmart`. */
const runTogether = (a: ReadonlyArray<Word>, b: ReadonlyArray<Word>): ReadonlyArray<Pair> =>
  a.flatMap((word, at) =>
    [2, 3].flatMap((count) =>
      b.flatMap((_, from): ReadonlyArray<Pair> => {
        if (from + count > b.length || word.text.length < 4 || spelledAlike(word.text, join(b, from, count)) < 0.9)
          return []
        return [
          {
            a: at,
            b: from,
            aWords: 1,
            bWords: count,
            alike: word.text === join(b, from, count) ? 0.98 : 0.9,
            how: "words"
          }
        ]
      })
    )
  )

/** Pairs of a word of three to six letters with as many words that begin so. */
const initialsOf = (a: ReadonlyArray<Word>, b: ReadonlyArray<Word>): ReadonlyArray<Pair> =>
  a.flatMap((word, at) => {
    const count = word.text.length
    if (count < 3 || count > 6 || word.kind !== "other") return []
    const firsts = b.map(({ text }) => text.charAt(0)).join("")
    const from = firsts.indexOf(word.text)
    return from < 0 ? [] : [{ a: at, b: from, aWords: 1, bWords: count, alike: 0.88, how: "initials" as const }]
  })

const turned = (pair: Pair): Pair => ({ ...pair, a: pair.b, b: pair.a, aWords: pair.bWords, bWords: pair.aWords })

/** The last word of a cut name is the beginning of a word. */
const cutOff = (a: Name, b: Name): ReadonlyArray<Pair> => {
  const at = a.words.length - 1
  const last = a.words[at]
  if (!a.read.cut || last === undefined || at === 0) return []
  return b.words.flatMap((word, index): ReadonlyArray<Pair> =>
    word.text.length > last.text.length && word.text.startsWith(last.text)
      ? [{ a: at, b: index, aWords: 1, bWords: 1, alike: 0.97, how: "cut" }]
      : []
  )
}

/** All pairs that may be, the best first. */
const pairsOf = (a: Name, b: Name): ReadonlyArray<Pair> => {
  const single = a.words.flatMap((some, at) =>
    b.words.flatMap((other, index): ReadonlyArray<Pair> => {
      const how = alike(some, other)
      return how === 0 ? [] : [{ a: at, b: index, aWords: 1, bWords: 1, alike: how, how: "words" }]
    })
  )
  return [
    ...single,
    ...runTogether(a.words, b.words),
    ...runTogether(b.words, a.words).map(turned),
    ...initialsOf(a.words, b.words),
    ...initialsOf(b.words, a.words).map(turned),
    ...cutOff(a, b),
    ...cutOff(b, a).map(turned)
  ].toSorted((x, y) => y.alike - x.alike || Math.abs(x.a - x.b) - Math.abs(y.a - y.b))
}

interface Aligned {
  readonly pairs: ReadonlyArray<Pair>
  readonly restA: ReadonlyArray<Word>
  readonly restB: ReadonlyArray<Word>
}

const align = (a: Name, b: Name): Aligned => {
  const [usedA, usedB] = [new Set<number>(), new Set<number>()]
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)
  const pairs = pairsOf(a, b).filter((pair) => {
    const [some, others] = [range(pair.a, pair.aWords), range(pair.b, pair.bWords)]
    if (some.some((at) => usedA.has(at)) || others.some((at) => usedB.has(at))) return false
    for (const at of some) usedA.add(at)
    for (const at of others) usedB.add(at)
    return true
  })
  // Of a name that was cut nobody knows how it goes on.
  const beyond = (cut: boolean, used: ReadonlySet<number>, rest: number) =>
    cut && rest === 0 ? Math.max(...used) : Number.POSITIVE_INFINITY
  const [leftA, leftB] = [a.words.length - usedA.size, b.words.length - usedB.size]
  const [endA, endB] = [beyond(b.read.cut, usedA, leftB), beyond(a.read.cut, usedB, leftA)]
  return {
    pairs,
    restA: a.words.filter((_, at) => !usedA.has(at) && at < endA),
    restB: b.words.filter((_, at) => !usedB.has(at) && at < endB)
  }
}

const weightOf = (words: ReadonlyArray<Word>): number => words.reduce((sum, { weight }) => sum + weight, 0)

const both = (kind: Kind, { restA, restB }: Aligned): boolean =>
  restA.some((word) => word.kind === kind) && restB.some((word) => word.kind === kind)

interface Scored {
  readonly score: number
  readonly reasons: ReadonlyArray<Reason>
}

/** Aligned words against those that are left over: a weighted Dice coefficient. */
const dice = (a: Name, b: Name, aligned: Aligned): number => {
  const part = (pair: Pair): number =>
    weightOf(a.words.slice(pair.a, pair.a + pair.aWords)) + weightOf(b.words.slice(pair.b, pair.b + pair.bWords))
  const whole = aligned.pairs.reduce((sum, pair) => sum + part(pair), 0)
  const agreed = aligned.pairs.reduce((sum, pair) => sum + part(pair) * pair.alike, 0)
  const rest = weightOf(aligned.restA) + weightOf(aligned.restB)
  return whole + rest === 0 ? 0 : agreed / (whole + rest)
}

/** What the words of two names say, legal form, country and tax id apart. */
const compareWords = (a: Name, b: Name): Scored => {
  if (a.words.length === 0 || b.words.length === 0) return { score: 0, reasons: ["no_name"] }
  const same = join(a.words, 0, a.words.length) === join(b.words, 0, b.words.length)
  if (same) return { score: 0.97, reasons: ["same_name"] }
  const aligned = align(a, b)
  const cut = a.read.cut || b.read.cut
  if (a.numbers !== b.numbers && a.numbers !== "" && b.numbers !== "")
    return { score: 0.05, reasons: ["numbers_differ"] }
  const reasons: Array<Reason> = []
  let score = dice(a, b, aligned)
  if (aligned.pairs.length > 0)
    reasons.push(aligned.pairs.every((pair) => pair.alike === 1) ? "same_words" : "similar_words")
  if (aligned.pairs.some(({ how }) => how === "cut")) reasons.push("cut_name")
  if (aligned.pairs.some(({ how }) => how === "initials")) reasons.push("initials")
  const telling = aligned.pairs.some((pair) =>
    a.words.slice(pair.a, pair.a + pair.aWords).some(({ kind }) => kind === "other")
  )
  // Words that everybody has are of one trader only when they are the same words.
  if (!telling && weightOf([...aligned.restA, ...aligned.restB]) > 0) score = Math.min(score, 0.6)
  if (both("place", aligned)) {
    score *= 0.7
    reasons.push("places_differ")
  }
  if (both("business", aligned)) {
    score *= 0.85
    reasons.push("business_differs")
  }
  if (both("other", aligned)) score *= 0.85
  if (a.numbers !== b.numbers && !cut) {
    score *= 0.7
    reasons.push("numbers_differ")
  }
  return { score: Math.min(score, 0.97), reasons }
}

/** With what is said beside the name. */
const weigh = (words: Scored, a: Name, b: Name, wanted: Wanted, known: Known): Scored => {
  const reasons = [...words.reasons]
  let { score } = words
  const form = LegalForms.agreement(a.read.legal, b.read.legal)
  if (form !== 0 && score > 0.3) {
    score += form > 0 ? 0.02 : -0.03
    reasons.push(form > 0 ? "same_form" : "form_differs")
  }
  if (wanted.country !== null && known.country !== null && score > 0.3) {
    const same = wanted.country === known.country
    score += same ? 0.02 : -0.15
    reasons.push(same ? "same_country" : "country_differs")
  }
  return { score: Math.min(1, Math.max(0, score)), reasons }
}

/** `true` for the same tax id, `false` for others of the same country, `null` where that says nothing. */
const sameTaxId = (wanted: Wanted, known: Known): boolean | null => {
  const id = TraderKeys.taxId(wanted.tax_id)
  if (id === null || known.tax_ids.length === 0) return null
  if (known.tax_ids.some((other) => TraderKeys.taxId(other) === id)) return true
  return wanted.country !== null && wanted.country === known.country ? false : null
}

/** How much speaks for a known trader being the one that is wanted, by the name of it that fits best. */
export const score = (wanted: Wanted, known: Known, rarity: Rarity = anyWord): Match => {
  const asked = nameOf(wanted.name, rarity)
  let best: Match | null = null
  for (const name of [known.name, ...known.aliases]) {
    const other = nameOf(name, rarity)
    const found = weigh(compareWords(asked, other), asked, other, wanted, known)
    if (best === null || found.score > best.score) best = { ...found, name }
  }
  const found = best ?? { score: 0, name: known.name, reasons: [] }
  const tax = sameTaxId(wanted, known)
  if (tax === true) return { ...found, score: Math.max(found.score, 0.99), reasons: [...found.reasons, "same_tax_id"] }
  if (tax === false)
    return { ...found, score: Math.min(found.score, 0.4), reasons: [...found.reasons, "tax_id_differs"] }
  return found
}
