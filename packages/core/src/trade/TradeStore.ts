/**
 * The port of a store of customs records: questions about traders, products, countries and ports. How records come into
 * it is the business of importers; here it is only asked.
 *
 * Rules that hold for every answer, whoever gives it (`memory/` is these rules as plain functions, and the measure of
 * every other store):
 * - Of the versions of one bill the highest counts, and a master bill does not count beside a house bill under it.
 * - Lists are in the order of their counts, the higher first, then of their names (by code point), so that pages have
 *   neither gaps nor repetitions.
 * - A trader nobody knows is no error: the answer is empty, and `details` is `null`.
 * - Unknown values are `null`, and in no sum.
 */
import { Context, Effect, Layer, Schema } from "effect"
import * as Candidates from "./memory/Candidates.ts"
import * as Market from "./memory/Market.ts"
import * as Records from "./memory/Records.ts"
import * as Statistics from "./memory/Statistics.ts"
import * as Traders from "./memory/Traders.ts"
import type * as Answer from "./TradeAnswer.ts"
import type * as Question from "./TradeQuestion.ts"
import type { Party, TradeRecord } from "./TradeRecord.ts"
import type { TradeRole } from "./TradeRole.ts"

/** The store cannot be asked now. `problem` is for operators, and has no value of a question in it. */
export class TradeStoreUnavailable extends Schema.TaggedError<TradeStoreUnavailable>()("TradeStoreUnavailable", {
  problem: Schema.String
}) {}

/** The question went beyond what one may cost: it should say more, or be asked of fewer months. */
export class QueryTooExpensive extends Schema.TaggedError<QueryTooExpensive>()("QueryTooExpensive", {
  /** Which bound it met. */
  bound: Schema.Literals(["memory", "rows", "time"])
}) {}

/** There is no store of customs records here. `remedy` says what to do about it, and may be shown to anybody. */
export class TradeStoreAbsent extends Schema.TaggedError<TradeStoreAbsent>()("TradeStoreAbsent", {
  remedy: Schema.String
}) {}

export type TradeStoreError = TradeStoreUnavailable | QueryTooExpensive | TradeStoreAbsent

type Asked<A> = Effect.Effect<A, TradeStoreError>

export class TradeStore extends Context.Service<
  TradeStore,
  {
    /**
     * For each trader and side, relative to the newest record of the data set: partners of the last 12 months (`active`),
     * those of them never seen before (`new_add`), earlier partners not seen since (`potential`). In the order of the
     * questions; zeros for a trader nobody knows.
     */
    readonly status: (
      of: ReadonlyArray<{ readonly trader_id: string; readonly role: TradeRole }>
    ) => Asked<ReadonlyArray<Answer.Status>>
    /** Records in a stable order; what has no value to sort by comes last. */
    readonly records: (question: Question.RecordsQuestion) => Asked<Answer.RecordPage>
    /** Traders of the records that match, those with most of them first. */
    readonly traders: (question: Question.TradersQuestion) => Asked<Answer.Listed<Answer.TraderSummary>>
    /** Totals of these traders on that side, over all their time; unknown ones are left out. */
    readonly totals: (
      trader_ids: ReadonlyArray<string>,
      role: TradeRole
    ) => Asked<ReadonlyArray<Answer.TraderName & Answer.Totals>>
    readonly details: (trader_id: string) => Asked<Answer.TraderDetails | null>
    /** A point for each period in which the trader traded, the earliest first. */
    readonly trends: (question: Question.TrendQuestion) => Asked<Answer.Trend>
    readonly partners: (question: Question.TraderListQuestion) => Asked<Answer.Listed<Answer.Partner>>
    /** Codes of at least that many digits, cut to them; shares are of all the trader's records. */
    readonly hsCodes: (question: Question.HsQuestion) => Asked<Answer.Listed<Answer.HsShare>>
    /** Countries of the other side: where an importer's goods come from, where an exporter's go. */
    readonly regions: (question: Question.TraderListQuestion) => Asked<Answer.Listed<Answer.CountryShare>>
    /** Keywords of the descriptions (`Keywords.of`), each counted once a record. */
    readonly keywords: (question: Question.TraderListQuestion) => Asked<Answer.Listed<Answer.Product>>
    /** A product by month, in import or in export declarations. */
    readonly marketTrend: (question: Question.MarketQuestion) => Asked<Answer.Trend>
    /**
     * Records by one to three dimensions. `company` and `port` are those of the declaring side, `country` that of the
     * other side.
     */
    readonly statistics: (question: Question.StatisticsQuestion) => Asked<Answer.Statistics>
    readonly companyStatistics: (
      question: Question.CompanyStatisticsQuestion
    ) => Asked<Answer.Listed<Answer.CompanyShare>>
    /** Ports of the declaring side: of unloading for imports, of loading for exports. */
    readonly portStatistics: (question: Question.PortStatisticsQuestion) => Asked<Answer.Listed<Answer.PortShare>>
    /** What a country buys of a product, from import declarations. */
    readonly procurement: (question: Question.ProcurementQuestion) => Asked<Answer.Procurement>
    /** Countries of that side, in declarations of both flows, with the number of traders there. */
    readonly worldRegions: (question: Question.WorldQuestion) => Asked<ReadonlyArray<Answer.WorldRegion>>
    /** Which countries declare, since when, until when. */
    readonly coverage: Asked<ReadonlyArray<Answer.Coverage>>
    /**
     * How many traders there are, and how many have each of these keys. A trader has the keys of all its parties
     * (`TraderKeys.of`), each once.
     */
    readonly keyCounts: (keys: ReadonlyArray<string>) => Asked<Answer.KeyCounts>
    /**
     * Traders with at least one of these keys: those whose keys of the question weigh most first, of equal ones those of
     * the country, then those with more records, then by id (by code point).
     */
    readonly candidates: (question: Question.CandidatesQuestion) => Asked<ReadonlyArray<Answer.Candidate>>
  }
>()("@lading/core/trade/TradeStore") {}

/** Which trader a party is; `null` for none. */
export type TraderOf = (party: Party, role: TradeRole) => string | null

/** The store over these records, for tests, demonstrations and small data sets: every question reads all of them. */
export const make = (records: Iterable<TradeRecord>, traderOf: TraderOf): TradeStore["Service"] => {
  const rows = Records.counted(records, traderOf)
  const ask =
    <Q, A>(answer: (rows: Records.Rows, question: Q) => A) =>
    (question: Q): Effect.Effect<A> =>
      Effect.sync(() => answer(rows, question))
  return {
    status: ask(Traders.status),
    records: ask(Records.page),
    traders: ask(Traders.list),
    totals: (trader_ids, role) => Effect.sync(() => Traders.totals(rows, trader_ids, role)),
    details: ask(Traders.details),
    trends: ask(Market.trends),
    partners: ask(Traders.partners),
    hsCodes: ask(Traders.hsCodes),
    regions: ask(Traders.regions),
    keywords: ask(Traders.keywords),
    marketTrend: ask(Market.trend),
    statistics: ask(Statistics.of),
    companyStatistics: ask(Statistics.companies),
    portStatistics: ask(Statistics.ports),
    procurement: ask(Market.procurement),
    worldRegions: ask(Statistics.world),
    coverage: Effect.sync(() => Statistics.coverage(rows)),
    keyCounts: ask(Candidates.keyCounts),
    candidates: ask(Candidates.of)
  }
}

export const layerMemory = (records: Iterable<TradeRecord>, traderOf: TraderOf): Layer.Layer<TradeStore> =>
  Layer.sync(TradeStore, () => make(records, traderOf))

/** Where nobody keeps customs records: every question is told what to do about it. */
export const absent = (remedy: string): TradeStore["Service"] => {
  const refused = Effect.suspend(() => Effect.fail(new TradeStoreAbsent({ remedy })))
  const refuse = () => refused
  return {
    status: refuse,
    records: refuse,
    traders: refuse,
    totals: refuse,
    details: refuse,
    trends: refuse,
    partners: refuse,
    hsCodes: refuse,
    regions: refuse,
    keywords: refuse,
    marketTrend: refuse,
    statistics: refuse,
    companyStatistics: refuse,
    portStatistics: refuse,
    procurement: refuse,
    worldRegions: refuse,
    coverage: refused,
    keyCounts: refuse,
    candidates: refuse
  }
}

export const layerAbsent = (remedy: string): Layer.Layer<TradeStore> => Layer.sync(TradeStore, () => absent(remedy))

/** Asks whichever store there is at the moment of the question: one that is opened later answers from then on. */
export const following = (current: () => TradeStore["Service"]): TradeStore["Service"] => {
  const ask =
    <Q, A>(of: (store: TradeStore["Service"]) => (question: Q) => Effect.Effect<A, TradeStoreError>) =>
    (question: Q) =>
      Effect.suspend(() => of(current())(question))
  return {
    status: ask(({ status }) => status),
    records: ask(({ records }) => records),
    traders: ask(({ traders }) => traders),
    totals: (traders, role) => Effect.suspend(() => current().totals(traders, role)),
    details: ask(({ details }) => details),
    trends: ask(({ trends }) => trends),
    partners: ask(({ partners }) => partners),
    hsCodes: ask(({ hsCodes }) => hsCodes),
    regions: ask(({ regions }) => regions),
    keywords: ask(({ keywords }) => keywords),
    marketTrend: ask(({ marketTrend }) => marketTrend),
    statistics: ask(({ statistics }) => statistics),
    companyStatistics: ask(({ companyStatistics }) => companyStatistics),
    portStatistics: ask(({ portStatistics }) => portStatistics),
    procurement: ask(({ procurement }) => procurement),
    worldRegions: ask(({ worldRegions }) => worldRegions),
    coverage: Effect.suspend(() => current().coverage),
    keyCounts: ask(({ keyCounts }) => keyCounts),
    candidates: ask(({ candidates }) => candidates)
  }
}
