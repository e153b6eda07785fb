/**
 * What a simulated vendor puts on the wire for one request: a pure function of the request, its credential and the
 * fault that is due.
 *
 * Gotcha: a fault of the connection or of the gateway in front of a vendor comes before the credential is looked at; a
 * fault of the vendor's answer comes after it.
 */
import type { Asked, Dialect, Fault, Reply } from "./Simulator.ts"

export type Reaction =
  | { readonly _tag: "Send"; readonly reply: Reply; readonly afterMillis: number }
  /** Sends the head and the first half of the body, then closes. */
  | { readonly _tag: "SendHalf"; readonly reply: Reply }
  | { readonly _tag: "Hang" }
  | { readonly _tag: "Drop" }

const send = (reply: Reply, afterMillis = 0): Reaction => ({ _tag: "Send", reply, afterMillis })

/** The same JSON with every leaf replaced by an object: an envelope as promised, and no value in it that is. */
const misshapen = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(misshapen)
  if (typeof json !== "object" || json === null) return { unexpected: true }
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, misshapen(value)]))
}

const gatewayPage = (status: number): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<html><head><title>${status}</title></head><body><h1>Gateway trouble</h1></body></html>`
})

const promised = (dialect: Dialect, asked: Asked, authorized: boolean): Reply =>
  authorized ? dialect.answer(asked) : dialect.wrongKey(asked)

/** What goes out when `fault` is due (`null`: none). */
export const react = (dialect: Dialect, asked: Asked, authorized: boolean, fault: Fault | null): Reaction => {
  switch (fault?._tag) {
    case undefined:
      return send(promised(dialect, asked, authorized))
    case "Slow":
      return send(promised(dialect, asked, authorized), fault.millis)
    case "Hang":
    case "Drop":
      return { _tag: fault._tag }
    case "ServerError":
      return send(gatewayPage(fault.status))
    case "MalformedJson":
      return send({ status: 200, headers: { "content-type": "application/json" }, body: '{"ok": tru' })
    case "TruncatedJson":
      return { _tag: "SendHalf", reply: promised(dialect, asked, authorized) }
    case "WrongShape":
      return send({ status: 200, body: misshapen(dialect.answer(asked).body) })
    case "RateLimited":
      return send(dialect.rateLimited(fault.retryAfterSeconds))
    case "WrongKey":
      return send(dialect.wrongKey(asked))
    case "Miss":
      return send(authorized ? dialect.miss(asked) : dialect.wrongKey(asked))
    case "QuotaExhausted":
      return send(authorized ? dialect.quotaExhausted(asked) : dialect.wrongKey(asked))
    case "Suppressed":
      return send(authorized ? (dialect.suppressed ?? dialect.miss)(asked) : dialect.wrongKey(asked))
  }
}
