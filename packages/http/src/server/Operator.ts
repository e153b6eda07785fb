/**
 * The operator of a folder: whoever can read `owner.json` in it. The owner's token, which stands there, opens the
 * administration of the process that wrote it, and of no other: so a command on the same machine needs no API key, and
 * nothing is given away that the folder itself does not give.
 */
import { Accounts, ApiKey } from "@lading/core/account"
import { Context, Effect, Layer, type Redacted } from "effect"
import type { Digest } from "effect/crypto"

/** As which the operator asks. The ledger knows this account by its idempotency keys; it never has credits. */
const principal: Accounts.Principal = { account: "operator", key: "owner", scopes: ["admin"], limits: Accounts.usual }

export class Operator extends Context.Service<
  Operator,
  {
    /** The operator, where this is the digest of the token (`ApiKey.digest`); else `null`. */
    readonly recognise: (digest: string) => Accounts.Principal | null
  }
>()("@lading/http/server/Operator") {}

/** Whether somebody asks as the operator. */
export const isOperator = ({ key }: Accounts.Principal): boolean => key === principal.key

/** Without a token nobody is the operator: a database server has no owner. */
export const layer = (token: Redacted.Redacted | null): Layer.Layer<Operator, never, Digest.Digest> =>
  Layer.effect(
    Operator,
    Effect.gen(function* () {
      const known = token === null ? null : yield* ApiKey.digest(token)
      return { recognise: (digest) => (known !== null && digest === known ? principal : null) }
    })
  )
