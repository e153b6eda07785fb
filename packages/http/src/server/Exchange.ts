/**
 * The exchange at hand: one request and its answer. The envelope opens it before anything else happens; whoever refuses
 * names it, and authentication notes the key for the log.
 */
import { Context } from "effect"

export interface Exchange {
  readonly request_id: string
  /** Epoch milliseconds when the headers were there. */
  readonly received_at: number
  /** Id of the API key, once it is known; never the key. */
  key: string | null
  /** Headers of the answer, whatever it will be. */
  headers: Readonly<Record<string, string>>
}

export const open = (request_id: string, received_at: number): Exchange => ({
  request_id,
  received_at,
  key: null,
  headers: {}
})

/** A reference, since the envelope gives every request one: the default is never seen by a request. */
export const Exchange = Context.Reference<Exchange>("@lading/http/server/Exchange", {
  defaultValue: () => open("req_none", 0)
})
