/** `lading restore <file>`: what `lading export` has written, into a folder or a database in which there is nothing yet. */
import { type ExportFile, Keyring, Restore, Seal } from "@lading/postgres"
import { Effect, type Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { resolve } from "node:path"
import * as Admin from "../../api/Admin.ts"
import type { Configuration } from "../../server/Configuration.ts"
import * as Durable from "../../server/Durable.ts"
import * as SealKey from "../../server/SealKey.ts"
import { stores } from "../../server/Variables.ts"
import { administered } from "../Administration.ts"
import * as Asked from "../Asked.ts"
import * as Failure from "../Failure.ts"
import * as Ledger from "../Ledger.ts"
import * as Print from "../Print.ts"
import { configured } from "../Setting.ts"
import { Answer, answer, rows } from "./Export.ts"
import * as Place from "./Place.ts"

const Answered = Schema.Struct({ ...Answer.fields, audit: Admin.Audit })

interface Wanted {
  /** What is sealed with them, in a sentence. */
  readonly what: string
  /** What the file says. */
  readonly keys: ReadonlyArray<ExportFile.Key>
  readonly current: Configuration["sealKey"]
  readonly former: Configuration["sealFormerKeys"]
  readonly formerVariable: string
  readonly use: typeof SealKey.answers
  /** As it stands in what the key seals. */
  readonly nameOf: (key: Redacted.Redacted) => Effect.Effect<string>
  readonly lost: string
}

/** A seal says which key made it; the keyring alone knows how it names one. */
const vaultName = (key: Redacted.Redacted) =>
  Effect.flatMap(Keyring.Keyring, ({ seal }) => seal("", "")).pipe(
    Effect.map((sealed) => Buffer.from(sealed.subarray(1, 5)).toString("hex")),
    Effect.provide(Keyring.layer({ current: key })),
    Effect.orDie
  )

/** What the file wants and this machine has not: neither as the current key nor as a former one. */
const missing = Effect.fnUntraced(function* (
  dataDir: string,
  { current: configured, former, formerVariable, keys, lost, nameOf, use, what }: Wanted
) {
  if (keys.length === 0) return []
  const current = yield* Effect.mapError(
    SealKey.peek(configured, dataDir, use),
    ({ message }) => new Restore.RestoreRefused({ problem: message })
  )
  const names = new Set(yield* Effect.forEach([...(current === null ? [] : [current]), ...former], nameOf))
  const absent = keys.filter(({ name }) => !names.has(name))
  if (absent.length === 0) return []
  const each = absent.map(({ name, seals }) => `${name} (${Print.number(seals)} sealed)`)
  const found = names.size === 0 ? "there is none here" : `the keys here are ${[...names].join(" and ")}`
  const problem = `${what} in the file want the key ${each.join(" and ")}, and ${found}: set ${use.variable} or ${formerVariable}, or copy the old folder's ${use.file} into the new one`
  return [{ problem, lost }]
})

/** Without its keys what is sealed is lost: that is for the operator to say. */
const accept = Effect.fnUntraced(function* (
  { dataDir, sealFormerKeys, sealKey, vaultFormerKeys, vaultKey }: Configuration,
  without: boolean,
  { header }: ExportFile.Summary
) {
  if (without) return
  const answers = yield* missing(dataDir, {
    what: "sealed answers",
    keys: header.seal_keys,
    current: sealKey,
    former: sealFormerKeys,
    formerVariable: stores.sealFormerKeys.name,
    use: SealKey.answers,
    nameOf: (key) => Effect.sync(() => Seal.nameOf(key)),
    lost: "raw answers, runs, webhooks, lists, tasks and pending enrichments"
  })
  const vendorKeys = yield* missing(dataDir, {
    what: "vendor keys",
    keys: header.vault_keys,
    current: vaultKey,
    former: vaultFormerKeys,
    formerVariable: stores.vaultFormerKeys.name,
    use: SealKey.vendorKeys,
    nameOf: vaultName,
    lost: "the vendor keys of accounts"
  })
  const all = [...answers, ...vendorKeys]
  if (all.length === 0) return
  return yield* new Restore.RestoreRefused({
    problem: `${all.map(({ problem }) => problem).join("; ")}; --without-keys goes on without, and loses what they have sealed of ${all.map(({ lost }) => lost).join(", and of ")}`
  })
})

const lines = (restored: typeof Answered.Type): ReadonlyArray<string> => [
  `Restored ${restored.file}, which Lading ${restored.lading} has written`,
  "",
  `  rows      ${rows(restored)}`,
  `  ledger    ${restored.audit.breaches.length === 0 ? "every rule holds" : "breaks its rules, see lading ledger audit"} (${Ledger.checked(restored.audit)})`,
  "  customs   records are not in the file (docs/operations.md, Backup)"
]

const restored = (file: string, without: boolean) =>
  configured((configuration) =>
    Effect.gen(function* () {
      for (const warning of configuration.warnings) yield* Effect.logWarning(warning)
      return yield* Restore.run({ file, besides: Durable.tables, prepare: Durable.prepare }, (summary) =>
        accept(configuration, without, summary)
      ).pipe(Effect.provide(Place.layer(configuration, { begins: true })), Place.stoppable)
    })
  )

export const command = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(Argument.withDescription("What lading export has written")),
    without: Flag.Boolean("without-keys").pipe(
      Flag.withDescription("Restore although the keys of what is sealed are not here: that is lost then"),
      Flag.withDefault(false)
    ),
    json: Asked.json
  },
  ({ file, json, without }) =>
    Effect.gen(function* () {
      const path = resolve(file)
      const summary = yield* restored(path, without)
      const audit = yield* administered(Effect.void, Ledger.all)
      yield* Print.answer(Answered, { ...answer(path, summary), audit }, json, lines)
      if (audit.breaches.length > 0) {
        return yield* new Failure.CommandFailed({
          message: "the ledger breaks its rules: it did where the file was written, too"
        })
      }
    })
).pipe(
  Command.withDescription(
    "Restore what lading export has written, as a whole or not at all, into a data folder or a database (LADING_DATABASE_URL) in which there is nothing yet; then audit the ledger. A server that goes on where the file was written would do pending work twice: stop it for good before"
  ),
  Command.withShortDescription("Restore what lading export has written"),
  Command.withExamples([
    { command: "lading restore lading.export.gz", description: "Into the data folder, or LADING_DATABASE_URL" }
  ])
)
