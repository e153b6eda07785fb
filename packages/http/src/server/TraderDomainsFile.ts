/**
 * The operator's file of web domains: CSV with a header, columns `company_id`, `name`, `country` and `domain` in any
 * order, others are left alone. A row is about a company by its id, or about a name in a country. It is read at the start;
 * a wrong row stops it with the line and what was expected.
 */
import { TraderDomains } from "@lading/core/trade"
import { Country, DomainName } from "@lading/core/value"
import { Effect, Layer, Stream } from "effect"
import { Csv } from "effect/encoding"
import { createReadStream } from "node:fs"
import { CannotStart } from "./CannotStart.ts"

/** All of them are held in memory. */
const most = 1_000_000

const variable = "LADING_TRADER_DOMAINS"

const refuse = (problem: string) => new CannotStart({ variable, problem })

const columns = ["company_id", "name", "country", "domain"] as const
type Column = (typeof columns)[number]
type Cells = ReadonlyMap<Column, string>

const isColumn = (name: string): name is Column => columns.some((column) => column === name)

/** The columns by their places. */
const header = (cells: ReadonlyArray<string>): ReadonlyArray<Column | null> =>
  cells.map((cell) => {
    const name = cell.replace("\ufeff", "").trim().toLowerCase()
    return isColumn(name) ? name : null
  })

/** The entry of a row, or what was expected of it. */
const entryOf = (cells: Cells): TraderDomains.Entry | string => {
  const said = (column: Column) => cells.get(column)?.trim() || null
  const [trader_id, name, country] = [said("company_id"), said("name"), said("country")]
  const domain = DomainName.parse(said("domain") ?? "")
  if (domain === null) return "expected a domain such as acme.example"
  const code = country === null ? null : Country.code(country)
  if (country !== null && code === null) return "expected a country, by name or ISO 3166-1 code"
  if (trader_id === null && (name === null || code === null)) return "expected a company_id, or a name and its country"
  return { trader_id, name, country: code, domain, origin: "operator" }
}

const pieces = (path: string) => Stream.fromAsyncIterable(createReadStream(path, { encoding: "utf8" }), () => path)

/** Every entry of the file. */
export const read = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<ReadonlyArray<TraderDomains.Entry>, CannotStart> {
  const entries: Array<TraderDomains.Entry> = []
  let names: ReadonlyArray<Column | null> | null = null
  let row = 0
  yield* pieces(path).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ maxRecordSize: 65_536 })),
    Stream.mapError((error) =>
      refuse(Csv.isCsvError(error) ? `${path}, line ${error.line}: expected CSV` : `the file ${path} cannot be read`)
    ),
    Stream.runForEach((cells) => {
      row++
      if (cells.length === 1 && cells[0] === "") return Effect.void
      if (names === null) {
        names = header(cells)
        return names.includes("domain") ? Effect.void : Effect.fail(refuse(`${path}: expected a column domain`))
      }
      const byName: Cells = new Map(
        names.flatMap((name, index) => (name === null ? [] : [[name, cells[index] ?? ""] as const]))
      )
      const entry = entryOf(byName)
      if (typeof entry === "string") return Effect.fail(refuse(`${path}, row ${row}: ${entry}`))
      if (entries.length >= most) return Effect.fail(refuse(`${path}: expected at most ${most} rows`))
      entries.push(entry)
      return Effect.void
    })
  )
  return entries
})

/** The domains of the installation, with those of the file before them. */
export const layer = (
  path: string | null
): Layer.Layer<TraderDomains.TraderDomains, CannotStart, TraderDomains.TraderDomains> =>
  Layer.effect(
    TraderDomains.TraderDomains,
    Effect.gen(function* () {
      const domains = yield* TraderDomains.TraderDomains
      return path === null ? domains : TraderDomains.withGiven(yield* read(path), domains)
    })
  )
