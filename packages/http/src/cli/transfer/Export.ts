/** `lading export <file>`: all rows of the relational store in one file, which another version and another store can read. */
import { Export, ExportFile } from "@lading/postgres"
import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { resolve } from "node:path"
import * as Durable from "../../server/Durable.ts"
import * as Asked from "../Asked.ts"
import * as Print from "../Print.ts"
import { configured } from "../Setting.ts"
import { version } from "../../server/Version.ts"
import * as Place from "./Place.ts"

/** What was exported or restored, as JSON. */
export const Answer = Schema.Struct({
  file: Schema.String,
  /** Version of Lading that wrote the file, and the last step of its schema. */
  lading: Schema.String,
  step: Schema.Int,
  tables: Schema.Record(Schema.String, Schema.Int),
  seal_keys: Schema.Array(ExportFile.Key),
  vault_keys: Schema.Array(ExportFile.Key),
  sha256: Schema.String
})
export type Answer = typeof Answer.Type

export const answer = (file: string, { header, sha256, tables }: ExportFile.Summary): Answer => ({
  file,
  lading: header.lading,
  step: header.migrations.at(-1)?.id ?? 0,
  tables,
  seal_keys: header.seal_keys,
  vault_keys: header.vault_keys,
  sha256
})

export const rows = ({ tables }: Answer): string => {
  const counts = Object.values(tables)
  const sum = counts.reduce((one, other) => one + other, 0)
  return `${Print.number(sum)} in ${Print.number(counts.length)} tables`
}

const sealed = ({ seal_keys, vault_keys }: Answer): string => {
  const names = [...seal_keys, ...vault_keys].map(({ name }) => name)
  return names.length === 0
    ? "nothing"
    : `with ${names.join(" and ")}, which are not in the file: keep LADING_SEAL_KEY and LADING_VAULT_KEY with their former keys, or the folder's seal-key and vault-key, apart from it`
}

const lines = (exported: Answer): ReadonlyArray<string> => [
  `Exported to ${exported.file}`,
  "",
  `  rows      ${rows(exported)}`,
  `  schema    step ${exported.step}`,
  `  sealed    ${sealed(exported)}`,
  "  customs   records are not in the file (docs/operations.md, Backup)"
]

export const command = Command.make(
  "export",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("Where to write it; a file that is there is left alone")
    ),
    json: Asked.json
  },
  ({ file, json }) =>
    configured((configuration) =>
      Effect.gen(function* () {
        for (const warning of configuration.warnings) yield* Effect.logWarning(warning)
        const path = resolve(file)
        const summary = yield* Export.write({ file: path, version, besides: Durable.tables }).pipe(
          Effect.provide(Place.layer(configuration, { begins: false })),
          Place.stoppable
        )
        yield* Print.answer(Answer, answer(path, summary), json, lines)
      })
    )
).pipe(
  Command.withDescription(
    "Write accounts, keys, ledger, answers, webhooks, lists and pending work into one file, as of one moment: a backup, the way to a new version of PostgreSQL, and the way from a folder to a server and back. A folder must not be served from meanwhile; a PostgreSQL server may be"
  ),
  Command.withShortDescription("Write everything but customs records into a file"),
  Command.withExamples([{ command: "lading export lading.export.gz", description: "From the data folder" }])
)
