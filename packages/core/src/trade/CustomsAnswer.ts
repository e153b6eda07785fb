/**
 * What is answered about customs records, as schemas, and how it is made of what the store says: there a trader is a
 * `trader_id`, here a `company_id`. `weight` is kilograms, `amount` US dollars; unknown is `null`.
 */
import { Schema } from "effect"
import type { HsList } from "./HsCode.ts"
import type * as Answer from "./TradeAnswer.ts"
import * as TradePlace from "./TradePlace.ts"
import { AmountKind, type Party, Transport } from "./TradeRecord.ts"
import type { TradeRole } from "./TradeRole.ts"
import * as TradeRow from "./TradeRow.ts"

const Text = Schema.NullOr(Schema.String)
const Amount = Schema.NullOr(Schema.Finite)
const Country = Text.annotate({ description: "ISO 3166-1 alpha-2" })

/** Part of a list. */
export const Page = <Row extends Schema.Top>(row: Row) =>
  Schema.Struct({
    list: Schema.Array(row),
    total: Schema.Int.annotate({ description: "How many there are on all pages" }),
    current_page: Schema.Int,
    next_cursor: Text.annotate({ description: "For the page behind this one; null at the end" })
  })

export interface Page<Row> {
  readonly list: ReadonlyArray<Row>
  readonly total: number
  readonly current_page: number
  readonly next_cursor: string | null
}

const measures = {
  trade_count: Schema.Int,
  weight: Amount.annotate({ description: "Kilograms" }),
  amount: Amount.annotate({ description: "US dollars" }),
  amount_kinds: Schema.Array(AmountKind).annotate({
    description: "What the amounts include; more than one kind is a sum of unlike things"
  })
}

const shares = { ...measures, share: Schema.Finite.annotate({ description: "Of the records looked at, 0 to 1" }) }

/** To a millionth: what lies behind that is the noise of adding. */
const rounded = (sum: number | null): number | null => (sum === null ? null : Math.round(sum * 1e6) / 1e6)

const measured = ({ amount_kinds, amount_usd, trade_count, weight_kg }: Answer.Totals) => ({
  trade_count,
  weight: rounded(weight_kg),
  amount: rounded(amount_usd),
  amount_kinds
})

const shared = (answer: Answer.Shared) => ({ ...measured(answer), share: answer.share })

/** A company by its id and name. */
const named = { company_id: Schema.String, name: Schema.String, country: Country }
export const CompanyName = Schema.Struct(named)
const nameOf = ({ country, name, trader_id }: Answer.TraderName) => ({ company_id: trader_id, name, country })

/** A party of a record; without an id where nobody was found behind the name. */
const PartyOfRecord = Schema.Struct({ company_id: Text, name: Text, country: Country })

const record = {
  record_id: Schema.String,
  date: Schema.String,
  flow: Schema.Literals(["import", "export"]),
  hs_code: Text,
  hs_description: Text,
  product: Text,
  importer: PartyOfRecord,
  exporter: PartyOfRecord,
  origin_country: Country,
  destination_country: Country,
  port_of_loading: Text,
  port_of_unloading: Text,
  transport: Schema.NullOr(Transport),
  quantity: Amount,
  quantity_unit: Text.annotate({ description: "UN/CEFACT Recommendation 20" }),
  weight_kg: Amount,
  amount: Amount,
  currency: Text.annotate({ description: "ISO 4217" }),
  amount_usd: Amount,
  bill_number: Text,
  source: Schema.String,
  synthetic: Schema.Boolean.annotate({ description: "Invented for a demonstration" })
}

export const CustomsRecord = Schema.Struct(record).annotate({ identifier: "CustomsRecord" })
export type CustomsRecord = typeof CustomsRecord.Type

const FullParty = Schema.Struct({ ...PartyOfRecord.fields, tax_id: Text, address: Text })

export const FullRecord = Schema.Struct({
  ...record,
  importer: FullParty,
  exporter: FullParty,
  version: Schema.Int,
  hs_raw: Text,
  hs_imputed: Schema.Boolean,
  quantity_unit_raw: Text,
  gross_kg: Amount,
  net_kg: Amount,
  amount_kind: AmountKind,
  packages: Amount,
  package_kind: Text,
  teu: Amount,
  master_bill_number: Text
}).annotate({ identifier: "FullCustomsRecord" })
export type FullRecord = typeof FullRecord.Type

const partyOf = (row: TradeRow.TradeRow, role: TradeRole) => {
  const { country, name } = TradeRow.party(row, role)
  return { company_id: TradeRow.traderId(row, role), name, country }
}

export const recordOf =
  (hs: HsList) =>
  (row: TradeRow.TradeRow): CustomsRecord => {
    const { record } = row
    return {
      record_id: TradeRow.id(record),
      date: record.date,
      flow: record.flow,
      hs_code: record.hs_code,
      hs_description: record.hs_code === null ? null : hs.describe(record.hs_code),
      product: record.description,
      importer: partyOf(row, "importer"),
      exporter: partyOf(row, "exporter"),
      origin_country: record.origin_country,
      destination_country: record.destination_country,
      port_of_loading: record.port_of_loading,
      port_of_unloading: record.port_of_unloading,
      transport: record.transport,
      quantity: record.quantity,
      quantity_unit: record.quantity_unit,
      weight_kg: TradeRow.weight(record),
      amount: record.amount,
      currency: record.currency,
      amount_usd: record.amount_usd,
      bill_number: record.bill_number,
      source: record.source,
      synthetic: record.synthetic
    }
  }

const fullParty = ({ address, tax_id }: Party) => ({ tax_id, address })

export const fullRecordOf =
  (hs: HsList) =>
  (row: TradeRow.TradeRow): FullRecord => {
    const { record } = row
    const short = recordOf(hs)(row)
    return {
      ...short,
      importer: { ...short.importer, ...fullParty(record.importer) },
      exporter: { ...short.exporter, ...fullParty(record.exporter) },
      version: record.version,
      hs_raw: record.hs_raw,
      hs_imputed: record.hs_imputed,
      quantity_unit_raw: record.quantity_unit_raw,
      gross_kg: record.gross_kg,
      net_kg: record.net_kg,
      amount_kind: record.amount_kind,
      packages: record.packages,
      package_kind: record.package_kind,
      teu: record.teu,
      master_bill_number: record.master_bill_number
    }
  }

/** A record of a supplier, beside all that the supplier has exported. */
export const SupplierRecord = Schema.Struct({
  ...record,
  supplier: Schema.NullOr(Schema.Struct({ ...named, ...measures }))
}).annotate({ identifier: "SupplierRecord" })

export const supplierOf = (answer: Answer.TraderName & Answer.Totals) => ({ ...nameOf(answer), ...measured(answer) })

export const CompanySummary = Schema.Struct({
  ...named,
  trade_count: Schema.Int.annotate({ description: "On both sides, of the records that match" }),
  as_importer: Schema.Struct(measures),
  as_exporter: Schema.Struct(measures),
  first_date: Schema.String,
  last_date: Schema.String
}).annotate({ identifier: "CustomsCompanySummary" })

export const summaryOf = (answer: Answer.TraderSummary): typeof CompanySummary.Type => ({
  ...nameOf(answer),
  trade_count: answer.as_importer.trade_count + answer.as_exporter.trade_count,
  as_importer: measured(answer.as_importer),
  as_exporter: measured(answer.as_exporter),
  first_date: answer.first_date,
  last_date: answer.last_date
})

export const Product = Schema.Struct({ keyword: Schema.String, ...shares })
export const productOf = (answer: Answer.Product): typeof Product.Type => ({
  keyword: answer.keyword,
  ...shared(answer)
})

export const HsShare = Schema.Struct({ hs_code: Schema.String, description: Text, ...shares })
export const hsShareOf =
  (hs: HsList) =>
  (answer: Answer.HsShare): typeof HsShare.Type => ({
    hs_code: answer.hs_code,
    description: hs.describe(answer.hs_code),
    ...shared(answer)
  })

export const CountryShare = Schema.Struct({ country: Schema.String, ...shares })
export const countryShareOf = (answer: Answer.CountryShare): typeof CountryShare.Type => ({
  country: answer.country,
  ...shared(answer)
})

export const Partner = Schema.Struct({
  partner: CompanyName,
  country: Country,
  ...shares,
  first_date: Schema.String,
  last_date: Schema.String,
  hs_codes: Schema.Array(Schema.String)
}).annotate({ identifier: "TradePartner" })
export const partnerOf = (answer: Answer.Partner): typeof Partner.Type => ({
  partner: nameOf(answer),
  country: answer.country,
  ...shared(answer),
  first_date: answer.first_date,
  last_date: answer.last_date,
  hs_codes: answer.hs_codes
})

const profile = {
  trade_count: Schema.Int,
  partner_count: Schema.Int,
  amount_usd: Amount,
  amount_kinds: measures.amount_kinds,
  weight_kg: Amount,
  first_date: Schema.String,
  last_date: Schema.String,
  top_products: Schema.Array(Product),
  top_hs_codes: Schema.Array(HsShare),
  top_countries: Schema.Array(CountryShare)
}

/** One side of a company's trade. */
export const RoleProfile = Schema.Struct(profile)
const RoleDetails = Schema.Struct({ ...profile, top_partners: Schema.Array(Partner) })

export const profileOf = (hs: HsList, answer: Answer.RoleProfile): typeof RoleProfile.Type => ({
  trade_count: answer.trade_count,
  partner_count: answer.partner_count,
  amount_usd: rounded(answer.amount_usd),
  amount_kinds: answer.amount_kinds,
  weight_kg: rounded(answer.weight_kg),
  first_date: answer.first_date,
  last_date: answer.last_date,
  top_products: answer.top_products.map(productOf),
  top_hs_codes: answer.top_hs_codes.map(hsShareOf(hs)),
  top_countries: answer.top_countries.map(countryShareOf)
})

export const Details = Schema.Struct({
  ...named,
  aliases: Schema.Array(Schema.String),
  addresses: Schema.Array(Schema.String),
  tax_ids: Schema.Array(Schema.String),
  first_date: Schema.String,
  last_date: Schema.String,
  as_importer: Schema.NullOr(RoleDetails),
  as_exporter: Schema.NullOr(RoleDetails)
}).annotate({ identifier: "CustomsCompanyDetails" })
export type Details = typeof Details.Type

const roleDetails = (hs: HsList, answer: Answer.RoleProfile | null) =>
  answer === null ? null : { ...profileOf(hs, answer), top_partners: answer.top_partners.map(partnerOf) }

export const detailsOf = (hs: HsList, answer: Answer.TraderDetails): Details => ({
  ...nameOf(answer),
  aliases: answer.aliases,
  addresses: answer.addresses,
  tax_ids: answer.tax_ids,
  first_date: answer.first_date,
  last_date: answer.last_date,
  as_importer: roleDetails(hs, answer.as_importer),
  as_exporter: roleDetails(hs, answer.as_exporter)
})

export const Status = Schema.Struct({
  company_id: Schema.String,
  role: Schema.Literals(["importer", "exporter"]),
  active: Schema.Int,
  new_add: Schema.Int,
  potential: Schema.Int
})
export const statusOf = ({ active, new_add, potential, role, trader_id }: Answer.Status): typeof Status.Type => ({
  company_id: trader_id,
  role,
  active,
  new_add,
  potential
})

export const DeclaringCountry = Schema.Struct({
  code: Schema.String,
  name: Schema.String,
  region: Text,
  records: Schema.Int,
  first_date: Schema.String,
  last_date: Schema.String,
  flows: Schema.Array(Schema.Literals(["export", "import"]))
})
export const declaringOf = ({ country, ...coverage }: Answer.Coverage): typeof DeclaringCountry.Type => {
  const place = TradePlace.country(country)
  return { code: country, name: place?.name ?? country, region: place?.region ?? null, ...coverage }
}

const totals = {
  trade_count: Schema.Int,
  weight_kg: Amount,
  amount_usd: Amount,
  amount_kinds: measures.amount_kinds,
  quantity: Amount,
  quantity_unit: Text
}

const point = {
  ...totals,
  period: Schema.String,
  date: Schema.String,
  seller_count: Schema.Int,
  buyer_count: Schema.Int
}

/** Points as the store has them. */
export const Trend = Schema.Struct({ ...totals, points: Schema.Array(Schema.Struct(point)) })

export const Procurement = Schema.Struct({
  ...totals,
  points: Schema.Array(
    Schema.Struct({
      ...point,
      growth: Schema.Struct({ trade_count: Amount, weight_kg: Amount, amount_usd: Amount })
    })
  )
})

export const StatisticsRow = Schema.Struct({
  month: Schema.optionalKey(Schema.String),
  hs: Schema.optionalKey(Text),
  country: Schema.optionalKey(Country),
  port: Schema.optionalKey(Text),
  transport: Schema.optionalKey(Text),
  company: Schema.optionalKey(Schema.NullOr(CompanyName)),
  ...shares
}).annotate({
  identifier: "CustomsStatisticsRow",
  description: "What was asked for in group_by, and nothing else of it"
})

export const Statistics = Schema.Struct({ ...Page(StatisticsRow).fields, totals: Schema.Struct(measures) })

export const statisticsRowOf = (answer: Answer.StatisticsRow): typeof StatisticsRow.Type => {
  const { company, ...group } = answer.group
  return {
    ...group,
    ...(company === undefined ? {} : { company: answer.company === null ? null : nameOf(answer.company) }),
    ...shared(answer)
  }
}

export const totalsOf = measured

export const RankedCompany = Schema.Struct({
  rank: Schema.Int,
  ...named,
  ...shares,
  partner_count: Schema.Int
}).annotate({ identifier: "RankedCompany" })
export const rankedOf = (answer: Answer.CompanyShare, rank: number): typeof RankedCompany.Type => ({
  rank,
  ...nameOf(answer),
  ...shared(answer),
  partner_count: answer.partner_count
})

export const PortShare = Schema.Struct({
  port: Schema.String.annotate({ description: "As records write it" }),
  name: Text,
  locode: Text,
  country: Country,
  lat: Amount,
  lon: Amount,
  ...shares
}).annotate({ identifier: "PortShare" })
export const portShareOf = (answer: Answer.PortShare): typeof PortShare.Type => {
  const port = TradePlace.port(answer.port)
  return {
    port: answer.port,
    name: port?.name ?? null,
    locode: port?.locode ?? null,
    country: port?.country ?? null,
    lat: port?.point?.lat ?? null,
    lon: port?.point?.lon ?? null,
    ...shared(answer)
  }
}

export const WorldRegion = Schema.Struct({
  country: Schema.String,
  code3: Text,
  name: Schema.String,
  lat: Amount,
  lon: Amount,
  ...shares,
  company_count: Schema.Int
}).annotate({ identifier: "WorldRegion" })
export const worldRegionOf = (answer: Answer.WorldRegion): typeof WorldRegion.Type => {
  const place = TradePlace.country(answer.country)
  return {
    country: answer.country,
    code3: place?.code3 ?? null,
    name: place?.name ?? answer.country,
    lat: place?.lat ?? null,
    lon: place?.lon ?? null,
    ...shared(answer),
    company_count: answer.company_count
  }
}
