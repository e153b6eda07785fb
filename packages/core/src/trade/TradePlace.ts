/**
 * Where trade happens: countries with their codes, region, currency and a point for the map (`i18n-iso-countries`,
 * `countries-list`), and sea ports with UN/LOCODE and coordinates (`sea-ports`).
 *
 * Gotcha: the point of a country is for a bubble on a world map, within a degree or two of its middle; no boundaries are
 * meant by it.
 */
import iso from "i18n-iso-countries"
import seaPorts from "sea-ports/lib/ports.json" with { type: "json" }
import * as Country from "../value/Country.ts"
import * as Land from "../value/Land.ts"
import * as Text from "../value/Text.ts"

export interface Point {
  /** Degrees, north and east positive. */
  readonly lat: number
  readonly lon: number
}

export interface TradeCountry extends Point {
  /** ISO 3166-1 alpha-2, alpha-3, and numeric with its zeros. */
  readonly code: string
  readonly code3: string
  readonly numeric: string
  /** The usual English name. */
  readonly name: string
  /** Its continent, e.g. `South America`. */
  readonly region: string
  /** ISO 4217, the first of those in use; `null` where there is none. */
  readonly currency: string | null
}

/** Latitude and longitude, of our own rounding. */
const middles = `AD 42.5 1.5,AE 24 54,AF 33 65,AG 17.1 -61.8,AI 18.2 -63.1,AL 41 20,AM 40 45,AO -12.5 18.5,AQ -80 0
AR -34 -64,AS -14.3 -170.7,AT 47.3 13.3,AU -25 134,AW 12.5 -70,AX 60.2 20,AZ 40.5 47.5,BA 44 18,BB 13.2 -59.5,BD 24 90
BE 50.8 4.5,BF 13 -2,BG 43 25,BH 26 50.6,BI -3.5 30,BJ 9.5 2.3,BL 17.9 -62.8,BM 32.3 -64.8,BN 4.5 114.7,BO -17 -65
BQ 12.2 -68.3,BR -10 -53,BS 24 -76,BT 27.5 90.5,BV -54.4 3.4,BW -22 24,BY 53 28,BZ 17.2 -88.7,CA 58 -98,CC -12.2 96.8
CD -3 23,CF 7 21,CG -1 15.5,CH 46.8 8.2,CI 7.5 -5.5,CK -21.2 -159.8,CL -33 -71,CM 6 12.5,CN 35 104,CO 4 -73,CR 10 -84
CU 21.5 -79.5,CV 16 -24,CW 12.2 -69,CX -10.5 105.7,CY 35 33,CZ 49.8 15.5,DE 51 10,DJ 11.6 42.6,DK 56 10,DM 15.4 -61.3
DO 19 -70.5,DZ 28 3,EC -1.5 -78.5,EE 58.7 25.5,EG 27 30,EH 24.5 -13,ER 15.3 39,ES 40 -4,ET 8.5 39.5,FI 64 26,FJ -18 178
FK -51.7 -59.5,FM 6.9 158.2,FO 62 -7,FR 46.5 2.5,GA -0.7 11.7,GB 54 -2,GD 12.1 -61.7,GE 42 43.5,GF 4 -53,GG 49.5 -2.6
GH 8 -1,GI 36.1 -5.3,GL 72 -40,GM 13.5 -15.5,GN 10.5 -10.7,GP 16.2 -61.5,GQ 1.7 10.3,GR 39 22,GS -54.4 -36.6
GT 15.5 -90.2,GU 13.4 144.8,GW 12 -15,GY 5 -59,HK 22.3 114.2,HM -53.1 73.5,HN 15 -86.5,HR 45.3 16,HT 19 -72.5,HU 47 19.5
ID -2 118,IE 53.3 -8,IL 31.5 35,IM 54.2 -4.5,IN 22 79,IO -6.3 71.9,IQ 33 44,IR 32.5 53.5,IS 65 -18.5,IT 42.8 12.8
JE 49.2 -2.1,JM 18.2 -77.4,JO 31.2 36.5,JP 36.5 138,KE 0.5 38,KG 41.5 74.7,KH 12.7 105,KI 1.4 173,KM -12 44.2
KN 17.3 -62.7,KP 40 127,KR 36.5 128,KW 29.3 47.6,KY 19.3 -81.3,KZ 48 67,LA 18.5 104,LB 33.9 35.9,LC 13.9 -61,LI 47.2 9.5
LK 7.5 80.7,LR 6.5 -9.5,LS -29.5 28.3,LT 55.3 24,LU 49.8 6.1,LV 57 25,LY 27 17.5,MA 32 -6,MC 43.7 7.4,MD 47.2 28.5
ME 42.8 19.3,MF 18.1 -63.1,MG -19 46.7,MH 7.1 171.1,MK 41.6 21.7,ML 17.5 -4,MM 21 96,MN 46.8 103.8,MO 22.2 113.5
MP 15.2 145.7,MQ 14.7 -61,MR 20 -10.5,MS 16.7 -62.2,MT 35.9 14.4,MU -20.3 57.5,MV 3.2 73.2,MW -13.5 34.2,MX 23.5 -102
MY 3.8 109,MZ -18 35,NA -22 17,NC -21.3 165.5,NE 17.5 9,NF -29 168,NG 9.5 8,NI 12.8 -85,NL 52.2 5.5,NO 62 10,NP 28.2 84
NR -0.5 166.9,NU -19 -169.9,NZ -41.5 173,OM 21 57,PA 8.7 -80,PE -9.5 -75.5,PF -17.6 -149.5,PG -6.5 146,PH 12.5 122.5
PK 30 70,PL 52 19.5,PM 46.9 -56.3,PN -25.1 -130.1,PR 18.2 -66.5,PS 31.9 35.2,PT 39.5 -8,PW 7.5 134.6,PY -23.3 -58.3
QA 25.3 51.2,RE -21.1 55.5,RO 46 25,RS 44 21,RU 61 98,RW -2 30,SA 24 45,SB -9 160,SC -4.6 55.5,SD 15.5 30.2,SE 62.5 16
SG 1.4 103.8,SH -15.9 -5.7,SI 46.1 14.8,SJ 78.5 17,SK 48.7 19.5,SL 8.5 -11.8,SM 43.9 12.5,SN 14.5 -14.5,SO 6 46
SR 4 -56,SS 7.5 30.5,ST 0.3 6.7,SV 13.8 -88.9,SX 18 -63.1,SY 35 38.5,SZ -26.5 31.5,TC 21.8 -71.8,TD 15.5 18.7
TF -49.3 69.5,TG 8.5 1,TH 15.5 101,TJ 38.8 71,TK -9.2 -171.8,TL -8.8 125.8,TM 39.2 59.5,TN 34 9.5,TO -20 -175,TR 39 35
TT 10.5 -61.3,TV -8 178,TW 23.7 121,TZ -6.3 35,UA 49 32,UG 1.3 32.5,UM 19.3 166.6,US 39.5 -98.5,UY -33 -56,UZ 41.5 64
VA 41.9 12.5,VC 13.2 -61.2,VE 7 -66,VG 18.4 -64.6,VI 17.7 -64.8,VN 16 107.5,VU -16 167,WF -13.3 -176.2,WS -13.6 -172.3
XK 42.6 20.9,YE 15.7 47.5,YT -12.8 45.1,ZA -29 25,ZM -14 28,ZW -19 29.5`

const middleOf: ReadonlyMap<string, Point> = new Map(
  middles.split(/[,\n]/).map((text) => {
    const [code = "", lat, lon] = text.split(" ")
    return [code, { lat: Number(lat), lon: Number(lon) }]
  })
)

const make = (code: string): ReadonlyArray<TradeCountry> => {
  const middle = middleOf.get(code)
  const { continent: region, currency } = Land.of(code)
  const [code3, numeric] = [iso.alpha2ToAlpha3(code), iso.alpha2ToNumeric(code)]
  if (middle === undefined || code3 === undefined || numeric === undefined || region === null) return []
  const name = Country.names(code)[0] ?? code
  return [{ code, code3, numeric: numeric.padStart(3, "0"), name, region, currency, ...middle }]
}

/** All that ISO 3166-1 has, by code. */
export const countries: ReadonlyArray<TradeCountry> = Object.keys(iso.getAlpha2Codes()).toSorted().flatMap(make)

const countryByCode = new Map(countries.map((country) => [country.code, country]))

/** By alpha-2 code in upper case; `null` for what is none. */
export const country = (code: string): TradeCountry | null => countryByCode.get(code) ?? null

export interface SeaPort {
  /** UN/LOCODE. */
  readonly locode: string
  readonly name: string
  /** ISO 3166-1 alpha-2; `null` for a code of a country that is no more (`AN`). */
  readonly country: string | null
  /** `null` for the few whose place is not listed. */
  readonly point: Point | null
}

interface Entry {
  readonly name: string
  readonly alias?: ReadonlyArray<string>
  /** Longitude and latitude. */
  readonly coordinates?: ReadonlyArray<number>
  readonly unlocs: ReadonlyArray<string>
}

const entries: Readonly<Record<string, Entry>> = seaPorts

/** Degrees between two points on a flat map: enough to tell a country from another part of the world. */
const apart = (a: Point, b: Point): number => Math.hypot(a.lat - b.lat, ((a.lon - b.lon + 540) % 360) - 180)

/** Where an entry says it is. A few have their two numbers in the other order, and would lie far from their country. */
const pointOf = ({ coordinates }: Entry, within: TradeCountry | null): Point | null => {
  const [lon, lat] = coordinates ?? []
  if (lat === undefined || lon === undefined) return null
  const [said, turned] = [
    { lat, lon },
    { lat: lon, lon: lat }
  ]
  return within !== null && apart(said, within) > 30 && apart(turned, within) < 12 ? turned : said
}

const portOf = (locode: string, entry: Entry): SeaPort => {
  const within = country(locode.slice(0, 2))
  // A port with two codes is known under the first of them, so that it is one port.
  return {
    locode: entry.unlocs[0] ?? locode,
    name: entry.name,
    country: within?.code ?? null,
    point: pointOf(entry, within)
  }
}

const portByCode: ReadonlyMap<string, SeaPort> = new Map(
  Object.entries(entries).map(([locode, entry]) => [locode, portOf(locode, entry)])
)

/** Every port once, by code. */
export const ports: ReadonlyArray<SeaPort> = [
  ...new Map([...portByCode.values()].map((port) => [port.locode, port])).values()
].toSorted((a, b) => (a.locode < b.locode ? -1 : 1))

/** Ports by the keys of their names; several where several places have the name. */
const portsByName: ReadonlyMap<string, ReadonlyArray<SeaPort>> = Map.groupBy(ports, ({ name }) => Text.key(name))

/**
 * The port that a record means: by UN/LOCODE, with or without a space, else by name, of that country where one is given.
 * `null` where there is none, or more than one.
 */
export const port = (text: string, within: string | null = null): SeaPort | null => {
  const byCode = portByCode.get(text.replaceAll(" ", "").toUpperCase())
  if (byCode !== undefined) return byCode
  const named = (portsByName.get(Text.key(text)) ?? []).filter((one) => within === null || one.country === within)
  return named.length === 1 ? (named[0] ?? null) : null
}
