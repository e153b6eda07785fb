/** Those who write to a ledger on PostgreSQL: each takes a hold and captures it, one after the other. */
import { Credits, Ledger } from "@lading/core/billing"
import { Database, Keyring, layer, Seal } from "@lading/postgres"
import { Context, Effect, Layer, Redacted } from "effect"

/** About as long as the answer of an enrichment. */
const outcome = JSON.stringify({ company: "x".repeat(2000) })

const credit = Credits.fromNumber(1)

const bill = {
  price_version: "1",
  lines: [
    { payee: { _tag: "Platform" as const }, credits: Credits.fromNumber(0.1) },
    { payee: { _tag: "Source" as const, source: "provider_a" }, credits: credit }
  ],
  memos: []
}

let count = 0

/** A hold under a key of its own and its settlement, as a request with an `Idempotency-Key` makes them. */
const charge = (ledger: Ledger.Ledger["Service"], account: string) =>
  Effect.gen(function* () {
    const opened = yield* ledger.open({
      request: { account, key: `client:${process.pid}-${++count}`, fingerprint: "body" },
      amount: Credits.fromNumber(2.1),
      ttl: 60_000,
      keep: 86_400_000,
      api_key: null,
      operation: "company"
    })
    if (opened._tag === "Held") yield* ledger.settle(opened.hold, { account, bill, outcome, subjects: [] })
  })

/** A ledger with a pool of its own, until the scope closes. */
export const open = (url: string) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        Layer.provide(layer, [
          Database.layerUrl(Redacted.make(url)),
          Seal.layerEphemeral,
          Keyring.layerEmpty("a benchmark of the ledger keeps no keys")
        ])
      )
    ),
    (context) => Context.get(context, Ledger.Ledger)
  )

/** Never used up. */
export const endow = (ledger: Ledger.Ledger["Service"], accounts: ReadonlyArray<string>) =>
  Effect.forEach(
    accounts,
    (account) =>
      ledger.grant({ account, amount: Credits.fromNumber(1e9), expires_at: null, key: "bench", reason: "bench" }),
    { concurrency: 8, discard: true }
  )

export interface Writing {
  /** Each writer takes the next of them in turn. */
  readonly accounts: ReadonlyArray<string>
  readonly writers: number
  /** Milliseconds between two charges of a writer. */
  readonly pause: number
  readonly seconds: number
}

/** Milliseconds that each charge took, in ascending order. */
export const write = Effect.fnUntraced(function* (
  ledger: Ledger.Ledger["Service"],
  { accounts, pause, seconds, writers }: Writing
) {
  const took: Array<number> = []
  const end = performance.now() + seconds * 1000
  let turn = 0
  const writer = Effect.gen(function* () {
    while (performance.now() < end) {
      const began = performance.now()
      yield* charge(ledger, accounts[turn++ % accounts.length] ?? "")
      took.push(performance.now() - began)
      if (pause > 0) yield* Effect.sleep(pause)
    }
  })
  yield* Effect.all(
    Array.from({ length: writers }, () => writer),
    { concurrency: "unbounded", discard: true }
  )
  return Float64Array.from(took).toSorted()
})
