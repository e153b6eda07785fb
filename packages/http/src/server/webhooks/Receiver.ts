/**
 * One POST to a receiver: the name is resolved, judged and pinned (`PublicHost`), no redirect is followed, and of the
 * answer only the status and `Retry-After` count. The body is read for a moment, so that a receiver can finish its answer, and
 * dropped.
 *
 * Gotchas: each attempt has a connection of its own, so that none outlives the judgement of its address. Proxies of the
 * environment are not used: they would resolve the name again, elsewhere.
 */
import { PublicHost, type Webhooks, WebhookUrl } from "@lading/core/net"
import { VendorHttp } from "@lading/core/waterfall"
import { Clock, Duration, Effect } from "effect"
import { Headers } from "effect/http"
import type { Dns } from "effect/net"
import * as Http from "node:http"
import * as Https from "node:https"
import type { LookupFunction } from "node:net"

export interface Means {
  readonly dns: Dns.Dns["Service"]
  readonly policy: WebhookUrl.Policy
  /** Milliseconds until there is a status, the lookup of the name included. */
  readonly timeout: number
}

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Asked when it is known where to, before anybody is connected to. */
  readonly stands: Effect.Effect<boolean, Webhooks.WebhooksUnavailable>
}

export interface Outcome {
  readonly status: number | null
  readonly problem: Webhooks.Problem | null
  /** Milliseconds that the receiver asks to be left alone. */
  readonly retryAfter: number | null
}

/** Bytes that are read of an answer, and the milliseconds that is waited for them, before the connection is cut. */
const answer = { bytes: 16 * 1024, millis: 1000 }

const failed = (problem: Webhooks.Problem): Outcome => ({ status: null, problem, retryAfter: null })

const judge = (status: number): Webhooks.Problem | null => {
  if (status >= 200 && status < 300) return null
  if (status === 410) return "gone"
  return status >= 300 && status < 400 ? "redirect" : "status"
}

/** Gives what was pinned, whatever is asked. */
const lookupOf =
  (addresses: ReadonlyArray<PublicHost.Pinned>): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? "", first?.family)
  }

/** Reads what still comes, for a moment: a receiver that is cut off would take it for a failure. */
const dismiss = (response: Http.IncomingMessage) =>
  Effect.callback<void>((resume) => {
    let read = 0
    response.on("data", (chunk: Uint8Array) => {
      read += chunk.length
      if (read > answer.bytes) resume(Effect.void)
    })
    response.on("error", () => resume(Effect.void))
    response.on("close", () => resume(Effect.void))
  }).pipe(Effect.timeoutOrElse({ duration: answer.millis, orElse: () => Effect.void }))

/** `null` where no connection came about, or it broke before there was an answer. */
const answered = (request: Http.ClientRequest, body: Uint8Array) =>
  Effect.callback<Http.IncomingMessage | null>((resume) => {
    request.on("error", () => resume(Effect.succeed(null)))
    request.on("response", (response) => resume(Effect.succeed(response)))
    request.end(body)
  })

/** A request to the receiver; its connection ends with the scope. */
const open = (url: URL, headers: Post["headers"], bytes: Uint8Array, addresses: ReadonlyArray<PublicHost.Pinned>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      (url.protocol === "https:" ? Https : Http).request(url, {
        method: "POST",
        agent: false,
        lookup: lookupOf(addresses),
        maxHeaderSize: 16 * 1024,
        headers: { ...headers, "content-length": String(bytes.length) }
      })
    ),
    (request) => Effect.sync(() => request.destroy())
  )

const hostProblem = ({ reason }: PublicHost.NoPublicHost): Webhooks.Problem =>
  reason === "not_public" ? "address_refused" : "host_not_found"

/** What came of it, and the answer whose body is still to come. */
interface Answered {
  readonly outcome: Outcome
  readonly response: Http.IncomingMessage | null
}

const unanswered = (problem: Webhooks.Problem): Answered => ({ outcome: failed(problem), response: null })

/** Up to the status and the headers of the answer; `null` where it may not be sent any more. */
const attempt = Effect.fnUntraced(function* ({ dns, policy }: Means, { body, headers, stands, ...post }: Post) {
  const url = URL.parse(post.url)
  if (url === null || WebhookUrl.problem(post.url, policy) !== null) return unanswered("address_refused")
  const permitted = policy.insecure ? { address: () => true } : {}
  const addresses = yield* PublicHost.resolve(dns, url, permitted)
  if (!(yield* stands)) return null
  const bytes = new TextEncoder().encode(body)
  const response = yield* answered(yield* open(url, headers, bytes, addresses), bytes)
  if (response === null) return unanswered("connection")
  const now = yield* Clock.currentTimeMillis
  const status = response.statusCode ?? 0
  const retryAfter = VendorHttp.retryAfter(Headers.fromInput({ "retry-after": response.headers["retry-after"] }), now)
  return { outcome: { status, problem: judge(status), retryAfter }, response }
})

/**
 * Posts, and says what came of it; `null` where it was not sent, since it may not be any more. The time that there is
 * ends with the status: a body that comes slowly makes no failure of what has arrived.
 */
export const post = (means: Means, message: Post): Effect.Effect<Outcome | null, Webhooks.WebhooksUnavailable> =>
  attempt(means, message).pipe(
    Effect.catchTag("NoPublicHost", (error) => Effect.succeed(unanswered(hostProblem(error)))),
    Effect.timeoutOrElse({
      duration: Duration.millis(means.timeout),
      orElse: () => Effect.succeed(unanswered("timeout"))
    }),
    Effect.tap((known) => (known === null || known.response === null ? Effect.void : dismiss(known.response))),
    Effect.map((known) => known?.outcome ?? null),
    Effect.scoped
  )
