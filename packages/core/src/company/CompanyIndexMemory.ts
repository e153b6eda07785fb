/** The index of companies in memory: every question looks at all of them. Small, and the model of other indexes. */
import { Effect, Layer } from "effect"
import * as TradeFilter from "../trade/TradeFilter.ts"
import { ALIASES, type TraderDetails } from "../trade/TradeAnswer.ts"
import { TradeStore, type TradeStoreError } from "../trade/TradeStore.ts"
import * as Facets from "./CompanyFacets.ts"
import { CompanyIndex, CompanyIndexUnavailable, type Identity } from "./CompanyIndex.ts"
import { compare, type Filter, matches, positionOf, type Question, type Row } from "./CompanyQuestion.ts"
import { handleOf, type KnownCompany, type KnownTrader, nameKey, nothing, ownerOf, ownId } from "./KnownCompany.ts"

/** So many companies that were put are kept. */
const capacity = 100_000

/** Traders that are read together. */
const TOGETHER = 1000

type Traders = Effect.Effect<ReadonlyArray<KnownTrader>, TradeStoreError>

const traderOf = ({ aliases, as_exporter, as_importer, country, name, trader_id }: TraderDetails): KnownTrader => {
  const [imports, exports] = [as_importer?.trade_count ?? 0, as_exporter?.trade_count ?? 0]
  return {
    trader_id,
    names: [name, ...aliases.slice(0, ALIASES)],
    country,
    trade: { trade_count: imports + exports, import_count: imports, export_count: exports }
  }
}

/** All traders of a store; none where there is no store. */
const tradersOf = (store: TradeStore["Service"]): Traders =>
  Effect.gen(function* () {
    const found: Array<KnownTrader> = []
    for (let page = 1; ; page++) {
      const window = { page, limit: TOGETHER }
      const { list, total } = yield* store.traders({ filter: TradeFilter.all, role: null, name: null, window })
      for (const { trader_id } of list) {
        const details = yield* store.details(trader_id)
        if (details !== null) found.push(traderOf(details))
      }
      if (list.length === 0 || page * TOGETHER >= total) return found
    }
  }).pipe(Effect.catchTag("TradeStoreAbsent", () => Effect.succeed([])))

const keyOf = (company: KnownCompany): string => `${company.account ?? ""} ${ownId(company)}`

/** Which traders companies are one with. */
const tying = (traders: ReadonlyArray<KnownTrader>) => {
  const byId = new Map(traders.map((trader) => [trader.trader_id, trader]))
  const byName = new Map<string, KnownTrader>()
  const most = traders.toSorted(
    (a, b) => a.trade.trade_count - b.trade.trade_count || (a.trader_id < b.trader_id ? 1 : -1)
  )
  for (const trader of most) {
    for (const name of trader.names) byName.set(`${nameKey(name)} ${trader.country}`, trader)
  }
  return ({ country, name, trader_id }: Pick<KnownCompany, "country" | "name" | "trader_id">): KnownTrader | null => {
    const key = nameKey(name)
    const named = key === null || country === null ? undefined : byName.get(`${key} ${country}`)
    return (trader_id === null ? undefined : byId.get(trader_id)) ?? named ?? null
  }
}

const ofTrader = ({ country, names: [name, ...aliases], trade, trader_id }: KnownTrader): Row => ({
  company: { ...nothing, name, country, company_id: trader_id, trade },
  aliases
})

const rowOf = (company: KnownCompany, trader: KnownTrader | null): Row => {
  const { account: _account, trader_id: _trader, ...said } = company
  return trader === null
    ? { company: { ...said, company_id: ownId(said), trade: null }, aliases: [] }
    : {
        company: {
          ...said,
          name: said.name ?? trader.names[0],
          country: said.country ?? trader.country,
          company_id: trader.trader_id,
          trade: trader.trade
        },
        aliases: trader.names
      }
}

/** What an account sees: its own companies in place of everybody's. The newest of several that are one comes last. */
const rowsFor = (
  companies: ReadonlyArray<KnownCompany>,
  traders: ReadonlyArray<KnownTrader>,
  account: string
): ReadonlyArray<Row> => {
  const tie = tying(traders)
  const rows = new Map(traders.map((trader) => [trader.trader_id, ofTrader(trader)]))
  for (const owner of [null, account]) {
    for (const company of companies) {
      if (company.account !== owner) continue
      const row = rowOf(company, tie(company))
      rows.set(row.company.company_id, row)
    }
  }
  return [...rows.values()]
}

const identified = (rows: ReadonlyArray<Row>) => {
  const [byOwner, byName] = [new Map<string, Row>(), new Map<string, Row>()]
  const ordered = rows.toSorted(({ company: a }, { company: b }) =>
    compare(positionOf(b, everything), positionOf(a, everything))
  )
  for (const row of ordered) {
    const owner = ownerOf(row.company.domain)
    if (owner !== null) byOwner.set(owner, row)
    for (const name of [row.company.name, ...row.aliases]) {
      const key = nameKey(name)
      if (key !== null && row.company.country !== null) byName.set(`${key} ${row.company.country}`, row)
    }
  }
  return ({ country, domain, name }: Identity): Row | null => {
    const key = nameKey(name)
    const owner = ownerOf(domain)
    return (
      (owner === null ? undefined : byOwner.get(owner)) ??
      (key === null || country === null ? undefined : byName.get(`${key} ${country}`)) ??
      null
    )
  }
}

/** Nothing is filtered. */
const everything: Filter = {
  query: null,
  domains: [],
  countries: [],
  industries: [],
  technologies: [],
  employee_range: null,
  founded_range: null,
  has_trade: null
}

const searched = (rows: ReadonlyArray<Row>, { after, filter, limit, page }: Question) => {
  const found = rows
    .filter((row) => matches(filter, row))
    .map((row) => ({ row, position: positionOf(row.company, filter) }))
    .toSorted((a, b) => compare(a.position, b.position))
  const rest =
    after === null ? found.slice((page - 1) * limit) : found.filter(({ position }) => compare(position, after) > 0)
  const list = rest.slice(0, limit)
  return {
    list: list.map(({ row }) => row),
    total: found.length,
    next: rest.length > limit ? (list.at(-1)?.position ?? null) : null
  }
}

const facetsOf = (rows: ReadonlyArray<Row>, filter: Filter) =>
  Facets.make((name) => {
    const wanted = Facets.without[name](filter)
    return Facets.counted(
      rows.filter((row) => matches(wanted, row)).flatMap(({ company }) => Facets.valuesOf[name](company))
    )
  })

/** `traders`: those of the customs records, read once; `null` for none. */
export const make = Effect.fnUntraced(function* (traders: Traders | null) {
  const known = yield* Effect.cached(traders ?? Effect.succeed([]))
  const companies = new Map<string, KnownCompany>()
  const broken = (problem: string) => new CompanyIndexUnavailable({ problem })
  const rows = (account: string) =>
    known.pipe(
      Effect.map((traders) => rowsFor([...companies.values()], traders, account)),
      Effect.mapError(({ _tag }) => broken(_tag))
    )
  const handles = ({ domain }: KnownCompany) => (domain === null ? [] : [handleOf(domain)])
  return CompanyIndex.of({
    put: (some) =>
      Effect.sync(() => {
        for (const company of some) {
          companies.delete(keyOf(company))
          companies.set(keyOf(company), company)
        }
        for (const key of companies.keys()) if (companies.size > capacity) companies.delete(key)
      }),
    search: (question) => Effect.map(rows(question.account), (all) => searched(all, question)),
    facets: (filter, account) => Effect.map(rows(account), (all) => facetsOf(all, filter)),
    known: (identities, account) => Effect.map(rows(account), (all) => identities.map(identified(all))),
    byId: (company_id, account) =>
      Effect.map(rows(account), (all) => all.find(({ company }) => company.company_id === company_id) ?? null),
    erase: (gone) =>
      Effect.sync(() => {
        const before = companies.size
        for (const [key, company] of companies)
          if (handles(company).some((one) => gone.includes(one))) companies.delete(key)
        return before - companies.size
      })
  })
})

/** Lost with the process; the oldest are forgotten beyond a bound. Without customs records. */
export const layer: Layer.Layer<CompanyIndex> = Layer.effect(CompanyIndex, make(null))

/** The same with the traders of a store whose records do not change: they are read once. */
export const layerOver: Layer.Layer<CompanyIndex, never, TradeStore> = Layer.effect(
  CompanyIndex,
  Effect.flatMap(TradeStore, (store) => make(tradersOf(store)))
)
