/** Customs records, and the companies that are known, in a column store: chDB inside the process, or ClickHouse. */
import { CompanyIndex as CompanyIndexPort } from "@lading/core/company"
import { TradeLoads, TradeStore } from "@lading/core/trade"
import { Context, Effect, Layer } from "effect"
import * as Candidates from "./Candidates.ts"
import * as Companies from "./Companies.ts"
import * as CompanyIndex from "./CompanyIndex.ts"
import * as Details from "./Details.ts"
import * as Engine from "./Engine.ts"
import * as Loads from "./Loads.ts"
import * as Market from "./Market.ts"
import * as Migrations from "./Migrations.ts"
import * as Published from "./Published.ts"
import * as Records from "./Records.ts"
import * as Statistics from "./Statistics.ts"
import * as Traders from "./Traders.ts"

export * as Engine from "./Engine.ts"

/** The questions, each asked of what was published last. */
const questions = (
  engine: Engine.Engine["Service"],
  { current }: Published.Publications
): TradeStore.TradeStore["Service"] => {
  const ask =
    <Q, A>(answer: (published: Published.Published, question: Q) => Effect.Effect<A, TradeStore.TradeStoreError>) =>
    (question: Q) =>
      Effect.flatMap(current, (published) => answer(published, question))
  const sums = Traders.sums(engine)
  return {
    status: ask(Traders.status(engine)),
    records: ask(Records.records(engine)),
    traders: ask(Companies.traders(engine)),
    totals: (trader_ids, role) => Effect.flatMap(current, (published) => sums(published, trader_ids, role)),
    details: ask(Details.details(engine)),
    trends: ask(Market.trends(engine)),
    partners: ask(Traders.partners(engine)),
    hsCodes: ask(Traders.hsCodes(engine)),
    regions: ask(Traders.regions(engine)),
    keywords: ask(Traders.keywords(engine)),
    marketTrend: ask(Market.trend(engine)),
    statistics: ask(Statistics.of(engine)),
    companyStatistics: ask(Statistics.companies(engine)),
    portStatistics: ask(Statistics.ports(engine)),
    procurement: ask(Market.procurement(engine)),
    worldRegions: ask(Statistics.world(engine)),
    keyCounts: ask(Candidates.keyCounts(engine)),
    candidates: ask(Candidates.candidates(engine)),
    coverage: Effect.flatMap(current, Statistics.coverage(engine))
  }
}

const both = Effect.gen(function* () {
  const engine = yield* Engine.Engine
  yield* Migrations.run(engine).pipe(
    Effect.mapError(
      (error) => new Engine.ColumnStoreUnavailable({ problem: `its schema cannot be made: ${error.problem}` })
    )
  )
  const publications = yield* Published.make(engine)
  const { follow, index } = yield* CompanyIndex.make(engine, publications)
  // What fails is made up for by the next publication, or when the store is opened again.
  const followed = Effect.catch(follow, ({ problem }) =>
    Effect.logWarning("the index of companies does not follow the customs records", { problem })
  )
  yield* Effect.forkScoped(followed)
  return Context.make(TradeStore.TradeStore, questions(engine, publications)).pipe(
    Context.add(TradeLoads.TradeLoads, yield* Loads.make(engine, publications, followed)),
    Context.add(CompanyIndexPort.CompanyIndex, index)
  )
})

type Stores = TradeStore.TradeStore | TradeLoads.TradeLoads | CompanyIndexPort.CompanyIndex

/** Questions, loads and the index of companies over one of the layers of `Engine`. */
export const layer: Layer.Layer<Stores, Engine.ColumnStoreUnavailable, Engine.Engine> = Layer.effectContext(both)
