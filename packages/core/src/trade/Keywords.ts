/**
 * The products that a customs description speaks of, as keywords: words and phrases of up to three words, folded so that
 * two declarations of one product meet. `RODAMIENTOS DE BOLAS 6204, 100 PZAS` gives `rodamiento de bola`, `rodamiento`
 * and `bola`.
 *
 * What is no product is left out: numbers and what contains them, units, packages, words that only join others, words of
 * trade (`invoice`, `shipment`), and the name that follows `brand` or `model`.
 *
 * Gotchas
 * - The word lists are short and of our own: descriptions are phrases of nouns, and the long lists of libraries hold
 *   words that are goods in another language (`die`, `mate`, `sole`).
 * - Plurals are folded by their endings, by what the words of a text say of its language; a German one stays as it is.
 * - Scripts without spaces between words give one keyword for each piece between marks.
 */
import * as Text from "../value/Text.ts"

const setOf = (...lines: ReadonlyArray<string>): ReadonlySet<string> => new Set(lines.join(" ").split(" "))

/** Join words within a phrase, and stay in it. */
const links = setOf("of de del do da di du d")

/** Words that only join others, of seven languages, without accents. */
const stops = setOf(
  "a an and any are as at be by for from has in into is it its no non not of off on or our other others out per such than",
  "that the their these this to under up used via was which who whom whose will with without all each men women kids",
  "al ante con como contra cual cuyo desde donde el en entre es esta este la las lo los mas muy ni o otra otras otro otros",
  "para pero por que se segun ser si sin sobre son su sus un una uno unos unas y ya del",
  "ao aos com das dos e em foi na nas nos nao ou outras outros pela pelas pelo pelos sem seu sua um uma umas uns ate",
  "au aux avec ce ces dans des elle est et hors leur leurs les ou par pas pour qu que qui sa sans ses sur un une le la l n s",
  "aber als am an auf aus bei beim das dem den der des durch ein eine einem einen einer fur gegen im ist mit nach nicht",
  "oder ohne sich sowie uber um und unter vom von vor zu zum zur nur auch andere anderen",
  "al alla alle allo che col con dal dalla degli dei del della delle gli il nel nella non per piu sono sul tra ed",
  "aan bij een en het met naar niet of om ook op te tot uit van voor zonder",
  "i na z ze w we do od dla и в на с из для по от не или"
)

/** Of measures, in the spellings of declarations. */
const units = setOf(
  "g gr grs gm gms gram grams gramo gramos kg kgs kgm kilo kilos kilogram kilograms kilogramo kilogramos mg lb lbs oz ton",
  "tons tonne tonnes tonelada toneladas mt mts tm l lt lts ltr ltrs liter liters litre litres litro litros ml cl gal gallon",
  "m mm cm km metro metros meter meters metre metres m2 m3 sqm cbm in inch inches ft feet yd yds yard yards pc pcs pce pces",
  "piece pieces pieza piezas pza pzas pieces peca pecas stk stuck unit units unidad unidades und unds uni unidade u nos nmb",
  "pr prs pair pairs par pares paire paires doz dozen docena docenas set sets juego juegos w kw v kv hz hp mah gb tb mb go",
  "vol pct deg c f k y x"
)

/**
 * Of packages and how things are packed. Right behind a word for goods they are goods: `leather bags`, `steel coils`, but
 * not `rice in bags`, `10 bags`, `bags of rice`.
 */
const packages = setOf(
  "bag bags bale bales barrel barrels bottle bottles box boxes bulk bundle bundles can cans carton cartons case cases coil",
  "coils container containers cont crate crates ctn ctns drum drums fcl lcl jar jars pack packs packed package packages",
  "packaging packet packets pallet pallets pkg pkgs plt plts reel reels roll rolls sack sacks tote tray trays",
  "bolsa bolsas botella botellas bulto bultos caja cajas contenedor contenedores embalaje empaque envase envases fardo fardos",
  "lata latas paleta paletas paquete paquetes saco sacos tambor tambores bobina bobinas cilindro cilindros",
  "balde baldes caixa caixas embalagem fardos garrafa garrafas pacote pacotes saca sacas tambores",
  "balle balles boite boites bouteille bouteilles caisse caisses carton colis conteneur emballage fut futs palette palettes",
  "sac sacs sachet sachets bobines karton kartons kiste kisten flasche flaschen sack sacke palette paletten fass fasser",
  "verpackung beutel dose dosen rolle rollen container"
)

/** Of trade and paper rather than of goods. */
const trade = setOf(
  "cargo freight shipment consignment invoice order po ref reference hs hts code contain contains containing said stc total",
  "net gross weight quantity qty description goods merchandise product products item items article articles commodity lot",
  "origin made country new nuevo nueva nuevos nuevas neuf neuve novo nova neu assorted various sundry surtido surtidos",
  "sortidos assortis diverse diversos grade grado grau class clase tipo type size color colour mercancia mercaderia",
  "producto productos articulo articulos factura peso neto bruto marchandise marchandises produit produits mercadoria",
  "produto produtos waren ware artikel samples sample muestra muestras nac etc nesoi nes n.e.s"
)

/** Behind these stands a name. */
const namers = setOf(
  "brand brands model style marca modelo estilo marque modele marke modell mod linea ligne linha serie"
)

const dropped: ReadonlySet<string> = new Set([...stops, ...units, ...trade])

/** Words with what is inside them, and everything that parts phrases as one piece. */
const pieces = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-.][\p{L}\p{N}\p{M}]+)*|'|[^\p{L}\p{N}\s'’]+/gu

/** Spanish and Portuguese show in their small words and endings. */
const iberian =
  /(?:^|\s)(?:para|con|com|sin|sem|por|del|dos|das|los|las|el|em|y)(?=\s|$)|[a-z]{3}(?:ados|adas|icos|icas|ivos|ivas|arios|osos|idos|tos|llos)(?=\s|[,.;]|$)/
/** English and French do not fold as those do. */
const others =
  /(?:^|\s)(?:of|with|and|the|for|in|per|fresh|frozen|without|not|du|des|au|aux|avec|pour|et|d|les)(?=\s|$)/

type Fold = (word: string) => string

/** Endings under which `es` is the plural of a word that ends in a consonant. */
const iberianSingular: Fold = (word) => {
  if (word.endsWith("oes")) return `${word.slice(0, -3)}ao`
  if (/[aeo]is$/.test(word) && word.length > 5) return `${word.slice(0, -2)}l`
  if (/[aeiou][nlrd]es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith("ces")) return `${word.slice(0, -3)}z`
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

const usualSingular: Fold = (word) => {
  if (word.endsWith("ies") && word.length > 5) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|to)es$/.test(word)) return word.slice(0, -2)
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word
}

const foldOf = (text: string): Fold => {
  const fold = iberian.test(text) && !others.test(text) ? iberianSingular : usualSingular
  return (word) => (word.length < 4 || !word.endsWith("s") ? word : fold(word))
}

/** A run of words without anything between them but links. */
type Run = Array<{ readonly word: string; readonly link: string }>

/** How many keywords a description may have, the first ones first. */
export const most = 24

const hasDigit = /\p{N}/u
const hasLetter = /\p{L}/u

/** Whether a piece by itself may be goods: a word of letters that is in no list. */
const isGoods = (piece: string): boolean =>
  piece.length > 1 && !dropped.has(piece) && !hasDigit.test(piece) && hasLetter.test(piece)

/** The runs of product words in a text, in its order. */
const runsOf = (text: string): ReadonlyArray<Run> => {
  const fold = foldOf(text)
  const runs: Array<Run> = [[]]
  let [link, named] = ["", false]
  for (const piece of text.match(pieces) ?? []) {
    const isName = named
    named = namers.has(piece)
    if (links.has(piece) && !isName) {
      link = ` ${piece}`
      continue
    }
    const run = runs.at(-1) ?? []
    const isPackage = packages.has(piece) && (run.length === 0 || link !== "")
    if (!isName && !named && !isPackage && isGoods(piece)) run.push({ word: fold(piece), link })
    else if (run.length > 0) runs.push([])
    link = ""
  }
  return runs
}

/** Keywords in lower case without accents, each once, in the order of the text, phrases before the words in them. */
export const of = (description: string): ReadonlyArray<string> => {
  const text = Text.key(description)
    .replace(/['’]s\b/g, "")
    .replaceAll("’", "'")
    .replace(/\b(?:d|l|qu|n|s)'/g, (elided) => (elided === "d'" ? "d " : " "))
  const found = new Set<string>()
  for (const run of runsOf(text)) {
    run.forEach(({ word }, place) => {
      const [next, third] = [run[place + 1], run[place + 2]]
      const pair = next === undefined ? null : `${word}${next.link} ${next.word}`
      // A run of three is one thing; in a longer one nobody knows where the things begin.
      if (pair !== null && third !== undefined && run.length === 3) found.add(`${pair}${third.link} ${third.word}`)
      if (pair !== null) found.add(pair)
      found.add(word)
    })
  }
  return [...found].slice(0, most)
}
