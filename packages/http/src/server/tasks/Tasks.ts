/** Agentic tasks of a server: the use case and its workflow, over the operations of the same server. */
import { Billing, type PriceBook } from "@lading/core/billing"
import { AgenticTasks, RunningTasks, TaskWorkflow } from "@lading/core/task"
import { Layer } from "effect"
import * as Catalog from "../operations/Catalog.ts"

/** At these prices. */
export const layer = (prices: PriceBook.PriceBook) =>
  AgenticTasks.layer.pipe(
    Layer.merge(TaskWorkflow.layer),
    Layer.provide(RunningTasks.layer),
    Layer.provideMerge(Catalog.layer(prices)),
    Layer.provide(Billing.layer(prices))
  )
