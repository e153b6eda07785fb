/** Pending enrichments in PostgreSQL, sealed. Each operation is one statement; a change names the state it was made from. */
import { EnrichmentStore } from "@lading/core/pending"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Erasing from "./Erasing.ts"
import * as Int8 from "./Int8.ts"
import { Seal } from "./Seal.ts"
import { swept } from "./Sweep.ts"

const unavailable = (problem: string) => new EnrichmentStore.EnrichmentStoreUnavailable({ problem })

/** A state that is put into the place of another is sealed for that place and no other. */
const placeOf = (requestId: string): string => `enrichment ${requestId}`

interface Found {
  readonly account: string
  readonly operation: string
  readonly revision: number
  readonly sealed: Uint8Array
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open, seal } = yield* Seal

  /** Nobody in it has objected. The list is read by the statement that writes. */
  const isShown = (subjects: ReadonlyArray<string>) =>
    sql`not exists (select 1 from lading.suppressions where digest = any(${subjects}::text[]))`

  const put: EnrichmentStore.EnrichmentStore["Service"]["put"] = (enrichment, { kept_until, subjects }) => {
    const { account, operation, request_id, text } = enrichment
    const digests = subjects.map(digestOf)
    return bounded(
      sql`insert into lading.enrichments (request_id, account, operation, revision, sealed, subjects, kept_until)
        select ${request_id}::text, ${account}::text, ${operation}::text, 1, ${seal(text, placeOf(request_id))}::bytea,
          ${digests}::text[], ${Int8.from(kept_until)}::bigint where ${isShown(digests)} returning 1`,
      unavailable
    ).pipe(Effect.map((rows) => rows.length > 0))
  }

  const find = Effect.fnUntraced(function* (request_id: string) {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* bounded(
      sql<Found>`select account, operation, revision, sealed from lading.enrichments
        where request_id = ${request_id} and kept_until > ${Int8.from(now)}`,
      unavailable
    )
    if (row === undefined) return null
    const { account, operation, revision, sealed } = row
    const text = open(sealed, placeOf(request_id))
    if (text === null) return yield* unavailable("the enrichment was sealed with another key")
    return { request_id, account, operation, revision, text }
  })

  const replace: EnrichmentStore.EnrichmentStore["Service"]["replace"] = (enrichment, { kept_until, subjects }) => {
    const { request_id, revision, text } = enrichment
    const digests = subjects.map(digestOf)
    return bounded(
      sql`update lading.enrichments
        set revision = revision + 1, sealed = ${seal(text, placeOf(request_id))}, subjects = ${digests}::text[],
          kept_until = ${Int8.from(kept_until)}
        where request_id = ${request_id} and revision = ${revision} and ${isShown(digests)} returning 1`,
      unavailable
    ).pipe(Effect.map((rows) => rows.length > 0))
  }

  const remove = (request_id: string) =>
    Effect.asVoid(bounded(sql`delete from lading.enrichments where request_id = ${request_id}`, unavailable))

  const erase = (handles: ReadonlyArray<string>) => bounded(Erasing.rows(sql, "enrichments", handles), unavailable)

  const sweep = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    swept((limit) =>
      bounded(
        sql`delete from lading.enrichments where request_id in
          (select request_id from lading.enrichments where kept_until <= ${Int8.from(now)} limit ${limit}) returning 1`,
        unavailable
      )
    )
  )

  return EnrichmentStore.EnrichmentStore.of({ put, find, replace, remove, erase, sweep })
})

export const layer: Layer.Layer<EnrichmentStore.EnrichmentStore, never, SqlClient.SqlClient | Seal> = Layer.effect(
  EnrichmentStore.EnrichmentStore,
  make
)
