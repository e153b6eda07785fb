/** Answers about traders. */
import * as Keywords from "../Keywords.ts"
import * as Period from "../Period.ts"
import type * as Answer from "../TradeAnswer.ts"
import { hasWords } from "../TradeFilter.ts"
import type { HsLevel, HsQuestion, TraderListQuestion, TradersQuestion, Window } from "../TradeQuestion.ts"
import { other, type TradeRole } from "../TradeRole.ts"
import * as TradeRow from "../TradeRow.ts"
import { matching, ofTrader, type Rows } from "./Records.ts"
import { dates, distinct, frequent, groups, listed, ranked, shared, totals as totalsOf } from "./Sums.ts"

const ever = { from: null, to: null }
const roles: ReadonlyArray<TradeRole> = ["importer", "exporter"]

/** What is known, as a list of one or none. */
const known = <A>(value: A | null): ReadonlyArray<A> => (value === null ? [] : [value])

/** The parties that a trader is in some rows, on either side. */
export const parties = (rows: Rows, trader_id: string) =>
  rows.flatMap((row) =>
    roles.flatMap((role) => (TradeRow.traderId(row, role) === trader_id ? [TradeRow.party(row, role)] : []))
  )

/** The name and the country that most of its records write. */
export const named = (rows: Rows, trader_id: string): Answer.TraderName => {
  const all = parties(rows, trader_id)
  return {
    trader_id,
    name: frequent(all.map(({ name }) => name))[0] ?? trader_id,
    country: frequent(all.map(({ country }) => country))[0] ?? null
  }
}

/** How many of some are not among others. */
const without = (some: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...some].filter((one) => !others.has(one)).length

/** Partners of the last 12 months, those never seen before, those not seen since: by the newest record there is. */
export const status = (
  rows: Rows,
  of: ReadonlyArray<{ readonly trader_id: string; readonly role: TradeRole }>
): ReadonlyArray<Answer.Status> => {
  const since = Period.yearBefore(dates(rows).last_date)
  return of.map(({ role, trader_id }) => {
    const own = ofTrader(rows, { trader_id, role, ...ever })
    const partners = (which: (date: string) => boolean) =>
      new Set(own.flatMap((row) => (which(row.record.date) ? known(TradeRow.traderId(row, other(role))) : [])))
    const [late, early] = [partners((date) => date > since), partners((date) => date <= since)]
    return {
      trader_id,
      role,
      active: late.size,
      new_add: without(late, early),
      potential: without(early, late)
    }
  })
}

/** Traders of the matching records, the one with most of them first. */
export const list = (rows: Rows, question: TradersQuestion): Answer.Listed<Answer.TraderSummary> => {
  const { filter, name, role, window } = question
  const sides = role === null ? roles : [role]
  const found = ranked(
    groups(matching(rows, filter), (row) => sides.flatMap((side) => known(TradeRow.traderId(row, side))))
  )
  const wanted =
    name === null ? found : found.filter(([id]) => parties(rows, id).some((party) => hasWords(party.name, name)))
  return listed(wanted, window, ([id, own]) => ({
    ...named(rows, id),
    as_importer: totalsOf(own.filter((row) => row.importer_id === id)),
    as_exporter: totalsOf(own.filter((row) => row.exporter_id === id)),
    ...dates(own)
  }))
}

/** All that these traders did on one side. */
export const totals = (
  rows: Rows,
  trader_ids: ReadonlyArray<string>,
  role: TradeRole
): ReadonlyArray<Answer.TraderName & Answer.Totals> =>
  [...new Set(trader_ids)].flatMap((trader_id) => {
    const own = ofTrader(rows, { trader_id, role, ...ever })
    return own.length === 0 ? [] : [{ ...named(rows, trader_id), ...totalsOf(own) }]
  })

/** The codes of some rows, cut to `level` digits; shorter ones are left out. */
const hsShares = (own: Rows, level: HsLevel, window: Window): Answer.Listed<Answer.HsShare> => {
  const cut = (code: string | null) => (code === null || code.length < level ? [] : [code.slice(0, level)])
  const found = ranked(groups(own, ({ record }) => cut(record.hs_code)))
  return listed(found, window, ([hs_code, some]) => ({ hs_code, ...shared(some, own.length) }))
}

/** Countries of the side that is not the trader's. */
const countryShares = (own: Rows, role: TradeRole, window: Window): Answer.Listed<Answer.CountryShare> =>
  listed(ranked(groups(own, (row) => known(TradeRow.country(row, other(role))))), window, ([country, some]) => ({
    country,
    ...shared(some, own.length)
  }))

/** Keywords of the descriptions, each counted once a record. */
const productShares = (own: Rows, window: Window): Answer.Listed<Answer.Product> =>
  listed(ranked(groups(own, ({ record }) => Keywords.of(record.description ?? ""))), window, ([keyword, some]) => ({
    keyword,
    ...shared(some, own.length)
  }))

const partnerShares = (rows: Rows, own: Rows, role: TradeRole, window: Window): Answer.Listed<Answer.Partner> =>
  listed(ranked(groups(own, (row) => known(TradeRow.traderId(row, other(role))))), window, ([id, some]) => ({
    ...named(rows, id),
    ...shared(some, own.length),
    ...dates(some),
    hs_codes: frequent(some.map(({ record }) => (record.hs_code?.length === 6 ? record.hs_code : null)))
  }))

export const partners = (rows: Rows, question: TraderListQuestion): Answer.Listed<Answer.Partner> =>
  partnerShares(rows, ofTrader(rows, question), question.role, question.window)

export const hsCodes = (rows: Rows, question: HsQuestion): Answer.Listed<Answer.HsShare> =>
  hsShares(ofTrader(rows, question), question.level, question.window)

export const regions = (rows: Rows, question: TraderListQuestion): Answer.Listed<Answer.CountryShare> =>
  countryShares(ofTrader(rows, question), question.role, question.window)

export const keywords = (rows: Rows, question: TraderListQuestion): Answer.Listed<Answer.Product> =>
  productShares(ofTrader(rows, question), question.window)

const ten: Window = { page: 1, limit: 10 }

const profile = (rows: Rows, trader_id: string, role: TradeRole): Answer.RoleProfile | null => {
  const own = ofTrader(rows, { trader_id, role, ...ever })
  if (own.length === 0) return null
  return {
    ...totalsOf(own),
    ...dates(own),
    partner_count: distinct(own.map((row) => TradeRow.traderId(row, other(role)))),
    top_products: productShares(own, ten).list,
    top_hs_codes: hsShares(own, 6, ten).list,
    top_partners: partnerShares(rows, own, role, ten).list,
    top_countries: countryShares(own, role, ten).list
  }
}

/** All that is known of one trader; `null` for one that is in no record. */
export const details = (rows: Rows, trader_id: string): Answer.TraderDetails | null => {
  const own = rows.filter((row) => row.importer_id === trader_id || row.exporter_id === trader_id)
  if (own.length === 0) return null
  const all = parties(own, trader_id)
  const name = named(own, trader_id)
  return {
    ...name,
    aliases: frequent(all.map((party) => party.name)).filter((alias) => alias !== name.name),
    addresses: frequent(all.map(({ address }) => address)),
    tax_ids: frequent(all.map(({ tax_id }) => tax_id)),
    ...dates(own),
    as_importer: profile(rows, trader_id, "importer"),
    as_exporter: profile(rows, trader_id, "exporter")
  }
}
