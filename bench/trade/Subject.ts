/**
 * What questions are asked about, read from a store. The companies are of the same sizes whatever the size of the store, so
 * that an answer that takes longer in a larger store says something about the store.
 */
import type { Plain } from "./Plain.ts"

export interface Company {
  /** As the store has it: a number without sign. */
  readonly id: string
  readonly name: string
}

export interface Subject {
  /** Publication that is seen. */
  readonly version: number
  /** Importers of 30, 100, 300 and 1,000 records, or as near as there are. */
  readonly companies: ReadonlyArray<Company>
  readonly largest: ReadonlyArray<Company>
  /** Words of descriptions. */
  readonly products: ReadonlyArray<string>
  /** Four digits. */
  readonly codes: ReadonlyArray<string>
  /** Where goods come from. */
  readonly countries: ReadonlyArray<string>
  /** First days. */
  readonly months: ReadonlyArray<string>
}

const sizes = [30, 100, 300, 1000]

export const read = async ({ rows }: Plain): Promise<Subject> => {
  const list = async (statement: string) => (await rows(statement)).map(({ value }) => String(value))
  const companies = async (order: string, most: number): Promise<ReadonlyArray<Company>> =>
    (
      await rows(`SELECT toString(size.trader_id) AS id, name FROM (
          SELECT trader_id, sum(records) AS n FROM trader_total WHERE role = 'importer'
          GROUP BY trader_id ORDER BY ${order} LIMIT ${most}) AS size
        INNER JOIN (SELECT trader_id, argMax(value, records) AS name FROM trader_fact WHERE kind = 'name'
          GROUP BY trader_id) AS known ON known.trader_id = size.trader_id ORDER BY cityHash64(size.trader_id)`)
    ).map(({ id, name }) => ({ id: String(id), name: String(name) }))
  const bySize: Array<ReadonlyArray<Company>> = []
  for (const size of sizes) bySize.push(await companies(`abs(n - ${size}), trader_id`, 25))
  const frequent = (value: string, where: string, most: number) =>
    list(`SELECT ${value} AS value FROM trade_record WHERE ${where} AND ended > 1 GROUP BY value
      ORDER BY count() DESC, value LIMIT ${most}`)
  const [version] = await rows("SELECT max(version) AS n FROM publication")
  return {
    version: version?.n ?? 0,
    // Sizes in turn.
    companies: (bySize[0] ?? []).flatMap((_, index) => bySize.flatMap((some) => some[index] ?? [])),
    largest: await companies("n DESC, trader_id", 20),
    products: await list(`SELECT value FROM (
      SELECT arrayJoin(keywords) AS value, count() AS n FROM trade_record GROUP BY value ORDER BY n DESC, value LIMIT 100)
      WHERE match(value, '^[a-z]+$') LIMIT 20`),
    codes: await frequent("substring(hs_code, 1, 4)", "length(hs_code) = 6", 20),
    countries: await frequent("origin_country", "origin_country != ''", 8),
    months: await list("SELECT DISTINCT toString(toStartOfMonth(date)) AS value FROM trade_record ORDER BY value")
  }
}

/** The list again and again. */
export const at = <A>(list: ReadonlyArray<A>, index: number): A => {
  const found = list[index % list.length]
  if (found === undefined) throw new Error("there is nothing to ask about")
  return found
}

/** `2023-04-01`: `2023-04-30` */
export const endOf = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
