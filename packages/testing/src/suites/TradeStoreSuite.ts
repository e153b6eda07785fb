/**
 * What every store of customs records must do: load in any order and with any interruption what becomes the same table,
 * and answer as the plain rules do.
 */
import { assert, layer as withLayer } from "@effect/vitest"
import { TradeLoads, type TradeRecord, type TradeRow, TradeStore } from "@lading/core/trade"
import { Effect, type Layer } from "effect"
import * as Trade from "../trade/index.ts"
import { Dice } from "../trade/Dice.ts"

const generated = [...Trade.make({ records: 1600, months: 30 }).stream()]
const truth = Trade.traderOf(generated)

const rowOf = (record: TradeRecord.TradeRecord): TradeRow.TradeRow => ({
  record,
  importer_id: truth(record.importer, "importer"),
  exporter_id: truth(record.exporter, "exporter")
})

/** A load as the plain model keeps it. */
interface Loaded {
  readonly name: string
  records: ReadonlyArray<TradeRecord.TradeRecord>
}

const subjectOf = (records: ReadonlyArray<TradeRecord.TradeRecord>): Trade.Subject => {
  const [first, ...more] = records
  assert.isDefined(first)
  return {
    records: [first!, ...more],
    trader_ids: [
      "1",
      ...records.flatMap(({ exporter, importer }) => truth(importer, "importer") ?? truth(exporter, "exporter") ?? [])
    ]
  }
}

let digests = 0

/** Writes rows as a load of its own, in parts, and publishes it. */
const load = Effect.fnUntraced(function* (
  name: string,
  records: ReadonlyArray<TradeRecord.TradeRecord>,
  replaces: TradeLoads.Replaces | null = null
) {
  const loads = yield* TradeLoads.TradeLoads
  const begun = yield* loads.begin({ name, digest: `${process.pid}-${++digests}`, format: "test", replaces })
  assert.strictEqual(begun.state, "fresh")
  for (let from = 0; from < records.length; from += 300)
    yield* loads.write(begun.load, {
      rows: records.slice(from, from + 300).map(rowOf),
      rejected: 0,
      position: String(from + 300)
    })
  return yield* loads.publish(begun.load)
})

/** Holds the store against the plain rules over these loads, in their order. */
const compare = Effect.fnUntraced(function* (loaded: ReadonlyArray<Loaded>, questions: number, seed: number) {
  const store = yield* TradeStore.TradeStore
  const records = loaded.flatMap((one) => one.records)
  const plain = TradeStore.make(records, truth)
  for (const { ask, name } of Trade.questions(subjectOf(records), questions, seed)) {
    const [expected, answer] = [yield* ask(plain), yield* ask(store)]
    const difference = Trade.difference(answer, expected)
    assert.isNull(
      difference,
      `${name}\n  differs at ${difference}\n  ${JSON.stringify(answer)?.slice(0, 1500)}\n  instead of\n  ${JSON.stringify(expected)?.slice(0, 1500)}`
    )
  }
})

/** The records of a load that are left when others take the place of some. */
const without = (loaded: ReadonlyArray<Loaded>, replaces: TradeLoads.Replaces | null): ReadonlyArray<Loaded> =>
  replaces === null
    ? loaded
    : loaded.map(({ name, records }) => ({
        name,
        records:
          replaces.kind === "file"
            ? name === replaces.name
              ? []
              : records
            : records.filter(
                ({ date, source }) => source !== replaces.source || date < replaces.from || date > replaces.to
              )
      }))

export const tradeStoreSuite = <E>(
  name: string,
  layer: Layer.Layer<TradeStore.TradeStore | TradeLoads.TradeLoads, E>,
  { questions = 300, steps = 14 }: { readonly questions?: number; readonly steps?: number } = {}
) =>
  withLayer(layer, { timeout: "60 seconds" })(`TradeStore: ${name}`, (it) => {
    it.effect("is empty at first, and says so", () =>
      Effect.gen(function* () {
        const store = yield* TradeStore.TradeStore
        assert.deepStrictEqual(yield* store.coverage, [])
        assert.isNull(yield* store.details("1"))
        assert.deepStrictEqual(yield* store.status([{ trader_id: "1", role: "importer" }]), [
          { trader_id: "1", role: "importer", active: 0, new_add: 0, potential: 0 }
        ])
      })
    )

    it.effect(
      "answers as the plain rules do, whatever is loaded, replaced, withdrawn and loaded again",
      () =>
        Effect.gen(function* () {
          const dice = new Dice()
          let loaded: ReadonlyArray<Loaded> = []
          for (let step = 0; step < steps; step++) {
            dice.of(7, 71, step)
            const from = dice.below(generated.length)
            const records = generated.slice(from, from + 1 + dice.below(700)).map(({ record }) => record)
            const file = `file-${dice.below(4)}`
            const [one] = records
            const replaces: TradeLoads.Replaces | null = dice.maybe(0.3)
              ? { kind: "file", name: file }
              : dice.maybe(0.2) && one !== undefined
                ? { kind: "dates", source: one.source, from: one.date.slice(0, 8) + "01", to: one.date }
                : null
            loaded = [...without(loaded, replaces), { name: file, records }]
            yield* load(file, records, replaces)
            yield* compare(loaded, step === steps - 1 ? questions : 20, step)
          }
        }),
      600_000
    )
  })
