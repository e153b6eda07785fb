/**
 * A simulated vendor: a real HTTP server on loopback that speaks one vendor's dialect, can be told to misbehave, and
 * records what it was asked.
 *
 * Gotchas
 * - `Slow` waits in real time: the server does not see a `TestClock`, so use `it.live`.
 * - A fault without `times` stays at the head of the queue until `reset`.
 * - A port that is taken is a defect, since a simulator is only started by tests and the sandbox.
 */
import { Effect, type Scope } from "effect"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { react } from "./Reaction.ts"
import { redacted } from "./Redaction.ts"

/** One request as the simulator saw it. Credentials are not in it: `authorized` says whether the key was right. */
export interface Call {
  readonly method: string
  /** Without query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Decoded JSON, the fields of a form, or `null`. */
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
  /** Sent as JSON, unless it is a string, or bytes, whose type the headers say. */
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
  /** How many requests have neither an answer nor a client that went away. */
  readonly waiting: Effect.Effect<number>
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

/** How many calls are kept. */
const RECORDED_CALLS = 10_000

/** Larger request bodies are cut off; no vendor takes them. */
const BODY_LIMIT = 16 * 1024 * 1024

/** Starts a simulator; it stops with its scope, and with it every connection, waiting ones too. */
export const make = (dialect: Dialect, options: Options = {}): Effect.Effect<Simulator, never, Scope.Scope> =>
  Effect.gen(function* () {
    const recorder = makeRecorder()
    const due = makeFaultQueue()
    const waiting = new Set<Http.ServerResponse>()
    const server = Http.createServer((request, response) => {
      waiting.add(response)
      response.once("close", () => waiting.delete(response))
      const answer = (asked: Asked) => {
        const credential = dialect.credential(asked)
        const authorized = isAuthorized(credential, options.credentials)
        recorder.record(toCall(asked, credential, authorized))
        perform(response, react(dialect, asked, authorized, due.next()))
      }
      // A client that went away while it sent, a body beyond the limit, or a dialect that throws.
      read(request)
        .then(answer)
        .catch(() => response.destroy())
    })
    // The idle time-out would close pooled connections just as a client reuses them.
    server.keepAliveTimeout = 0
    const port = yield* Effect.acquireRelease(listen(server, options.port ?? 0), () => close(server))
    return {
      vendor: dialect.vendor,
      url: `http://127.0.0.1:${port}`,
      calls: Effect.sync(recorder.calls),
      waiting: Effect.sync(() => waiting.size),
      fail: (fault, times = Number.POSITIVE_INFINITY) => Effect.sync(() => due.add(fault, times)),
      reset: Effect.sync(() => {
        due.clear()
        recorder.clear()
      })
    }
  })

const listen = (server: Http.Server, port: number): Effect.Effect<number> =>
  Effect.callback<number, Error>((resume) => {
    server.once("error", (error) => resume(Effect.fail(error)))
    // A server that listens on a TCP port has an AddressInfo; Node's type also covers pipes.
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  }).pipe(Effect.orDie)

const close = (server: Http.Server): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

const isAuthorized = (credential: string | null, accepted: ReadonlyArray<string> | undefined): boolean =>
  credential !== null && credential !== "" && (accepted === undefined || accepted.includes(credential))

const toCall = (asked: Asked, credential: string | null, authorized: boolean): Call => {
  const hide = redacted(credential)
  return {
    method: asked.method,
    path: hide.text(asked.path),
    query: Object.fromEntries(Object.entries(asked.query).map(([name, value]) => [name, hide.text(value)])),
    body: hide.json(asked.body),
    authorized
  }
}

const read = async (request: Http.IncomingMessage): Promise<Asked> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > BODY_LIMIT) throw new RangeError("request body too large")
    chunks.push(chunk)
  }
  const url = new URL(request.url ?? "/", "http://127.0.0.1")
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value ?? "")])),
    body: bodyOf(request.headers["content-type"] ?? "", Buffer.concat(chunks).toString("utf8"))
  }
}

const bodyOf = (type: string, text: string): unknown =>
  type.startsWith("application/x-www-form-urlencoded")
    ? Object.fromEntries(new URLSearchParams(text))
    : jsonOrNull(text)

const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const perform = (response: Http.ServerResponse, reaction: ReturnType<typeof react>): void => {
  switch (reaction._tag) {
    case "Hang":
      return
    case "Drop":
      response.destroy()
      return
    case "SendHalf": {
      const body = encode(reaction.reply.body)
      response.writeHead(reaction.reply.status, headersOf(reaction.reply, body))
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
      return
    }
    case "Send": {
      const write = () => {
        const body = encode(reaction.reply.body)
        response.writeHead(reaction.reply.status, headersOf(reaction.reply, body)).end(body)
      }
      if (reaction.afterMillis <= 0) return write()
      const timer = setTimeout(write, reaction.afterMillis)
      response.once("close", () => clearTimeout(timer))
      return
    }
  }
}

const encode = (body: unknown): Buffer => {
  if (body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body ?? null))
}

const headersOf = (reply: Reply, body: Buffer): Record<string, string> => ({
  "content-type": typeof reply.body === "string" ? "text/plain; charset=utf-8" : "application/json",
  ...reply.headers,
  "content-length": String(body.length)
})

const makeRecorder = () => {
  let calls: Array<Call> = []
  return {
    calls: (): ReadonlyArray<Call> => [...calls],
    record: (call: Call) => {
      calls.push(call)
      if (calls.length > RECORDED_CALLS) calls.shift()
    },
    clear: () => {
      calls = []
    }
  }
}

const makeFaultQueue = () => {
  let queue: Array<{ readonly fault: Fault; left: number }> = []
  return {
    add: (fault: Fault, times: number) => {
      if (times > 0) queue.push({ fault, left: times })
    },
    next: (): Fault | null => {
      const head = queue[0]
      if (head === undefined) return null
      head.left -= 1
      if (head.left <= 0) queue.shift()
      return head.fault
    },
    clear: () => {
      queue = []
    }
  }
}
