/**
 * A plain model of the ledger for the random workload of `ledgerSuite`: every millionth is a coin that lies somewhere.
 * It is slow, has no sums to get wrong, and shares no code with the ledgers that it judges.
 */

/** Where a coin lies: with its account, with a payee, gone, or in the hold with this name. */
type Place = "available" | "captured" | "expired" | { readonly hold: string }

interface Coin {
  readonly expires_at: number
  place: Place
  /** The request that it was paid for. */
  charged: string | null
}

interface Hold {
  readonly parent: string | null
  /** The name of the hold that it descends from, and of its request. */
  readonly request: string
  readonly key: string | null
  readonly expires_at: number
  open: boolean
  /** The settlement that ended it. */
  settlement: string | null
}

interface Key {
  readonly fingerprint: string
  readonly hold: string
  readonly keep: number
  settled: {
    /** `null` when it was erased. */
    readonly outcome: string | null
    readonly subjects: ReadonlyArray<string>
    readonly at: number
  } | null
}

export interface Model {
  readonly coins: Array<Coin>
  readonly holds: Map<string, Hold>
  readonly keys: Map<string, Key>
  readonly grants: Set<string>
  readonly adjustments: Set<string>
  /** How many coins each request was charged, whatever was given back. */
  readonly charged: Map<string, number>
  readonly refunds: Map<string, { readonly request: string; readonly amount: number }>
}

export const empty = (): Model => ({
  coins: [],
  holds: new Map(),
  keys: new Map(),
  grants: new Set(),
  adjustments: new Set(),
  charged: new Map(),
  refunds: new Map()
})

const copyMap = <A extends object>(map: ReadonlyMap<string, A>): Map<string, A> =>
  new Map(Array.from(map, ([name, value]) => [name, { ...value }]))

/** What is changed in the copy is not changed in the model. */
export const copy = (model: Model): Model => ({
  coins: model.coins.map((coin) => ({ ...coin })),
  holds: copyMap(model.holds),
  keys: copyMap(model.keys),
  grants: new Set(model.grants),
  adjustments: new Set(model.adjustments),
  charged: new Map(model.charged),
  refunds: new Map(model.refunds)
})

/** The same text for the same state. */
export const state = (model: Model): string =>
  JSON.stringify([
    model.coins.map(({ charged, expires_at, place }) => JSON.stringify([String(expires_at), place, charged])).sort(),
    Array.from(model.holds).sort(([a], [b]) => (a < b ? -1 : 1)),
    Array.from(model.keys).sort(([a], [b]) => (a < b ? -1 : 1)),
    Array.from(model.grants).sort(),
    Array.from(model.adjustments).sort(),
    Array.from(model.charged).sort(([a], [b]) => (a < b ? -1 : 1)),
    Array.from(model.refunds).sort(([a], [b]) => (a < b ? -1 : 1))
  ])

/** An operation; holds and people are named by whoever writes the history. */
export type Operation =
  | { readonly _tag: "Grant"; readonly key: string; readonly amount: number; readonly expires_at: number | null }
  | { readonly _tag: "Adjust"; readonly key: string; readonly amount: number }
  | { readonly _tag: "Refund"; readonly key: string; readonly request: string; readonly amount: number | null }
  | {
      readonly _tag: "Open"
      readonly name: string
      readonly key: string
      /** `null` takes no key. */
      readonly fingerprint: string | null
      readonly amount: number
      readonly ttl: number
      readonly keep: number
      /** The hold that pays; `null` for the balance. */
      readonly from: string | null
    }
  | {
      readonly _tag: "Split"
      readonly name: string
      readonly parent: string
      readonly amount: number
      readonly ttl: number
    }
  | {
      readonly _tag: "Settle"
      readonly hold: string
      readonly platform: number
      readonly source: number
      readonly outcome: string | null
      readonly subjects: ReadonlyArray<string>
    }
  | { readonly _tag: "Erase"; readonly subject: string }
  | { readonly _tag: "Expire" }

const isIn = (place: Place, hold: string): boolean => typeof place === "object" && place.hold === hold

const coinUntil = (expires_at: number): Coin => ({ expires_at, place: "available", charged: null })

/** Coins of a place, those that expire first in front. */
const coinsIn = (model: Model, hold: string | null): Array<Coin> =>
  model.coins
    .filter(({ place }) => (hold === null ? place === "available" : isIn(place, hold)))
    .sort((a, b) => a.expires_at - b.expires_at)

const end = (model: Model, name: string, now: number) => {
  const hold = model.holds.get(name)
  if (hold === undefined) return
  hold.open = false
  const parent = hold.parent !== null && model.holds.get(hold.parent)?.open ? hold.parent : null
  for (const coin of coinsIn(model, name)) {
    if (parent !== null) coin.place = { hold: parent }
    else coin.place = coin.expires_at <= now ? "expired" : "available"
  }
}

const passTime = (model: Model, now: number) => {
  // As if somebody had watched all the time: who ends first gives back first, children before their parents.
  const over = [...model.holds].filter(([, hold]) => hold.open && hold.expires_at <= now)
  for (const [name, hold] of over.toReversed().sort(([, a], [, b]) => a.expires_at - b.expires_at)) {
    end(model, name, now)
    if (hold.key !== null && model.keys.get(hold.key)?.hold === name) model.keys.delete(hold.key)
  }
  for (const coin of model.coins) if (coin.place === "available" && coin.expires_at <= now) coin.place = "expired"
}

const open = (
  model: Model,
  { amount, fingerprint, from, keep, key, name, ttl }: Operation & { _tag: "Open" },
  now: number
) => {
  const known = fingerprint === null ? undefined : model.keys.get(key)
  if (known !== undefined && (known.settled === null || now - known.settled.at <= known.keep)) {
    if (known.fingerprint !== fingerprint) return "other_request"
    if (known.settled === null) return "running"
    return known.settled.outcome === null ? "erased" : `replayed ${known.settled.outcome}`
  }
  if (from !== null && !model.holds.get(from)?.open) return "ended"
  const available = coinsIn(model, from)
  const short = from === null ? "insufficient" : "exceeded"
  if (available.length < amount) return `${short} ${amount} of ${available.length}`
  for (const coin of available.slice(0, amount)) coin.place = { hold: name }
  const taken = fingerprint === null ? null : key
  model.holds.set(name, {
    parent: from,
    request: name,
    key: taken,
    expires_at: now + ttl,
    open: true,
    settlement: null
  })
  if (fingerprint !== null) model.keys.set(key, { fingerprint, hold: name, keep, settled: null })
  return "held"
}

const split = (model: Model, { amount, name, parent, ttl }: Operation & { _tag: "Split" }, now: number) => {
  const root = model.holds.get(parent)
  if (!root?.open) return "ended"
  const remaining = coinsIn(model, parent)
  if (remaining.length < amount) return `exceeded ${amount} of ${remaining.length}`
  for (const coin of remaining.slice(0, amount)) coin.place = { hold: name }
  model.holds.set(name, {
    parent,
    request: root.request,
    key: null,
    expires_at: now + ttl,
    open: true,
    settlement: null
  })
  return "held"
}

const settle = (
  model: Model,
  { hold: name, outcome, platform, source, subjects }: Operation & { _tag: "Settle" },
  now: number
) => {
  const hold = model.holds.get(name)
  const settlement = JSON.stringify([platform, source, outcome])
  if (hold?.settlement === settlement) return "settled"
  if (!hold?.open) return "ended"
  const remaining = coinsIn(model, name)
  const total = platform + source
  if (remaining.length < total) return `exceeded ${total} of ${remaining.length}`
  for (const coin of remaining.slice(0, total)) {
    coin.place = "captured"
    coin.charged = hold.request
  }
  model.charged.set(hold.request, (model.charged.get(hold.request) ?? 0) + total)
  end(model, name, now)
  hold.settlement = settlement
  const key = hold.key === null ? undefined : model.keys.get(hold.key)
  if (hold.key !== null && outcome === null) model.keys.delete(hold.key)
  else if (key !== undefined && outcome !== null) key.settled = { outcome, subjects, at: now }
  return "settled"
}

const grant = (model: Model, { amount, expires_at, key }: Operation & { _tag: "Grant" }, now: number) => {
  if (!model.grants.has(key)) {
    model.grants.add(key)
    const until = expires_at ?? Number.POSITIVE_INFINITY
    for (let coin = 0; coin < amount; coin++) model.coins.push(coinUntil(until))
    passTime(model, now)
  }
  return "granted"
}

const adjust = (model: Model, { amount, key }: Operation & { _tag: "Adjust" }) => {
  if (model.adjustments.has(key)) return "adjusted"
  const available = coinsIn(model, null)
  if (available.length + amount < 0) return `insufficient ${-amount} of ${available.length}`
  model.adjustments.add(key)
  for (const coin of available.slice(0, Math.max(0, -amount))) model.coins.splice(model.coins.indexOf(coin), 1)
  for (let coin = 0; coin < amount; coin++) model.coins.push(coinUntil(Number.POSITIVE_INFINITY))
  return "adjusted"
}

const refund = (model: Model, { amount: wanted, key, request: asked }: Operation & { _tag: "Refund" }) => {
  const earlier = model.refunds.get(key)
  const request = earlier?.request ?? asked
  const charged = model.charged.get(request) ?? 0
  const paid = model.coins.filter((coin) => coin.charged === request)
  if (earlier !== undefined) return `refunded ${earlier.amount}, ${charged - paid.length} of ${charged}`
  if (paid.length === 0) return charged === 0 ? "nothing not_charged" : "nothing refunded"
  const amount = wanted ?? paid.length
  if (amount > paid.length) return `beyond ${amount} of ${paid.length}`
  model.refunds.set(key, { request, amount })
  for (const coin of paid.slice(0, amount)) {
    model.coins.splice(model.coins.indexOf(coin), 1, coinUntil(Number.POSITIVE_INFINITY))
  }
  return `refunded ${amount}, ${charged - paid.length + amount} of ${charged}`
}

const erase = (model: Model, subject: string) => {
  for (const key of model.keys.values()) {
    if (key.settled?.subjects.includes(subject)) key.settled = { outcome: null, subjects: [], at: key.settled.at }
  }
  return "erased"
}

/** Does the operation and says how it ended. */
export const run = (model: Model, operation: Operation, now: number): string => {
  passTime(model, now)
  switch (operation._tag) {
    case "Grant":
      return grant(model, operation, now)
    case "Adjust":
      return adjust(model, operation)
    case "Refund":
      return refund(model, operation)
    case "Open":
      return open(model, operation, now)
    case "Split":
      return split(model, operation, now)
    case "Settle":
      return settle(model, operation, now)
    case "Erase":
      return erase(model, operation.subject)
    case "Expire":
      return "expired"
  }
}

/** How many coins lie where. */
export const balance = (model: Model, now: number) => {
  passTime(model, now)
  const count = (place: Place) => model.coins.filter((coin) => coin.place === place).length
  return {
    granted: model.coins.length,
    expired: count("expired"),
    captured: count("captured"),
    held: model.coins.filter(({ place }) => typeof place === "object").length,
    available: count("available")
  }
}
