/**
 * The goods of the generated trade: each with its code, the season in which it moves, what it weighs and costs, and how
 * declarations of four languages speak of it. Brands are invented.
 */

export type Language = "en" | "es" | "fr" | "pt"

export interface Good {
  /** Six digits, HS 2022. */
  readonly hs: string
  /** The line of business of who deals in it. */
  readonly sector: Sector
  /** What customs counts it in, UN/CEFACT Recommendation 20. */
  readonly unit: "H87" | "KGM" | "LTR" | "MTK" | "PR"
  /** Kilograms of one unit, packed. */
  readonly unit_kg: number
  /** US dollars for a kilogram. */
  readonly usd_kg: number
  /** The kind of package, as manifests abbreviate it. */
  readonly package_kind: string
  readonly package_kg: number
  /** The month of the year in which most of it moves, 1 to 12, and how much of the year's swing that is, 0 to below 1. */
  readonly peak: number
  readonly swing: number
  readonly air: boolean
  readonly says: Readonly<Record<Language, readonly [string, ...ReadonlyArray<string>]>>
}

export const sectors = ["foods", "textiles", "machinery", "chemicals", "electronics", "wood", "metals", "home"] as const
export type Sector = (typeof sectors)[number]

type Says = Good["says"]

const good = (
  hs: string,
  sector: Sector,
  [unit, unit_kg, usd_kg]: readonly [Good["unit"], number, number],
  [package_kind, package_kg]: readonly [string, number],
  [peak, swing]: readonly [number, number],
  says: Says,
  air = false
): Good => ({ hs, sector, unit, unit_kg, usd_kg, package_kind, package_kg, peak, swing, air, says })

export const goods: readonly [Good, ...ReadonlyArray<Good>] = [
  good("090111", "foods", ["KGM", 1, 4.2], ["BAG", 60], [8, 0.5], {
    en: ["green coffee beans, arabica, washed", "coffee not roasted in bags of 60 kg"],
    es: ["café verde arábica lavado, en sacos de 60 kg", "café sin tostar sin descafeinar"],
    fr: ["café vert arabica lavé en sacs de 60 kg", "café non torréfié"],
    pt: ["café verde arábica em sacas de 60 kg", "café não torrado"]
  }),
  good("080610", "foods", ["KGM", 1, 2.4], ["CTN", 9], [1, 0.85], {
    en: ["fresh table grapes, red seedless, 9 kg cartons", "fresh grapes"],
    es: ["uvas frescas de mesa red globe en cajas de 9 kg", "uvas frescas"],
    fr: ["raisins de table frais en cartons de 9 kg", "raisins frais"],
    pt: ["uvas frescas de mesa em caixas de 9 kg", "uvas frescas"]
  }),
  good("080440", "foods", ["KGM", 1, 2.1], ["CTN", 4], [6, 0.8], {
    en: ["fresh hass avocados, 4 kg boxes", "avocados fresh"],
    es: ["paltas frescas hass en cajas de 4 kg", "aguacates frescos"],
    fr: ["avocats frais hass en caisses de 4 kg", "avocats frais"],
    pt: ["abacates frescos hass em caixas de 4 kg", "abacates frescos"]
  }),
  good("030617", "foods", ["KGM", 1, 7.8], ["CTN", 10], [10, 0.3], {
    en: ["frozen vannamei shrimps, peeled, 10 x 1 kg", "frozen shrimps"],
    es: ["langostinos congelados pelados, caja de 10 kg", "camarones congelados"],
    fr: ["crevettes congelées décortiquées, carton de 10 kg", "crevettes congelées"],
    pt: ["camarões congelados descascados, caixa de 10 kg", "camarões congelados"]
  }),
  good("100630", "foods", ["KGM", 1, 0.7], ["BAG", 50], [11, 0.3], {
    en: ["long grain white rice 5% broken in 50 kg bags", "milled rice"],
    es: ["arroz blanco grano largo en bolsas de 50 kg", "arroz pilado"],
    fr: ["riz blanc à grains longs en sacs de 50 kg", "riz blanchi"],
    pt: ["arroz branco grão longo em sacos de 50 kg", "arroz beneficiado"]
  }),
  good("610910", "textiles", ["H87", 0.18, 16], ["CTN", 12], [3, 0.35], {
    en: ["men's knitted cotton t-shirts, short sleeves, brand ORVELLO", "cotton t-shirts knitted"],
    es: ["polos de algodón de punto para hombre, marca ORVELLO", "camisetas de algodón"],
    fr: ["t-shirts en coton pour hommes, marque ORVELLO", "t-shirts de coton en bonneterie"],
    pt: ["camisetas de malha de algodão, marca ORVELLO", "camisetas de algodão"]
  }),
  good("520100", "textiles", ["KGM", 1, 1.9], ["BLE", 220], [12, 0.4], {
    en: ["raw cotton, not carded, in bales of 220 kg", "raw cotton"],
    es: ["algodón sin cardar ni peinar en fardos", "algodón pima en fardos"],
    fr: ["coton non cardé ni peigné en balles", "coton brut en balles"],
    pt: ["algodão em pluma em fardos de 220 kg", "algodão não cardado"]
  }),
  good("620342", "textiles", ["H87", 0.55, 19], ["CTN", 15], [9, 0.3], {
    en: ["men's woven cotton trousers, denim, style KELDRA 512", "denim trousers"],
    es: ["pantalones de algodón para hombre, modelo KELDRA 512", "pantalones de mezclilla"],
    fr: ["pantalons de coton pour hommes, modèle KELDRA 512", "pantalons en denim"],
    pt: ["calças de algodão masculinas, modelo KELDRA 512", "calças jeans"]
  }),
  good("640399", "textiles", ["PR", 0.9, 26], ["CTN", 11], [7, 0.4], {
    en: ["leather shoes with rubber soles, 12 pairs per carton", "leather footwear"],
    es: ["zapatos de cuero con suela de caucho, 12 pares por caja", "calzado de cuero"],
    fr: ["chaussures en cuir à semelles de caoutchouc, 12 paires", "chaussures en cuir"],
    pt: ["sapatos de couro com sola de borracha, 12 pares", "calçados de couro"]
  }),
  good("841370", "machinery", ["H87", 42, 11], ["PLT", 400], [5, 0.15], {
    en: ["centrifugal water pumps, model ZK-40, with spare parts", "centrifugal pumps for water"],
    es: ["bombas centrífugas de agua, modelo ZK-40, con repuestos", "bombas centrífugas"],
    fr: ["pompes centrifuges à eau, modèle ZK-40, avec pièces", "pompes centrifuges"],
    pt: ["bombas centrífugas para água, modelo ZK-40", "bombas centrífugas"]
  }),
  good("848210", "machinery", ["H87", 0.6, 13], ["CTN", 20], [4, 0.1], {
    en: ["ball bearings 6204 2RS, 100 pcs per box, TARVEK", "deep groove ball bearings"],
    es: ["rodamientos de bolas 6204 2RS, marca TARVEK", "rodamientos de bolas"],
    fr: ["roulements à billes 6204 2RS, marque TARVEK", "roulements à billes"],
    pt: ["rolamentos de esferas 6204 2RS, marca TARVEK", "rolamentos de esferas"]
  }),
  good("843352", "machinery", ["H87", 2400, 9], ["UNT", 2400], [4, 0.6], {
    en: ["combine threshing machine with header, new", "harvesting machinery"],
    es: ["cosechadora trilladora con cabezal, nueva", "máquinas cosechadoras"],
    fr: ["moissonneuse batteuse avec barre de coupe", "machines de récolte"],
    pt: ["colheitadeira debulhadora com plataforma", "máquinas colheitadeiras"]
  }),
  good("310210", "chemicals", ["KGM", 1, 0.4], ["BAG", 50], [9, 0.6], {
    en: ["urea 46% nitrogen, granular, in big bags", "urea fertilizer"],
    es: ["urea granulada 46% de nitrógeno", "fertilizante urea"],
    fr: ["urée granulée à 46% d'azote", "engrais urée"],
    pt: ["ureia granulada 46% de nitrogênio", "fertilizante ureia"]
  }),
  good("390120", "chemicals", ["KGM", 1, 1.3], ["BAG", 25], [2, 0.1], {
    en: ["high density polyethylene resin, grade PX 5502, 25 kg bags", "polyethylene granules"],
    es: ["polietileno de alta densidad en bolsas de 25 kg", "resina de polietileno"],
    fr: ["polyéthylène haute densité en sacs de 25 kg", "granulés de polyéthylène"],
    pt: ["polietileno de alta densidade em sacos de 25 kg", "resina de polietileno"]
  }),
  good("220421", "foods", ["LTR", 1.4, 3.9], ["CTN", 9], [11, 0.5], {
    en: ["red wine in bottles of 750 ml, 13% vol, VALDORENZA", "bottled wine"],
    es: ["vino tinto en botellas de 750 ml, VALDORENZA", "vino embotellado"],
    fr: ["vin rouge en bouteilles de 750 ml, VALDORENZA", "vin en bouteilles"],
    pt: ["vinho tinto em garrafas de 750 ml, VALDORENZA", "vinho engarrafado"]
  }),
  good(
    "851713",
    "electronics",
    ["H87", 0.4, 420],
    ["CTN", 16],
    [11, 0.5],
    {
      en: ["smartphones 128 GB dual sim, model QUILO S3", "mobile telephones"],
      es: ["teléfonos inteligentes 128 GB, modelo QUILO S3", "teléfonos celulares"],
      fr: ["téléphones intelligents 128 Go, modèle QUILO S3", "téléphones portables"],
      pt: ["telefones inteligentes 128 GB, modelo QUILO S3", "telefones celulares"]
    },
    true
  ),
  good("854143", "electronics", ["H87", 22, 6], ["PLT", 700], [6, 0.3], {
    en: ["photovoltaic solar panels 450 W monocrystalline", "solar panels"],
    es: ["paneles solares fotovoltaicos de 450 W", "paneles solares"],
    fr: ["panneaux solaires photovoltaïques de 450 W", "panneaux solaires"],
    pt: ["painéis solares fotovoltaicos de 450 W", "painéis solares"]
  }),
  good("854442", "electronics", ["KGM", 1, 12], ["DRM", 180], [3, 0.1], {
    en: ["insulated copper cable with connectors, 80 V", "electric cables with connectors"],
    es: ["cables eléctricos de cobre aislados con conectores", "cables con piezas de conexión"],
    fr: ["câbles électriques isolés en cuivre avec connecteurs", "câbles isolés"],
    pt: ["cabos elétricos isolados de cobre com conectores", "cabos elétricos"]
  }),
  good("441231", "wood", ["MTK", 9, 1.1], ["PLT", 900], [5, 0.2], {
    en: ["tropical plywood 18 mm, film faced", "plywood sheets"],
    es: ["madera contrachapada tropical de 18 mm", "tableros contrachapados"],
    fr: ["contreplaqué tropical de 18 mm", "panneaux de contreplaqué"],
    pt: ["compensado tropical de 18 mm", "chapas de compensado"]
  }),
  good("940360", "home", ["H87", 24, 4.5], ["CTN", 26], [10, 0.3], {
    en: ["wooden bedroom furniture, knocked down, HALDEMO collection", "wooden furniture"],
    es: ["muebles de madera para dormitorio, línea HALDEMO", "muebles de madera"],
    fr: ["meubles de chambre en bois, gamme HALDEMO", "meubles en bois"],
    pt: ["móveis de madeira para quarto, linha HALDEMO", "móveis de madeira"]
  }),
  good("950300", "home", ["H87", 0.7, 8], ["CTN", 8], [9, 0.75], {
    en: ["plastic toys for children, assorted, 24 pcs/ctn", "toys"],
    es: ["juguetes de plástico surtidos para niños", "juguetes"],
    fr: ["jouets en plastique assortis pour enfants", "jouets"],
    pt: ["brinquedos de plástico sortidos", "brinquedos"]
  }),
  good("691110", "home", ["KGM", 1, 2.8], ["CTN", 18], [8, 0.3], {
    en: ["porcelain dinner plates and mugs, white", "porcelain tableware"],
    es: ["vajilla de porcelana: platos y tazas", "vajilla de porcelana"],
    fr: ["vaisselle en porcelaine: assiettes et tasses", "vaisselle en porcelaine"],
    pt: ["louça de porcelana: pratos e canecas", "louça de porcelana"]
  }),
  good("721049", "metals", ["KGM", 1, 0.9], ["COI", 8000], [3, 0.15], {
    en: ["hot dip galvanized steel coils 0.45 mm x 1200 mm", "galvanized steel sheet in coils"],
    es: ["bobinas de acero galvanizado 0.45 mm x 1200 mm", "acero galvanizado en bobinas"],
    fr: ["bobines d'acier galvanisé 0,45 mm x 1200 mm", "tôles d'acier galvanisé"],
    pt: ["bobinas de aço galvanizado 0,45 mm x 1200 mm", "aço galvanizado em bobinas"]
  }),
  good("740311", "metals", ["KGM", 1, 8.6], ["BDL", 2000], [7, 0.1], {
    en: ["refined copper cathodes grade A", "copper cathodes"],
    es: ["cátodos de cobre refinado grado A", "cátodos de cobre"],
    fr: ["cathodes de cuivre affiné grade A", "cathodes de cuivre"],
    pt: ["catodos de cobre refinado grau A", "catodos de cobre"]
  })
]

/** The word of its business in a company's name, as the language of its country has it; and how it is abbreviated. */
export const sectorWords: Readonly<Record<Language, Readonly<Record<Sector, readonly [string, string]>>>> = {
  en: {
    foods: ["Foods", "Fds"],
    textiles: ["Textiles", "Tex"],
    machinery: ["Machinery", "Mach"],
    chemicals: ["Chemicals", "Chem"],
    electronics: ["Electronics", "Elec"],
    wood: ["Timber", "Tmbr"],
    metals: ["Metals", "Mtls"],
    home: ["Housewares", "Hsewares"]
  },
  es: {
    foods: ["Alimentos", "Alim"],
    textiles: ["Textiles", "Tex"],
    machinery: ["Maquinarias", "Maq"],
    chemicals: ["Química", "Quim"],
    electronics: ["Electrónica", "Elec"],
    wood: ["Maderas", "Mad"],
    metals: ["Metales", "Met"],
    home: ["Hogar", "Hog"]
  },
  fr: {
    foods: ["Aliments", "Alim"],
    textiles: ["Textiles", "Tex"],
    machinery: ["Machines", "Mach"],
    chemicals: ["Chimie", "Chim"],
    electronics: ["Électronique", "Elec"],
    wood: ["Bois", "Bs"],
    metals: ["Métaux", "Mtx"],
    home: ["Maison", "Msn"]
  },
  pt: {
    foods: ["Alimentos", "Alim"],
    textiles: ["Têxtil", "Tex"],
    machinery: ["Máquinas", "Maq"],
    chemicals: ["Química", "Quim"],
    electronics: ["Eletrônica", "Eletr"],
    wood: ["Madeiras", "Mad"],
    metals: ["Metais", "Met"],
    home: ["Casa", "Cs"]
  }
}
