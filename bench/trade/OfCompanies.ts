/** Questions about one company. */
import { type TradeAnswer, TradeFilter, TradeQuestion } from "@lading/core/trade"
import type { Effect } from "effect"
import * as Question from "./Question.ts"
import * as Sql from "./Sql.ts"
import { at, type Company, type Subject } from "./Subject.ts"

const ever = { from: null, to: null }
const window = { page: 1, limit: 20 }
const role = "importer"

type Pick = (index: number) => Company
type Shares = Effect.Effect<TradeAnswer.Listed<TradeAnswer.Shared>, unknown>

interface By {
  readonly name: string
  readonly ours: (store: Question.Store, trader_id: string) => Shares
  readonly value: string
  readonly pgValue: string
}

const by: ReadonlyArray<By> = [
  {
    name: "HS codes",
    ours: (store, trader_id) => store.hsCodes({ trader_id, role, window, level: 6, ...ever }),
    value: "toString(hs_code)",
    pgValue: "hs_code"
  },
  {
    name: "regions",
    ours: (store, trader_id) => store.regions({ trader_id, role, window, ...ever }),
    value: "toString(partner_country)",
    pgValue: "seller_country"
  },
  {
    name: "product keywords",
    ours: (store, trader_id) => store.keywords({ trader_id, role, window, ...ever }),
    value: "arrayJoin(keywords)",
    pgValue: "unnest(keywords)"
  }
]

/** Groups of one company by a column, with their part of the whole. */
const shares = (of: (index: number) => string, who: Pick, { name, ours, pgValue, value }: By): Question.Question =>
  Question.make({
    name,
    about: "company",
    ours: (store, index) => ours(store, who(index).id),
    counts: ({ list }) => Question.counted(list),
    engine: (ask, index) =>
      ask(`SELECT *, count() OVER () AS groups, (SELECT count() FROM trader_record WHERE ${of(index)}) AS whole FROM (
        SELECT ${value} AS value, ${Sql.own} FROM trader_record WHERE ${of(index)} GROUP BY value)
        WHERE value != '' ORDER BY n DESC, value LIMIT 20`),
    postgres: (ask, index) =>
      ask(`SELECT *, count(*) OVER () AS groups,
        (SELECT count(*) FROM record WHERE importer_id = ${Sql.pgId(who(index).id)}) AS whole
        FROM (SELECT ${pgValue} AS value, ${Sql.pgTotals} FROM record
          WHERE importer_id = ${Sql.pgId(who(index).id)} GROUP BY 1) AS g
        WHERE value IS NOT NULL ORDER BY n DESC, value LIMIT 20`)
  })

const status = ({ companies, version }: Subject): Question.Question => {
  const twenty = (index: number) => [
    ...new Set(Array.from({ length: 20 }, (_, place) => at(companies, index * 7 + place).id))
  ]
  return Question.make({
    name: "bulk status, 20 companies",
    about: "company",
    ours: (store, index) => store.status(twenty(index).map((trader_id) => ({ trader_id, role }))),
    counts: (answer) =>
      answer
        .map(({ active, potential }) => active + potential)
        .filter((n) => n > 0)
        .toSorted((a, b) => a - b),
    engine: (ask, index) =>
      ask(`WITH (SELECT newest - INTERVAL 1 YEAR FROM publication ORDER BY version DESC LIMIT 1) AS since
        SELECT trader_id, countIf(late) AS active, countIf(late AND NOT early) AS new_add, countIf(NOT late) AS potential,
          count() AS n FROM (
          SELECT trader_id, partner_id, max(date) > since AS late, min(date) <= since AS early FROM trader_record
          WHERE trader_id IN ${Sql.list(twenty(index))} AND role = '${role}' AND partner_id != 0 AND ${Sql.seen(version)}
          GROUP BY trader_id, partner_id) GROUP BY trader_id ORDER BY n`),
    postgres: (ask, index) =>
      ask(`WITH since AS (SELECT max(date) - interval '1 year' AS day FROM record)
        SELECT importer_id, count(*) FILTER (WHERE late) AS active, count(*) FILTER (WHERE late AND NOT early) AS new_add,
          count(*) FILTER (WHERE NOT late) AS potential, count(*)::int AS n FROM (
          SELECT importer_id, exporter_id, max(date) > (SELECT day FROM since) AS late,
            min(date) <= (SELECT day FROM since) AS early FROM record
          WHERE importer_id IN ${Sql.list(twenty(index).map(Sql.pgId))} AND exporter_id IS NOT NULL
          GROUP BY importer_id, exporter_id) AS p GROUP BY importer_id ORDER BY n`)
  })
}

const totals = ({ companies, version }: Subject): Question.Question => {
  const twenty = (index: number) => [
    ...new Set(Array.from({ length: 20 }, (_, place) => at(companies, index * 3 + place).id))
  ]
  return Question.make({
    name: "totals, 20 companies",
    about: "company",
    ours: (store, index) => store.totals(twenty(index), role),
    counts: (answer) => Question.counted(answer).toSorted((a, b) => a - b),
    engine: (ask, index) =>
      Sql.named(
        ask,
        version,
        `SELECT toString(trader_id) AS value, ${Sql.own} FROM trader_record
        WHERE trader_id IN ${Sql.list(twenty(index))} AND role = '${role}' AND ${Sql.seen(version)}
        GROUP BY trader_id ORDER BY n`
      ),
    postgres: (ask, index) =>
      ask(`SELECT page.*, name, country FROM (SELECT importer_id AS value, ${Sql.pgTotals} FROM record
        WHERE importer_id IN ${Sql.list(twenty(index).map(Sql.pgId))} GROUP BY 1) AS page
        LEFT JOIN trader ON id = value ORDER BY n`)
  })
}

const trends = (of: (index: number) => string, who: Pick): Question.Question =>
  Question.make({
    name: "trends by month",
    about: "company",
    ours: (store, index) => store.trends({ trader_id: who(index).id, role, granularity: "month", ...ever }),
    counts: ({ points }) => Question.counted(points),
    engine: (ask, index) =>
      ask(`SELECT toStartOfMonth(date) AS start, ${Sql.own}, uniqExactIf(partner_id, partner_id != 0) AS sellers,
        sumMap(map(quantity_unit, ifNull(quantity, 0))) AS quantities,
        sumMap(map(quantity_unit, toUInt64(isNotNull(quantity)))) AS units
        FROM trader_record WHERE ${of(index)} GROUP BY start ORDER BY start`),
    postgres: (ask, index) =>
      ask(`WITH own AS (SELECT date_trunc('month', date) AS start, * FROM record
          WHERE importer_id = ${Sql.pgId(who(index).id)}),
        unit AS (SELECT quantity_unit FROM own WHERE quantity IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)
        SELECT start, ${Sql.pgTotals}, count(DISTINCT exporter_id) AS sellers,
          sum(quantity) FILTER (WHERE quantity_unit = (SELECT quantity_unit FROM unit)) AS quantity
        FROM own GROUP BY start ORDER BY start`)
  })

const partners = ({ version }: Subject, of: (index: number) => string, who: Pick): Question.Question =>
  Question.make({
    name: "partners",
    about: "company",
    ours: (store, index) => store.partners({ trader_id: who(index).id, role, window, ...ever }),
    counts: ({ list }) => Question.counted(list),
    engine: (ask, index) =>
      Sql.named(
        ask,
        version,
        `SELECT * FROM (SELECT *, count() OVER () AS groups, sum(n) OVER () AS whole FROM (
          SELECT toString(partner_id) AS value, ${Sql.own}, min(date) AS first, max(date) AS last,
            sumMap(map(toString(hs_code), 1)) AS codes
          FROM trader_record WHERE ${of(index)} GROUP BY partner_id))
        WHERE value != '0' ORDER BY n DESC, value LIMIT 20`
      ),
    postgres: (ask, index) =>
      ask(
        Sql.pgNamed(
          Sql.pgRanked(`SELECT exporter_id AS value, ${Sql.pgTotals}, min(date) AS first, max(date) AS last,
            array_agg(DISTINCT hs_code) AS codes
            FROM record WHERE importer_id = ${Sql.pgId(who(index).id)} AND exporter_id IS NOT NULL GROUP BY 1`)
        )
      )
  })

/** All that there is, ten of each ranking of both sides: several short statements, since one after the other takes longer. */
const details = ({ version }: Subject, who: Pick, name: string): Question.Question =>
  Question.make({
    name,
    about: "company",
    ours: (store, index) => store.details(who(index).id),
    counts: (answer) => [answer?.as_importer?.trade_count ?? 0],
    engine: async (ask, index) => {
      const from = `FROM trader_record WHERE trader_id = ${who(index).id} AND ${Sql.seen(version)}`
      const top = (value: string, more = "") =>
        `SELECT role, ${value} AS value, ${Sql.own} ${more} ${from} GROUP BY role, value
        ORDER BY n DESC, value LIMIT 11 BY role`
      const [sides] = await Promise.all([
        ask(`SELECT role, ${Sql.own}, min(date) AS first, max(date) AS last,
          uniqExactIf(partner_id, partner_id != 0) AS partners ${from} GROUP BY role`),
        ask(top("arrayJoin(keywords)")),
        ask(top("toString(hs_code)")),
        ask(top("toString(partner_country)")),
        Sql.named(
          ask,
          version,
          top(
            "toString(partner_id)",
            ", min(date) AS first, max(date) AS last, sumMap(map(toString(hs_code), 1)) AS codes"
          )
        ),
        ask(`SELECT kind, value, sum(records) AS r FROM trader_fact WHERE trader_id = ${who(index).id}
          AND load <= ${version} GROUP BY kind, value HAVING r > 0 ORDER BY kind, r DESC LIMIT 100 BY kind`)
      ])
      return sides.filter((row) => row["role"] === role)
    },
    postgres: async (ask, index) => {
      const id = Sql.pgId(who(index).id)
      const top = (value: string, side: string) =>
        ask(
          `SELECT * FROM (${Sql.pgRanked(
            `SELECT ${value} AS value, ${Sql.pgTotals} FROM record WHERE ${side}_id = ${id} GROUP BY 1`,
            "LIMIT 10"
          )}) AS top ${value.endsWith("_id") ? "LEFT JOIN trader ON id = value" : ""}`
        )
      const side = (own: string, other: string, country: string) =>
        Promise.all([
          ask(
            `SELECT ${Sql.pgTotals}, min(date), max(date), count(DISTINCT ${other}_id) FROM record WHERE ${own}_id = ${id}`
          ),
          top("unnest(keywords)", own),
          top("hs_code", own),
          top(country, own),
          top(`${other}_id`, own)
        ])
      const [[sums]] = await Promise.all([
        side("importer", "exporter", "seller_country"),
        side("exporter", "importer", "buyer_country"),
        ask(`SELECT importer_name, count(*) FROM record WHERE importer_id = ${id} GROUP BY 1 ORDER BY 2 DESC LIMIT 100`)
      ])
      return sums
    }
  })

const records = ({ version }: Subject, who: Pick, name: string): Question.Question =>
  Question.make({
    name,
    about: "company",
    ours: (store, index) =>
      store.records({
        filter: { ...TradeFilter.all, trader: { trader_id: who(index).id, role } },
        sort: TradeQuestion.newest,
        window,
        after: null
      }),
    counts: ({ list, total }) => list.map(() => total),
    engine: (ask, index) => {
      const of = `trader_id = ${who(index).id} AND role = '${role}' AND ${Sql.seen(version)}`
      return ask(`SELECT *, (SELECT count() FROM trader_record WHERE ${of}) AS n FROM trader_record
        WHERE ${of} ORDER BY date DESC, source, key LIMIT 20
        SETTINGS query_plan_max_limit_for_lazy_materialization = 1000`)
    },
    postgres: (ask, index) =>
      ask(`SELECT *, (SELECT count(*)::int FROM record WHERE importer_id = ${Sql.pgId(who(index).id)}) AS n
        FROM record WHERE importer_id = ${Sql.pgId(who(index).id)} ORDER BY date DESC, source, key LIMIT 20`)
  })

const ports = ({ version }: Subject, who: Pick): Question.Question =>
  Question.make({
    name: "ports of a company",
    about: "company",
    ours: (store, index) =>
      store.portStatistics({ filter: { ...TradeFilter.all, trader: { trader_id: who(index).id, role } }, window }),
    counts: ({ list }) => Question.counted(list),
    engine: (ask, index) =>
      ask(`SELECT *, count() OVER () AS groups FROM (
        SELECT if(flow = 'import', port_of_unloading, port_of_loading) AS value, ${Sql.own} FROM trader_record
        WHERE trader_id = ${who(index).id} AND role = '${role}' AND ${Sql.seen(version)}
        GROUP BY value) WHERE value != '' ORDER BY n DESC, value LIMIT 20`),
    postgres: (ask, index) =>
      ask(
        Sql.pgRanked(`SELECT CASE flow WHEN 'import' THEN port_of_unloading ELSE port_of_loading END AS value,
          ${Sql.pgTotals} FROM record WHERE importer_id = ${Sql.pgId(who(index).id)}
          AND CASE flow WHEN 'import' THEN port_of_unloading ELSE port_of_loading END IS NOT NULL GROUP BY 1`)
      )
  })

export const questions = (subject: Subject): ReadonlyArray<Question.Question> => {
  const who: Pick = (index) => at(subject.companies, index)
  const large: Pick = (index) => at(subject.largest, index)
  const of = (index: number) => `trader_id = ${who(index).id} AND role = '${role}' AND ${Sql.seen(subject.version)}`
  return [
    status(subject),
    totals(subject),
    details(subject, who, "details"),
    details(subject, large, "details of the largest"),
    trends(of, who),
    partners(subject, of, who),
    ...by.map((one) => shares(of, who, one)),
    records(subject, who, "records of a company"),
    records(subject, large, "records of the largest"),
    ports(subject, who)
  ]
}
