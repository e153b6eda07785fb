/** The countries of the generated trade and the publications that its records pretend to be from. */
import type { Language } from "./Goods.ts"

/** Ways of writing one legal form, the canonical one first. */
export type LegalForm = readonly [string, ...ReadonlyArray<string>]

export interface Land {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  readonly language: Language
  /** ISO 4217, and units of it for a US dollar, as of nowhere. */
  readonly currency: string
  readonly per_usd: number
  readonly city: string
  /** As a manifest writes them: `name` in some sources, UN/LOCODE in others. */
  readonly ports: readonly [Port, ...ReadonlyArray<Port>]
  readonly forms: readonly [LegalForm, ...ReadonlyArray<LegalForm>]
}

export interface Port {
  readonly name: string
  readonly locode: string
}

const port = (name: string, locode: string): Port => ({ name, locode })

const inc: LegalForm = ["Inc.", "INC", "Incorporated", "Inc"]
const llc: LegalForm = ["LLC", "L.L.C.", "Limited Liability Company"]
const ltd: LegalForm = ["Co., Ltd.", "CO LTD", "Company Limited", "CO.,LTD"]
const pvt: LegalForm = ["Pvt. Ltd.", "PRIVATE LIMITED", "PVT LTD", "P LTD"]
const sac: LegalForm = ["S.A.C.", "SAC", "SOCIEDAD ANONIMA CERRADA"]
const sas: LegalForm = ["S.A.S.", "SAS", "SOCIEDAD POR ACCIONES SIMPLIFICADA"]
const sa: LegalForm = ["S.A.", "SA", "SOCIEDAD ANONIMA"]
const ltda: LegalForm = ["Ltda.", "LTDA", "LIMITADA"]
const gmbh: LegalForm = ["GmbH", "G.m.b.H.", "GESELLSCHAFT MBH"]
const sarl: LegalForm = ["SARL", "S.A.R.L.", "STE A RESPONSABILITE LIMITEE"]

const land = (
  code: string,
  language: Language,
  [currency, per_usd]: readonly [string, number],
  city: string,
  ports: Land["ports"],
  forms: Land["forms"]
): Land => ({ code, language, currency, per_usd, city, ports, forms })

export const lands = {
  US: land(
    "US",
    "en",
    ["USD", 1],
    "Sampleton",
    [port("Los Angeles", "USLAX"), port("New York", "USNYC"), port("Houston", "USHOU")],
    [inc, llc]
  ),
  CN: land(
    "CN",
    "en",
    ["CNY", 7.1],
    "Yangli",
    [port("Shanghai", "CNSHA"), port("Ningbo", "CNNGB"), port("Qingdao", "CNTAO")],
    [ltd]
  ),
  PE: land("PE", "es", ["PEN", 3.75], "Villa Muestra", [port("Callao", "PECLL"), port("Paita", "PEPAI")], [sac, sa]),
  CO: land("CO", "es", ["COP", 4100], "Pueblo Ejemplo", [port("Cartagena", "COCTG")], [sas, ltda]),
  IN: land("IN", "en", ["INR", 83], "Udaharanpur", [port("Nhava Sheva", "INNSA"), port("Mundra", "INMUN")], [pvt]),
  VN: land("VN", "en", ["VND", 24500], "Vi Du", [port("Haiphong", "VNHPH")], [ltd]),
  BR: land("BR", "pt", ["BRL", 5.1], "Exemplar", [port("Santos", "BRSSZ"), port("Paranagua", "BRPNG")], [ltda, sa]),
  DE: land("DE", "en", ["EUR", 0.92], "Musterstadt", [port("Hamburg", "DEHAM")], [gmbh]),
  MA: land("MA", "fr", ["MAD", 10], "Exempleville", [port("Casablanca", "MACAS")], [sarl, sa]),
  KR: land("KR", "en", ["KRW", 1330], "Bogi-si", [port("Busan", "KRPUS")], [ltd])
} as const satisfies Record<string, Land>

export type LandCode = keyof typeof lands

/** The country of each of the 64 places that traders are dealt to, by the size of its trade. */
export const places: ReadonlyArray<LandCode> = [
  ...Array.from({ length: 14 }, () => "US" as const),
  ...Array.from({ length: 14 }, () => "CN" as const),
  ...Array.from({ length: 7 }, () => "PE" as const),
  ...Array.from({ length: 5 }, () => "CO" as const),
  ...Array.from({ length: 8 }, () => "IN" as const),
  ...Array.from({ length: 4 }, () => "VN" as const),
  ...Array.from({ length: 4 }, () => "BR" as const),
  ...Array.from({ length: 3 }, () => "DE" as const),
  ...Array.from({ length: 2 }, () => "MA" as const),
  ...Array.from({ length: 3 }, () => "KR" as const)
]

/** A publication: who declares in it, and what it leaves out. Shares are of records. */
export interface Publication {
  readonly source: string
  readonly land: LandCode
  readonly flow: "import" | "export"
  /** Of all relations, how many are declared here. */
  readonly share: number
  readonly language: Language
  /** Names longer than this are cut off. */
  readonly longest_name: number
  readonly upper: boolean
  readonly has_tax_id: boolean
  /** Whether the party abroad is named at all. */
  readonly names_abroad: boolean
  readonly country_known: number
  readonly address_known: number
  readonly hs_known: number
  /** Digits of the code as it is written. */
  readonly hs_digits: 6 | 8 | 10
  readonly quantity_known: number
  readonly net_known: number
  readonly amount_known: number
  readonly amount_kind: "fob" | "cif"
  /** Whether amounts are in the land's own money. */
  readonly own_money: boolean
  readonly house_bills: number
  readonly sea_only: boolean
  readonly locodes: boolean
}

const usual = {
  longest_name: 80,
  upper: true,
  has_tax_id: false,
  names_abroad: true,
  country_known: 0.95,
  address_known: 0.6,
  hs_known: 1,
  hs_digits: 10,
  quantity_known: 0.97,
  net_known: 0.98,
  amount_known: 1,
  own_money: false,
  house_bills: 0,
  sea_only: false,
  locodes: true
} as const

/**
 * The rates of the first are those counted in US manifests (countries 25 and 27 %, house bills 43 %, a product code in
 * 37 % of the descriptions, names cut at 35 characters, no value); Peru and Colombia name the party at home only.
 */
export const publications: readonly [Publication, ...ReadonlyArray<Publication>] = [
  {
    ...usual,
    source: "sample-us-manifests",
    land: "US",
    flow: "import",
    share: 0.34,
    language: "en",
    longest_name: 35,
    country_known: 0.26,
    address_known: 0.28,
    hs_known: 0.37,
    hs_digits: 6,
    quantity_known: 0.3,
    net_known: 0,
    amount_known: 0,
    amount_kind: "cif",
    house_bills: 0.43,
    sea_only: true,
    locodes: false
  },
  {
    ...usual,
    source: "sample-pe-imports",
    land: "PE",
    flow: "import",
    share: 0.14,
    language: "es",
    has_tax_id: true,
    names_abroad: false,
    amount_kind: "cif"
  },
  {
    ...usual,
    source: "sample-pe-exports",
    land: "PE",
    flow: "export",
    share: 0.09,
    language: "es",
    has_tax_id: true,
    names_abroad: false,
    amount_kind: "fob"
  },
  {
    ...usual,
    source: "sample-co-imports",
    land: "CO",
    flow: "import",
    share: 0.1,
    language: "es",
    has_tax_id: true,
    names_abroad: false,
    amount_kind: "cif"
  },
  {
    ...usual,
    source: "sample-in-imports",
    land: "IN",
    flow: "import",
    share: 0.11,
    language: "en",
    upper: false,
    hs_digits: 8,
    amount_kind: "cif",
    own_money: true
  },
  {
    ...usual,
    source: "sample-in-exports",
    land: "IN",
    flow: "export",
    share: 0.08,
    language: "en",
    upper: false,
    hs_digits: 8,
    amount_kind: "fob",
    own_money: true
  },
  {
    ...usual,
    source: "sample-vn-exports",
    land: "VN",
    flow: "export",
    share: 0.06,
    language: "en",
    hs_digits: 8,
    amount_kind: "fob"
  },
  {
    ...usual,
    source: "sample-br-imports",
    land: "BR",
    flow: "import",
    share: 0.05,
    language: "pt",
    hs_digits: 8,
    amount_kind: "cif"
  },
  {
    ...usual,
    source: "sample-ma-imports",
    land: "MA",
    flow: "import",
    share: 0.03,
    language: "fr",
    upper: false,
    amount_kind: "cif",
    own_money: true
  }
]
