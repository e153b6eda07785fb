/**
 * Forgets workflows that ended some days ago: the engine keeps what they were asked and what came of each of their steps,
 * for ever. One that still runs, or has a step that nobody has taken up, is left alone, however old.
 */
import { Clock, Effect, Schema } from "effect"
import { MachineId, Snowflake } from "effect/cluster"
import { SqlClient } from "effect/sql"

/** How long a workflow that has ended is remembered, in milliseconds: until then the same one is not begun again. */
const keep = 7 * 24 * 60 * 60 * 1000

/** Workflows that one statement forgets. */
const most = 1000

export class DurableUnavailable extends Schema.TaggedError<DurableUnavailable>()("DurableUnavailable", {
  problem: Schema.String
}) {}

/** Ids of messages are numbers that begin with their time. */
const idAt = (millis: number): string =>
  String(
    Snowflake.make({
      machineId: MachineId.make(0),
      sequence: 0,
      timestamp: Math.max(millis, Snowflake.constEpochMillis)
    })
  )

/** Gives the number of messages that are gone. `prefix` is that of the engine's tables. */
export const sweep = (prefix: string): Effect.Effect<number, DurableUnavailable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [messages, replies] = [sql(`${prefix}_messages`), sql(`${prefix}_replies`)]
    const before = idAt((yield* Clock.currentTimeMillis) - keep)
    const gone = yield* sql`with over as (
        select entity_type, entity_id from ${messages} group by entity_type, entity_id
          having bool_and(processed) and max(id) < ${before}::bigint limit ${most}
      ), gone as (
        delete from ${messages} m using over o where m.entity_type = o.entity_type and m.entity_id = o.entity_id
          returning m.id, m.request_id
      ), answers as (
        delete from ${replies} r using gone g where r.request_id in (g.id, g.request_id)
      )
      select 1 from gone`
    return gone.length
  }).pipe(Effect.mapError(() => new DurableUnavailable({ problem: "the workflow engine's tables do not answer" })))
