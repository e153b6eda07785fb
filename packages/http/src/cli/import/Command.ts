/** `lading import`: customs files, lists of product codes, and what has been loaded. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { HsCode, TradeLoads } from "@lading/core/trade"
import { CalendarDate } from "@lading/core/value"
import { Formats, Inspect, type ImportOptions } from "@lading/importers"
import { Console, DateTime, Effect, type Layer, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { HttpClient } from "effect/http"
import { Owner } from "@lading/postgres"
import { basename, resolve } from "node:path"
import type { Configuration } from "../../server/Configuration.ts"
import * as TradeStores from "../../server/TradeStores.ts"
import * as Asked from "../Asked.ts"
import * as Bar from "../Bar.ts"
import type * as Failure from "../Failure.ts"
import * as Holder from "../Holder.ts"
import { configured } from "../Setting.ts"
import * as Signals from "../Signals.ts"
import * as Table from "../Table.ts"
import * as HsList from "../../server/HsList.ts"
import * as OwnersLoads from "./OwnersLoads.ts"
import * as Progress from "./Progress.ts"
import * as Run from "./Run.ts"

const optionalFile = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar("<file>"), Flag.optional)

const datesOf = (text: string): TradeLoads.Replaces | null => {
  const [, source = "", from = "", to = ""] = /^([\w.-]+):(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(text) ?? []
  return source !== "" && CalendarDate.isDate(from) && CalendarDate.isDate(to) && from <= to
    ? { kind: "dates", source, from, to }
    : null
}

const Dates = Schema.String.check(
  Schema.makeFilter((text) => datesOf(text) !== null, {
    expected: "a source and its dates, the earlier one first, such as pe-imports:2024-03-01..2024-03-31"
  })
)

const flags = {
  files: Argument.String("file").pipe(
    Argument.withDescription("Files that belong together"),
    Argument.variadic({ min: 1 })
  ),
  mapping: optionalFile("mapping", "Mapping file (YAML or JSON), of the format `file`"),
  rates: optionalFile("rates", "Exchange rates: CSV with date, currency, usd_per_unit"),
  countries: optionalFile("countries", "Country codes of Comex Stat (PAIS.csv)"),
  scratch: Flag.String("scratch").pipe(
    Flag.withDescription("Folder for what does not fit into memory"),
    Flag.withMetavar("<folder>"),
    Flag.optional
  ),
  rows: Flag.Int("rows").pipe(Flag.withDescription("Rows that the files should have together"), Flag.optional),
  replaceFile: Flag.Boolean("replace-file").pipe(
    Flag.withDescription("Take away what earlier files of the same name brought"),
    Flag.withDefault(false)
  ),
  replaceDates: Flag.String("replace-dates").pipe(
    Flag.withDescription("Take away the records of a source within these dates"),
    Flag.withMetavar("<source:from..to>"),
    Flag.withSchema(Dates),
    Flag.optional
  ),
  rejects: optionalFile(
    "rejects",
    "Where rejected rows are written; by default beside the command, `<file>.rejected.csv`"
  ),
  quiet: Flag.Boolean("quiet").pipe(Flag.withDescription("Show no progress"), Flag.withDefault(false)),
  json: Asked.json
}

interface Given {
  readonly files: ReadonlyArray<string>
  readonly mapping: Option.Option<string>
  readonly rates: Option.Option<string>
  readonly countries: Option.Option<string>
  readonly scratch: Option.Option<string>
  readonly rows: Option.Option<number>
  readonly replaceFile: boolean
  readonly replaceDates: Option.Option<string>
  readonly rejects: Option.Option<string>
  readonly quiet: boolean
  readonly json: boolean
}

const nameOf = (files: ReadonlyArray<string>): string => files.map((file) => basename(file)).join(" ")

const replacesOf = ({ files, replaceDates, replaceFile }: Given): TradeLoads.Replaces | null => {
  if (replaceFile) return { kind: "file", name: nameOf(files) }
  return Option.isNone(replaceDates) ? null : datesOf(replaceDates.value)
}

const optionsOf = ({ countries, mapping, rates, rows, scratch }: Given): ImportOptions => ({
  countries: Option.getOrNull(countries),
  mapping: Option.getOrNull(mapping),
  rates: Option.getOrNull(rates),
  rows: Option.getOrNull(rows),
  scratch: Option.getOrNull(scratch)
})

/** The store that is configured: a server, the process that owns the folder, or the folder itself. */
const storeOf = Effect.fnUntraced(function* (
  configuration: Configuration
): Effect.fn.Return<
  Layer.Layer<TradeLoads.TradeLoads, Failure.Failure, HttpClient.HttpClient>,
  Failure.Failure | Holder.Held
> {
  if (TradeStores.isServed(configuration)) return TradeStores.layerLoads(configuration)
  const folder = resolve(configuration.dataDir)
  const owner = yield* Owner.read(folder)
  if (owner === null) return TradeStores.layerLoads(configuration)
  return owner.url === null ? yield* new Holder.Held(owner) : OwnersLoads.layer(folder, owner, owner.url)
})

/** With the store that is configured. */
const stored = <A>(
  work: Effect.Effect<A, Failure.Failure, TradeLoads.TradeLoads>
): Effect.Effect<A, Failure.CommandFailed> =>
  configured(
    Effect.fnUntraced(function* (configuration: Configuration) {
      const store = yield* Holder.awaited(resolve(configuration.dataDir), storeOf(configuration))
      return yield* Effect.provide(work, store)
    }, Effect.provide(NodeHttpClient.layerUndici))
  )

const importing = (name: string) =>
  Effect.fnUntraced(function* (asked: Given) {
    const format = Formats.find(name)
    if (format === null) return
    const request: Run.Request = {
      name,
      format,
      files: asked.files,
      options: optionsOf(asked),
      replaces: replacesOf(asked),
      rejects: Option.getOrElse(asked.rejects, () => `${basename(asked.files[0] ?? "import")}.rejected.csv`)
    }
    const show = Bar.show({ line: Progress.line, bar: Progress.bar }, asked.quiet || asked.json)
    const outcome = yield* stored(Signals.untilStopped(Effect.scoped(Run.run(request, show))))
    yield* asked.json
      ? Console.log(JSON.stringify(Progress.json(outcome)))
      : Effect.forEach(Progress.summary(outcome), (line) => Console.log(line), { discard: true })
  })

const formats = Object.entries(Formats.formats).map(([name, { about }]) =>
  Command.make(name, flags, importing(name)).pipe(Command.withDescription(about))
)

const inspect = Command.make(
  "inspect",
  { file: Argument.String("file").pipe(Argument.withDescription("CSV, TSV, JSON Lines or Parquet")) },
  ({ file }) => configured(() => Effect.flatMap(Inspect.inspect(file), ({ yaml }) => Console.log(yaml.trimEnd())))
).pipe(Command.withDescription("Proposes a mapping for a file, on the standard output"))

const hs = Command.make(
  "hs",
  { file: Argument.String("file").pipe(Argument.withDescription("CSV with hscode and description")) },
  ({ file }) =>
    configured(
      Effect.fnUntraced(function* ({ dataDir }: Configuration) {
        const { list, rejected } = yield* HsList.adopt(file, dataDir)
        yield* Console.log(`Codes     ${list.size} (beside ${HsCode.chapters.length} chapters)`)
        yield* Console.log(`Rejected  ${rejected.length}`)
        for (const { line, problem } of rejected.slice(0, 10)) yield* Console.log(`  line ${line + 1}: ${problem}`)
      })
    )
).pipe(Command.withDescription("Loads a list of six-digit product codes, which answers describe goods by"))

const list = Command.make("list", { json: Asked.json }, ({ json }) =>
  stored(
    Effect.gen(function* () {
      const all = yield* (yield* TradeLoads.TradeLoads).list
      if (json) return yield* Console.log(JSON.stringify(all))
      const rows = all.map((one) => [
        String(one.load),
        one.state,
        one.format,
        one.name,
        String(one.rows),
        String(one.rejected),
        DateTime.formatIso(DateTime.makeUnsafe(one.at))
      ])
      yield* Effect.forEach(
        Table.columns(["load", "state", "format", "file", "rows", "rejected", "at"], rows, [
          "load",
          "rows",
          "rejected"
        ]),
        (line) => Console.log(line),
        { discard: true }
      )
    })
  )
).pipe(Command.withDescription("What was imported"))

const abandon = Command.make(
  "abandon",
  { load: Argument.Int("load").pipe(Argument.withDescription("Number of an import that was not finished")) },
  ({ load }) =>
    stored(
      Effect.flatMap(TradeLoads.TradeLoads, (loads) => loads.abandon(load)).pipe(
        Effect.andThen(Console.log(`load ${load} is forgotten`))
      )
    )
).pipe(Command.withDescription("Forgets an import that was not finished"))

export const command = Command.make("import").pipe(
  Command.withDescription("Imports customs records"),
  Command.withSubcommands([...formats, inspect, hs, list, abandon])
)
