/** Who asks, and under which names. */
import type { HoldId } from "../billing/Hold.ts"

export interface Caller {
  readonly account: string
  /** Id of the API key that was used; `null` for embedders. */
  readonly api_key: string | null
  /** `req_…`, unique. */
  readonly request_id: string
  /** Epoch milliseconds when the request came in: deadlines count from here. */
  readonly received_at: number
  /** What makes the request repeatable; `null` where the client sent no key. */
  readonly idempotency: {
    readonly key: string
    /** Digest of method, path and raw body. */
    readonly fingerprint: string
  } | null
  /** The hold that pays in the balance's place, a task's ceiling for example. */
  readonly paid_by?: HoldId
}

/** A caller inside the process: no key, nothing to repeat. */
export const embedded = (request_id: string, received_at: number, account = "local"): Caller => ({
  account,
  api_key: null,
  request_id,
  received_at,
  idempotency: null
})
