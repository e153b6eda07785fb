/**
 * Suppressed subjects in PostgreSQL: digests, and when they were added.
 *
 * Every answer is checked, so a copy of the list is kept in the process while it is short enough, and read again every
 * `freshness`: what another server adds is seen after that time at the latest, what this one adds at once.
 */
import { Suppression } from "@lading/core/account"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { bounded } from "./Bounded.ts"
import { digestOf } from "./Digest.ts"
import * as Int8 from "./Int8.ts"

const unavailable = (problem: string) => new Suppression.SuppressionUnavailable({ problem })

/** How long the copy is believed, in milliseconds. */
const freshness = 2000
/** A longer list is asked about in the database. */
const capacity = 100_000

interface Copy {
  /** `null` when the list is too long to be kept. */
  readonly digests: Set<string> | null
  /** Epoch milliseconds. */
  until: number
}

const make = Effect.map(SqlClient.SqlClient, (sql): Suppression.Suppression["Service"] => {
  let copy: Copy | null = null
  // A list that was read while one was being added may miss it.
  const added = new Set<string>()

  const read = Effect.fnUntraced(function* (now: number) {
    // One of those who find it stale reads it again; the others go on with what there is.
    if (copy !== null) copy.until = now + freshness
    const rows = yield* bounded(
      sql<{ digest: string }>`select digest from lading.suppressions limit ${capacity + 1}`,
      unavailable
    ).pipe(
      // A list that cannot be read is believed by nobody.
      Effect.tapError(() =>
        Effect.sync(() => {
          copy = null
        })
      )
    )
    const digests = rows.length > capacity ? null : new Set([...rows.map(({ digest }) => digest), ...added])
    copy = { digests, until: now + freshness }
    return copy
  })

  const inDatabase = (digests: ReadonlyArray<string>) =>
    Effect.map(
      bounded(
        sql<{ digest: string }>`select digest from lading.suppressions where digest = any(${digests}::text[])`,
        unavailable
      ),
      (rows) => rows.map(({ digest }) => digest)
    )

  const find = Effect.fnUntraced(function* (handles: () => ReadonlyArray<string>) {
    const now = yield* Clock.currentTimeMillis
    const { digests: known } = copy !== null && now < copy.until ? copy : yield* read(now)
    if (known !== null && known.size === 0) return new Set<string>()
    const byDigest = new Map(handles().map((handle) => [digestOf(handle), handle]))
    const digests = [...byDigest.keys()]
    if (digests.length === 0) return new Set<string>()
    const found = known === null ? yield* inDatabase(digests) : digests.filter((digest) => known.has(digest))
    return new Set(found.flatMap((digest) => byDigest.get(digest) ?? []))
  })

  const add = Effect.fnUntraced(function* (handle: string) {
    const now = yield* Clock.currentTimeMillis
    const digest = digestOf(handle)
    yield* bounded(
      sql`insert into lading.suppressions (digest, created_at) values (${digest}, ${Int8.from(now)})
        on conflict do nothing`,
      unavailable
    )
    added.add(digest)
    copy?.digests?.add(digest)
  })

  return { find, add }
})

export const layer: Layer.Layer<Suppression.Suppression, never, SqlClient.SqlClient> = Layer.effect(
  Suppression.Suppression,
  make
)
