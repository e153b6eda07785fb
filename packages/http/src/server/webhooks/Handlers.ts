/** The endpoints under `/api/webhooks`: an account's own secrets and deliveries, and nobody else's. */
import { Billing } from "@lading/core/billing"
import { Webhooks } from "@lading/core/net"
import { Effect, Schema, SchemaTransformation } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Principal } from "../../api/Authorization.ts"
import { LadingApi } from "../../api/LadingApi.ts"
import * as Refusal from "../../api/Refusal.ts"
import * as WebhooksGroup from "../../api/WebhooksGroup.ts"
import { Unknown } from "../admin/Administration.ts"
import { Exchange } from "../Exchange.ts"
import type * as Idempotent from "../Idempotent.ts"
import type * as Operation from "../Operation.ts"
import * as Unbilled from "../Unbilled.ts"

/** Who asks. A key that only administers has no webhooks of its own, nor has the operator of the folder. */
const owner = Effect.gen(function* () {
  const { account, scopes } = yield* Principal
  const { request_id } = yield* Exchange
  if (scopes.some((scope) => scope !== "admin")) return account
  return yield* new Refusal.Forbidden({ request_id, message: "The API key serves administration only" })
})

const attemptOf = ({ at, duration, problem, status }: Webhooks.Attempt) => ({
  at,
  duration_ms: duration,
  status,
  problem
})

const deliveryOf = ({ last, ...delivery }: Webhooks.Delivery): WebhooksGroup.Delivery => ({
  ...delivery,
  last_attempt: last === null ? null : attemptOf(last)
})

/** The secret is kept sealed and shown to nobody again, so what is kept of this answer has nothing in its place. */
const withoutSecret = Schema.Struct({ ...WebhooksGroup.RotatedSecret.fields, secret: Schema.Null }).pipe(
  Schema.decodeTo(
    Schema.toType(WebhooksGroup.RotatedSecret),
    SchemaTransformation.transform({
      decode: (kept): WebhooksGroup.RotatedSecret => kept,
      encode: (rotated: WebhooksGroup.RotatedSecret) => ({ ...rotated, secret: null })
    })
  )
)

/** An endpoint of one delivery. */
interface OfDelivery extends Idempotent.Raw {
  readonly params: { readonly delivery_id: string }
}

const unknown = new Unknown({ what: "delivery" })

/** The endpoints that are repeatable. */
const posts = ({ replay, rotate }: Webhooks.Webhooks["Service"]) => ({
  rotateSecret: Unbilled.of({
    name: "webhooks.rotate_secret",
    request: WebhooksGroup.Nothing,
    kept: withoutSecret,
    run: (_request, _raw, { account }) => rotate(account)
  }),
  replayDelivery: Unbilled.of({
    name: "webhooks.replay",
    request: WebhooksGroup.Nothing,
    kept: WebhooksGroup.Delivery,
    run: (_request, { params }: OfDelivery, { account }) =>
      Effect.flatMap(replay(account, params.delivery_id), (delivery) =>
        delivery === null ? Effect.fail(unknown) : Effect.succeed(deliveryOf(delivery))
      )
  })
})

/** What reads. */
const reads = ({ find, list }: Webhooks.Webhooks["Service"]) => ({
  list: Effect.fnUntraced(function* (
    account: string,
    {
      limit = WebhooksGroup.perPage,
      page = 1
    }: { readonly page?: number | undefined; readonly limit?: number | undefined }
  ) {
    const { deliveries, total } = yield* list(account, page, limit)
    return { list: deliveries.map(deliveryOf), page, limit, total }
  }),
  delivery: Effect.fnUntraced(function* (account: string, id: string) {
    const found = yield* find(account, id)
    if (found === null) return yield* unknown
    return { ...deliveryOf(found.delivery), attempt_list: found.attempts.map(attemptOf) }
  })
})

export const layer = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "webhooks",
    Effect.fnUntraced(function* (handlers) {
      const webhooks = yield* Webhooks.Webhooks
      const billing = yield* Billing.Billing
      const { replayDelivery, rotateSecret } = posts(webhooks)
      const { delivery, list } = reads(webhooks)
      const rotate = Unbilled.handler(rotateSecret, billing, limits)
      const replay = Unbilled.handler(replayDelivery, billing, limits)
      return handlers
        .handleRaw("rotateSecret", (raw) => Effect.andThen(owner, rotate(raw)))
        .handleRaw("replayDelivery", (raw) => Effect.andThen(owner, replay(raw)))
        .handleAll({
          listDeliveries: ({ query }) =>
            Effect.flatMap(owner, (account) => Unbilled.read(list(account, query), limits)),
          delivery: ({ params }) =>
            Effect.flatMap(owner, (account) => Unbilled.read(delivery(account, params.delivery_id), limits))
        })
    })
  )
