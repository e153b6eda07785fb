/** `/api/account` with promises: credits, limits and usage of the key's own account, and the vendor keys it has stored. */
import {
  OwnAccount,
  RemovedVendorKey,
  type UsageQuery,
  VendorKey,
  VendorKeyList,
  VendorKeyRequest
} from "../api/Account.ts"
import { type Client, got, type Plain, type ReadOptions, sent } from "./Call.ts"

export const connect = ({ account }: Client) => ({
  show: (query: UsageQuery = {}, options: ReadOptions = {}): Plain<typeof OwnAccount> =>
    got(OwnAccount, account.show({ query }), options),
  /** For keys with the scopes `company` and `people`, as the two below. */
  listVendorKeys: (options: ReadOptions = {}): Plain<typeof VendorKeyList> =>
    got(VendorKeyList, account.listVendorKeys(), options),
  saveVendorKey: (
    slot: string,
    key: (typeof VendorKeyRequest)["Encoded"],
    options: ReadOptions = {}
  ): Plain<typeof VendorKey> =>
    sent(
      [VendorKeyRequest, VendorKey],
      key,
      (payload) => account.saveVendorKey({ params: { slot }, payload }),
      options
    ),
  removeVendorKey: (slot: string, options: ReadOptions = {}): Plain<typeof RemovedVendorKey> =>
    got(RemovedVendorKey, account.removeVendorKey({ params: { slot } }), options)
})
