/**
 * One visit to web servers: names are resolved once, judged, and pinned for as long as the visit lasts, so that what was
 * judged is what is connected to. One `get` is one request; redirects and robots.txt are `Reading`'s affair.
 *
 * Gotchas
 * - How a name is judged is `PublicHost`'s affair, in core: webhooks are sent by the same judgement.
 * - Proxies of the environment are not used: they would resolve the name again, elsewhere.
 */
import { PageError, PageReader } from "@lading/core/contact"
import { PublicHost, type PublicUrl } from "@lading/core/net"
import { Effect, type Scope } from "effect"
import type { Dns } from "effect/net"
import * as Http from "node:http"
import * as Https from "node:https"
import type { LookupFunction } from "node:net"
import * as Body from "./Body.ts"
import type { Time } from "./Options.ts"

/** What came back. */
export interface Answer {
  readonly url: URL
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  /** Empty where nobody wants the body; else what came of it within the limit. */
  readonly body: Uint8Array
}

export interface Ask {
  /** The most bytes that are read of the body. */
  readonly limit: number
  /** Whether the body of this answer is wanted; an error where it is none that can be read. */
  readonly wants: (status: number, headers: Http.IncomingHttpHeaders) => boolean | PageError.PageUnreadable
}

export interface Web {
  /** Whether the address may be asked at all, as far as it says so itself. */
  readonly permits: (url: URL) => Effect.Effect<void, PageError.PageRefused>
  /** One request, without redirects. */
  readonly get: (url: URL, ask: Ask) => Effect.Effect<Answer, PageError.PageError>
}

export interface Means {
  readonly dns: Dns.Dns["Service"]
  readonly relay: URL | null
  readonly permitted: PublicUrl.Permitted
  readonly userAgent: string
  readonly time: Time
}

interface Agents {
  readonly http: Http.Agent
  readonly https: Https.Agent
}

/** Connections to one host at a time; a browser takes six. */
const CONNECTIONS = 2

const agents: Effect.Effect<Agents, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const settings = { keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: CONNECTIONS }
    return { http: new Http.Agent(settings), https: new Https.Agent(settings) }
  }),
  ({ http, https }) =>
    Effect.sync(() => {
      http.destroy()
      https.destroy()
    })
)

const hostTrouble = ({ problem, reason }: PublicHost.NoPublicHost): PageError.PageError => {
  switch (reason) {
    case "not_found":
      return new PageError.HostNotFound({ problem })
    case "lookup_failed":
      return new PageError.PageUnreachable({ problem })
    case "not_public":
      return new PageError.PageRefused({ problem })
  }
}

/** The addresses of a name, looked up and judged once a visit. */
const resolving = ({ dns, permitted }: Means) => {
  const known = new Map<string, ReadonlyArray<PublicHost.Pinned>>()
  return Effect.fnUntraced(function* (
    url: URL
  ): Effect.fn.Return<ReadonlyArray<PublicHost.Pinned>, PageError.PageError> {
    const before = known.get(url.hostname)
    if (before !== undefined) return before
    const judged = yield* Effect.mapError(PublicHost.resolve(dns, url, permitted), hostTrouble)
    known.set(url.hostname, judged)
    return judged
  })
}

/** Gives what was pinned, whatever is asked. */
const lookupOf =
  (addresses: ReadonlyArray<PublicHost.Pinned>): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? "", first?.family)
  }

const headersOf = ({ userAgent }: Means): Http.OutgoingHttpHeaders => ({
  "user-agent": userAgent,
  accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1",
  "accept-language": "en, *;q=0.5",
  "accept-encoding": Body.acceptEncoding
})

/** How the request is sent: to the host itself at its pinned addresses, or to the relay. */
const requestOf = (
  means: Means,
  agents: Agents,
  url: URL,
  addresses: ReadonlyArray<PublicHost.Pinned>
): Http.ClientRequest => {
  const { relay } = means
  const headers = { ...headersOf(means), host: url.host }
  // Given here, and not to the request, it counts while the connection is made too.
  const options = { headers, maxHeaderSize: 32 * 1024, timeout: means.time.connect }
  if (relay !== null) {
    const agent = relay.protocol === "https:" ? agents.https : agents.http
    const { request } = relay.protocol === "https:" ? Https : Http
    return request(relay, { ...options, agent, path: url.href })
  }
  const pinned = { ...options, lookup: lookupOf(addresses) }
  return url.protocol === "https:"
    ? Https.request(url, { ...pinned, agent: agents.https })
    : Http.request(url, { ...pinned, agent: agents.http })
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown"

/** Whether a connection stands, the handshake included. */
const watchConnection = (request: Http.ClientRequest, secure: boolean): (() => boolean) => {
  let connected = false
  request.once("socket", (socket) => {
    if (request.reusedSocket) connected = true
    else socket.once(secure ? "secureConnect" : "connect", () => (connected = true))
  })
  return () => connected
}

const transportTrouble = (error: unknown, connected: boolean): PageError.PageError => {
  const code = codeOf(error)
  if (!connected) return new PageError.PageUnreachable({ problem: `no connection: ${code}` })
  // What the parser of Node refuses, headers beyond the limit among it.
  if (code.startsWith("HPE_")) return new PageError.PageUnreadable({ problem: `no HTTP: ${code}` })
  return new PageError.PageUnavailable({ problem: `connection broke: ${code}`, busy: false, retryAfter: null })
}

/** Sends the request; interrupted, it and its connection end at once. */
const exchange = (
  request: Http.ClientRequest,
  url: URL,
  { limit, wants }: Ask
): Effect.Effect<Answer, PageError.PageError> =>
  Effect.callback((resume) => {
    const connected = watchConnection(request, request.protocol === "https:")
    request.on("timeout", () => {
      if (!connected()) request.destroy()
    })
    request.on("error", (error) => resume(Effect.fail(transportTrouble(error, connected()))))
    request.on("response", (response) => {
      const status = response.statusCode ?? 0
      const end = (body: Uint8Array, whole: boolean) => {
        // What is left of an answer may never end: its connection goes with it.
        if (!whole) response.destroy()
        resume(Effect.succeed({ url, status, headers: response.headers, body }))
      }
      const wanted = wants(status, response.headers)
      if (wanted === false) return end(new Uint8Array(), false)
      if (wanted !== true) {
        response.destroy()
        return resume(Effect.fail(wanted))
      }
      Body.read(response, limit, (result) => {
        if ("body" in result) return end(result.body, result.whole)
        response.destroy()
        resume(Effect.fail(result.trouble ?? transportTrouble(result.error, true)))
      })
    })
    request.end()
    return Effect.sync(() => request.destroy())
  })

/** Begins a visit; its connections end with the scope. */
export const open = Effect.fnUntraced(function* (means: Means): Effect.fn.Return<Web, never, Scope.Scope> {
  const shared = yield* agents
  const resolve = resolving(means)
  const permits = (url: URL) => Effect.asVoid(PageReader.address(url.href, means.permitted))
  return {
    permits,
    get: Effect.fnUntraced(function* (url, ask) {
      yield* permits(url)
      const addresses = means.relay === null ? yield* resolve(url) : []
      return yield* Effect.suspend(() => exchange(requestOf(means, shared, url, addresses), url, ask))
    })
  }
})
