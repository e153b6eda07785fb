/** `/api/account` with promises: credits, limits and usage of the key's own account. */
import { OwnAccount, type UsageQuery } from "../api/Account.ts"
import { type Client, got, type Plain, type ReadOptions } from "./Call.ts"

export const connect = ({ account }: Client) => ({
  show: (query: UsageQuery = {}, options: ReadOptions = {}): Plain<typeof OwnAccount> =>
    got(OwnAccount, account.show({ query }), options)
})
