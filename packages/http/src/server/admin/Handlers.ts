/** The endpoints under `/api/admin`: each names its operation, `Unbilled` does what they have in common. */
import { Billing } from "@lading/core/billing"
import type { Caller } from "@lading/core/request"
import { Effect, Layer, Schema, SchemaTransformation } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Admin from "../../api/Admin.ts"
import { AdminScope } from "../../api/AdminGroup.ts"
import { Principal } from "../../api/Authorization.ts"
import { LadingApi } from "../../api/LadingApi.ts"
import { Exchange } from "../Exchange.ts"
import type * as Idempotent from "../Idempotent.ts"
import * as Operation from "../Operation.ts"
import * as Unbilled from "../Unbilled.ts"
import { Administration } from "./Administration.ts"
import { Loading } from "./Loading.ts"
import * as LoadHandlers from "./LoadHandlers.ts"

/** Refuses keys without the scope `admin`. */
export const layerScope: Layer.Layer<AdminScope> = Layer.succeed(
  AdminScope,
  Effect.fnUntraced(function* (endpoint) {
    const { request_id } = yield* Exchange
    yield* Operation.permit(["admin"], yield* Principal, request_id)
    return yield* endpoint
  })
)

/** A key is kept nowhere, so what is kept of the answer that shows one has nothing in its place. */
const withoutKey = Schema.Struct({ ...Admin.MadeKey.fields, key: Schema.Null }).pipe(
  Schema.decodeTo(
    Schema.toType(Admin.MadeKey),
    SchemaTransformation.transform({
      decode: (kept): Admin.MadeKey => kept,
      encode: (made: Admin.MadeKey) => ({ ...made, key: null })
    })
  )
)

/**
 * What makes an entry of the ledger unique where its request does not say: the request itself. Repeated under its
 * idempotency key it is the same entry, even if the first run died before its outcome was stored.
 */
const entryKey = ({ account, idempotency, request_id }: Caller.Caller): string =>
  idempotency === null ? `request:${request_id}` : `client:${account}:${idempotency.key}:${idempotency.fingerprint}`

const withKey = <Request extends { readonly key?: string | undefined }>(request: Request, caller: Caller.Caller) => ({
  ...request,
  key: request.key ?? entryKey(caller)
})

/** An endpoint of one account. */
interface OfAccount extends Idempotent.Raw {
  readonly params: { readonly account: string }
}

/** The endpoints that are repeatable. */
const posts = ({ adjust, createAccount, createKey, grant, refund }: Administration["Service"]) => ({
  createAccount: Unbilled.of({
    name: "admin.create_account",
    request: Admin.NewAccount,
    kept: Admin.Account,
    run: ({ name }) => createAccount(name)
  }),
  grant: Unbilled.of({
    name: "admin.grant",
    request: Admin.Grant,
    kept: Admin.Balance,
    run: (request, { params }: OfAccount, caller) => grant(params.account, withKey(request, caller))
  }),
  adjust: Unbilled.of({
    name: "admin.adjust",
    request: Admin.Adjustment,
    kept: Admin.Balance,
    run: (request, { params }: OfAccount, caller) => adjust(params.account, withKey(request, caller))
  }),
  refund: Unbilled.of({
    name: "admin.refund",
    request: Admin.Refund,
    kept: Admin.Refunded,
    run: (request, { params }: OfAccount, caller) => refund(params.account, withKey(request, caller))
  }),
  createKey: Unbilled.of({
    name: "admin.create_key",
    request: Admin.NewKey,
    kept: withoutKey,
    run: (request, { params }: OfAccount) => createKey(params.account, request)
  })
})

export const layer = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "admin",
    Effect.fnUntraced(function* (handlers) {
      const operations = yield* Administration
      const billing = yield* Billing.Billing
      const loads = LoadHandlers.make(yield* Loading, limits)
      const readSubject = Operation.reader(Admin.Subject, limits)
      const readLimits = Operation.reader(Admin.NewLimits, limits)
      const { adjust, createAccount, createKey, grant, refund } = posts(operations)
      const { audit, erase, listAccounts, listKeys, replay, revokeKey, usage } = operations
      return handlers
        .handleRaw("createAccount", Unbilled.handler(createAccount, billing, limits))
        .handleRaw("grant", Unbilled.handler(grant, billing, limits))
        .handleRaw("adjust", Unbilled.handler(adjust, billing, limits))
        .handleRaw("refund", Unbilled.handler(refund, billing, limits))
        .handleRaw("createKey", Unbilled.handler(createKey, billing, limits))
        .handleRaw(
          "setLimits",
          Effect.fnUntraced(function* (raw) {
            const { request } = yield* readLimits(raw)
            return yield* Unbilled.read(operations.setLimits(raw.params.account, request), limits)
          })
        )
        .handleRaw("beginLoad", Unbilled.handler(loads.begin, billing, limits))
        .handleRaw("writeLoad", loads.write)
        .handleRaw(
          "erase",
          // A DELETE that is repeated is another erasure, with a proof of its own.
          Effect.fnUntraced(function* (raw) {
            const { request } = yield* readSubject(raw)
            return yield* Unbilled.read(erase(request.subject), limits)
          })
        )
        .handleAll({
          listAccounts: ({ query }) => Unbilled.read(listAccounts(query), limits),
          limits: ({ params }) => Unbilled.read(operations.limits(params.account), limits),
          usage: ({ params, query }) => Unbilled.read(usage(params.account, query), limits),
          listKeys: ({ params }) => Unbilled.read(listKeys(params.account), limits),
          revokeKey: ({ params }) => Unbilled.read(revokeKey(params.key), limits),
          audit: ({ query }) => Unbilled.read(audit(query), limits),
          replay: ({ params }) => Unbilled.read(replay(params.request_id), limits),
          listLoads: () => loads.list,
          publishLoad: loads.publish,
          abandonLoad: loads.abandon
        })
    })
  )
