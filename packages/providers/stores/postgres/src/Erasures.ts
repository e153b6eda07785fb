/** Proofs of erasure in PostgreSQL. */
import { Erasures } from "@lading/core/account"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import * as Int8 from "./Int8.ts"

const unavailable = (problem: string) => new Erasures.ErasuresUnavailable({ problem })

interface Row {
  readonly id: string
  readonly kind: string
  readonly digest: string
  readonly erased_at: bigint
  readonly erased: unknown
}

const decode = Schema.decodeUnknownEffect(Schema.Array(Erasures.Proof))

const make = Effect.map(SqlClient.SqlClient, (sql): Erasures.Erasures["Service"] => ({
  record: ({ digest, erased, erased_at, id, kind }) =>
    bounded(
      sql`insert into lading.erasures (id, kind, digest, erased_at, erased)
        values (${id}, ${kind}, ${digest}, ${Int8.from(erased_at)}, ${JSON.stringify(erased)}::jsonb)`,
      unavailable
    ).pipe(Effect.asVoid),
  list: (limit) =>
    bounded(
      sql<Row>`select id, kind, digest, erased_at, erased from lading.erasures
        order by erased_at desc, id limit ${limit}`,
      unavailable
    ).pipe(
      Effect.flatMap((rows) => decode(rows.map((row) => ({ ...row, erased_at: Number(row.erased_at) })))),
      Effect.catchTag("SchemaError", () => Effect.fail(unavailable("a proof cannot be read")))
    )
}))

export const layer: Layer.Layer<Erasures.Erasures, never, SqlClient.SqlClient> = Layer.effect(Erasures.Erasures, make)
