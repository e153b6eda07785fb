/**
 * What columns are called, in the languages of customs files. A column is taken for a field by the words of its name, and
 * what its cells look like has the last word (`Inspect.ts`).
 */
import { Text } from "@lading/core/value"

export type Field =
  | "key"
  | "date"
  | "flow"
  | "importer.name"
  | "importer.country"
  | "importer.tax_id"
  | "importer.address"
  | "exporter.name"
  | "exporter.country"
  | "exporter.tax_id"
  | "exporter.address"
  | "origin_country"
  | "destination_country"
  | "hs"
  | "description"
  | "quantity"
  | "quantity.unit"
  | "gross_weight"
  | "net_weight"
  | "amount.cif"
  | "amount.fob"
  | "amount.customs"
  | "amount.currency"
  | "port_of_loading"
  | "port_of_unloading"
  | "transport"
  | "bill_number"
  | "master_bill_number"
  | "packages"
  | "packages.kind"
  | "teu"
  | "version"

/** Names as a whole, one field a line, the surer ones first; compared without case, accents and signs. */
const names: Readonly<Record<Field, string>> = {
  key: "declaration id|declaration no|declaration number|entry number|be no|sb no|numero declaracion|nro declaracion|num declaracion|dua|item|item no|item number|nume serie|numero item|record id|id|identifier|key|declaracao",
  date: "date|declaration date|arrival date|actual arrival date|estimated arrival date|be date|sb date|shipment date|entry date|fecha|fecha declaracion|fecha numeracion|data|data declaracao|datum|date declaration|fec numeracion|fech ingsi|fecacep",
  flow: "flow|trade flow|type of trade|flujo|fluxo|import export|imp exp|trade type",
  "importer.name":
    "importer|importer name|consignee|consignee name|buyer|buyer name|importador|nombre importador|razon social importador|consignatario|importateur|destinataire|importeur|empfanger|importatore|rzimpo|importer id|comprador",
  "importer.country": "importer country|consignee country|buyer country|pais importador|country of importer",
  "importer.tax_id":
    "importer tax id|consignee tax id|iec|importer code|ruc importador|nit|rut importador|cnpj|nif importador|ruc",
  "importer.address": "importer address|consignee address|buyer address|direccion importador|endereco importador",
  "exporter.name":
    "exporter|exporter name|shipper|shipper name|supplier|supplier name|seller|seller name|shipper party name|exportador|nombre exportador|proveedor|vendedor|fornecedor|embarcador|exportateur|fournisseur|expediteur|exporteur|lieferant|versender|esportatore|seller id",
  "exporter.country":
    "exporter country|shipper country|supplier country|seller country|pais exportador|pais proveedor|country of exporter",
  "exporter.tax_id": "exporter tax id|shipper tax id|ruc exportador|rut exportador|nit exportador|exporter code",
  "exporter.address":
    "exporter address|shipper address|supplier address|seller address|direccion exportador|endereco exportador",
  origin_country:
    "origin country|country of origin|origin|pais origen|pais de origen|pais de origem|pays origine|pays d origine|ursprungsland|paese origine|paisgen|pais orige|pa orig",
  destination_country:
    "destination country|country of destination|destination|pais destino|pais de destino|pays destination|pays de destination|bestimmungsland|paese destinazione|cpaides|paisdestino",
  hs: "hs|hs code|hscode|hs6 code|hts|hts code|tariff|tariff code|commodity code|cth hscode|ritc|harmonized number|partida|partida arancelaria|subpartida|nandina|part nandi|naban|codigo arancelario|ncm|posicion arancelaria|sh|code sh|code douanier|position tarifaire|warennummer|zolltarifnummer|codice doganale|product nc|codigoarancel|aranc nac",
  description:
    "description|goods description|product description|item description|description text|cargo description|product|goods|descripcion|descripcion comercial|descripcion mercancia|mercancia|producto|descricao|descricao produto|mercadoria|designation|designation marchandise|warenbezeichnung|descrizione|desc comer|dcom",
  quantity:
    "quantity|qty|std quantity|cantidad|cant|quantidade|quantite|menge|quantita|canu|cant merc|cantidadmercancia|qt estat|unid fiqty|qunifis",
  "quantity.unit":
    "unit|uqc|uom|quantity unit|unit of measure|unit of quantity|std unit|unidad|unidad medida|unidad de medida|unidade|unidade medida|unite|einheit|unita|medida|unidadmedida|co unid|unid fides|tunifis",
  gross_weight:
    "gross weight|gross kg|gross mass|weight|weight kg|gross weight kg|peso bruto|peso bruto kg|peso|poids brut|bruttogewicht|peso lordo|pbk|vpesbru|pesobrutoitem",
  net_weight:
    "net weight|net kg|net mass|net weight kg|peso neto|peso neto kg|peso liquido|poids net|nettogewicht|eigenmasse|peso netto|pnk|kg liquido|vpesnet",
  "amount.cif": "cif|cif value|cif usd|cif value usd|valor cif|valor cif usd|valeur caf|caf|cif item|vacid|cif wert",
  "amount.fob":
    "fob|fob value|fob usd|fob value usd|valor fob|valor fob usd|valeur fob|fob dolpol|vafodo|vl fob|vfobserdol|fobus|fob wert",
  "amount.customs":
    "value|amount|total value|customs value|assessed value|total ass value|item price|declared value|value usd|total value usd|valor|valor aduana|valor total|valeur|valeur statistique|wert|statistischer wert|valore|value in euros",
  "amount.currency": "currency|invoice currency|currency code|moneda|moeda|monnaie|devise|wahrung|valuta",
  port_of_loading:
    "port of loading|loading port|port of lading|foreign port of lading|port of shipment|puerto embarque|puerto de embarque|porto embarque|port chargement|port d embarquement|ladehafen|puer embar",
  port_of_unloading:
    "port of unloading|port of discharge|discharge port|port of unlading|unloading port|indian port|puerto desembarque|puerto destino|puerto de descarga|porto desembarque|port dechargement|entladehafen|loschhafen",
  transport:
    "transport|mode of transport|mode of transportation|transport mode|mode of shipment|via transporte|via de transporte|via transp|via|viatrans|co via|mode transport|verkehrszweig|modo trasporto",
  bill_number:
    "bill|bill number|bill no|bill of lading|bol|bol number|b l|house bill|house bol number|hbl|conocimiento|numero conocimiento|conhecimento|connaissement|awb",
  master_bill_number: "master bill|master bill number|master bol number|mbl|conocimiento master",
  packages:
    "packages|number of packages|package count|piece count|manifest quantity|bultos|cant bulto|total bultos|volumes|colis|packstucke|colli",
  "packages.kind": "package kind|package type|package unit|manifest unit|tipo bulto|clase bulto|type colis|packart",
  teu: "teu|teus|volume teu",
  version: "version|revision|update date|trade update date|version no"
}

/** Words in order, without signs: `CIF (US$)` is `cif us`. */
const plain = (header: string): string =>
  Text.key(header.replace(/([a-z\d])([A-Z])/g, "$1 $2"))
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** How sure a name alone is, from 0 to 1. */
export interface Guess {
  readonly field: Field
  readonly confidence: number
}

const entries: ReadonlyArray<readonly [Field, ReadonlyArray<string>]> = fields().map((field) => [
  field,
  names[field].split("|")
])

function fields(): ReadonlyArray<Field> {
  // TypeScript widens the keys of a record to text.
  return Object.keys(names) as ReadonlyArray<Field>
}

/** All that a name may mean, the surest first. The whole name is surer than its words in a longer one. */
export const guesses = (header: string): ReadonlyArray<Guess> => {
  const words = plain(header)
  const found = entries.flatMap(([field, known]): ReadonlyArray<Guess> => {
    const whole = known.indexOf(words)
    if (whole >= 0) return [{ field, confidence: whole === 0 ? 0.95 : 0.9 }]
    const inside = known.filter((one) => one.length >= 4 && ` ${words} `.includes(` ${one} `))
    const longest = inside.reduce((most, one) => Math.max(most, one.length), 0)
    return longest === 0 ? [] : [{ field, confidence: 0.4 + 0.4 * (longest / words.length) }]
  })
  return found.toSorted((a, b) => b.confidence - a.confidence)
}
