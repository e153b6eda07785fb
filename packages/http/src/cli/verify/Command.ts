/** `lading verify <file>`: every address of a file, into a result that has the verdict's fields beside each row. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Console, Duration, Effect, Option, Ref } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import type { Configuration } from "../../server/Configuration.ts"
import * as Asked from "../Asked.ts"
import * as Bar from "../Bar.ts"
import type * as Failure from "../Failure.ts"
import * as Print from "../Print.ts"
import * as Flags from "../rows/Flags.ts"
import * as Format from "../rows/Format.ts"
import * as Kept from "../rows/Kept.ts"
import * as Output from "../rows/Output.ts"
import { CannotBegin, Paused } from "../rows/Problem.ts"
import { stopwatch } from "../rows/Progress.ts"
import * as Reading from "../rows/Reading.ts"
import * as Where from "../rows/Where.ts"
import { configured } from "../Setting.ts"
import * as Signals from "../Signals.ts"
import * as Agreement from "./Agreement.ts"
import * as Column from "./Column.ts"
import type { Counterpart } from "./Counterpart.ts"
import * as Job from "./Job.ts"
import * as List from "./List.ts"
import * as One from "./One.ts"
import * as Progress from "./Progress.ts"
import * as Run from "./Run.ts"
import * as Verdict from "./Verdict.ts"
import * as Writing from "./Writing.ts"

const flags = {
  ...Flags.ofFiles,
  file: Argument.String("file or address").pipe(
    Argument.withDescription("File of mail addresses: CSV, TSV or JSON Lines, in UTF-8; or one address")
  ),
  out: Flag.String("out").pipe(
    Flag.withDescription("File to write; <file>.verified.csv beside the file unless said"),
    Flag.withMetavar("<result.csv>"),
    Flag.optional
  ),
  columns: Flag.String("columns").pipe(
    Flag.withDescription("Column of the addresses, where it is named otherwise"),
    Flag.withMetavar("<email=Work>"),
    Flag.optional
  ),
  sandbox: Flag.Boolean("sandbox").pipe(
    Flag.withDescription("Ask the simulated mail hosts of the sandbox: synthetic mailboxes"),
    Flag.withDefault(false)
  ),
  wait: Flag.String("wait").pipe(
    Flag.withDescription(
      "How long to wait for hosts that want to be asked again, e.g. 90s, 15m or 2h; 0 writes their addresses as they are known. A server waits as it likes"
    ),
    Flag.withSchema(Flags.Patience),
    Flag.withDefault(Duration.minutes(25))
  ),
  yes: Flag.Boolean("yes").pipe(
    Flag.withDescription("Agree to what a server charges, without being asked"),
    Flag.withDefault(false)
  ),
  cancel: Flag.Boolean("cancel").pipe(
    Flag.withDescription("End a job that was begun, at the server too, and write what was verified by then"),
    Flag.withDefault(false)
  ),
  chargeAgain: Flag.Boolean("charge-again").pipe(
    Flag.withDescription("Go on with a job after more than a day, although a list may be charged twice"),
    Flag.withDefault(false)
  ),
  json: Asked.json
}

interface Request {
  readonly file: string
  readonly out: Option.Option<string>
  readonly url: Option.Option<string>
  readonly format: Option.Option<Format.Format>
  readonly delimiter: Option.Option<string>
  readonly columns: Option.Option<string>
  readonly sandbox: boolean
  readonly wait: Duration.Duration
  readonly yes: boolean
  readonly cancel: boolean
  readonly chargeAgain: boolean
  readonly rawCells: boolean
  readonly restart: boolean
  readonly quiet: boolean
  readonly json: boolean
}

/** `list.csv` becomes `list.verified.csv`. */
const beside = (file: string, format: Option.Option<Format.Format>): string => {
  const ending = Option.getOrElse(format, () => Format.ofPath(file)) ?? "csv"
  return `${file.replace(/\.[a-z]+$/i, "")}.verified.${ending}`
}

/** Everything that can be known before anybody is asked. */
const prepare = Effect.fnUntraced(function* (configuration: Configuration, request: Request) {
  const out = Option.getOrElse(request.out, () => beside(request.file, request.format))
  const { place, survey, write } = yield* Reading.survey({ ...request, out })
  const column = yield* Column.find(survey, request.columns)
  const where = yield* Where.find(configuration, request)
  const output = Output.make({
    format: write,
    delimiter: place.delimiter,
    marked: survey.marked,
    columns: Verdict.columns,
    members: Verdict.line,
    header: column.header,
    raw: request.rawCells
  })
  const rows = List.rowsOf(place, survey, column)
  const subject = {
    "the input file": survey.digest,
    "--format": place.format,
    "--delimiter": place.delimiter,
    "--columns": column.place,
    "where addresses are verified": where.name
  }
  const wanted: Job.Wanted = { out, subject, restart: request.restart, list: (at) => List.write(rows, column, at) }
  return { column, output, rows, wanted, where }
})

type Prepared = Effect.Success<ReturnType<typeof prepare>>

const say = (quiet: boolean, lines: ReadonlyArray<string>) =>
  quiet ? Effect.void : Effect.sync(() => void process.stderr.write(`${lines.join("\n")}\n`))

/** Most of them unknown: it may be this machine that mail hosts do not talk to. */
const doubts = ({ addresses, statuses }: Progress.Outcome, { where }: Prepared): ReadonlyArray<string> =>
  where._tag === "Here" && !where.sandbox && addresses > 0 && 2 * (statuses.unknown ?? 0) > addresses
    ? ["", "Most are unknown; `lading doctor` looks whether mail hosts talk to this machine"]
    : []

const conclude = (request: Request, prepared: Prepared, outcome: Progress.Outcome) => {
  const { wanted, where } = prepared
  return request.json
    ? Console.log(JSON.stringify(Progress.json(outcome)))
    : Print.lines([
        ...Progress.summary(outcome, where._tag === "Server"),
        ...(outcome.finished ? [Progress.row("Result", wanted.out), ...doubts(outcome, prepared)] : [])
      ])
}

/** What another command does about a job that goes on elsewhere. */
const howTo = ({ where }: Prepared): string =>
  where._tag === "Server"
    ? "the list goes on at the server, and the same command fetches it; --cancel ends it"
    : "the same command goes on"

const verifying = Effect.fnUntraced(function* (
  { cancel, quiet, wait }: Request,
  counterpart: Counterpart,
  job: Job.Job
) {
  const elapsed = yield* stopwatch
  const elsewhere = yield* Ref.make(0)
  const before = job.answers.decided
  const state = Effect.all({ elapsed, checked: Ref.get(elsewhere) }).pipe(
    Effect.map(({ checked, elapsed }): Progress.State => ({
      total: job.now().counts.addresses,
      checked: job.answers.decided + checked,
      before,
      later: job.answers.waiting.size,
      elapsed
    }))
  )
  yield* Bar.show({ line: Progress.line, bar: Progress.bar }, quiet)(state)
  const task: Run.Task = {
    job,
    counterpart,
    patience: wait,
    saying: (line) => say(quiet, [line]),
    elsewhere: (checked) => Ref.set(elsewhere, checked)
  }
  yield* cancel ? Run.cancel(task) : Run.run(task)
}, Effect.scoped)

const work = Effect.fnUntraced(function* (configuration: Configuration, request: Request, prepared: Prepared) {
  const { column, output, rows, wanted, where } = prepared
  const { quiet } = request
  if (request.cancel && !existsSync(Kept.folderOf(wanted.out))) {
    return yield* new CannotBegin({ problem: `there is no job ${Kept.folderOf(wanted.out)} that could be ended` })
  }
  // First of all: where nobody verifies, there is no job.
  const counterpart = yield* One.open(configuration, where)
  const job = yield* Job.open(wanted)
  yield* Job.guarded(job, request.chargeAgain)
  const known = job.answers.known
  yield* say(quiet, [
    Column.told(column),
    Where.told(where),
    ...(known === 0 ? [] : [`Going on after ${Print.number(known)} addresses that are there already`])
  ])
  if (where._tag === "Server" && !job.now().agreed && !request.cancel) {
    if (!request.yes) yield* Agreement.ask(job.now().counts.addresses)
    yield* job.keep({ agreed: true })
  }
  const elapsed = yield* stopwatch
  const outcome = (finished: boolean) => Effect.map(elapsed, (millis) => Progress.outcomeOf(job, finished, millis))
  const paused = (why: string, signal: boolean) =>
    Effect.gen(function* () {
      const now = yield* outcome(false)
      const safe = `${Print.number(job.answers.known)} of ${Print.number(now.addresses)} addresses are safe in ${job.at.folder}`
      yield* conclude(request, prepared, now)
      return yield* new Paused({ problem: `${why}; ${safe}; ${howTo(prepared)}`, signal })
    })
  const running = verifying(request, counterpart, job).pipe(
    Effect.andThen(Writing.write({ job, column, rows, output }))
  )
  yield* Signals.untilStopped(running).pipe(
    Effect.catchTags({
      Interrupted: () => paused("stopped", true),
      Stopped: ({ problem }) => paused(problem, false)
    })
  )
  yield* job.publish
  yield* conclude(request, prepared, yield* outcome(true))
})

const isAddress = (text: string): boolean => text.includes("@") && !existsSync(text)

const list = (configuration: Configuration, request: Request) =>
  Effect.flatMap(prepare(configuration, request), (prepared) => work(configuration, request, prepared)).pipe(
    Effect.scoped,
    Effect.provide(NodeHttpClient.layerUndici)
  )

const run = (request: Request) =>
  configured((configuration): Effect.Effect<void, Failure.Failure> =>
    isAddress(request.file) ? One.run(configuration, request) : list(configuration, request)
  )

export const command = Command.make("verify", flags, run).pipe(
  Command.withDescription(
    "Verify the mail addresses of a file, or one address (docs/email.md): by the configured verifier, at a server, or over the sandbox's mail hosts"
  ),
  Command.withShortDescription("Verify the mail addresses of a file, or one address"),
  Command.withExamples([
    { command: "lading verify mara.ellison@nordvik-robotics.example --sandbox", description: "One synthetic address" },
    { command: "lading verify list.csv --sandbox", description: "Synthetic mail hosts; writes list.verified.csv" },
    {
      command: "lading verify list.csv --out result.jsonl --columns email=Work --url http://127.0.0.1:8080 --yes",
      description: "At a server, with the API key in LADING_API_KEY"
    }
  ])
)
