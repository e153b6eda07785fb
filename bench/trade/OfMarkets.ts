/** Questions about records, products, countries and all traders. */
import { TradeFilter, type TradeQuestion } from "@lading/core/trade"
import * as Plain from "./Plain.ts"
import * as Question from "./Question.ts"
import * as Sql from "./Sql.ts"
import { at, endOf, type Subject } from "./Subject.ts"

const ever = { from: null, to: null }
const window = { page: 1, limit: 20 }
const ten = "ORDER BY n DESC, value LIMIT 20"

/** Declaring country's port, and the country of the other side. */
const port = "if(flow = 'import', port_of_unloading, port_of_loading)"
const seller = "if(origin_country != '', origin_country, exporter_country)"
const buyer = "if(destination_country != '', destination_country, importer_country)"
const pgPort = "CASE flow WHEN 'import' THEN port_of_unloading ELSE port_of_loading END"

/** What of the records a question is about, in three spellings. */
interface Which {
  readonly filter: Partial<TradeFilter.TradeFilter>
  readonly where: string
  readonly pgWhere: string
}

const everything: Which = { filter: {}, where: "1", pgWhere: "true" }

const ofProduct = (product: string): Which => ({
  filter: { product },
  where: `hasAllTokens(words, [${Plain.text(product)}])`,
  pgWhere: `to_tsvector('simple', words) @@ plainto_tsquery('simple', ${Plain.text(product)})`
})

const ofCode = (hs_prefix: string): Which => ({
  filter: { hs_prefix },
  where: `startsWith(hs_code, ${Plain.text(hs_prefix)})`,
  pgWhere: `hs_code LIKE '${hs_prefix}%'`
})

const between = (from: string, to: string): Which => ({
  filter: { from, to },
  where: `date BETWEEN '${from}' AND '${to}'`,
  pgWhere: `date BETWEEN '${from}' AND '${to}'`
})

const both = (...some: ReadonlyArray<Which>): Which => ({
  filter: Object.assign({}, ...some.map(({ filter }) => filter)),
  where: some.map(({ where }) => where).join(" AND "),
  pgWhere: some.map(({ pgWhere }) => pgWhere).join(" AND ")
})

const yearOf = (index: number): Which => {
  const year = 2021 + (index % 5)
  return between(`${year}-01-01`, `${year}-12-31`)
}

const search = (
  { version }: Subject,
  name: string,
  which: (index: number) => Which,
  by: TradeQuestion.Sort["by"] = "date",
  page = 1
): Question.Question => {
  const value = by === "date" ? "date" : "amount_usd"
  const skip = (page - 1) * 20
  return Question.make({
    name,
    about: "market",
    ours: (store, index) =>
      store.records({
        filter: { ...TradeFilter.all, ...which(index).filter },
        sort: { by, order: "desc" },
        window: { page, limit: 20 },
        after: null
      }),
    counts: ({ list, total }) => list.map(() => total),
    engine: async (ask, index) => {
      const where = `${which(index).where} AND ${Sql.seen(version)}`
      const page = async () => {
        const [edge] = await ask(`SELECT ${value} AS n FROM trade_record WHERE ${where} AND isNotNull(${value})
          ORDER BY ${value} DESC LIMIT 1 OFFSET ${skip + 20}`)
        const near = edge === undefined ? "1" : `${value} >= ${by === "date" ? Plain.text(String(edge.n)) : edge.n}`
        return ask(`SELECT *, 0 AS n FROM trade_record WHERE ${where} AND ${near}
          ORDER BY ${value} DESC NULLS LAST, source, key LIMIT 20 OFFSET ${skip}
          SETTINGS query_plan_max_limit_for_lazy_materialization = 1000`)
      }
      const [rows, [count]] = await Promise.all([page(), ask(`SELECT count() AS n FROM trade_record WHERE ${where}`)])
      return rows.map((row) => ({ ...row, n: count?.n ?? 0 }))
    },
    postgres: async (ask, index) => {
      const { pgWhere } = which(index)
      const [rows, [count]] = await Promise.all([
        ask(`SELECT *, 0 AS n FROM record WHERE ${pgWhere}
          ORDER BY ${value} DESC ${by === "date" ? "" : "NULLS LAST"}, source, key LIMIT 20 OFFSET ${skip}`),
        ask(`SELECT count(*)::int AS n FROM record WHERE ${pgWhere}`)
      ])
      return rows.map((row) => ({ ...row, n: count?.n ?? 0 }))
    }
  })
}

const trend = ({ version }: Subject, name: string, which: (index: number) => Which, ours: Trend): Question.Question =>
  Question.make({
    name,
    about: "market",
    ours,
    counts: ({ points }) => Question.counted(points),
    engine: (ask, index) =>
      ask(`SELECT toStartOfMonth(date) AS start, ${Sql.totals}, uniqExactIf(importer_id, importer_id != 0) AS buyers,
        uniqExactIf(exporter_id, exporter_id != 0) AS sellers,
        sumMap(map(quantity_unit, ifNull(quantity, 0))) AS quantities,
        sumMap(map(quantity_unit, toUInt64(isNotNull(quantity)))) AS units
        FROM trade_record WHERE ${which(index).where} AND flow = 'import' AND ${Sql.seen(version)}
        GROUP BY start ORDER BY start`),
    postgres: (ask, index) =>
      ask(`WITH own AS (SELECT date_trunc('month', date) AS start, * FROM record
          WHERE ${which(index).pgWhere} AND flow = 'import'),
        unit AS (SELECT quantity_unit FROM own WHERE quantity IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)
        SELECT start, ${Sql.pgTotals}, count(DISTINCT importer_id) AS buyers, count(DISTINCT exporter_id) AS sellers,
          sum(quantity) FILTER (WHERE quantity_unit = (SELECT quantity_unit FROM unit)) AS quantity
        FROM own GROUP BY start ORDER BY start`)
  })

type Trend = (
  store: Question.Store,
  index: number
) => ReturnType<Question.Store["marketTrend"] | Question.Store["procurement"]>

const world = ({ version }: Subject, name: string, which: (index: number) => Which): Question.Question =>
  Question.make({
    name,
    about: "market",
    ours: (store, index) => {
      const { from, product, to } = { ...TradeFilter.all, ...which(index).filter }
      return store.worldRegions({ role: "importer", product, from, to })
    },
    counts: Question.counted,
    engine: (ask, index) =>
      ask(`SELECT ${buyer} AS value, ${Sql.totals}, uniqExactIf(importer_id, importer_id != 0) AS traders
        FROM trade_record WHERE ${which(index).where} AND ${Sql.seen(version)}
        GROUP BY value HAVING value != '' ORDER BY n DESC, value`),
    postgres: (ask, index) =>
      ask(`SELECT buyer_country AS value, ${Sql.pgTotals}, count(DISTINCT importer_id) AS traders FROM record
        WHERE ${which(index).pgWhere} AND buyer_country IS NOT NULL GROUP BY 1 ORDER BY n DESC, value`)
  })

const ports = ({ version }: Subject, which: (index: number) => Which): Question.Question =>
  Question.make({
    name: "ports of a product code",
    about: "market",
    ours: (store, index) => store.portStatistics({ filter: { ...TradeFilter.all, ...which(index).filter }, window }),
    counts: ({ list }) => Question.counted(list),
    engine: (ask, index) =>
      ask(`SELECT * FROM (SELECT *, count() OVER () AS groups, sum(n) OVER () AS whole FROM (
        SELECT ${port} AS value, ${Sql.totals} FROM trade_record
        WHERE ${which(index).where} AND ${Sql.seen(version)} GROUP BY value)) WHERE value != '' ${ten}`),
    postgres: (ask, index) =>
      ask(
        Sql.pgRanked(`SELECT ${pgPort} AS value, ${Sql.pgTotals} FROM record
          WHERE ${which(index).pgWhere} AND ${pgPort} IS NOT NULL GROUP BY 1`)
      )
  })

const companies = ({ version }: Subject, name: string, which: (index: number) => Which): Question.Question =>
  Question.make({
    name,
    about: "market",
    ours: (store, index) =>
      store.companyStatistics({ filter: { ...TradeFilter.all, ...which(index).filter }, role: "importer", window }),
    counts: ({ list }) => Question.counted(list),
    engine: (ask, index) => {
      const where = `${which(index).where} AND ${Sql.seen(version)}`
      return Sql.named(
        ask,
        version,
        `SELECT * FROM (SELECT toString(importer_id) AS value, ${Sql.totals}, uniqExactIf(exporter_id, exporter_id != 0) AS partners,
          count() OVER () AS groups, sum(n) OVER () AS whole
        FROM trade_record WHERE ${where} GROUP BY importer_id) WHERE value != '0' ${ten}`
      )
    },
    postgres: (ask, index) =>
      ask(
        Sql.pgNamed(
          Sql.pgRanked(`SELECT importer_id AS value, ${Sql.pgTotals}, count(DISTINCT exporter_id) AS partners
            FROM record WHERE ${which(index).pgWhere} AND importer_id IS NOT NULL GROUP BY 1`)
        )
      )
  })

const traders = (
  { version }: Subject,
  name: string,
  which: (index: number) => Which,
  called: (index: number) => string | null = () => null
): Question.Question =>
  Question.make({
    name,
    about: "market",
    ours: (store, index) =>
      store.traders({
        filter: { ...TradeFilter.all, ...which(index).filter },
        role: null,
        name: called(index),
        window
      }),
    counts: ({ list }) => list.map(({ as_importer }) => as_importer.trade_count),
    engine: (ask, index) => {
      const word = called(index)
      const where = `${which(index).where} AND ${Sql.seen(version)}`
      const who =
        word === null
          ? "trader != 0"
          : `trader IN (SELECT trader_id FROM trader_fact WHERE kind = 'name' AND hasAllTokens(words, [${Plain.text(word)}])
              AND load <= ${version})`
      return Sql.named(
        ask,
        version,
        `SELECT toString(trader) AS value, count() AS all, countIf(importer_id = trader) AS n, min(date) AS first,
          max(date) AS last, sumIf(${Sql.weight}, importer_id = trader) AS kg_in, sumIf(amount_usd, importer_id = trader) AS usd_in,
          groupUniqArrayIf(amount_kind, isNotNull(amount_usd)) AS kinds, count() OVER () AS groups
        FROM trade_record ARRAY JOIN arrayDistinct([importer_id, exporter_id]) AS trader
        WHERE ${where} AND ${who} GROUP BY trader ORDER BY all DESC, value LIMIT 20`
      )
    },
    postgres: (ask, index) => {
      const word = called(index)
      const who =
        word === null
          ? "true"
          : `side.id IN (SELECT trader_id FROM spelling WHERE to_tsvector('simple', words) @@ plainto_tsquery('simple', ${Plain.text(word)}))`
      return ask(`SELECT page.*, trader.name FROM (
          SELECT side.id AS value, count(*)::int AS all_n, (count(*) FILTER (WHERE importer_id = side.id))::int AS n,
            min(date) AS first, max(date) AS last, sum(weight_kg) FILTER (WHERE importer_id = side.id) AS kg_in,
            sum(amount_usd) FILTER (WHERE importer_id = side.id) AS usd_in, count(*) OVER () AS groups
          FROM record, LATERAL (SELECT importer_id UNION SELECT exporter_id) AS side(id)
          WHERE ${which(index).pgWhere} AND side.id IS NOT NULL AND ${who}
          GROUP BY 1 ORDER BY all_n DESC, (side.id::numeric + CASE WHEN side.id < 0 THEN 18446744073709551616 ELSE 0 END)::text
          LIMIT 20) AS page LEFT JOIN trader ON trader.id = page.value ORDER BY all_n DESC`)
    }
  })

const statistics = (
  { version }: Subject,
  name: string,
  which: (index: number) => Which,
  month: boolean
): Question.Question => {
  const first = month ? "toStartOfMonth(date)" : "substring(hs_code, 1, 4)"
  const pgFirst = month ? "date_trunc('month', date)" : "substr(hs_code, 1, 4)"
  return Question.make({
    name,
    about: "market",
    ours: (store, index) =>
      store.statistics({
        filter: { ...TradeFilter.all, ...which(index).filter },
        group_by: [month ? "month" : "hs", "country"],
        hs_level: 4,
        window
      }),
    counts: ({ list }) => Question.counted(list),
    engine: (ask, index) =>
      ask(`SELECT ${first} AS one, if(flow = 'import', ${seller}, ${buyer}) AS two, ${Sql.totals},
          count() OVER () AS groups, sum(n) OVER () AS whole, sum(kg) OVER () AS all_kg, sum(usd) OVER () AS all_usd
        FROM trade_record WHERE ${which(index).where} AND ${Sql.seen(version)} GROUP BY one, two
        ORDER BY n DESC, one, two LIMIT 20`),
    postgres: (ask, index) =>
      ask(`SELECT *, count(*) OVER () AS groups, sum(n) OVER () AS whole FROM (
        SELECT ${pgFirst} AS one, CASE flow WHEN 'import' THEN seller_country ELSE buyer_country END AS two, ${Sql.pgTotals}
        FROM record WHERE ${which(index).pgWhere} GROUP BY 1, 2) AS g ORDER BY n DESC, one, two LIMIT 20`)
  })
}

const coverage = ({ version }: Subject): Question.Question =>
  Question.make({
    name: "coverage",
    about: "market",
    ours: (store) => store.coverage,
    counts: (answer) => answer.map(({ records }) => records),
    engine: (ask) =>
      ask(`SELECT if(flow = 'import', ${buyer}, ${seller}) AS country, count() AS n, min(date) AS first, max(date) AS last,
        groupUniqArray(flow) AS flows FROM trade_record WHERE ${Sql.seen(version)}
        GROUP BY country HAVING country != '' ORDER BY country`),
    postgres: (ask) =>
      ask(`SELECT CASE flow WHEN 'import' THEN buyer_country ELSE seller_country END AS country, count(*)::int AS n,
        min(date), max(date), array_agg(DISTINCT flow) FROM record GROUP BY 1
        HAVING CASE flow WHEN 'import' THEN buyer_country ELSE seller_country END IS NOT NULL ORDER BY 1`)
  })

export const questions = (subject: Subject): ReadonlyArray<Question.Question> => {
  const { codes, companies: known, countries, months, products } = subject
  const product = (index: number) => ofProduct(at(products, index))
  const code = (index: number) => ofCode(at(codes, index))
  const month = (index: number) => between(at(months, index), endOf(at(months, index)))
  const all = () => everything
  const country = (index: number): Which => {
    const [a, b] = [at(countries, index), at(countries, index + 1)]
    const where = `origin_country IN ${Sql.texts([a, b])}`
    return { filter: { origin_countries: [a, b] }, where, pgWhere: where }
  }
  const market =
    (dates: (index: number) => Which): Trend =>
    (store, index) => {
      const { from, to } = { ...ever, ...dates(index).filter }
      return store.marketTrend({ role: "importer", product: at(products, index), from, to })
    }
  const word = (index: number) =>
    at(known, index)
      .name.toLowerCase()
      .split(/[^a-z]+/)
      .find((some) => some.length > 3) ?? "trade"
  return [
    search(subject, "records, three filters", (index) =>
      both(code(index), country(index), between("2022-01-01", "2030-01-01"))
    ),
    search(subject, "records, three filters, page 50", (index) => both(code(index), country(index)), "date", 50),
    search(subject, "records with a word", product),
    search(subject, "records, no filter", all),
    search(subject, "records by amount, no filter", all, "amount"),
    search(subject, "records by amount with a word", product, "amount"),
    trend(subject, "market trend, a month", (index) => both(product(index), month(index)), market(month)),
    trend(subject, "market trend, five years", product, market(all)),
    trend(subject, "procurement by product code", code, (store, index) =>
      store.procurement({ product: null, hs_prefix: at(codes, index), country: null, granularity: "month", ...ever })
    ),
    world(subject, "world regions, a product and a year", (index) => both(product(index), yearOf(index))),
    world(subject, "world regions, everything", all),
    ports(subject, code),
    companies(subject, "companies of a code and a year", (index) => both(code(index), yearOf(index))),
    companies(subject, "companies, everything", all),
    traders(subject, "traders of a product", product),
    traders(subject, "traders by a word of the name", all, word),
    traders(subject, "traders, everything", all),
    statistics(subject, "by month and country, a product", product, true),
    statistics(subject, "by code and country, a year", yearOf, false),
    statistics(subject, "by month and country, everything", all, true),
    coverage(subject)
  ]
}
