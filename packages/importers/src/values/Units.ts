/**
 * Units as customs files write them, as codes of UN/CEFACT Recommendation 20, and which of them are weights.
 *
 * Gotchas
 * - Only a weight becomes kilograms. Pieces, litres and square metres never do.
 * - Cartons, bags and pallets are packages: they count what goods come in, not goods, and have no code here.
 * - `CT` is carats in one country and cartons in another: a source's own table comes before the common one.
 */
import { Schema } from "effect"

/** Whose codes they are; `common` is what most files use. */
export const System = Schema.Literals(["common", "br", "cl", "co", "in", "pe"])
export type System = typeof System.Type

export type Unit =
  | {
      readonly kind: "goods"
      readonly code: string
      /** Kilograms of one, where it is a weight. */ readonly kg: number | null
    }
  | { readonly kind: "package" }

/** Kilograms of one. */
const weights: Readonly<Record<string, number>> = {
  KGM: 1,
  GRM: 0.001,
  MGM: 0.000001,
  TNE: 1000,
  DTN: 100,
  LBR: 0.45359237,
  ONZ: 0.028349523125,
  APZ: 0.0311034768,
  CTM: 0.0002,
  STN: 907.18474,
  LTN: 1016.0469088
}

/** A code, then the ways of writing it. */
const common = `KGM KG KGS KILO KILOS KILOGRAM KILOGRAMS KILOGRAMO KILOGRAMOS QUILOGRAMA QUILOGRAMAS KILOGRAMME KILOGRAMMES KILOGRAMM
GRM G GR GRS GM GMS GRAM GRAMS GRAMO GRAMOS GRAMA GRAMAS GRAMME GRAMMES
MGM MG MILLIGRAM MILLIGRAMS MILIGRAMO MILIGRAMOS
TNE T TM TON TONS TONNE TONNES TONELADA TONELADAS MT MTON METRIC-TON METRIC-TONS TONELADA-METRICA TONELADAS-METRICAS
DTN QUINTAL QUINTALES QTL
LBR LB LBS POUND POUNDS LIBRA LIBRAS
ONZ OZ OUNCE OUNCES ONZA ONZAS
APZ TROY-OUNCE TROY-OUNCES OZT ONZA-TROY
CTM CARAT CARATS QUILATE QUILATES KILATE KILATES
STN SHORT-TON SHORT-TONS
LTN LONG-TON LONG-TONS
H87 PCE PCS PC PIECE PIECES PIEZA PIEZAS PZA PZ PEÇA PEÇAS PECA PECAS NIU NAR NOS NO NMB NUMBER U UN UND UNI UNID UNIDAD UNIDADES UNIDADE UNIT UNITS EA EACH UNT UNTS STK STÜCK C62
PR PAIR PAIRS PRS PAR PARES PAA PAIRE PAIRES 2U
DZN DOZ DZ DOZEN DOZENS DOCENA DOCENAS DUZIA DÚZIA 12U
DPR DOZEN-PAIRS
GGR GREAT-GROSS GGK
GRO GROSS GRUESA GRUESAS
CEN HUNDRED CIENTO CIENTOS CENTO
MIL MLL THOUSAND THOUSANDS MILLAR MILLARES MILHEIRO 1000U MU THD
MIO MILLION MILLIONS MILLON MILLONES UM
SET SETS JUEGO JUEGOS JGO JOGO JOGOS U(JGO)
KT KIT KITS
LTR L LT LTS LITER LITERS LITRE LITRES LITRO LITROS
MLT ML MILLILITER MILLILITERS MILILITRO MILILITROS
HLT HL HECTOLITER HECTOLITRO HECTOLITROS
K6 KLR KILOLITER KILOLITRE KILOLITRO
GLL GAL GALLON GALLONS US-GALLON GALON GALONES UGS
GLI IMPERIAL-GALLON GALON-INGLES
BLL BBL BARREL-OIL BARRIL-PETROLEO
MTR M METER METERS METRE METRES METRO METROS MTL
CMT CM CMS CENTIMETER CENTIMETERS CENTIMETRO CENTIMETROS
MMT MM MILLIMETER MILIMETRO
KMT KM KME KTM KILOMETER KILOMETERS KILOMETRO KILOMETROS
FOT FT FEET FOOT PIE PIES
INH IN INCH INCHES PULGADA PULGADAS
YRD YD YDS YARD YARDS YARDA YARDAS
MTK M2 M² SQM SQUARE-METER SQUARE-METERS SQUARE-METRE SQUARE-METRES METRO-CUADRADO METROS-CUADRADOS METRO-QUADRADO METROS-QUADRADOS
CMK CM2 CM²
FTK SQF FT2 SQUARE-FEET SQUARE-FOOT
YDK SQY YD2 SQUARE-YARDS
MTQ M3 M³ CBM CUBIC-METER CUBIC-METERS CUBIC-METRE CUBIC-METRES METRO-CUBICO METROS-CUBICOS
CMQ CM3 CCM
FTQ FT3 CFT CUBIC-FEET
KWH KW-H KILOWATT-HOUR KILOVATIO-HORA
MWH MW-H MEGAWATT-HOUR
LEF LEAF SHEET SHEETS HOJA HOJAS PLIEGO PLIEGOS
CUR CURIE
BQL BECQUEREL
KPP KG-P2O5
KPO KG-K2O
KNI KG-N`

const packages = `CTN CTNS CARTON CARTONS CARTONES CAIXA CAIXAS CAJA CAJAS BOX BOXES CS CASE CASES BX BAG BAGS BG BOLSA BOLSAS SACO SACOS SACK SACKS
PKG PKGS PACKAGE PACKAGES PK PCK PAQUETE PAQUETES BULTO BULTOS VOLUME VOLUMES COLIS PLT PLTS PALLET PALLETS PF PX PALETA PALETAS SKID SKIDS
DRM DRUM DRUMS DR TAMBOR TAMBORES BARREL BARRELS BARRIL BARRILES ROLL ROLLS ROLLO ROLLOS RO BALE BALES BL FARDO FARDOS BE BUNDLE BUNDLES BDL BD
CRATE CRATES CR COIL COILS CAN CANS CA LATA LATAS BOTTLE BOTTLES BO BOTELLA BOTELLAS TIN TINS REEL REELS RL TUBE TUBES TU CY CYLINDER CYLINDERS
CONTAINER CONTAINERS CN TRAY TRAYS ENVELOPE ENVELOPES JAR JARS KEG KEGS BIN BINS UNPACKED BULK`

/** What each country writes otherwise; `package` says that it counts packages. */
const own: Readonly<Record<Exclude<System, "common">, string>> = {
  // CO_UNID of Comex Stat. 23, milliards of international units, has no code.
  br: "10 KGM,11 H87,12 MIL,13 PR,14 MTR,15 MTK,16 MTQ,17 LTR,18 MWH,19 CTM,20 DZN,21 TNE,22 GRM,24 KGM",
  // MEDIDA of DIN and DUS.
  cl: "1 TNE,2 DTN,3 MWH,4 TNE,5 CTM,6 KGM,7 GRM,8 HLT,9 LTR,10 H87,11 DZN,12 SET,13 MIL,14 MTR,15 MTK,16 MTQ,17 PR,19 package,20 KWH,23 BLL,TMB TNE,QMB DTN,MKWH MWH,TMN TNE,KLT CTM,KN KGM,GN GRM,HL HLT,LT LTR,U H87,DOC DZN,U(JGO) SET,MU MIL,MT MTR,MT2 MTK,MCUB MTQ,PAR PR,CARTON package,KWH KWH,BAR BLL",
  co: "KG KGM,G GRM,U H87,NAR H87,2U PR,12U DZN,1000U MIL,MIL MIL,M MTR,M2 MTK,M3 MTQ,L LTR,LT LTR,QT CTM,CT CTM,KWH KWH,1000KWH MWH,TM TNE,GL GLL,BAR BLL",
  // Unique quantity codes of the Indian customs.
  in: "BAG package,BAL package,BDL package,BKL package,BOU MLD,BOX package,BTL package,BUN package,CAN package,CBM MTQ,CCM CMQ,CMS CMT,CTN package,DOZ DZN,DRM package,GGK GGR,GMS GRM,GRS GRO,GYD package,KGS KGM,KLR K6,KME KMT,LTR LTR,MLT MLT,MTR MTR,MTS TNE,NOS H87,PAC package,PCS H87,PRS PR,QTL DTN,ROL package,SET SET,SQF FTK,SQM MTK,SQY YDK,TBS package,TGM package,THD MIL,TON TNE,TUB package,UGS GLL,UNT H87,YDS YRD",
  pe: "KG KGM,KGM KGM,GR GRM,GRM GRM,TM TNE,TNE TNE,U H87,NIU H87,C62 H87,U2 PR,2U PR,PR PR,12U DZN,DZN DZN,MU MIL,MLL MIL,MIL MIL,M MTR,MTR MTR,M2 MTK,MTK MTK,M3 MTQ,MTQ MTQ,L LTR,LTR LTR,QL CTM,QUI CTM,CT package,CTM CTM,CEN CEN,GRO GRO,UM MIO,SET SET,JGO SET,U(JGO) SET,KIT KT,KT KT,KWH KWH,MWH MWH,1000KWH MWH,GLL GLL,GLN GLL,BLL BLL,BJ package,BG package,BO package,BX package,BE package,CA package,CY package,DR package,PK package,PF package,RO package"
}

const goods = (code: string): Unit => ({ kind: "goods", code, kg: weights[code] ?? null })

const packaging: Unit = { kind: "package" }

const commonTable: ReadonlyMap<string, Unit> = new Map([
  ...packages.split(/\s+/).map((word): [string, Unit] => [word, packaging]),
  ...common.split("\n").flatMap((line) => {
    const words = line.split(" ")
    return words.map((word): [string, Unit] => [word, goods(words[0] ?? "")])
  })
])

const tableOf = (text: string): ReadonlyMap<string, Unit> =>
  new Map(
    text.split(",").map((entry): [string, Unit] => {
      const [word = "", code = ""] = entry.split(" ")
      return [word, code === "package" ? packaging : goods(code)]
    })
  )

const tables: Readonly<Record<Exclude<System, "common">, ReadonlyMap<string, Unit>>> = {
  br: tableOf(own.br),
  cl: tableOf(own.cl),
  co: tableOf(own.co),
  in: tableOf(own.in),
  pe: tableOf(own.pe)
}

/** Every code that a raw unit may become. */
export const codes: ReadonlyArray<string> = [
  ...new Set(
    [commonTable, ...Object.values(tables)].flatMap((table) =>
      [...table.values()].flatMap((unit) => (unit.kind === "goods" ? [unit.code] : []))
    )
  )
].toSorted()

const key = (text: string): string => text.toUpperCase().trim().replace(/\.$/, "").replace(/\s+/g, "-")

/** `null` for what no table has. */
export const read = (text: string, system: System = "common"): Unit | null => {
  const word = key(text)
  if (system !== "common") {
    // Numbers come with and without their zeros.
    const found = tables[system].get(word) ?? tables[system].get(word.replace(/^0+(?=\d)/, ""))
    if (found !== undefined || /^\d+$/.test(word)) return found ?? null
  }
  return commonTable.get(word) ?? null
}

/** Kilograms of so much; `null` where the unit is no weight, or not known. */
export const kilograms = (amount: number, unit: Unit | null): number | null =>
  unit?.kind === "goods" && unit.kg !== null ? exact(amount * unit.kg) : null

/** Without the last digits, which the multiplication made up. */
const exact = (kg: number): number => Number(kg.toPrecision(12))
