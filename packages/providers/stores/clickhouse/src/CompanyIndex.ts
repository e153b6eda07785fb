/** The index of companies in the column store: questions, by the rules of `CompanyQuestion`. */
import { CompanyClasses, CompanyFacets, CompanyIndex, CompanyQuestion, type KnownCompany } from "@lading/core/company"
import type { TradeStore } from "@lading/core/trade"
import { DomainName } from "@lading/core/value"
import { Clock, Effect, Schema, Semaphore } from "effect"
import * as CompanyRows from "./CompanyRows.ts"
import type { Engine, EngineError } from "./Engine.ts"
import { START } from "./migrations/Companies.ts"
import type { Publications } from "./Published.ts"
import { all, any, float, int, sql, type Statement, text, texts } from "./Statement.ts"

const Row = Schema.Struct({
  company_id: Schema.String,
  name: Schema.String,
  aliases: Schema.Array(Schema.String),
  domain: Schema.String,
  country: Schema.String,
  least_employees: Schema.NullOr(Schema.Int),
  most_employees: Schema.NullOr(Schema.Int),
  founded: Schema.NullOr(Schema.Int),
  records: Schema.Int,
  imports: Schema.Int,
  exports: Schema.Int,
  known: Schema.Int,
  fit: Schema.Int,
  found_by: Schema.Array(Schema.String),
  shown: CompanyRows.Shown
})
type Row = typeof Row.Type

const said = (value: string): string | null => (value === "" ? null : value)

const companyOf = (row: Row): CompanyQuestion.Row => ({
  company: {
    ...row.shown,
    company_id: row.company_id,
    name: said(row.name),
    domain: said(row.domain),
    country: said(row.country),
    employees: row.least_employees === null ? null : { min: row.least_employees, max: row.most_employees },
    founded_year: row.founded,
    trade: row.records === 0 ? null : { trade_count: row.records, import_count: row.imports, export_count: row.exports }
  },
  aliases: row.aliases
})

/** What a question would have to look up each time, and mostly is nothing. */
interface Standing {
  /** Accounts that have companies of their own. */
  readonly accounts: ReadonlySet<string>
  /** Whether there are rows that others have taken the place of. */
  readonly past: boolean
}

/** An account as questions see it. */
interface Viewer extends Standing {
  readonly account: string
}

const isPast = sql`row_id IN (SELECT row_id FROM company_past)`

/** The rows that count, as an account sees them: its own in place of everybody's. */
const visible = ({ account, accounts, past }: Viewer): Statement => {
  const current = past ? sql`NOT (${isPast})` : sql`1`
  if (!accounts.has(account)) return sql`${current} AND account = ''`
  return sql`${current} AND account IN ('', ${text(account)}) AND (account != '' OR company_id NOT IN (
    SELECT company_id FROM company WHERE account = ${text(account)} AND ${current}))`
}

/** So many tokens can be looked up at once. */
const TOGETHER = 60

const chunks = (list: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(list.length / TOGETHER) }, (_, index) =>
    list.slice(index * TOGETHER, (index + 1) * TOGETHER)
  )

/** One of these stands in an indexed list. */
const has = (column: Statement, values: ReadonlyArray<string>): Statement =>
  values.length === 0 ? sql`0` : any(chunks(values).map((some) => sql`hasAnyTokens(${column}, ${texts(some)})`))

const begins = (column: Statement, beginning: string): Statement =>
  sql`arrayExists(w -> startsWith(w, ${text(beginning)}), splitByChar(' ', ${column}))`

const named = (query: string): Statement => {
  const words = CompanyQuestion.wordsOf(query)
  if (words === null) return sql`0`
  const start = [...words.beginning]
  return all([
    ...chunks(words.whole).map((some) => sql`hasAllTokens(words, ${texts(some)})`),
    sql`hasAllTokens(starts, ${texts([start.slice(0, START).join("")])})`,
    ...(start.length > START ? [begins(sql`words`, words.beginning)] : [])
  ])
}

const when = (isSet: boolean, condition: () => Statement): ReadonlyArray<Statement> => (isSet ? [condition()] : [])

const conditionsOf = (filter: CompanyQuestion.Filter): ReadonlyArray<Statement> => {
  const { employee_range: size, founded_range: founded, has_trade, query } = filter
  return [
    ...when(query !== null, () => named(query ?? "")),
    ...when(filter.domains.length > 0, () =>
      has(
        sql`found_by`,
        filter.domains.map((domain) => CompanyRows.byDomain(DomainName.registrable(domain)))
      )
    ),
    ...when(filter.countries.length > 0, () => sql`country IN ${texts(filter.countries)}`),
    ...when(filter.industries.length > 0, () => has(sql`paths`, CompanyClasses.industries(filter.industries))),
    ...when(filter.technologies.length > 0, () =>
      has(sql`technologies`, CompanyClasses.technologies(filter.technologies))
    ),
    ...when(size !== null, () => sql`isNotNull(least_employees)`),
    ...when(size !== null && size.max !== null, () => sql`least_employees <= ${float(size?.max ?? 0)}`),
    ...when(
      size !== null && size.min !== null,
      () => sql`(isNull(most_employees) OR most_employees >= ${float(size?.min ?? 0)})`
    ),
    ...when(founded !== null, () => sql`isNotNull(founded)`),
    ...when(founded !== null && founded.max !== null, () => sql`founded <= ${float(founded?.max ?? 0)}`),
    ...when(founded !== null && founded.min !== null, () => sql`founded >= ${float(founded?.min ?? 0)}`),
    ...when(has_trade !== null, () => (has_trade === true ? sql`records > 0` : sql`records = 0`))
  ]
}

const condition = (filter: CompanyQuestion.Filter, viewer: Viewer): Statement =>
  all([...conditionsOf(filter), visible(viewer)])

/** `CompanyQuestion.fit` of the name. */
const fit = (query: string | null): Statement => {
  const words = query === null ? null : CompanyQuestion.wordsOf(query)
  if (words === null) return sql`toInt64(0)`
  const written = text([...CompanyQuestion.allWords(query ?? "")].join(" "))
  return sql`toInt64(multiIf(name_words = ${written}, 3, startsWith(name_words, ${written}), 2,
    hasAll(splitByChar(' ', name_words), ${texts(words.whole)}) AND ${begins(sql`name_words`, words.beginning)}, 1, 0))`
}

const behind = ({ company_id, fit, known, records }: CompanyQuestion.Position): Statement => {
  const [f, r, k, c] = [int(fit), int(records), int(known), text(company_id)]
  return sql`(-fit, -records, -toInt64(known), company_id) > (-${f}, -${r}, -${k}, ${c})`
}

const columns = sql`company_id, name, aliases, domain, toString(country) AS country, least_employees, most_employees,
  founded, records, imports, exports, toInt64(known) AS known, found_by, shown`

const page = ({ after, filter, limit, page }: CompanyQuestion.Question, viewer: Viewer): Statement => sql`
  SELECT ${columns}, ${fit(filter.query)} AS fit FROM company
  WHERE ${condition(filter, viewer)} AND ${after === null ? sql`1` : behind(after)}
  ORDER BY fit DESC, company.records DESC, company.known DESC, company.company_id
  LIMIT ${int(limit + 1)} OFFSET ${int(after === null ? (page - 1) * limit : 0)}`

const Count = Schema.Struct({ n: Schema.Int })

const problemOf = (error: TradeStore.TradeStoreError): string => {
  switch (error._tag) {
    case "QueryTooExpensive":
      return `a question met a bound of ${error.bound}`
    case "TradeStoreAbsent":
      return error.remedy
    case "TradeStoreUnavailable":
      return error.problem
  }
}

const asking = <A>(
  work: Effect.Effect<A, TradeStore.TradeStoreError>
): Effect.Effect<A, CompanyIndex.CompanyIndexUnavailable> =>
  Effect.mapError(work, (error) => new CompanyIndex.CompanyIndexUnavailable({ problem: problemOf(error) }))

const positionOf = (row: Row): CompanyQuestion.Position => ({
  fit: row.fit,
  records: row.records,
  known: row.known,
  company_id: row.company_id
})

const search = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (question: CompanyQuestion.Question, viewer: Viewer) {
    const [rows, counted] = yield* Effect.all(
      [
        engine.rows(Row, page(question, viewer)),
        engine.rows(Count, sql`SELECT toInt64(count()) AS n FROM company WHERE ${condition(question.filter, viewer)}`)
      ],
      { concurrency: 2 }
    )
    const list = rows.slice(0, question.limit)
    const last = list.at(-1)
    return {
      list: list.map(companyOf),
      total: counted[0]?.n ?? 0,
      next: rows.length > question.limit && last !== undefined ? positionOf(last) : null
    }
  })

const sizes = sql`multiIf(${bands()}, '')`

function bands(): Statement {
  return CompanyFacets.sizes
    .map(([from, name]) => sql`least_employees >= ${int(from)}, ${text(name)}`)
    .reduce((before, one) => sql`${before}, ${one}`)
}

const valueOf: { readonly [Name in CompanyFacets.FacetName]: Statement } = {
  countries: sql`toString(country)`,
  industries: sql`arrayJoin(industries)`,
  technologies: sql`arrayJoin(technologies)`,
  employee_ranges: sizes,
  has_trade: sql`if(records > 0, 'true', 'false')`
}

const Counted = Schema.Struct({
  facet: Schema.Literals(CompanyFacets.names),
  value: Schema.String,
  n: Schema.Int
})

const facet = (name: CompanyFacets.FacetName, filter: CompanyQuestion.Filter, viewer: Viewer): Statement => sql`
  SELECT * FROM (
    SELECT ${text(name)} AS facet, ${valueOf[name]} AS value, toInt64(count()) AS n FROM company
    WHERE ${condition(CompanyFacets.without[name](filter), viewer)} GROUP BY value HAVING value != ''
    ORDER BY n DESC, value LIMIT ${int(CompanyFacets.MOST)})`

const facets = (engine: Engine["Service"]) => (filter: CompanyQuestion.Filter, viewer: Viewer) =>
  engine
    .rows(
      Counted,
      CompanyFacets.names
        .map((name) => facet(name, filter, viewer))
        .reduce((before, one) => sql`${before} UNION ALL ${one}`)
    )
    .pipe(
      Effect.map((rows) =>
        CompanyFacets.make((name) =>
          rows.filter((row) => row.facet === name).map(({ n, value }) => ({ value, count: n }))
        )
      )
    )

const rowsOf = (engine: Engine["Service"], viewer: Viewer, which: Statement) =>
  engine.rows(
    Row,
    sql`SELECT ${columns}, toInt64(0) AS fit FROM company WHERE ${which} AND ${visible(viewer)}
      ORDER BY company.records DESC, company.known DESC, company.company_id`
  )

const known = (engine: Engine["Service"]) =>
  Effect.fnUntraced(function* (
    identities: ReadonlyArray<CompanyIndex.Identity>,
    viewer: Viewer,
    version: number
  ): Effect.fn.Return<ReadonlyArray<CompanyQuestion.Row | null>, EngineError> {
    const traders = yield* CompanyRows.resolve(engine, identities, version)
    const handles = [...new Set(identities.flatMap(CompanyRows.foundBy))]
    if (handles.length === 0) return identities.map(() => null)
    const found = yield* rowsOf(
      engine,
      viewer,
      sql`(${has(sql`found_by`, handles)} OR company_id IN ${texts([...traders.values()])})`
    )
    return identities.map((identity) => {
      const by = CompanyRows.foundBy(identity)
      const is = (handle: string) => (row: Row) =>
        row.found_by.includes(handle) || traders.get(handle) === row.company_id
      for (const handle of by) {
        const row = found.find(is(handle))
        if (row !== undefined) return companyOf(row)
      }
      return null
    })
  })

/** Every so many puts it is looked whether there is something to be deleted. */
const TIDY = 200

/** How long a standing is believed, in milliseconds: after that long a server sees what another one has put. */
const BELIEVED = 2000

const Stands = Schema.Struct({ past: Schema.Int, accounts: Schema.Array(Schema.String) })

/** How things stand: read again after a while, and after each change of this process. */
const makeStanding = (engine: Engine["Service"]) => {
  let known: (Standing & { readonly until: number }) | null = null
  let changes = 0
  const read = Effect.gen(function* () {
    const before = changes
    const [row] = yield* engine.rows(
      Stands,
      sql`SELECT toInt64((SELECT count() FROM (SELECT row_id FROM company_past LIMIT 1))) AS past,
        groupUniqArray(account) AS accounts FROM company WHERE account != ''`
    )
    const until = (yield* Clock.currentTimeMillis) + BELIEVED
    const found = { past: (row?.past ?? 0) > 0, accounts: new Set(row?.accounts), until }
    // What was read before a change says nothing of what is behind it.
    if (before === changes) known = found
    return found
  })
  const now = Effect.flatMap(Clock.currentTimeMillis, (time) =>
    known !== null && known.until > time ? Effect.succeed<Standing>(known) : read
  )
  return {
    now,
    /** While rows are made anew nobody may believe that there are none of the kinds that come. */
    changing: <A, E>(accounts: ReadonlyArray<string>, change: Effect.Effect<A, E>) =>
      Effect.flatMap(now, (before) => {
        changes++
        known = { past: true, accounts: new Set([...before.accounts, ...accounts]), until: Number.POSITIVE_INFINITY }
        return Effect.ensuring(
          change,
          Effect.sync(() => (known = null))
        )
      })
  }
}

export interface Made {
  readonly index: CompanyIndex.CompanyIndex["Service"]
  /** Brings it up to the newest publication. */
  readonly follow: Effect.Effect<void, CompanyIndex.CompanyIndexUnavailable>
}

const ownersOf = (companies: ReadonlyArray<KnownCompany.KnownCompany>): ReadonlyArray<string> =>
  companies.flatMap(({ account }) => account ?? [])

const domainsOf = (handles: ReadonlyArray<string>): ReadonlyArray<string> =>
  handles.flatMap((handle) => (handle.startsWith("domain:") ? [handle.slice("domain:".length)] : []))

/** What changes the index, one after the other. */
const makeChanges = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  { current }: Publications,
  standing: ReturnType<typeof makeStanding>
) {
  const one = yield* Semaphore.make(1)
  const next = CompanyRows.generations()
  let puts = 0
  const changing = <A>(accounts: ReadonlyArray<string>, work: (version: number) => Effect.Effect<A, EngineError>) =>
    asking(
      one.withPermits(1)(
        standing.changing(
          accounts,
          Effect.flatMap(current, ({ version }) => work(version))
        )
      )
    )
  const tidy = Effect.suspend(() => (++puts % TIDY === 0 ? CompanyRows.tidy(engine) : Effect.void))
  return {
    put: (companies: ReadonlyArray<KnownCompany.KnownCompany>) =>
      companies.length === 0
        ? Effect.void
        : changing(ownersOf(companies), (version) =>
            Effect.andThen(CompanyRows.put(engine, companies, version, next), tidy)
          ),
    erase: (handles: ReadonlyArray<string>) => {
      const owners = domainsOf(handles)
      return owners.length === 0
        ? Effect.succeed(0)
        : changing([], (version) => CompanyRows.erase(engine, owners, version, next))
    },
    follow: changing([], (version) => CompanyRows.follow(engine, version, next))
  }
})

export const make = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  publications: Publications
): Effect.fn.Return<Made> {
  const standing = makeStanding(engine)
  const { follow, ...changes } = yield* makeChanges(engine, publications, standing)
  const viewed = <A>(account: string, ask: (viewer: Viewer) => Effect.Effect<A, TradeStore.TradeStoreError>) =>
    asking(Effect.flatMap(standing.now, (stands) => ask({ ...stands, account })))
  const index: CompanyIndex.CompanyIndex["Service"] = {
    ...changes,
    search: (question) => viewed(question.account, (viewer) => search(engine)(question, viewer)),
    facets: (filter, account) => viewed(account, (viewer) => facets(engine)(filter, viewer)),
    known: (identities, account) =>
      viewed(account, (viewer) =>
        Effect.flatMap(publications.current, ({ version }) => known(engine)(identities, viewer, version))
      ),
    byId: (company_id, account) =>
      viewed(account, (viewer) =>
        Effect.map(rowsOf(engine, viewer, sql`company_id = ${text(company_id)}`), ([row]) =>
          row === undefined ? null : companyOf(row)
        )
      )
  }
  return { index, follow }
})
