/** Agentic tasks of a server: the use case and its workflow, over the operations of the same server. */
import type { Suppression } from "@lading/core/account"
import { Billing, type Ledger, type PriceBook } from "@lading/core/billing"
import type { Webhooks } from "@lading/core/net"
import {
  AgenticTasks,
  type Operations,
  type Planner,
  RunningTasks,
  type TaskStore,
  TaskWorkflow
} from "@lading/core/task"
import { Layer } from "effect"
import type { WorkflowEngine } from "effect/workflow"

type Needs =
  | Ledger.Ledger
  | Operations.Operations
  | Planner.Planner
  | Suppression.Suppression
  | TaskStore.TaskStore
  | Webhooks.Webhooks
  | WorkflowEngine.WorkflowEngine

/** At these prices. */
export const layer = (prices: PriceBook.PriceBook): Layer.Layer<AgenticTasks.AgenticTasks, never, Needs> =>
  AgenticTasks.layer.pipe(
    Layer.merge(TaskWorkflow.layer),
    Layer.provide(RunningTasks.layer),
    Layer.provide(Billing.layer(prices))
  )
