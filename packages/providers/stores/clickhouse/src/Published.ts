/**
 * What readers see: the newest publication. Every question is asked of one, so that a load that is being published, on
 * this server or on another one, is seen as a whole or not at all.
 */
import type { TradeStore } from "@lading/core/trade"
import { Clock, Effect, Ref, Schema } from "effect"
import type { Engine } from "./Engine.ts"
import { int, sql, type Statement } from "./Statement.ts"

export interface Published {
  /** 0 before the first one. */
  readonly version: number
  /** Date of the newest record, `YYYY-MM-DD`; `null` without records. */
  readonly newest: string | null
  readonly records: number
  /** How many traders have records. */
  readonly traders: number
}

const Row = Schema.Struct({ version: Schema.Int, newest: Schema.String, records: Schema.Int, traders: Schema.Int })

/** How long one is believed, in milliseconds: after that long a server sees what another one has published. */
const believed = 2000

export interface Publications {
  readonly current: Effect.Effect<Published, TradeStore.TradeStoreError>
  /** Something was published here. */
  readonly forget: Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* (engine: Engine["Service"]): Effect.fn.Return<Publications> {
  const kept = yield* Ref.make<{ readonly published: Published; readonly until: number } | null>(null)
  const read = Effect.gen(function* () {
    const [row] = yield* engine.rows(
      Row,
      sql`SELECT version, toString(newest) AS newest, records, traders FROM publication ORDER BY version DESC LIMIT 1`
    )
    const published: Published =
      row === undefined
        ? { version: 0, newest: null, records: 0, traders: 0 }
        : {
            version: row.version,
            newest: row.records === 0 ? null : row.newest,
            records: row.records,
            traders: row.traders
          }
    yield* Ref.set(kept, { published, until: (yield* Clock.currentTimeMillis) + believed })
    return published
  })
  return {
    current: Effect.gen(function* () {
      const known = yield* Ref.get(kept)
      return known !== null && known.until > (yield* Clock.currentTimeMillis) ? known.published : yield* read
    }),
    forget: Ref.set(kept, null)
  }
})

/** Rows that readers of a publication see. */
export const visible = ({ version }: Published): Statement => sql`load <= ${int(version)} AND ended > ${int(version)}`
