/** The domains of traders in PostgreSQL, sealed; of each trader or name the last entry of each origin. */
import { TraderDomains } from "@lading/core/trade"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Erasing from "./Erasing.ts"
import * as Int8 from "./Int8.ts"
import { Seal } from "./Seal.ts"

const unavailable = (problem: string) => new TraderDomains.TraderDomainsUnavailable({ problem })

const Entry = Schema.fromJsonString(
  Schema.Struct({
    trader_id: Schema.NullOr(Schema.String),
    name: Schema.NullOr(Schema.String),
    country: Schema.NullOr(Schema.String),
    domain: Schema.String
  })
)
const decode = Schema.decodeOption(Entry)

const ofId = (trader_id: string): string => digestOf(`trader:${trader_id}`)
const ofName = (name: string, country: string | null): string =>
  digestOf(`name:${country ?? ""}:${TraderDomains.nameKey(name)}`)

interface Row {
  readonly trader: string
  readonly origin: string
  readonly sealed: Uint8Array
}

const placeOf = ({ origin, trader }: Pick<Row, "origin" | "trader">): string => `trader domain ${trader} ${origin}`

/** The operator's first, the trader itself before its name, then the newest. */
const order = "(origin = 'operator') desc, at desc"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open, seal } = yield* Seal

  const opened = ({ sealed, ...row }: Row) => {
    const text = open(sealed, placeOf(row))
    return text === null ? [] : Option.toArray(decode(text))
  }

  const find = Effect.fnUntraced(function* ({ country, name, trader_id }: TraderDomains.Trader) {
    const [id, named] = [ofId(trader_id), ofName(name, country)]
    const rows = yield* bounded(
      sql<Row>`select trader, origin, sealed from lading.trader_domains where trader in (${id}, ${named})
        order by (origin = 'operator') desc, (trader = ${id}) desc`,
      unavailable
    )
    return rows.flatMap(opened)[0]?.domain ?? null
  })

  const traders = (domain: string) =>
    Effect.map(
      bounded(
        sql<Row>`select trader, origin, sealed from lading.trader_domains where domain = ${digestOf(domain)}
          order by ${sql.literal(order)} limit ${TraderDomains.MOST}`,
        unavailable
      ),
      (rows) => rows.flatMap(opened).map(({ country, name, trader_id }) => ({ trader_id, name, country }))
    )

  /** An entry without a trader and without a name is about nobody. One about somebody who has objected is not kept. */
  const learn = Effect.fnUntraced(function* ({ country, domain, name, origin, trader_id }: TraderDomains.Entry) {
    const trader = trader_id === null ? (name === null ? null : ofName(name, country)) : ofId(trader_id)
    if (trader === null) return
    const subjects = [digestOf(TraderDomains.handleOf(domain))]
    const sealed = seal(JSON.stringify({ trader_id, name, country, domain }), placeOf({ trader, origin }))
    const at = Int8.from(yield* Clock.currentTimeMillis)
    yield* bounded(
      sql`insert into lading.trader_domains (trader, origin, domain, sealed, at, subjects)
        select ${trader}::text, ${origin}::text, ${digestOf(domain)}::text, ${sealed}::bytea, ${at}::bigint, ${subjects}::text[]
        where not exists (select 1 from lading.suppressions where digest = any(${subjects}::text[]))
        on conflict (trader, origin) do update
          set domain = excluded.domain, sealed = excluded.sealed, at = excluded.at, subjects = excluded.subjects`,
      unavailable
    )
  })

  const erase = (handles: ReadonlyArray<string>) => bounded(Erasing.rows(sql, "trader_domains", handles), unavailable)

  return TraderDomains.TraderDomains.of({ find, traders, learn, erase })
})

export const layer: Layer.Layer<TraderDomains.TraderDomains, never, SqlClient.SqlClient | Seal> = Layer.effect(
  TraderDomains.TraderDomains,
  make
)
