/**
 * From what is configured to the store of customs records. Each is imported when it is chosen and not before, so that an
 * engine that is not configured is never loaded.
 */
import type { Engine } from "@lading/clickhouse"
import { CompanyIndex, CompanyIndexMemory } from "@lading/core/company"
import { TradeLoads, TradeStore } from "@lading/core/trade"
import { Context, Effect, Layer, type Redacted, Semaphore } from "effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { CannotStart } from "./CannotStart.ts"
import * as TradeIntake from "./TradeIntake.ts"

export const names = ["none", "sample", "demo", "chdb", "clickhouse"] as const
export type Name = (typeof names)[number]

export interface Options {
  readonly trade: Name | null
  readonly clickhouseUrl: Redacted.Redacted | null
  readonly clickhouseCluster: string | null
  readonly dataDir: string
}

/** Where records are that were imported without a server of their own. */
const folderOf = (dataDir: string): string => join(resolve(dataDir), "chdb")

/** What is chosen: by name, else a server that has a URL, else the folder where somebody has imported into it. */
export const chosen = ({ clickhouseUrl, dataDir, trade }: Options): Name => {
  if (trade !== null) return trade
  if (clickhouseUrl !== null) return "clickhouse"
  return existsSync(folderOf(dataDir)) ? "chdb" : "none"
}

/** What is said to whoever asks where there are no records. */
const remedy =
  "This server has no customs records: import some with `lading import`, or set LADING_CLICKHOUSE_URL or LADING_TRADE"
const uninstalled = "This server has no engine for its customs records: install the package `chdb`"

type Stores = TradeStore.TradeStore | TradeLoads.TradeLoads | CompanyIndex.CompanyIndex

/** What answers questions. */
type Answering = TradeStore.TradeStore | CompanyIndex.CompanyIndex

const cannotStart = (problem: string) => new CannotStart({ variable: "LADING_TRADE", problem })

const load = <A>(name: Name, module: () => Promise<A>): Effect.Effect<A, CannotStart> =>
  Effect.tryPromise({
    try: module,
    catch: (cause) =>
      cannotStart(`${name} cannot be loaded: ${cause instanceof Error ? cause.message : "unknown reason"}`)
  })

const refusing = (error: CannotStart): Layer.Layer<Stores, CannotStart> => Layer.effectContext(Effect.fail(error))

const cannotOpen = ({ problem }: { readonly problem: string }) => refusing(cannotStart(problem))

/** chDB in a folder. */
const embedded = (name: Name, folder: string): Layer.Layer<Stores, CannotStart | Engine.EngineMissing> =>
  Layer.unwrap(
    Effect.map(
      load(name, () => import("@lading/clickhouse")),
      ({ Engine, layer }): Layer.Layer<Stores, CannotStart | Engine.EngineMissing> =>
        layer.pipe(Layer.provide(Engine.layerEmbedded(folder)), Layer.catchTag("ColumnStoreUnavailable", cannotOpen))
    )
  )

const uninstalledHere = new CannotStart({
  variable: null,
  problem: "the package `chdb` is not installed (npm install chdb@3)"
})

/** The same for an import, which has nowhere else to go. */
const filled = (dataDir: string): Layer.Layer<Stores, CannotStart> =>
  embedded("chdb", folderOf(dataDir)).pipe(Layer.catchTag("EngineMissing", () => refusing(uninstalledHere)))

const served = ({ clickhouseCluster: cluster, clickhouseUrl: url }: Options): Layer.Layer<Stores, CannotStart> =>
  url === null
    ? refusing(new CannotStart({ variable: "LADING_CLICKHOUSE_URL", problem: "LADING_TRADE=clickhouse needs it" }))
    : Layer.unwrap(
        Effect.map(
          load("clickhouse", () => import("@lading/clickhouse")),
          ({ Engine, layer }): Layer.Layer<Stores, CannotStart> =>
            layer.pipe(
              Layer.provide(Engine.layerUrl(url, { cluster })),
              Layer.catchTag("ColumnStoreUnavailable", cannotOpen)
            )
        )
      )

const sample = Layer.provideMerge(
  CompanyIndexMemory.layerOver,
  Layer.unwrap(
    Effect.map(
      load("sample", () => import("../sandbox/SampleTrade.ts")),
      ({ layer }) => layer
    )
  )
)

/** Companies that are known where nobody keeps customs records: in memory. */
const refusingAll = (remedy: string): Layer.Layer<Answering> =>
  Layer.merge(TradeStore.layerAbsent(remedy), CompanyIndexMemory.layer)

/** The questions alone; the loads are there for whoever fills it. */
const demoStore = (dataDir: string): Layer.Layer<Answering, CannotStart | Engine.EngineMissing> =>
  embedded("demo", join(resolve(dataDir), "demo-trade"))

const demo = (dataDir: string): Layer.Layer<Answering, CannotStart> =>
  Layer.unwrap(
    Effect.map(
      load("demo", () => import("../sandbox/DemoTrade.ts")),
      ({ fill }) => fill.pipe(Layer.provideMerge(Layer.catchTag(demoStore(dataDir), "EngineMissing", () => sample)))
    )
  )

/** With what imports go into. */
type Offered = Answering | TradeIntake.TradeIntake

/** A store that answers, and takes no imports. */
const answering = (store: Layer.Layer<Answering, CannotStart>, reason: string): Layer.Layer<Offered, CannotStart> =>
  Layer.merge(store, TradeIntake.layerNone(reason))

/** A store that takes imports too. */
const taking = <E>(stores: Layer.Layer<Stores, E>): Layer.Layer<Offered, E> =>
  Layer.effect(TradeIntake.TradeIntake, Effect.map(TradeLoads.TradeLoads, TradeIntake.of)).pipe(
    Layer.provideMerge(stores)
  )

/** A folder into which nobody has imported yet: opened by the first import, absent until then. */
const later = (dataDir: string): Layer.Layer<Offered> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const one = yield* Semaphore.make(1)
      let opened: Context.Context<Stores> | null = null
      const opening = Effect.gen(function* () {
        opened ??= yield* Layer.buildWithScope(filled(dataDir), scope)
        return opened
      }).pipe(
        Effect.mapError(({ message }) => new TradeStore.TradeStoreAbsent({ remedy: message })),
        // Half an engine would keep the folder from the next attempt.
        Effect.uninterruptible
      )
      const open = one.withPermits(1)(opening)
      const absent = TradeStore.absent(remedy)
      const store = TradeStore.following(() => (opened === null ? absent : Context.get(opened, TradeStore.TradeStore)))
      const loads = Effect.map(open, (context) => Context.get(context, TradeLoads.TradeLoads))
      const memory = yield* CompanyIndexMemory.make(null)
      const index = Effect.sync(() => (opened === null ? memory : Context.get(opened, CompanyIndex.CompanyIndex)))
      return Context.make(TradeStore.TradeStore, store).pipe(
        Context.add(TradeIntake.TradeIntake, { loads }),
        Context.add(CompanyIndex.CompanyIndex, CompanyIndex.following(index))
      )
    })
  )

const reason = (trade: Name): string =>
  `This server takes no imports: its customs records are those of LADING_TRADE=${trade}`

/** The questions that a server answers, and the imports that it takes. */
export const layer = (options: Options): Layer.Layer<Offered, CannotStart> => {
  const { dataDir, trade } = options
  const absent = () => answering(refusingAll(uninstalled), uninstalled)
  const stores: Readonly<Record<Name, () => Layer.Layer<Offered, CannotStart>>> = {
    none: () => (trade === null ? later(dataDir) : answering(refusingAll(remedy), reason("none"))),
    sample: () => answering(sample, reason("sample")),
    demo: () => answering(demo(dataDir), reason("demo")),
    chdb: () => Layer.catchTag(taking(embedded("chdb", folderOf(dataDir))), "EngineMissing", absent),
    clickhouse: () => taking(served(options))
  }
  return stores[chosen(options)]()
}

/** The stores whose companies outlive the process. */
const kept = (options: Options): Layer.Layer<CompanyIndex.CompanyIndex, CannotStart> | null => {
  const { dataDir } = options
  switch (chosen(options)) {
    case "chdb":
      return filled(dataDir)
    case "clickhouse":
      return served(options)
    case "demo":
      return demo(dataDir)
    case "none":
    case "sample":
      return null
  }
}

/**
 * For administration: no questions about customs records, and the index of companies, which is opened when it is first
 * used, since few commands use it.
 */
export const layerIndex = (options: Options): Layer.Layer<Answering> => {
  const layer = kept(options)
  if (layer === null) return refusingAll(remedy)
  const index = Layer.effect(
    CompanyIndex.CompanyIndex,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const opened = yield* Effect.cached(
        Layer.buildWithScope(layer, scope).pipe(
          Effect.map((context) => Context.get(context, CompanyIndex.CompanyIndex)),
          Effect.mapError(({ message }) => new CompanyIndex.CompanyIndexUnavailable({ problem: message }))
        )
      )
      return CompanyIndex.following(opened)
    })
  )
  return Layer.merge(TradeStore.layerAbsent(remedy), index)
}

/** Whether an import fills a ClickHouse server, else the folder. */
export const isServed = ({ clickhouseUrl, trade }: Options): boolean =>
  trade === "clickhouse" || (trade === null && clickhouseUrl !== null)

/** The store that an import fills, be it empty yet. */
export const layerLoads = (options: Options): Layer.Layer<Stores, CannotStart> =>
  isServed(options) ? served(options) : filled(options.dataDir)
