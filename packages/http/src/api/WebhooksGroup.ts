/**
 * The endpoints with which an account looks after its own webhooks: `/api/webhooks/*`, for every key of it that may do more
 * than administer. On the wire instants are ISO 8601 in UTC.
 */
import { Webhooks } from "@lading/core/net"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Instant } from "./Admin.ts"
import { Authorization } from "./Authorization.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import * as Refusal from "./Refusal.ts"
import { IdempotentReplayed, RequestId } from "./ResponseHeaders.ts"
import * as SuccessBody from "./SuccessBody.ts"

const Attempt = Schema.Struct({
  at: Instant,
  duration_ms: Schema.Int,
  status: Schema.NullOr(Schema.Int),
  problem: Schema.NullOr(Webhooks.Problem)
})

const delivery = {
  id: Schema.String.annotate({ description: "What the receiver sees as webhook-id" }),
  type: Schema.String,
  url: Schema.NullOr(Schema.String),
  state: Webhooks.State,
  created_at: Instant,
  next_at: Schema.NullOr(Instant),
  attempts: Schema.Int,
  last_attempt: Schema.NullOr(Attempt)
}

export const Delivery = Schema.Struct(delivery).annotate({ identifier: "WebhookDelivery" })
export type Delivery = typeof Delivery.Type

export const DeliveryWithAttempts = Schema.Struct({ ...delivery, attempt_list: Schema.Array(Attempt) })

export const DeliveryList = Schema.Struct({
  list: Schema.Array(Delivery),
  page: Schema.Int,
  limit: Schema.Int,
  total: Schema.Int
})

/** A secret that was made just now; whoever repeats the request is told all but the secret. */
export const RotatedSecret = Schema.Struct({
  secret: Schema.NullOr(Schema.RedactedFromValue(Schema.String)).annotate({
    description: "whsec_…, shown this once; null in a replayed answer"
  }),
  previous_valid_until: Schema.NullOr(Instant)
}).annotate({ identifier: "WebhookSecret" })
export type RotatedSecret = typeof RotatedSecret.Type

/** What asks for nothing more than that it is done. */
export const Nothing = Schema.Struct({})

/** Deliveries on a page, unless said otherwise. */
export const perPage = 20

export const ListQuery = {
  page: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))).annotate({
    description: "From 1, which is the default"
  }),
  limit: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))).annotate({
    description: `1 to 100; ${perPage} by default`
  })
}

const isId = (text: string): boolean => /^[\w-]{1,100}$/.test(text)

const DeliveryPath = {
  delivery_id: Schema.String.annotate({ description: "The id of the delivery, `msg_…`" }).check(
    Schema.makeFilter((text) => isId(text) || "Expected the id of a delivery")
  )
}

const requestHeaders = { [IdempotencyKey.name]: Schema.optional(IdempotencyKey.IdempotencyKey) }

const repeatable = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), {
    "x-request-id": RequestId,
    "idempotent-replayed": IdempotentReplayed
  })

const answered = <Data extends Schema.Top>(data: Data) =>
  HttpApiSchema.WithHeaders(SuccessBody.of(data), { "x-request-id": RequestId })

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const post = [...Refusal.common, ...Refusal.operation]
const read = [...Refusal.common, ...Refusal.reading]

export const webhooks = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("rotateSecret", "/api/webhooks/secret", {
      headers: requestHeaders,
      payload: Nothing,
      success: repeatable(RotatedSecret),
      error: post
    }).annotateMerge(
      described(
        "Rotate the signing secret",
        "Makes a new secret of the account and shows it, once. The ones before it sign beside it for 24 hours."
      )
    ),
    HttpApiEndpoint.get("listDeliveries", "/api/webhooks/deliveries", {
      query: ListQuery,
      success: answered(DeliveryList),
      error: read
    }).annotateMerge(described("List deliveries", "The account's own, the newest first; kept for a week.")),
    HttpApiEndpoint.get("delivery", "/api/webhooks/deliveries/:delivery_id", {
      params: DeliveryPath,
      success: answered(DeliveryWithAttempts),
      error: read
    }).annotateMerge(described("Show a delivery", "With every attempt, the oldest first.")),
    HttpApiEndpoint.post("replayDelivery", "/api/webhooks/deliveries/:delivery_id/replay", {
      params: DeliveryPath,
      headers: requestHeaders,
      payload: Nothing,
      success: repeatable(Delivery),
      error: post
    }).annotateMerge(
      described(
        "Replay a delivery",
        "Sends it again, now and for another 24 hours if need be, whatever came of it before. One that is in the air is left as it is."
      )
    )
  )
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ description: "Secrets and deliveries of webhooks" }))
