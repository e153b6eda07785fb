/**
 * The exchange at hand: one request and its answer. The envelope opens it before anything else happens; whoever refuses
 * names it, and authentication notes the key for the log.
 */
import { Context, type Fiber } from "effect"

export interface Exchange {
  readonly request_id: string
  /** Epoch milliseconds when the headers were there. */
  readonly received_at: number
  /** Id of the API key, once it is known; never the key. */
  key: string | null
  /** Of the trace that is told of it, where one is. */
  trace_id: string | null
  /** Headers of the answer, whatever it will be. */
  headers: Readonly<Record<string, string>>
  /** Leaves the door (`InFlight`): it is known whose the request is, or the exchange has ended. */
  leaveDoor: () => void
  /** Gives its place inside back: the exchange has ended, and what it has left behind as well. */
  leaveInside: () => void
  /** What goes on though nobody waits for it: the work of a client that has hung up. */
  outliving: Fiber.Fiber<unknown, unknown> | null
}

export const open = (request_id: string, received_at: number): Exchange => ({
  request_id,
  received_at,
  key: null,
  trace_id: null,
  headers: {},
  leaveDoor: () => {},
  leaveInside: () => {},
  outliving: null
})

/** The exchange has ended. */
export const leave = ({ leaveDoor, leaveInside, outliving }: Exchange): void => {
  leaveDoor()
  if (outliving === null) leaveInside()
  else outliving.addObserver(leaveInside)
}

/** A reference, since the envelope gives every request one: the default is never seen by a request. */
export const Exchange = Context.Reference<Exchange>("@lading/http/server/Exchange", {
  defaultValue: () => open("req_none", 0)
})
