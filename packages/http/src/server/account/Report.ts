/** What an account has used between two days. */
import { Credits, type Ledger, Usage } from "@lading/core/billing"
import { InvalidRequest } from "@lading/core/request"
import { Clock, DateTime, Effect } from "effect"
import * as Account from "../../api/Account.ts"

const day = 24 * 60 * 60 * 1000

/** Days of a report that says none. */
const usual = 30

const millisOf = (text: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(`${text}T00:00:00Z`))

export const report = Effect.fnUntraced(function* (
  { usage }: Ledger.Ledger["Service"],
  account: string,
  query: Account.UsageQuery
): Effect.fn.Return<Account.Usage, InvalidRequest.InvalidRequest | Ledger.LedgerUnavailable> {
  const to = query.to ?? Usage.dayOf(yield* Clock.currentTimeMillis)
  const from = query.from ?? Usage.dayOf(millisOf(to) - (usual - 1) * day)
  const [first, last] = [millisOf(from), millisOf(to)]
  if (first > last) return yield* InvalidRequest.at("to", "Expected a day that is not before from")
  if (last - first >= Account.mostDays * day)
    return yield* InvalidRequest.at("from", `Expected at most ${Account.mostDays} days`)
  const list = yield* usage({ account, from: first, until: last + day })
  return {
    from,
    to,
    requests: list.reduce((sum, { requests }) => sum + requests, 0),
    credits: Credits.sum(list.map(({ credits }) => credits)),
    list
  }
})
