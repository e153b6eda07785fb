/** `/api/webhooks/*` with promises: an account's own deliveries and its signing secret. */
import { Delivery, DeliveryList, DeliveryWithAttempts, Nothing, RotatedSecret } from "../api/WebhooksGroup.ts"
import { type CallOptions, type Client, got, headers, type Plain, type ReadOptions, sent } from "./Call.ts"

export const connect = ({ webhooks }: Client) => ({
  /** The secret is shown once, as text. */
  rotateSecret: (options: CallOptions = {}): Plain<typeof RotatedSecret> =>
    sent(
      [Nothing, RotatedSecret],
      {},
      (payload) => webhooks.rotateSecret({ payload, headers: headers(options) }),
      options
    ),
  listDeliveries: (
    query: { readonly page?: number; readonly limit?: number } = {},
    options: ReadOptions = {}
  ): Plain<typeof DeliveryList> => got(DeliveryList, webhooks.listDeliveries({ query }), options),
  delivery: (delivery_id: string, options: ReadOptions = {}): Plain<typeof DeliveryWithAttempts> =>
    got(DeliveryWithAttempts, webhooks.delivery({ params: { delivery_id } }), options),
  replayDelivery: (delivery_id: string, options: CallOptions = {}): Plain<typeof Delivery> =>
    sent(
      [Nothing, Delivery],
      {},
      (payload) => webhooks.replayDelivery({ params: { delivery_id }, payload, headers: headers(options) }),
      options
    )
})
