/**
 * The sender of webhooks: claims what is due, sends it, and writes down what came of it, for as long as its scope is open.
 * Any number of servers send from one database.
 *
 * It sleeps until something is handed over in this process, until the next delivery is due, or for `idle`, which finds
 * what another server has left behind. When it stops, what is in the air has a moment to arrive; the rest is given back.
 *
 * Gotchas
 * - A delivery whose end cannot be written down is sent again when its claim runs out: at least once, not once.
 * - A log line names the receiver's host and never its path, which may be a secret.
 */
import { Outbox, Redelivery, type Webhooks, WebhookUrl } from "@lading/core/net"
import { Clock, Effect, FiberSet, Latch, Layer, Random } from "effect"
import { Dns } from "effect/net"
import * as Metrics from "./Metrics.ts"
import * as Receiver from "./Receiver.ts"
import * as Signature from "./Signature.ts"

export interface Options {
  /** Milliseconds for one attempt. */
  readonly timeout?: number
}

/** Deliveries in the air at once: in all, to one receiver of one account, and of one account. */
const most = { all: 64, perLane: 4, perAccount: 32 }

/** Milliseconds. Standard Webhooks asks for 15 to 30 seconds for an answer. */
const time = { attempt: 20_000, idle: 15_000, retry: 1_000, stop: 3_000 }

const userAgent = "Lading-Webhooks/0.1 (Standard Webhooks)"

const hostOf = (url: string): string => URL.parse(url)?.host ?? ""

const messageOf = ({ id }: Outbox.Due, { body, secrets, url }: NonNullable<Outbox.Due["content"]>, now: number) => {
  const timestamp = Math.floor(now / 1000)
  return {
    url,
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": userAgent,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": Signature.sign(secrets, id, timestamp, body)
    }
  }
}

const unreadable: Receiver.Outcome = { status: null, problem: "unreadable", retryAfter: null }

const told = (due: Outbox.Due, { duration, problem, status }: Webhooks.Attempt, next: number | null) => {
  const host = due.content === null ? "" : hostOf(due.content.url)
  const facts = { delivery: due.id, account: due.account, host, attempt: due.tried + 1, status, problem, duration }
  if (problem === null) return Effect.logInfo("webhook delivered", facts)
  if (next !== null) return Effect.logInfo("webhook not delivered", { ...facts, next_at: next })
  return Effect.andThen(Metrics.givenUp, Effect.logWarning("webhook given up", facts))
}

/** One attempt, from the claim to its end. */
const deliver = Effect.fnUntraced(function* (outbox: Outbox.Outbox["Service"], means: Receiver.Means, due: Outbox.Due) {
  const at = yield* Clock.currentTimeMillis
  const { content } = due
  const message = content === null ? null : { ...messageOf(due, content, at), stands: outbox.stands(due) }
  const outcome = message === null ? unreadable : yield* Receiver.post(means, message)
  // Erased, or somebody else's by now: there is nothing to end.
  if (outcome === null) return
  const { problem, retryAfter, status } = outcome
  const now = yield* Clock.currentTimeMillis
  const attempt: Webhooks.Attempt = { at, duration: now - at, status, problem }
  const chance = yield* Random.next
  const next = Redelivery.nextAt(attempt, {
    before: due.tried,
    now,
    expires_at: due.expires_at,
    retryAfter,
    chance
  })
  yield* outbox.end(due, attempt, next)
  yield* Metrics.attempted(problem)
  yield* told(due, attempt, next)
})

const trouble = ({ problem }: Webhooks.WebhooksUnavailable) =>
  Effect.logWarning("webhooks cannot be read or written", { problem })

const start = Effect.fnUntraced(function* (outbox: Outbox.Outbox["Service"], means: Receiver.Means) {
  const running = new Map<string, Outbox.Due>()
  const freed = yield* Latch.make(false)
  const fibers = yield* FiberSet.make()
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(fibers), time.stop)))

  const free = (due: Outbox.Due) =>
    Effect.andThen(
      Effect.sync(() => running.delete(due.claim)),
      freed.open
    )

  const launch = (due: Outbox.Due) => {
    running.set(due.claim, due)
    const work = deliver(outbox, means, due).pipe(
      Effect.catch(trouble),
      Effect.onInterrupt(() => Effect.catch(outbox.release(due), trouble)),
      Effect.ensuring(free(due))
    )
    return FiberSet.run(fibers, work)
  }

  // The claim lasts for the whole attempt, and time to write its end down.
  const limits = { lease: means.timeout + 40_000, perLane: most.perLane, perAccount: most.perAccount }
  const claim = Effect.suspend(() =>
    outbox.claim({ ...limits, limit: most.all - running.size, running: [...running.values()] })
  ).pipe(Effect.catch((error) => Effect.as(trouble(error), { due: [], next_at: null })))

  const round = Effect.gen(function* () {
    yield* freed.close
    const { due, next_at } = yield* claim
    yield* Effect.forEach(due, launch, { discard: true })
    if (due.length > 0) return
    const now = yield* Clock.currentTimeMillis
    // What is due and was not claimed has no room here, or is being claimed by somebody else.
    const pause = next_at === null ? time.idle : next_at <= now ? time.retry : Math.min(next_at - now, time.idle)
    yield* Effect.raceAll([outbox.handedOver, freed.await, Effect.sleep(pause)])
  })

  yield* Effect.forkScoped(Effect.forever(round))
})

/** Says now and then how many wait. */
const count = (outbox: Outbox.Outbox["Service"]) =>
  outbox.waiting.pipe(
    Effect.flatMap(Metrics.waiting),
    Effect.catch(trouble),
    Effect.andThen(Effect.sleep(time.idle)),
    Effect.forever,
    Effect.forkScoped
  )

/** Sends until its scope closes, to whom `WebhookUrl.Policy` permits. */
export const layer = (options: Options = {}): Layer.Layer<never, never, Outbox.Outbox | Dns.Dns> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const outbox = yield* Outbox.Outbox
      const policy = yield* WebhookUrl.Policy
      const dns = yield* Dns.Dns
      yield* count(outbox)
      yield* start(outbox, { dns, policy, timeout: options.timeout ?? time.attempt })
    })
  )
