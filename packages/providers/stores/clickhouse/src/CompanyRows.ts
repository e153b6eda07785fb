/**
 * The rows of the index of companies: profiles as they are put, and what is searched, made of profiles and traders. A
 * company's row is made anew whenever either changes; the new row is there before the old one is left out.
 */
import type { KnownCompany } from "@lading/core/company"
import { CompanyClasses, KnownCompany as Known } from "@lading/core/company"
import type { TradeStore } from "@lading/core/trade"
import { Text } from "@lading/core/value"
import { Clock, Effect, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import { escaped, Lines } from "./Lines.ts"
import { START } from "./migrations/Companies.ts"
import { ids, int, sql, type Statement, text, texts } from "./Statement.ts"
import * as TraderId from "./TraderId.ts"

/** What enrichments say, as it is kept beside what is searched. */
export const Shown = Schema.fromJsonString(
  Schema.Struct({
    website_url: Schema.NullOr(Schema.String),
    city: Schema.NullOr(Schema.String),
    industries: Schema.Array(Schema.String),
    technologies: Schema.Array(Schema.String),
    description: Schema.NullOr(Schema.String),
    linkedin_url: Schema.NullOr(Schema.String)
  })
)
const writeShown = Schema.encodeSync(Shown)

type Failure = TradeStore.TradeStoreUnavailable | TradeStore.QueryTooExpensive

/** Names of a trader that are looked at, its own and its aliases. */
const NAMES = 21

/** So many traders are made rows of together. */
const AT_ONCE = 200_000

export const byDomain = (owner: string): string => `d:${owner}`
const byName = (country: string, key: string): string => `n:${country}:${key}`

/** How a company is found: by the part of its domain that somebody registered, and by its name in its country. */
export const foundBy = ({ country, domain, name }: Pick<Known.Said, "country" | "domain" | "name">) => {
  const [owner, key] = [Known.ownerOf(domain), Known.nameKey(name)]
  return [
    ...(owner === null ? [] : [byDomain(owner)]),
    ...(key === null || country === null ? [] : [byName(country, key)])
  ]
}

const wordsOf = (...some: ReadonlyArray<string | null>): string =>
  [...new Set(some.flatMap((one) => Text.words(one ?? "")))].join(" ")

const array = (values: ReadonlyArray<string>): string => `[${values.map((value) => `'${escaped(value)}'`).join(",")}]`

const columns: ReadonlyArray<string> = [
  "generation",
  "put",
  "account",
  "profile_id",
  "tie",
  "trader_id",
  "name_key",
  "name",
  "name_words",
  "words",
  "country",
  "domain",
  "found_by",
  "industries",
  "paths",
  "technologies",
  "least_employees",
  "most_employees",
  "founded",
  "known",
  "shown"
]

const cell = (value: number | string | null): string =>
  value === null ? "\\N" : typeof value === "number" ? String(value) : escaped(value)

/** A profile as the table takes it. */
const lineOf = (company: KnownCompany.KnownCompany, generation: number, trader: string | null): string => {
  const { country, description, domain, employees, founded_year, linkedin_url, name, technologies, website_url } =
    company
  return [
    String(generation),
    String(generation),
    cell(company.account ?? ""),
    Known.ownId(company),
    TraderId.written(company.trader_id),
    TraderId.written(trader),
    cell(Known.nameKey(name) ?? ""),
    cell(name ?? ""),
    cell(Text.words(name ?? "").join(" ")),
    cell(wordsOf(name, domain)),
    cell(country ?? ""),
    cell(domain ?? ""),
    array(foundBy(company)),
    array(CompanyClasses.industries(company.industries)),
    array(CompanyClasses.industryPaths(company.industries)),
    array(CompanyClasses.technologies(technologies)),
    cell(employees === null ? null : Math.trunc(employees.min)),
    cell(employees === null || employees.max === null ? null : Math.trunc(employees.max)),
    cell(founded_year === null ? null : Math.trunc(founded_year)),
    String(Known.completeness(company)),
    cell(
      writeShown({
        website_url,
        city: company.city,
        industries: company.industries,
        technologies,
        description,
        linkedin_url
      })
    )
  ].join("\t")
}

/** Traders and profiles whose rows are made anew: what stands behind `IN`. */
interface Touched {
  readonly traders: Statement
  readonly profiles: Statement
  /** The names of their companies. */
  readonly companies: Statement
}

const these = (traders: ReadonlyArray<string>, profiles: ReadonlyArray<string>): Touched => ({
  traders: sql`${ids(TraderId.readAll(traders))}`,
  profiles: sql`${texts(profiles)}`,
  companies: sql`${texts([...traders, ...profiles])}`
})

/** What is known of traders by a publication: names by their records, the country of most, records by side. */
const trade = (traders: Statement, version: number): Statement => sql`
  SELECT f.trader_id AS trader_id, f.called AS called, f.spelt AS spelt, f.country AS country,
    t.imports AS imports, t.exports AS exports
  FROM (
    SELECT trader_id, arrayMap(x -> x.2, named) AS called, arrayMap(x -> x.3, named) AS spelt, located[1].2 AS country
    FROM (
      SELECT trader_id,
        arraySlice(arraySort(groupArrayIf((-n, value, words), kind = 'name')), 1, ${int(NAMES)}) AS named,
        arraySort(groupArrayIf((-n, value), kind = 'country')) AS located
      FROM (
        SELECT trader_id, kind, value, any(words) AS words, sum(records) AS n FROM trader_fact
        WHERE trader_id IN ${traders} AND kind IN ('name', 'country') AND load <= ${int(version)}
        GROUP BY trader_id, kind, value HAVING n > 0
      ) GROUP BY trader_id
    )
  ) AS f INNER JOIN (
    SELECT trader_id, sumIf(records, role = 'importer') AS imports, sumIf(records, role = 'exporter') AS exports
    FROM trader_total WHERE trader_id IN ${traders} AND load <= ${int(version)} GROUP BY trader_id
    HAVING imports + exports > 0
  ) AS t ON t.trader_id = f.trader_id`

/** The newest of each profile, those that are one company in one account's eyes once. */
const profiles = ({ companies, profiles, traders }: Touched): Statement => sql`
  SELECT * FROM (
    SELECT *, if(trader_id = 0, profile_id, toString(trader_id)) AS company_id FROM (
      SELECT * FROM company_profile WHERE profile_id IN ${profiles}
        OR profile_id IN (SELECT profile_id FROM company_profile WHERE trader_id IN ${traders})
      ORDER BY generation DESC LIMIT 1 BY profile_id, account
    )
    -- Of a trader that they were one with once, and are no more.
  ) WHERE company_id IN ${companies} ORDER BY put DESC LIMIT 1 BY company_id, account`

const made = sql`account, company_id, trader_id, aliases, starts, imports + exports, imports, exports, name, name_words,
  words, country, domain, found_by, industries, paths, technologies, least_employees, most_employees, founded, known, shown`

const nothingSaid = writeShown({
  website_url: null,
  city: null,
  industries: [],
  technologies: [],
  description: null,
  linkedin_url: null
})

const startsOf = sql`arrayDistinct(arrayFlatten(arrayMap(
  w -> arrayMap(n -> substringUTF8(w, 1, n), range(1, least(lengthUTF8(w), ${int(START)}) + 1)), splitByChar(' ', words))))`

/** Companies that were put, with what records say of them. */
const putRows = (touched: Touched, version: number): Statement => sql`
  SELECT p.account AS account, p.company_id AS company_id, p.trader_id AS trader_id, t.called AS aliases,
    t.imports AS imports, t.exports AS exports,
    if(p.name != '', p.name, t.called[1]) AS name, if(p.name != '', p.name_words, t.spelt[1]) AS name_words,
    arrayStringConcat(arrayDistinct(arrayConcat(
      splitByChar(' ', p.words), splitByChar(' ', arrayStringConcat(t.spelt, ' ')))), ' ') AS words,
    if(p.country != '', toString(p.country), t.country) AS country, p.domain AS domain, p.found_by AS found_by,
    p.industries AS industries, p.paths AS paths, p.technologies AS technologies, p.least_employees AS least_employees,
    p.most_employees AS most_employees, p.founded AS founded,
    toUInt8(p.known + (p.country = '' AND t.country != '')) AS known, p.shown AS shown
  FROM (${profiles(touched)}) AS p LEFT JOIN (${trade(touched.traders, version)}) AS t ON t.trader_id = p.trader_id`

/** Traders that nobody has put. */
const tradeRows = (touched: Touched, version: number): Statement => sql`
  SELECT '' AS account, toString(trader_id) AS company_id, trader_id, arraySlice(called, 2) AS aliases, imports, exports,
    called[1] AS name, spelt[1] AS name_words,
    arrayStringConcat(arrayDistinct(splitByChar(' ', arrayStringConcat(spelt, ' '))), ' ') AS words, country,
    '' AS domain, CAST([], 'Array(String)') AS found_by, CAST([], 'Array(String)') AS industries,
    CAST([], 'Array(String)') AS paths, CAST([], 'Array(String)') AS technologies,
    CAST(NULL, 'Nullable(Int64)') AS least_employees, CAST(NULL, 'Nullable(Int64)') AS most_employees,
    CAST(NULL, 'Nullable(Int64)') AS founded, toUInt8(country != '') AS known, ${text(nothingSaid)} AS shown
  FROM (${trade(touched.traders, version)})
  WHERE trader_id NOT IN (SELECT trader_id FROM (${profiles(touched)}) WHERE account = '')`

/** Makes the rows of these companies anew. */
const remake = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  touched: Touched,
  version: number,
  generation: number
): Effect.fn.Return<void, Failure> {
  const g = int(generation)
  yield* engine.run(sql`INSERT INTO company (row_id, generation, account, company_id, trader_id, aliases, starts, records,
      imports, exports, name, name_words, words, country, domain, found_by, industries, paths, technologies,
      least_employees, most_employees, founded, known, shown)
    SELECT sipHash64(account, company_id, ${g}), ${g}, ${made} FROM (
      SELECT *, arrayFilter(w -> w != '', ${startsOf}) AS starts
      FROM (SELECT * FROM (${putRows(touched, version)}) UNION ALL SELECT * FROM (${tradeRows(touched, version)})))`)
  yield* engine.run(sql`INSERT INTO company_past (row_id, generation) SELECT row_id, ${g} FROM company
    WHERE company_id IN ${touched.companies} AND generation < ${g} AND row_id NOT IN (SELECT row_id FROM company_past)`)
})

const Resolved = Schema.Struct({ key: Schema.String, country: Schema.String, trader: Schema.String })
const Alive = Schema.Struct({ trader: Schema.String })
const Before = Schema.Struct({ trader: Schema.String, profile: Schema.String })
const Put = Schema.Struct({ ...Before.fields, account: Schema.String })

/** The trader of each name in its country, by `byName`; the one with most records under it. */
export const resolve = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  named: ReadonlyArray<Pick<Known.Said, "country" | "name">>,
  version: number
): Effect.fn.Return<ReadonlyMap<string, string>, Failure> {
  const keys = [...new Set(named.flatMap(({ name }) => Known.nameKey(name) ?? []))]
  if (keys.length === 0 || version === 0) return new Map()
  const found = yield* engine.rows(
    Resolved,
    sql`SELECT key, toString(country) AS country, toString(trader_id) AS trader FROM (
      SELECT key, country, trader_id, sum(records) AS n FROM trader_key
      WHERE key IN ${texts(keys)} AND load <= ${int(version)} GROUP BY key, country, trader_id HAVING n > 0
    ) ORDER BY n DESC, trader LIMIT 1 BY key, country`
  )
  return new Map(found.map(({ country, key, trader }) => [byName(country, key), trader]))
})

/** Those of them that have records. */
const alive = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  traders: ReadonlyArray<string>,
  version: number
): Effect.fn.Return<ReadonlySet<string>, Failure> {
  const wanted = TraderId.readAll(traders)
  if (wanted.length === 0 || version === 0) return new Set()
  const found = yield* engine.rows(
    Alive,
    sql`SELECT toString(trader_id) AS trader FROM trader_total
      WHERE trader_id IN ${ids(wanted)} AND load <= ${int(version)} GROUP BY trader_id HAVING sum(records) > 0`
  )
  return new Set(found.map(({ trader }) => trader))
})

/** Which trader each company is one with. */
const traderOf = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  companies: ReadonlyArray<KnownCompany.KnownCompany>,
  version: number
) {
  const named = yield* resolve(engine, companies, version)
  const tied = yield* alive(
    engine,
    companies.flatMap(({ trader_id }) => trader_id ?? []),
    version
  )
  return ({ country, name, trader_id }: KnownCompany.KnownCompany): string | null => {
    if (trader_id !== null && tied.has(trader_id)) return trader_id
    const key = Known.nameKey(name)
    return key === null || country === null ? null : (named.get(byName(country, key)) ?? null)
  }
})

/** Which traders stood behind these profiles until now. */
const before = (engine: Engine["Service"], profiles: ReadonlyArray<string>) =>
  engine.rows(
    Before,
    sql`SELECT DISTINCT toString(trader_id) AS trader, profile_id AS profile FROM company_profile
      WHERE profile_id IN ${texts(profiles)} AND trader_id != 0`
  )

/** Numbers for so many changes, larger than those before; gives the first. */
export type Next = (count: number) => Effect.Effect<number>

export const generations = (): Next => {
  let last = 0
  return (count) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const first = Math.max(last + 1, now * 1000)
      last = first + count - 1
      return first
    })
}

/** Each once, as it was put last, in the order of the puts. */
const distinct = (companies: ReadonlyArray<KnownCompany.KnownCompany>) => {
  const byKey = new Map<string, KnownCompany.KnownCompany>()
  for (const company of companies) {
    const key = `${company.account ?? ""} ${Known.ownId(company)}`
    byKey.delete(key)
    byKey.set(key, company)
  }
  return [...byKey.values()]
}

export const put = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  companies: ReadonlyArray<KnownCompany.KnownCompany>,
  version: number,
  next: Next
): Effect.fn.Return<void, Failure> {
  const all = distinct(companies)
  const first = yield* next(all.length + 1)
  const profiles = [...new Set(all.map(Known.ownId))]
  const trader = yield* traderOf(engine, all, version)
  const earlier = yield* before(engine, profiles)
  const lines = new Lines()
  all.forEach((company, index) => {
    lines.raw(lineOf(company, first + index, trader(company)))
    lines.end()
  })
  yield* engine.insert("company_profile", columns, lines.written)
  const traders = [...new Set([...all.flatMap((one) => trader(one) ?? []), ...earlier.map((one) => one.trader)])]
  yield* remake(engine, these(traders, profiles), version, first + all.length)
})

/** Deletes what was put under these domains; gives its number. */
export const erase = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  owners: ReadonlyArray<string>,
  version: number,
  next: Next
): Effect.fn.Return<number, Failure> {
  const about = sql`hasAny(found_by, ${texts(owners.map(byDomain))})`
  const found = yield* engine.unbounded(
    Put,
    sql`SELECT DISTINCT toString(trader_id) AS trader, profile_id AS profile, account FROM company_profile WHERE ${about}`
  )
  if (found.length === 0) return 0
  yield* engine.mutate("company_profile", sql`DELETE`, about)
  yield* engine.mutate("company", sql`DELETE`, about)
  const traders = found.map(({ trader }) => trader).filter((trader) => trader !== "0")
  yield* remake(
    engine,
    these(
      traders,
      found.map(({ profile }) => profile)
    ),
    version,
    yield* next(1)
  )
  return new Set(found.map(({ account, profile }) => `${account} ${profile}`)).size
})

const Version = Schema.Struct({ version: Schema.Int })
const Count = Schema.Struct({ n: Schema.Int })

const saidColumns = sql`name, name_words, words, country, domain, found_by, industries, paths, technologies,
  least_employees, most_employees, founded, known, shown`

/** Profiles whose trader is another one by what that publication says, with the trader that they are one with now. */
const retied = (version: number, generation: number): Statement => sql`
  INSERT INTO company_profile (generation, trader_id, put, account, profile_id, tie, name_key, ${saidColumns})
  SELECT ${int(generation)}, now, put, account, profile_id, tie, name_key, ${saidColumns} FROM (
    SELECT p.* EXCEPT (trader_id), p.trader_id AS before,
      multiIf(a.tied != 0, p.tie, k.named != 0, k.named, toUInt64(0)) AS now
    FROM (SELECT * FROM company_profile ORDER BY generation DESC LIMIT 1 BY profile_id, account) AS p
    LEFT JOIN (SELECT trader_id AS tied FROM trader_total WHERE load <= ${int(version)} GROUP BY trader_id
      HAVING sum(records) > 0) AS a ON a.tied = p.tie
    LEFT JOIN (SELECT key, toString(country) AS home, trader_id AS named FROM (
      SELECT key, country, trader_id, sum(records) AS n FROM trader_key
      WHERE key IN (SELECT name_key FROM company_profile) AND country != '' AND load <= ${int(version)}
      GROUP BY key, country, trader_id HAVING n > 0
    ) ORDER BY n DESC, toString(trader_id) LIMIT 1 BY key, country) AS k
      ON k.key = p.name_key AND k.home = toString(p.country)
  ) WHERE now != before`

const changedTraders = (from: number, version: number, share: Statement): Statement => sql`
  SELECT trader_id FROM trader_total WHERE load > ${int(from)} AND load <= ${int(version)} AND ${share}`

const retiedProfiles = (generation: number): Statement =>
  sql`SELECT profile_id FROM company_profile WHERE generation = ${int(generation)}`

/** Brings the index up to a publication, from the one that it was brought up to last. */
export const follow = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  version: number,
  next: Next
): Effect.fn.Return<void, Failure> {
  const [row] = yield* engine.unbounded(Version, sql`SELECT toInt64(max(version)) AS version FROM company_load`)
  const from = row?.version ?? 0
  if (from >= version) return
  const generation = yield* next(1)
  yield* engine.run(retied(version, generation))
  const [size] = yield* engine.unbounded(
    Count,
    sql`SELECT toInt64(uniq(trader_id)) AS n FROM trader_total WHERE load > ${int(from)} AND load <= ${int(version)}`
  )
  const shares = Math.max(1, Math.ceil((size?.n ?? 0) / AT_ONCE))
  for (let share = 0; share < shares; share++) {
    const some = changedTraders(from, version, sql`trader_id % ${int(shares)} = ${int(share)}`)
    yield* remake(
      engine,
      { traders: sql`(${some})`, profiles: sql`['']`, companies: sql`(SELECT toString(trader_id) FROM (${some}))` },
      version,
      yield* next(1)
    )
  }
  // Those whose trader has changed: the company that they were, and the one that they are now.
  const moved = retiedProfiles(generation)
  const traders = sql`SELECT trader_id FROM company_profile WHERE trader_id != 0 AND profile_id IN (${moved})`
  yield* remake(
    engine,
    {
      traders: sql`(${traders})`,
      profiles: sql`(${moved})`,
      companies: sql`(SELECT toString(trader_id) FROM (${traders}) UNION ALL ${moved})`
    },
    version,
    yield* next(1)
  )
  yield* engine.run(sql`INSERT INTO company_load SELECT ${int(version)}`)
})

/** Rows that were left out are deleted when there are so many. */
const PAST = 50_000

/** Deletes what is left out already, and versions of profiles that count no more. */
export const tidy = Effect.fnUntraced(function* (
  engine: Engine["Service"],
  least: number = PAST
): Effect.fn.Return<void, Failure> {
  const [row] = yield* engine.rows(
    Schema.Struct({ n: Schema.Int, newest: Schema.Int }),
    sql`SELECT toInt64(count()) AS n, toInt64(max(generation)) AS newest FROM company_past`
  )
  if (row === undefined || row.n < least) return
  const until = sql`generation <= ${int(row.newest)}`
  yield* engine.mutate("company", sql`DELETE`, sql`row_id IN (SELECT row_id FROM company_past WHERE ${until})`)
  yield* engine.mutate("company_past", sql`DELETE`, until)
})
