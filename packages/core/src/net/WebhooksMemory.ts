/**
 * Webhooks in memory, lost with the process: the exact rules, for embedders that send what is due by themselves, and for
 * tests. Each operation is one synchronous step, once it is known who has objected.
 */
import { Clock, Effect, Latch, type Redacted } from "effect"
import type { Suppression } from "../account/Suppression.ts"
import type { Claimed, Claiming, Due, Outbox } from "./Outbox.ts"
import * as WebhookMessage from "./WebhookMessage.ts"
import {
  type Attempt,
  type Delivery,
  type Event,
  type Page,
  type Rotation,
  type State,
  WebhooksUnavailable
} from "./Delivery.ts"
import type { Webhooks } from "./Webhooks.ts"

/** How many events are kept; the oldest goes first. */
const capacity = 10_000

interface Entry {
  readonly id: string
  readonly event: Event
  readonly lane: string
  readonly body: string
  readonly created_at: number
  readonly attempts: Array<Attempt>
  state: State
  next_at: number
  tried: number
  expires_at: number
  kept_until: number
  /** `null` while nobody sends it. */
  claim: string | null
}

interface Secret {
  readonly secret: Redacted.Redacted
  /** `null` for the one that new receivers learn. */
  valid_until: number | null
}

const deliveryOf = ({ attempts, created_at, event, id, next_at, state }: Entry): Delivery => ({
  id,
  type: event.type,
  url: event.url,
  state,
  created_at,
  next_at: state === "waiting" ? next_at : null,
  attempts: attempts.length,
  last: attempts.at(-1) ?? null
})

const countsBy = (keys: ReadonlyArray<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** The secrets of the accounts. */
const makeSecrets = () => {
  const byAccount = new Map<string, ReadonlyArray<Secret>>()

  const valid = (account: string, now: number): ReadonlyArray<Secret> =>
    (byAccount.get(account) ?? []).filter(({ valid_until }) => valid_until === null || valid_until > now)

  const add = (account: string, before: ReadonlyArray<Secret>): Redacted.Redacted => {
    const secret = WebhookMessage.generateSecret()
    byAccount.set(account, [{ secret, valid_until: null }, ...before].slice(0, WebhookMessage.secretsAtOnce))
    return secret
  }

  const rotate = (account: string, now: number): Rotation => {
    const before = valid(account, now)
    const until = now + WebhookMessage.patience
    for (const one of before) one.valid_until ??= until
    return { secret: add(account, before), previous_valid_until: before.length === 0 ? null : until }
  }

  const ensure = (account: string): void => {
    if (!byAccount.has(account)) add(account, [])
  }

  return { ensure, rotate, valid }
}

/** The events, and what was tried with them. */
const makeEntries = () => {
  const byId = new Map<string, Entry>()
  const byEvent = new Map<string, Entry>()
  let made = 0

  const drop = (entry: Entry): void => {
    byId.delete(entry.id)
    byEvent.delete(JSON.stringify([entry.event.account, entry.event.id]))
  }

  const add = (event: Event, now: number): void => {
    const key = JSON.stringify([event.account, event.id])
    if (byEvent.has(key)) return
    const entry: Entry = {
      id: `msg_${++made}`,
      event,
      lane: `${event.account} ${URL.parse(event.url)?.origin ?? ""}`,
      body: WebhookMessage.bodyOf(event, now),
      created_at: now,
      attempts: [],
      state: "waiting",
      next_at: now,
      tried: 0,
      expires_at: now + WebhookMessage.patience,
      kept_until: now + WebhookMessage.keeping,
      claim: null
    }
    byEvent.set(key, entry)
    byId.set(entry.id, entry)
    const [oldest] = byId.values()
    if (byId.size > capacity && oldest !== undefined) drop(oldest)
  }

  const forget = (which: (entry: Entry) => boolean): number => {
    const gone = [...byId.values()].filter(which)
    gone.forEach(drop)
    return gone.length
  }

  const find = (account: string, id: string, now: number): Entry | null => {
    const entry = byId.get(id)
    return entry !== undefined && entry.event.account === account && entry.kept_until > now ? entry : null
  }

  return { add, all: () => [...byId.values()], byId, find, forget }
}

/** Which of these handles belong to somebody who has objected. */
type Objected = (handles: () => ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, WebhooksUnavailable>

const objectedIn =
  ({ find }: Suppression["Service"]): Objected =>
  (handles) =>
    Effect.mapError(find(handles), ({ problem }) => new WebhooksUnavailable({ problem }))

type Entries = ReturnType<typeof makeEntries>
type Secrets = ReturnType<typeof makeSecrets>

const waitingIn = (entries: Entries) => entries.all().filter(({ state }) => state === "waiting")

/** What claims. */
const makeClaim = (entries: Entries, secrets: Secrets) => {
  let claims = 0

  const take = (entry: Entry, now: number, lease: number): Due => {
    const claim = `${++claims}`
    entry.claim = claim
    entry.next_at = now + lease
    const { body, event, expires_at, id, lane, tried } = entry
    const valid = secrets.valid(event.account, now).map(({ secret }) => secret)
    const content = { url: event.url, body, secrets: valid }
    return { id, claim, account: event.account, lane, content, tried, expires_at }
  }

  return ({ lease, limit, perAccount, perLane, running }: Claiming, now: number): Claimed => {
    const inLane = countsBy(running.map(({ lane }) => lane))
    const ofAccount = countsBy(running.map(({ account }) => account))
    const candidates: Array<{ readonly entry: Entry; readonly turn: number }> = []
    for (const entry of waitingIn(entries).toSorted((a, b) => a.next_at - b.next_at)) {
      const { account } = entry.event
      const [lane, turn] = [inLane.get(entry.lane) ?? 0, ofAccount.get(account) ?? 0]
      if (entry.next_at > now || lane >= perLane || turn >= perAccount) continue
      inLane.set(entry.lane, lane + 1)
      ofAccount.set(account, turn + 1)
      candidates.push({ entry, turn })
    }
    const chosen = candidates.toSorted((a, b) => a.turn - b.turn).slice(0, limit)
    const due = chosen.map(({ entry }) => take(entry, now, lease))
    const times = waitingIn(entries).map(({ next_at }) => next_at)
    return { due, next_at: times.length === 0 ? null : Math.min(...times) }
  }
}

const ended = (entry: Entry, { expires_at, tried }: Due, { problem }: Attempt, next_at: number | null, now: number) => {
  entry.claim = null
  const replayed = entry.tried !== tried || entry.expires_at !== expires_at
  if (problem !== null && replayed) {
    entry.next_at = now
    return
  }
  entry.tried += 1
  if (next_at !== null) entry.next_at = next_at
  else entry.state = problem === null ? "delivered" : "failed"
}

const makeOutbox = (
  entries: Entries,
  secrets: Secrets,
  arrived: Latch.Latch,
  objected: Objected
): Outbox["Service"] => {
  const take = makeClaim(entries, secrets)

  const claim = Effect.fnUntraced(function* (claiming: Claiming) {
    const now = yield* Clock.currentTimeMillis
    const due = () => waitingIn(entries).filter(({ next_at }) => next_at <= now)
    const gone = yield* objected(() => due().flatMap(({ event }) => event.subjects))
    if (gone.size > 0) {
      const forgotten = new Set(due().filter(({ event }) => event.subjects.some((subject) => gone.has(subject))))
      entries.forget((entry) => forgotten.has(entry))
    }
    return take(claiming, now)
  })

  const stands = Effect.fnUntraced(function* ({ claim, id }: Due) {
    const gone = yield* objected(() => entries.byId.get(id)?.event.subjects ?? [])
    return gone.size === 0 && entries.byId.get(id)?.claim === claim
  })

  const end = (due: Due, attempt: Attempt, next_at: number | null, now: number): void => {
    const entry = entries.byId.get(due.id)
    if (entry === undefined) return
    entry.attempts.push(attempt)
    // Who comes late changes nothing, unless it has arrived.
    if (entry.claim === due.claim || attempt.problem === null) ended(entry, due, attempt, next_at, now)
  }

  const release = ({ claim, id }: Due, now: number): void => {
    const entry = entries.byId.get(id)
    if (entry?.claim !== claim) return
    entry.claim = null
    entry.next_at = now
  }

  return {
    claim,
    stands,
    end: (due, attempt, next_at) => Effect.map(Clock.currentTimeMillis, (now) => end(due, attempt, next_at, now)),
    release: (due) => Effect.map(Clock.currentTimeMillis, (now) => release(due, now)),
    waiting: Effect.sync(() => waitingIn(entries).length),
    handedOver: Effect.andThen(arrived.await, arrived.close).pipe(Effect.asVoid)
  }
}

const pageOf = (entries: Entries, account: string, page: number, limit: number, now: number): Page => {
  const own = entries.all().filter(({ event, kept_until }) => event.account === account && kept_until > now)
  const start = (page - 1) * limit
  return {
    deliveries: own
      .toReversed()
      .slice(start, start + limit)
      .map(deliveryOf),
    total: own.length
  }
}

const replayed = (entry: Entry, now: number): Delivery => {
  if (entry.claim === null) entry.next_at = now
  entry.state = "waiting"
  entry.tried = 0
  entry.expires_at = now + WebhookMessage.patience
  entry.kept_until = Math.max(entry.kept_until, now + WebhookMessage.replayKeeping)
  return deliveryOf(entry)
}

/** Both sides of one outbox. */
export const make = (
  suppression: Suppression["Service"]
): { readonly webhooks: Webhooks["Service"]; readonly outbox: Outbox["Service"] } => {
  const [entries, secrets, arrived] = [makeEntries(), makeSecrets(), Latch.makeUnsafe(false)]
  const objected = objectedIn(suppression)

  const send = Effect.fnUntraced(function* (event: Event) {
    const gone = yield* objected(() => event.subjects)
    const now = yield* Clock.currentTimeMillis
    secrets.ensure(event.account)
    if (gone.size === 0) entries.add(event, now)
    arrived.openUnsafe()
  })

  const webhooks: Webhooks["Service"] = {
    send,
    list: (account, page, limit) =>
      Effect.map(Clock.currentTimeMillis, (now) => pageOf(entries, account, page, limit, now)),
    find: (account, id) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const entry = entries.find(account, id, now)
        return entry === null ? null : { delivery: deliveryOf(entry), attempts: [...entry.attempts] }
      }),
    replay: (account, id) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const entry = entries.find(account, id, now)
        if (entry === null) return null
        arrived.openUnsafe()
        return replayed(entry, now)
      }),
    rotate: (account) => Effect.map(Clock.currentTimeMillis, (now) => secrets.rotate(account, now)),
    erase: (handles) =>
      Effect.sync(() => entries.forget(({ event }) => handles.some((handle) => event.subjects.includes(handle)))),
    sweep: Effect.map(Clock.currentTimeMillis, (now) => entries.forget(({ kept_until }) => kept_until <= now))
  }
  return { webhooks, outbox: makeOutbox(entries, secrets, arrived, objected) }
}
