/**
 * A simulated vendor: a real HTTP server on loopback that speaks one vendor's dialect, can be told to misbehave, and
 * records what it was asked.
 */
import type { Effect, Scope } from "effect"

/** One request as the simulator saw it. Credentials are not in it: `authorized` says whether the key was right. */
export interface Call {
  readonly method: string
  /** Without query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Decoded JSON, or `null`. */
  readonly body: unknown
  readonly authorized: boolean
}

/** How the simulator misbehaves. */
export type Fault =
  /** Answers as the vendor does when it knows nothing. */
  | { readonly _tag: "Miss" }
  /** Waits, then answers as usual. */
  | { readonly _tag: "Slow"; readonly millis: number }
  /** Takes the request and never answers. */
  | { readonly _tag: "Hang" }
  /** 429 (or what the vendor uses); `retryAfterSeconds` is `null` where the header is left out. */
  | { readonly _tag: "RateLimited"; readonly retryAfterSeconds: number | null }
  /** A 5xx with an HTML body, as gateways in front of vendors send it. */
  | { readonly _tag: "ServerError"; readonly status: number }
  /** Closes the connection without an answer. */
  | { readonly _tag: "Drop" }
  /** 200 with a body that is no JSON. */
  | { readonly _tag: "MalformedJson" }
  /** 200 with the first half of the right body, connection closed. */
  | { readonly _tag: "TruncatedJson" }
  /** 200 with JSON of another shape. */
  | { readonly _tag: "WrongShape" }
  /** Refuses the credential. */
  | { readonly _tag: "WrongKey" }
  /** The plan is used up. */
  | { readonly _tag: "QuotaExhausted" }
  /** The subject objected (only vendors that have such an answer; others miss). */
  | { readonly _tag: "Suppressed" }

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is a string. */
  readonly body: unknown
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** How one vendor speaks: pure functions from a request to a reply. */
export interface Dialect {
  /** The vendor's name. */
  readonly vendor: string
  /** The credential in the request, wherever this vendor wants it (`<id>:<secret>` for a client); `null` when missing. */
  readonly credential: (asked: Asked) => string | null
  /** The usual answer from the synthetic population. */
  readonly answer: (asked: Asked) => Reply
  readonly miss: (asked: Asked) => Reply
  readonly wrongKey: (asked: Asked) => Reply
  readonly quotaExhausted: (asked: Asked) => Reply
  readonly rateLimited: (retryAfterSeconds: number | null) => Reply
  /** `null` for a vendor that has no such answer. */
  readonly suppressed: ((asked: Asked) => Reply) | null
}

export interface Simulator {
  readonly vendor: string
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** What was asked since the start or the last `reset`, oldest first (the last 10,000). */
  readonly calls: Effect.Effect<ReadonlyArray<Call>>
  /** Misbehaves for the next `times` requests (default: until `reset`). Faults queue up. */
  readonly fail: (fault: Fault, times?: number) => Effect.Effect<void>
  /** Behaves again, and forgets the calls. */
  readonly reset: Effect.Effect<void>
}

export interface Options {
  /** 0 (the default) takes a free port. */
  readonly port?: number
  /** Credentials that are accepted; left out, any non-empty one is. */
  readonly credentials?: ReadonlyArray<string>
}

/** Starts a simulator; it stops with its scope. */
export type Make = (dialect: Dialect, options?: Options) => Effect.Effect<Simulator, never, Scope.Scope>
