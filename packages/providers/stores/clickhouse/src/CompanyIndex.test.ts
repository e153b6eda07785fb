/** The suite of the index of companies on chDB, in this process. */
import { companyIndexSuite } from "@lading/testing/suites"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Clickhouse from "./index.ts"

const folder = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "lading-companies-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    ),
    (path) => Clickhouse.Engine.layerEmbedded(join(path, "chdb"))
  )
)

companyIndexSuite("chDB", Clickhouse.layer.pipe(Layer.provide(folder)))
