/**
 * `/api/admin/*` with promises: plain JSON values in, the answer's `data` as plain JSON out. For keys with the scope `admin`.
 *
 * Gotcha: a new key is shown once, as text, in the answer of `createKey`.
 */
import { Usage, type UsageQuery } from "../api/Account.ts"
import * as Admin from "../api/Admin.ts"
import { type CallOptions, type Client, got, headers, type Plain, sent } from "./Call.ts"
import * as Loads from "./Loads.ts"

const accounts = ({ admin }: Client) => {
  return {
    createAccount: (request: typeof Admin.NewAccount.Encoded, options: CallOptions = {}): Plain<typeof Admin.Account> =>
      sent(
        [Admin.NewAccount, Admin.Account],
        request,
        (payload) => admin.createAccount({ payload, headers: headers(options) }),
        options
      ),
    listAccounts: (
      query: { readonly limit?: number; readonly after?: string } = {},
      options: CallOptions = {}
    ): Plain<typeof Admin.AccountList> => got(Admin.AccountList, admin.listAccounts({ query }), options),
    limits: (account: string, options: CallOptions = {}): Plain<typeof Admin.Limits> =>
      got(Admin.Limits, admin.limits({ params: { account } }), options),
    setLimits: (
      account: string,
      request: typeof Admin.NewLimits.Encoded,
      options: CallOptions = {}
    ): Plain<typeof Admin.Limits> =>
      sent(
        [Admin.NewLimits, Admin.Limits],
        request,
        (payload) => admin.setLimits({ params: { account }, payload }),
        options
      )
  }
}

const credits = ({ admin }: Client) => {
  return {
    grant: (
      account: string,
      request: typeof Admin.Grant.Encoded,
      options: CallOptions = {}
    ): Plain<typeof Admin.Balance> =>
      sent(
        [Admin.Grant, Admin.Balance],
        request,
        (payload) => admin.grant({ params: { account }, payload, headers: headers(options) }),
        options
      ),
    adjust: (
      account: string,
      request: typeof Admin.Adjustment.Encoded,
      options: CallOptions = {}
    ): Plain<typeof Admin.Balance> =>
      sent(
        [Admin.Adjustment, Admin.Balance],
        request,
        (payload) => admin.adjust({ params: { account }, payload, headers: headers(options) }),
        options
      ),
    refund: (
      account: string,
      request: typeof Admin.Refund.Encoded,
      options: CallOptions = {}
    ): Plain<typeof Admin.Refunded> =>
      sent(
        [Admin.Refund, Admin.Refunded],
        request,
        (payload) => admin.refund({ params: { account }, payload, headers: headers(options) }),
        options
      )
  }
}

const keys = ({ admin }: Client) => {
  return {
    createKey: (
      account: string,
      request: typeof Admin.NewKey.Encoded = {},
      options: CallOptions = {}
    ): Plain<typeof Admin.MadeKey> =>
      sent(
        [Admin.NewKey, Admin.MadeKey],
        request,
        (payload) => admin.createKey({ params: { account }, payload, headers: headers(options) }),
        options
      ),
    usage: (account: string, query: UsageQuery = {}, options: CallOptions = {}): Plain<typeof Usage> =>
      got(Usage, admin.usage({ params: { account }, query }), options),
    listKeys: (account: string, options: CallOptions = {}): Plain<typeof Admin.KeyList> =>
      got(Admin.KeyList, admin.listKeys({ params: { account } }), options),
    revokeKey: (key: string, options: CallOptions = {}): Plain<typeof Admin.RevokedKey> =>
      got(Admin.RevokedKey, admin.revokeKey({ params: { key } }), options)
  }
}

const records = ({ admin }: Client) => {
  return {
    audit: (
      query: { readonly account?: string; readonly limit?: number; readonly after?: string } = {},
      options: CallOptions = {}
    ): Plain<typeof Admin.Audit> => got(Admin.Audit, admin.audit({ query }), options),
    erase: (request: typeof Admin.Subject.Encoded, options: CallOptions = {}): Plain<typeof Admin.Proof> =>
      sent([Admin.Subject, Admin.Proof], request, (payload) => admin.erase({ payload }), options),
    replay: (request_id: string, options: CallOptions = {}): Plain<typeof Admin.ReplayReport> =>
      got(Admin.ReplayReport, admin.replay({ params: { request_id } }), options)
  }
}

export const connect = (client: Client) => ({
  ...accounts(client),
  ...credits(client),
  ...keys(client),
  ...records(client),
  ...Loads.connect(client)
})
