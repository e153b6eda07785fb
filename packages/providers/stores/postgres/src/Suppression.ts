/** Suppressed subjects in PostgreSQL: digests, and when they were added. */
import { Suppression } from "@lading/core/account"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import { createHash } from "node:crypto"
import * as Int8 from "./Int8.ts"

/** Handles name people: what is kept of them says nothing to whoever reads the table. */
const digestOf = (handle: string): string => createHash("sha256").update(handle).digest("hex")

const unavailable = (problem: string) => new Suppression.SuppressionUnavailable({ problem })

const make = Effect.map(SqlClient.SqlClient, (sql): Suppression.Suppression["Service"] => ({
  find: (handles) => {
    const byDigest = new Map(handles.map((handle) => [digestOf(handle), handle]))
    const digests = [...byDigest.keys()]
    return digests.length === 0
      ? Effect.succeed(new Set())
      : bounded(
          sql<{ digest: string }>`select digest from lading.suppressions where digest = any(${digests}::text[])`,
          unavailable
        ).pipe(Effect.map((rows) => new Set(rows.flatMap(({ digest }) => byDigest.get(digest) ?? []))))
  },
  add: (handle) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      bounded(
        sql`insert into lading.suppressions (digest, created_at) values (${digestOf(handle)}, ${Int8.from(now)})
          on conflict do nothing`,
        unavailable
      )
    ).pipe(Effect.asVoid)
}))

export const layer: Layer.Layer<Suppression.Suppression, never, SqlClient.SqlClient> = Layer.effect(
  Suppression.Suppression,
  make
)
