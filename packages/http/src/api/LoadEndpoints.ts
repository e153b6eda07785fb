/** The endpoints by which imports come into a store through its server: a part of the group of administrators. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as Loads from "./Loads.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"
import * as SuccessBody from "./SuccessBody.ts"

const answered = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), { "x-request-id": RequestId })

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const read = [...Refusal.common, ...Refusal.reading]
const stepped = [...read, Refusal.conflict]

const path = "/api/admin/trade/loads"

export const list = HttpApiEndpoint.get("listLoads", path, {
  success: answered(Loads.LoadList),
  error: read
}).annotateMerge(described("List loads of customs records", "The newest first."))

export const begin = HttpApiEndpoint.post("beginLoad", path, {
  headers: { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) },
  payload: Loads.NewLoad,
  success: HttpApiSchema.WithHeaders(SuccessBody.of(Loads.Begun), {
    "x-request-id": RequestId,
    "idempotent-replayed": IdempotentReplayed
  }),
  error: [...Refusal.common, ...Refusal.operation]
}).annotateMerge(
  described(
    "Begin a load",
    "Begins a load of customs records, or goes on with one of these bytes that was not finished. Another one that is open is a 409. Whoever had it before can write no more."
  )
)

export const write = HttpApiEndpoint.put("writeLoad", `${path}/:load/parts/:part`, {
  params: Loads.PartPath,
  query: Loads.Lease,
  payload: HttpApiSchema.StreamNdjson({
    schema: Loads.Line,
    maxBytes: Loads.partLimit,
    maxElementBytes: Loads.lineLimit
  }),
  success: answered(Loads.Progress),
  error: [...stepped, ...Refusal.bodied]
}).annotateMerge(
  described(
    "Write a part of a load",
    `Newline-delimited JSON, uncompressed: the head (LoadPartHead), then a row (TradeRow) a line, at most ${Loads.rowLimit} of them and ${Loads.partLimit} bytes in all. What is acknowledged is not lost. The last part again is answered and not written again; any other part than the next one is a 409.`
  )
)

export const publish = HttpApiEndpoint.put("publishLoad", `${path}/:load/publication`, {
  params: Loads.LoadPath,
  query: Loads.Lease,
  success: answered(Loads.Publication),
  error: stepped
}).annotateMerge(
  described(
    "Publish a load",
    "Readers see all of it at once. It goes on by itself: while it takes its time the answer says publishing, and the same request waits on for it."
  )
)

export const abandon = HttpApiEndpoint.delete("abandonLoad", `${path}/:load`, {
  params: Loads.LoadPath,
  success: answered(Loads.Abandoned),
  error: stepped
}).annotateMerge(described("Abandon a load", "Forgets what was written of a load that was not finished."))
