/**
 * The Harmonised System: sections and chapters are built in, in words of our own; codes of four and six digits come from
 * a list that an operator loads. Numbers and ranges are those of the 2022 edition, and have not changed since 1988.
 *
 * Gotchas
 * - Chapter 77 is kept free, 98 and 99 are for national use and stand in no section.
 * - Only six digits mean the same everywhere.
 */
import { Context } from "effect"

export interface Section {
  /** A Roman numeral, `I` to `XXI`. */
  readonly number: string
  readonly name: string
  /** First and last chapter, both included. */
  readonly first: number
  readonly last: number
}

const section = (number: string, first: number, last: number, name: string): Section => ({ number, name, first, last })

export const sections: ReadonlyArray<Section> = [
  section("I", 1, 5, "Animals and animal products"),
  section("II", 6, 14, "Plant products"),
  section("III", 15, 15, "Fats, oils and waxes"),
  section("IV", 16, 24, "Prepared food, drinks and tobacco"),
  section("V", 25, 27, "Minerals and fuels"),
  section("VI", 28, 38, "Chemicals"),
  section("VII", 39, 40, "Plastics and rubber"),
  section("VIII", 41, 43, "Hides, leather, furs and bags"),
  section("IX", 44, 46, "Wood, cork and basketware"),
  section("X", 47, 49, "Pulp, paper and print"),
  section("XI", 50, 63, "Textiles and clothing"),
  section("XII", 64, 67, "Footwear, headgear and umbrellas"),
  section("XIII", 68, 70, "Stone, ceramics and glass"),
  section("XIV", 71, 71, "Pearls, gems, precious metals and coins"),
  section("XV", 72, 83, "Base metals and what is made of them"),
  section("XVI", 84, 85, "Machines and electrical equipment"),
  section("XVII", 86, 89, "Vehicles, aircraft and ships"),
  section("XVIII", 90, 92, "Instruments, clocks and music"),
  section("XIX", 93, 93, "Arms and ammunition"),
  section("XX", 94, 96, "Furniture, toys and other manufactures"),
  section("XXI", 97, 97, "Art and antiques")
]

/** One a line, by number from 01; an empty one is kept free. */
const chapterNames = `Live animals
Meat
Fish and seafood
Dairy produce, eggs and honey
Other animal products
Live plants and cut flowers
Vegetables
Fruit and nuts
Coffee, tea and spices
Cereals
Flour, malt and starch
Oil seeds, medicinal plants and fodder
Gums, resins and plant extracts
Plaiting materials and other plant products
Fats, oils and waxes
Preparations of meat and fish
Sugar and sweets
Cocoa and chocolate
Preparations of cereals, bakery
Preparations of vegetables and fruit
Other food preparations
Drinks, spirits and vinegar
Food industry residues and animal feed
Tobacco and nicotine products
Salt, sulphur, stone and cement
Ores, slag and ash
Mineral fuels and oils
Inorganic chemicals
Organic chemicals
Medicines
Fertilisers
Tanning extracts, dyes, paints and inks
Essential oils, perfumes and cosmetics
Soap, detergents, waxes and candles
Proteins, starches, glues and enzymes
Explosives, fireworks and matches
Photographic and film goods
Other chemical products
Plastics
Rubber
Raw hides and leather
Leather goods, bags and saddlery
Furs
Wood and charcoal
Cork
Basketware and straw goods
Pulp and waste paper
Paper and board
Books and printed matter
Silk
Wool and animal hair
Cotton
Other plant fibres and paper yarn
Man-made filaments
Man-made staple fibres
Wadding, felt, ropes and nets
Carpets
Special fabrics, lace and embroidery
Coated and technical fabrics
Knitted fabrics
Knitted clothing
Clothing, not knitted
Other made-up textiles and rags
Footwear
Headgear
Umbrellas and walking sticks
Feathers, artificial flowers and hair goods
Goods of stone, plaster and cement
Ceramics
Glass
Pearls, gems, precious metals and coins
Iron and steel
Goods of iron and steel
Copper
Nickel
Aluminium

Lead
Zinc
Tin
Other base metals
Tools and cutlery
Other goods of base metal
Machinery, boilers and reactors
Electrical and electronic equipment
Railway vehicles and track
Road vehicles
Aircraft and spacecraft
Ships and boats
Optical, measuring and medical instruments
Clocks and watches
Musical instruments
Arms and ammunition
Furniture, bedding and lamps
Toys, games and sports goods
Other manufactured articles
Art, collections and antiques`.split("\n")

export interface Chapter {
  /** Two digits. */
  readonly code: string
  readonly name: string
  readonly section: string
}

export const chapters: ReadonlyArray<Chapter> = chapterNames.flatMap((name, index) => {
  const within = sections.find(({ first, last }) => first <= index + 1 && index + 1 <= last)
  return name === "" || within === undefined
    ? []
    : [{ code: String(index + 1).padStart(2, "0"), name, section: within.number }]
})

const byCode: ReadonlyMap<string, Chapter> = new Map(chapters.map((chapter) => [chapter.code, chapter]))

/** The chapter that a code belongs to; `null` for what is in none. */
export const chapter = (code: string): Chapter | null => byCode.get(code.slice(0, 2)) ?? null

/** What codes mean, of whatever length. */
export interface HsList {
  /** How many codes it has beyond the chapters. */
  readonly size: number
  /** Of the code itself; of a longer one that of its first six, four or two digits; `null` where nothing is known. */
  readonly describe: (code: string) => string | null
}

/** One line of a list: the columns of the public files that have `hscode`, `description` and `level` among theirs. */
export interface HsLine {
  readonly hscode: string
  readonly description: string
}

export interface Loaded {
  readonly list: HsList
  readonly rejected: ReadonlyArray<{
    /** From 1, as the lines came. */
    readonly line: number
    readonly problem: "no_code" | "no_description" | "unknown_chapter"
  }>
}

const problemOf = ({ description, hscode }: HsLine): Loaded["rejected"][number]["problem"] | null => {
  if (!/^(?:\d{2}|\d{4}|\d{6})$/.test(hscode)) return "no_code"
  if (description.trim() === "") return "no_description"
  // 98 and 99 are what countries make of them.
  return chapter(hscode) === null && !/^9[89]/.test(hscode) ? "unknown_chapter" : null
}

/** A list of codes of two, four and six digits over the built-in chapters; the last of two lines for one code counts. */
export const load = (lines: Iterable<HsLine>): Loaded => {
  const names = new Map<string, string>()
  const rejected: Array<Loaded["rejected"][number]> = []
  let line = 0
  for (const one of lines) {
    line++
    const problem = problemOf(one)
    if (problem !== null) rejected.push({ line, problem })
    else if (one.hscode.length > 2) names.set(one.hscode, one.description.trim())
  }
  const describe = (code: string): string | null =>
    names.get(code.slice(0, 6)) ?? names.get(code.slice(0, 4)) ?? chapter(code)?.name ?? null
  return { list: { size: names.size, describe }, rejected }
}

/** Chapters alone, before anybody has loaded a list. */
export const builtIn: HsList = load([]).list

/** The list of this installation; the chapters alone where nobody has given one. */
export const List = Context.Reference<HsList>("@lading/core/trade/HsCode/List", { defaultValue: () => builtIn })
