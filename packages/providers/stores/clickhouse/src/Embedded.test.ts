/** The suite of the port on chDB, in this process. */
import { tradeStoreSuite } from "@lading/testing/suites"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Clickhouse from "./index.ts"

const folder = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "lading-trade-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    ),
    (path) => Clickhouse.Engine.layerEmbedded(join(path, "chdb"))
  )
)

tradeStoreSuite("chDB", Clickhouse.layer.pipe(Layer.provide(folder)))
