/** Who calls tools: the principal behind the API key of the exchange at hand, and what its session may spend. */
import type { Accounts } from "@lading/core/account"
import { Context } from "effect"
import type { Budget } from "./Budget.ts"

export interface Calling {
  readonly principal: Accounts.Principal
  /** `null` outside a session: nothing can be called there. */
  readonly budget: Budget | null
}

/** A reference, since the endpoint gives every exchange one: the default is never seen by a call. */
export const Calling = Context.Reference<Calling | null>("@lading/http/server/mcp/Calling", {
  defaultValue: () => null
})
