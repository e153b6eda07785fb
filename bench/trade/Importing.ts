/**
 * Bringing a file into the store: by the importer as an operator runs it, and by the bare engine, which reads the same file
 * into the same table.
 *
 * What the bare engine does not do: find traders and their keys, fold words, extract keywords, read units, currencies and
 * codes, check a cell, keep a journal to go on from, decide which version of a bill counts and which bills are masters, and
 * fill the narrow copy and what is known of traders. With `words` it fills the folded words with lower-case text at least,
 * so that its text indexes are filled too.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { rm } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import * as Clickhouse from "@lading/clickhouse"
import { TradeImport, TradeLoads } from "@lading/core/trade"
import { Formats, noOptions } from "@lading/importers"
import { Effect, Layer, Stream } from "effect"
import * as Clock from "./Clock.ts"
import * as Plain from "./Plain.ts"

export interface Wanted {
  readonly file: string
  /** Where the store is, or is made. */
  readonly store: string
}

/** MiB that this process had at most. */
const peak = (): number => process.resourceUsage().maxRSS / 1024

const mapping = fileURLToPath(new URL("../../packages/importers/src/fixtures/canonical.yaml", import.meta.url))

const seconds = async <A>(job: () => Promise<A>): Promise<readonly [A, number]> => {
  const begun = performance.now()
  const found = await job()
  return [found, (performance.now() - begun) / 1000]
}

const digestOf = async (file: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(file), hash)
  return hash.digest("hex")
}

const batchesOf = Effect.fnUntraced(function* (file: string) {
  const { batches } = yield* Formats.formats.file.open([file], { ...noOptions, mapping })
  return (from: string | null) =>
    Stream.map(batches(from), ({ position, records, rejected }) => ({ records, position, rejected: rejected.length }))
})

const importing = Effect.fnUntraced(function* (file: string, publishing: Effect.Effect<void>) {
  const digest = yield* Effect.promise(() => digestOf(file))
  const of = { name: "bench.tsv", digest, format: "file", replaces: null }
  const batches = yield* batchesOf(file)
  return yield* TradeImport.run({ of, batches, publishing, progress: () => Effect.void })
})

/** A new store over an engine that may be another one than it seems. */
const over = (
  store: string,
  engine: (real: Clickhouse.Engine.Engine["Service"]) => Clickhouse.Engine.Engine["Service"]
) =>
  Clickhouse.layer.pipe(
    Layer.provide(Layer.effect(Clickhouse.Engine.Engine, Effect.map(Clickhouse.Engine.openEmbedded(store), engine)))
  )

/** All of it, from the first byte to the publication; opening the store is not in it. */
export const importer = async ({ file, store }: Wanted) => {
  await rm(store, { recursive: true, force: true })
  let clock: Clock.Clock | undefined
  const layer = over(store, (real) => {
    clock = Clock.around(real)
    return clock.engine
  })
  const run = Effect.gen(function* () {
    const opened = peak()
    clock?.take()
    const begun = performance.now()
    let written = begun
    let writing: ReadonlyArray<Clock.Step> = []
    const publishing = Effect.sync(() => {
      written = performance.now()
      writing = clock?.take() ?? []
    })
    const { progress, publication } = yield* importing(file, publishing)
    const ended = performance.now()
    return {
      rows: progress.rows,
      records: publication?.records ?? 0,
      seconds: (ended - begun) / 1000,
      peak_mib: peak(),
      opened_mib: opened,
      writing: { seconds: (written - begun) / 1000, steps: writing },
      publishing: { seconds: (ended - written) / 1000, steps: clock?.take() ?? [] }
    }
  })
  return Effect.runPromise(Effect.provide(run, layer))
}

/** The columns that a file of generated records and the table both have. */
const columns = `source, key, version, flow, date, importer_name, importer_country, importer_tax_id, importer_address,
  exporter_name, exporter_country, exporter_tax_id, exporter_address, origin_country, destination_country, hs_raw,
  hs_code, hs_imputed, description, quantity, quantity_unit, quantity_unit_raw, gross_kg, net_kg, amount, currency,
  amount_kind, amount_usd, packages, package_kind, teu, port_of_loading, port_of_unloading, transport, bill_number,
  master_bill_number, synthetic`

const words = [
  ["words", "lower(description)"],
  ["importer_words", "lower(importer_name)"],
  ["exporter_words", "lower(exporter_name)"]
] as const

/** The bare engine: one statement. */
export const engine = async (wanted: Wanted & { readonly words: boolean }) => {
  const { file, store } = wanted
  await rm(store, { recursive: true, force: true })
  // Its tables are those of the store, which is closed before anything is measured.
  await Effect.runPromise(Effect.void.pipe(Effect.provide(over(store, (real) => real))))
  await using plain = await Plain.open(store)
  const opened = peak()
  const computed = wanted.words ? words : []
  const into = ["load", "row_id", columns, ...computed.map(([name]) => name)].join(", ")
  const from = ["1", "rowNumberInAllBlocks()", columns, ...computed.map(([, value]) => value)].join(", ")
  const [, took] = await seconds(() =>
    plain.run(`INSERT INTO trade_record (${into}) SELECT ${from} FROM file(${Plain.text(file)}, TSVWithNames)`)
  )
  const [row] = await plain.rows("SELECT count() AS n FROM trade_record")
  return { rows: row?.n ?? 0, seconds: took, peak_mib: peak(), opened_mib: opened }
}

const nothing: TradeLoads.Publication = { added: 0, replaced: 0, records: 0 }

const nowhere = Layer.sync(TradeLoads.TradeLoads, () => {
  let progress: TradeLoads.Progress = { parts: 0, position: null, rows: 0, rejected: 0 }
  let gathered = 0
  return {
    begin: () => Effect.succeed({ load: 1, state: "fresh" as const, ...progress }),
    gather: (_load, _part, rows) =>
      Effect.sync(() => {
        gathered += rows.length
        return gathered >= 200_000
      }),
    write: (_load, part) =>
      Effect.sync(() => {
        progress = { ...progress, parts: progress.parts + 1, rows: progress.rows + gathered + part.rows.length }
        gathered = 0
        return progress
      }),
    publish: () => Effect.succeed(nothing),
    abandon: () => Effect.void,
    list: Effect.succeed([])
  }
})

/** The same up to a point: read alone, with the traders found, with the lines written that the engine takes. */
export const stages = async ({ file, store }: Wanted) => {
  await rm(store, { recursive: true, force: true })
  const read = Effect.flatMap(batchesOf(file), (batches) => Stream.runDrain(batches(null)))
  const [, digest] = await seconds(() => digestOf(file))
  const [, reading] = await seconds(() => Effect.runPromise(read))
  const [, traders] = await seconds(() => Effect.runPromise(Effect.provide(importing(file, Effect.void), nowhere)))
  const layer = over(store, (real) => ({ ...real, insert: () => Effect.void }))
  const unpublished = Effect.flatMap(TradeLoads.TradeLoads, (loads) =>
    importing(file, Effect.void).pipe(
      Effect.provideService(TradeLoads.TradeLoads, { ...loads, publish: () => Effect.succeed(nothing) })
    )
  )
  const [, encoding] = await seconds(() => Effect.runPromise(Effect.provide(unpublished, layer)))
  await rm(store, { recursive: true, force: true })
  return { digest, reading, traders: traders - digest, encoding: encoding - digest }
}
