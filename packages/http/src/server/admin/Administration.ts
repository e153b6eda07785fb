/**
 * What administrators do, as one set of operations: over the ports of this process here, over HTTP in the command line
 * (`cli/Remote.ts`). Handlers and commands are written against `Operations` and do not know which of the two it is.
 */
import { Accounts, ApiKey, Erasure, type Erasures, Scope } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import { InvalidRequest } from "@lading/core/request"
import { Replay } from "@lading/core/waterfall"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { type Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { Usage, UsageQuery } from "../../api/Account.ts"
import * as Admin from "../../api/Admin.ts"
import { report } from "../account/Report.ts"

/** There is nothing under this name. */
export class Unknown extends Schema.TaggedError<Unknown>()("Unknown", {
  what: Schema.Literals(["account", "key", "run", "delivery", "vendor key"])
}) {}

/** More would be taken than is available; nothing was. */
export class Overdrawn extends Schema.TaggedError<Overdrawn>()("Overdrawn", {
  needed: Credits.Credits,
  available: Credits.Credits
}) {}

export type AdministrationError =
  | Unknown
  | Overdrawn
  | Accounts.AccountsUnavailable
  | Ledger.NothingToRefund
  | Ledger.LedgerUnavailable
  | Erasure.ErasureError
  | Replay.ReplayError

export interface Page {
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** `account` is an id or a name everywhere; an unknown one, an unknown key or run is a failure. */
export interface Operations<E> {
  /** The account of this name, created if it is missing. */
  readonly createAccount: (name: string) => Effect.Effect<Admin.Account, E>
  readonly listAccounts: (page: Page) => Effect.Effect<Admin.AccountList, E>
  readonly usage: (account: string, query: UsageQuery) => Effect.Effect<Usage, E>
  readonly limits: (account: string) => Effect.Effect<Admin.Limits, E>
  /** Gives what the account may send from now on. */
  readonly setLimits: (account: string, limits: Admin.NewLimits) => Effect.Effect<Admin.Limits, E>
  /** Gives the new balance. Without a key each call is a grant of its own. */
  readonly grant: (account: string, grant: Admin.Grant) => Effect.Effect<Admin.Balance, E>
  /** Gives the new balance. Without a key each call is an adjustment of its own. */
  readonly adjust: (account: string, adjustment: Admin.Adjustment) => Effect.Effect<Admin.Balance, E>
  /** Gives back what a request was charged. Without a key each call is a refund of its own. */
  readonly refund: (account: string, refund: Admin.Refund) => Effect.Effect<Admin.Refunded, E>
  readonly createKey: (account: string, key: Admin.NewKey) => Effect.Effect<Admin.MadeKey, E>
  readonly listKeys: (account: string) => Effect.Effect<Admin.KeyList, E>
  readonly revokeKey: (id: string) => Effect.Effect<Admin.RevokedKey, E>
  /** One account, or all of them page by page. */
  readonly audit: (asked: Page & { readonly account?: string | undefined }) => Effect.Effect<Admin.Audit, E>
  /** Erases a mail address, a domain or a page. */
  readonly erase: (subject: string) => Effect.Effect<Erasures.Proof, E>
  readonly replay: (requestId: string) => Effect.Effect<Replay.ReplayReport, E>
}

export class Administration extends Context.Service<Administration, Operations<AdministrationError>>()(
  "@lading/http/server/admin/Administration"
) {}

/** What a key may do unless somebody says more: everything but administering. */
const usual: ReadonlyArray<Scope.Scope> = Scope.all.filter((scope) => scope !== "admin")

/** The id at which the next page begins; `null` where this one was not full. */
const cursor = (ids: ReadonlyArray<string>, limit: number): string | null =>
  ids.length < limit ? null : (ids.at(-1) ?? null)

/** An end that has passed already is a mistake, whoever makes it. */
const toCome = Effect.fnUntraced(function* (expires_at: number | null | undefined) {
  const now = yield* Clock.currentTimeMillis
  if (expires_at == null || expires_at > now) return expires_at ?? null
  return yield* InvalidRequest.at("expires_at", "Expected an instant that is to come")
})

/** Keys of entries that operators made are apart from those that the server makes, such as the first grant's. */
const entryKey = Effect.fnUntraced(function* (key: string | undefined) {
  if (key !== undefined) return `operator:${key}`
  const random = yield* SecureRandom.SecureRandom
  return `operator:${Base64Url.encode(yield* random.randomBytes(18))}`
})

const find = Effect.fnUntraced(function* (idOrName: string) {
  const accounts = yield* Accounts.Accounts
  return (yield* accounts.find(idOrName)) ?? (yield* new Unknown({ what: "account" }))
})

const listAccounts = Effect.fnUntraced(function* ({ after, limit = Admin.accountsPerPage }: Page) {
  const accounts = yield* Accounts.Accounts
  const ledger = yield* Ledger.Ledger
  const found = yield* accounts.list(after ?? null, limit)
  const list = yield* Effect.forEach(found, (account) =>
    Effect.map(ledger.balance(account.id), (balance) => ({ ...account, balance }))
  )
  const ids = found.map(({ id }) => id)
  return { list, next_cursor: cursor(ids, limit) }
})

const usage = Effect.fnUntraced(function* (idOrName: string, query: UsageQuery) {
  const { id } = yield* find(idOrName)
  return yield* report(yield* Ledger.Ledger, id, query)
})

const limits = Effect.fnUntraced(function* (idOrName: string) {
  const accounts = yield* Accounts.Accounts
  const { id } = yield* find(idOrName)
  return (yield* accounts.limits(id)) ?? (yield* new Unknown({ what: "account" }))
})

const setLimits = Effect.fnUntraced(function* (idOrName: string, asked: Admin.NewLimits) {
  const accounts = yield* Accounts.Accounts
  const { id } = yield* find(idOrName)
  const limits = { ...Accounts.usual, ...asked }
  return (yield* accounts.setLimits(id, limits)) ? limits : yield* new Unknown({ what: "account" })
})

const grant = Effect.fnUntraced(function* (idOrName: string, granted: Admin.Grant) {
  const ledger = yield* Ledger.Ledger
  const { id } = yield* find(idOrName)
  const { amount, reason = "granted by an operator" } = granted
  const expires_at = yield* toCome(granted.expires_at)
  // Whoever grants at the same time meets the store's own limit, which is the same.
  const before = yield* ledger.balance(id)
  if (before.granted + amount > Number.MAX_SAFE_INTEGER) {
    const most = Credits.toNumber(Credits.Credits.make(Number.MAX_SAFE_INTEGER))
    return yield* InvalidRequest.at(
      "amount",
      `Expected an amount with which the account is granted ${most} credits in all at most`
    )
  }
  yield* ledger.grant({ account: id, amount, reason, expires_at, key: yield* entryKey(granted.key) })
  return yield* ledger.balance(id)
})

const adjust = Effect.fnUntraced(function* (idOrName: string, { amount, key, reason }: Admin.Adjustment) {
  const ledger = yield* Ledger.Ledger
  const { id } = yield* find(idOrName)
  yield* ledger
    .adjust({ account: id, amount, reason, key: yield* entryKey(key) })
    .pipe(
      Effect.catchTag("InsufficientCredits", ({ available, needed }) =>
        Effect.fail(new Overdrawn({ available, needed }))
      )
    )
  return yield* ledger.balance(id)
})

const refund = Effect.fnUntraced(function* (
  idOrName: string,
  { amount = null, key, reason, request_id }: Admin.Refund
) {
  const ledger = yield* Ledger.Ledger
  const { id } = yield* find(idOrName)
  const refunded = yield* ledger
    .refund({ account: id, request_id, amount, reason, key: yield* entryKey(key) })
    .pipe(
      Effect.catchTag("RefundExceeded", ({ remaining }) =>
        InvalidRequest.at("amount", `Expected at most ${Credits.toNumber(remaining)}, what is left of the charge`)
      )
    )
  return { ...refunded, balance: yield* ledger.balance(id) }
})

const createKey = Effect.fnUntraced(function* (
  idOrName: string,
  { label = "", scopes = usual, ...asked }: Admin.NewKey
) {
  const accounts = yield* Accounts.Accounts
  const account = yield* find(idOrName)
  const expires_at = yield* toCome(asked.expires_at)
  const key = yield* ApiKey.generate
  const digest = yield* ApiKey.digest(key)
  const id = yield* accounts.addKey({ account: account.id, digest, label, scopes, expires_at })
  return { id, label, scopes, expires_at, key }
})

const listKeys = Effect.fnUntraced(function* (idOrName: string) {
  const accounts = yield* Accounts.Accounts
  const account = yield* find(idOrName)
  return { list: yield* accounts.listKeys(account.id), next_cursor: null }
})

const revokeKey = Effect.fnUntraced(function* (id: string) {
  const accounts = yield* Accounts.Accounts
  return (yield* accounts.revokeKey(id)) ? { id, revoked: true as const } : yield* new Unknown({ what: "key" })
})

const summed = (audits: ReadonlyArray<Ledger.Audit>, next_cursor: string | null): Admin.Audit => ({
  accounts: audits.length,
  groups: audits.reduce((total, { groups }) => total + groups, 0),
  holds: audits.reduce((total, { holds }) => total + holds, 0),
  breaches: audits.flatMap(({ breaches }) => breaches),
  next_cursor
})

/** The ledger may hold accounts that `Accounts` does not know: the operator's, and those of embedders. */
const auditOne = Effect.fnUntraced(function* (idOrName: string) {
  const accounts = yield* Accounts.Accounts
  const ledger = yield* Ledger.Ledger
  const known = yield* accounts.find(idOrName)
  const audit = yield* ledger.audit(known?.id ?? idOrName)
  const { breaches, groups, holds } = audit
  if (known === null && groups + holds + breaches.length === 0) return yield* new Unknown({ what: "account" })
  return summed([audit], null)
})

const audit = Effect.fnUntraced(function* ({
  account,
  after,
  limit = Admin.auditsPerPage
}: Page & { account?: string | undefined }) {
  if (account !== undefined) return yield* auditOne(account)
  const ledger = yield* Ledger.Ledger
  const ids = yield* ledger.accounts(after ?? null, limit)
  return summed(yield* Effect.forEach(ids, ledger.audit), cursor(ids, limit))
})

type Ports =
  | Accounts.Accounts
  | Ledger.Ledger
  | Erasure.Erasure
  | Replay.Replay
  | Digest.Digest
  | SecureRandom.SecureRandom

/** Over the ports of this process. */
export const layer: Layer.Layer<Administration, never, Ports> = Layer.effect(
  Administration,
  Effect.gen(function* () {
    const ports = yield* Effect.context<Ports>()
    const accounts = yield* Accounts.Accounts
    const { erase } = yield* Erasure.Erasure
    const { replay } = yield* Replay.Replay
    const over = <A, E>(operation: Effect.Effect<A, E, Ports>) => Effect.provideContext(operation, ports)
    return {
      createAccount: accounts.ensure,
      listAccounts: (page) => over(listAccounts(page)),
      usage: (account, query) => over(usage(account, query)),
      limits: (account) => over(limits(account)),
      setLimits: (account, asked) => over(setLimits(account, asked)),
      grant: (account, granted) => over(grant(account, granted)),
      adjust: (account, adjustment) => over(adjust(account, adjustment)),
      refund: (account, asked) => over(refund(account, asked)),
      createKey: (account, key) => over(createKey(account, key)),
      listKeys: (account) => over(listKeys(account)),
      revokeKey: (id) => over(revokeKey(id)),
      audit: (asked) => over(audit(asked)),
      erase,
      replay: (id) => Effect.catchTag(replay(id), "UnknownRun", () => new Unknown({ what: "run" }))
    }
  })
)
