/** `lading enrich <file>`: every row of a file, into a result that has a column for each field and its source. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Credits } from "@lading/core/billing"
import { Console, Duration, Effect, Option, Ref, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import type { Configuration } from "../../server/Configuration.ts"
import * as Print from "../Print.ts"
import { configured } from "../Setting.ts"
import * as Signals from "../Signals.ts"
import * as Columns from "./Columns.ts"
import * as Flags from "./Flags.ts"
import type * as Format from "./Format.ts"
import * as Job from "./Job.ts"
import * as Kept from "./Kept.ts"
import * as Output from "./Output.ts"
import { CannotBegin, Paused } from "./Problem.ts"
import * as ProfileColumns from "./ProfileColumns.ts"
import * as Progress from "./Progress.ts"
import * as Reading from "./Reading.ts"
import * as Run from "./Run.ts"
import type { Tally } from "./Tally.ts"
import * as Waiting from "./Waiting.ts"
import * as Where from "./Where.ts"

const amount = Schema.Finite.check(Schema.isBetween({ minimum: 0.000001, maximum: 1_000_000_000 }))

/** The argument and the flags beside those that every enrichment takes. */
export const flags = {
  ...Flags.ofFiles,
  file: Argument.String("file").pipe(
    Argument.withDescription("File of companies or persons: CSV, TSV or JSON Lines, in UTF-8")
  ),
  out: Flag.String("out").pipe(
    Flag.withDescription("File to write; its ending chooses CSV, TSV or JSON Lines"),
    Flag.withMetavar("<result.csv>")
  ),
  kind: Flag.Literals("kind", ["company", "person"]).pipe(
    Flag.withDescription("What its rows are, where the columns do not say it"),
    Flag.optional
  ),
  columns: Flag.String("columns").pipe(
    Flag.withDescription("Columns that are named otherwise"),
    Flag.withMetavar("<domain=Website,name=Firm>"),
    Flag.optional
  ),
  maxCredits: Flag.Finite("max-credits").pipe(
    Flag.withDescription("Ceiling for all rows together; never passed"),
    Flag.withSchema(amount),
    Flag.optional
  ),
  rowCredits: Flag.Finite("row-credits").pipe(
    Flag.withDescription("What one row may cost at most; under a ceiling what its sources can cost"),
    Flag.withSchema(amount),
    Flag.optional
  ),
  concurrency: Flag.Int("concurrency").pipe(
    Flag.withDescription("Rows that are asked at the same time"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
    Flag.withDefault(4)
  ),
  wait: Flag.String("wait").pipe(
    Flag.withDescription("How long to wait for answers that come later, e.g. 90s, 15m or 2h; 0 writes them as pending"),
    Flag.withSchema(Flags.Patience),
    Flag.withDefault(Duration.minutes(20))
  ),
  storedKeys: Flag.Boolean("stored-keys").pipe(
    Flag.withDescription("Ask vendors with the keys that the account has stored at the server"),
    Flag.withDefault(false)
  ),
  stopAfter: Flag.Int("stop-after").pipe(
    Flag.withDescription("Rows in a row that nobody could answer, after which the run stops; 0 for never"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))),
    Flag.withDefault(10)
  ),
  chargeAgain: Flag.Boolean("charge-again").pipe(
    Flag.withDescription("Go on with a job after more than a day, although rows may be charged twice"),
    Flag.withDefault(false)
  )
}

export interface Request {
  readonly file: string
  readonly out: string
  readonly url: Option.Option<string>
  readonly format: Option.Option<Format.Format>
  readonly delimiter: Option.Option<string>
  readonly kind: Option.Option<Columns.Kind>
  readonly columns: Option.Option<string>
  readonly maxCredits: Option.Option<number>
  readonly rowCredits: Option.Option<number>
  readonly concurrency: number
  readonly wait: Duration.Duration
  readonly stopAfter: number
  readonly chargeAgain: boolean
  readonly rawCells: boolean
  readonly restart: boolean
  readonly quiet: boolean
  readonly mode: "first_match" | "aggregate" | "fill_missing"
  readonly sourceOrder: "cheapest" | ReadonlyArray<string> | null
  readonly verifyEmails: boolean
  readonly storedKeys: boolean
  readonly sandbox: boolean
  readonly json: boolean
}

/** Everything that can be known before anybody is asked. */
const prepare = Effect.fnUntraced(function* (configuration: Configuration, request: Request) {
  const named = Option.isSome(request.columns) ? yield* Columns.mapping(request.columns.value) : {}
  const { place, survey, write } = yield* Reading.survey(request)
  const columns = yield* Columns.recognise(survey.header, named, request.kind)
  if (request.verifyEmails && columns.kind === "company") {
    const problem = "--verify-emails: only addresses of people are verified, and these rows are companies"
    return yield* new CannotBegin({ problem })
  }
  const where = yield* Where.find(configuration, request)
  if (request.storedKeys && where._tag === "Here") {
    const problem = "--stored-keys: keys are stored at a server, and no server is asked; name one with --url"
    return yield* new CannotBegin({ problem })
  }
  const ceiling = Option.getOrNull(Option.map(request.maxCredits, Credits.floor))
  const output = Output.make({
    format: write,
    delimiter: place.delimiter,
    marked: survey.marked,
    columns: ProfileColumns.of[columns.kind],
    members: ProfileColumns.line,
    header: survey.header,
    raw: request.rawCells
  })
  const subject: Kept.Subject = {
    "the input file": survey.digest,
    "--format": place.format,
    "--delimiter": place.delimiter,
    "--kind": columns.kind,
    "--columns": columns.at,
    "--mode": request.mode,
    "--source-order": typeof request.sourceOrder === "string" ? [request.sourceOrder] : request.sourceOrder,
    "--verify-emails": request.verifyEmails,
    "--stored-keys": request.storedKeys,
    "--raw-cells": request.rawCells,
    "where rows are asked": where.name,
    "the format of the result": write
  }
  return { place, survey, columns, where, ceiling, output, subject }
})

type Prepared = Effect.Success<ReturnType<typeof prepare>>

const say = (quiet: boolean, lines: ReadonlyArray<string>) =>
  quiet || lines.length === 0 ? Effect.void : Effect.sync(() => void process.stderr.write(`${lines.join("\n")}\n`))

const conclude = (request: Request, state: Progress.State, finished: boolean) => {
  const { credits, later: _, ...counts } = state.tally
  return request.json
    ? Console.log(
        JSON.stringify({
          finished,
          total: state.total,
          ...counts,
          credits: Credits.toNumber(credits),
          millis: state.elapsed
        })
      )
    : Print.lines([...Progress.summary(state), ...(finished ? [`Result    ${request.out}`] : [])])
}

const goOn = (request: Request, state: Progress.State): string =>
  `${Print.number(state.tally.rows)} of ${Print.number(state.total)} rows are safe in ${Kept.folderOf(request.out)}`

/** What ended a run before its time, and what to do about it. */
const whyAndHow = (reason: Run.Reason, ceiling: Credits.Credits | null) => {
  if (reason._tag === "Stopped") return [reason.problem, "when that is put right, the same command goes on"] as const
  const [all, one] = [ceiling ?? Credits.zero, reason.worst].map((amount) => Print.number(Credits.toNumber(amount)))
  const why = `the ceiling of ${all} leaves no room for another row, which may cost ${one}`
  return [why, "the same command with a higher --max-credits goes on"] as const
}

/** Asks, waits for what comes later, and goes on with the room that it leaves under the ceiling. */
const toTheEnd = Effect.fnUntraced(function* (
  task: Run.Task,
  patience: Duration.Duration,
  saying: (line: string) => Effect.Effect<void>
) {
  const { job } = task
  for (;;) {
    const reason = yield* Run.run(task)
    if (reason !== null && reason._tag !== "CeilingReached") return reason
    const before = job.spent()
    const { pending } = job.tally()
    if (pending > 0 && Duration.toMillis(patience) > 0) {
      const most = Progress.duration(Duration.toMillis(patience))
      yield* saying(`Answers that come later: waiting for ${Print.number(pending)}, ${most} at most (--wait)`)
      yield* Waiting.run({ ...task, patience })
    }
    if (reason === null || job.spent() >= before) return reason
  }
})

const opening = ({ ceiling, output, subject, where }: Prepared, request: Request) =>
  Effect.flatMap(output.beginning, (beginning) =>
    Job.open({
      out: request.out,
      subject,
      rowCredits: Option.map(request.rowCredits, Credits.floor),
      ceiling,
      charged: where._tag === "Server",
      chargeAgain: request.chargeAgain,
      restart: request.restart,
      beginning
    })
  )

const stillPending = (pending: number): ReadonlyArray<string> =>
  pending === 0 ? [] : [`Still pending: ${Print.number(pending)}; the same command fetches them`]

const work = Effect.fnUntraced(function* (configuration: Configuration, request: Request, prepared: Prepared) {
  const { ceiling, columns, output, place, survey, where } = prepared
  const { concurrency, mode, quiet, sourceOrder, stopAfter, storedKeys, verifyEmails } = request
  const job = yield* opening(prepared, request)
  const { rows } = job.tally()
  yield* say(quiet, [
    Columns.told(columns, survey.header),
    Where.told(where),
    ...(rows === 0 ? [] : [`Going on after ${Print.number(rows)} rows that are there already`])
  ])
  const elapsed = yield* Progress.stopwatch
  const tally = yield* Ref.make(job.tally())
  const state = Effect.all({ tally: Ref.get(tally), elapsed }).pipe(
    Effect.map((now): Progress.State => ({ ...now, total: survey.rows, before: rows }))
  )
  const paused = (why: string, how: string, signal = false) =>
    Effect.flatMap(state, (now) =>
      Effect.fail(new Paused({ problem: `${why}; ${goOn(request, now)}; ${how}`, signal }))
    )
  const running = Effect.gen(function* () {
    const counterpart = yield* Where.open(configuration, where, verifyEmails)
    yield* Progress.show(state, quiet)
    const options = { mode, sourceOrder, storedKeys, verifyEmails }
    const safe = (now: Tally) => Ref.set(tally, now)
    const task = { place, survey, columns, options, job, output, counterpart, ceiling, concurrency, stopAfter, safe }
    return yield* toTheEnd(task, request.wait, (line) => say(quiet, [line]))
  }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerUndici))
  const reason = yield* Signals.untilStopped(running).pipe(
    Effect.catchTag("Interrupted", () => paused("stopped", "the same command goes on", true))
  )
  if (reason === null) yield* job.publish
  yield* conclude(request, yield* state, reason === null)
  if (reason === null) return yield* say(quiet, stillPending(job.tally().pending))
  const [why, how] = whyAndHow(reason, ceiling)
  return yield* paused(why, how)
})

export const run = (request: Request) =>
  configured((configuration) =>
    Effect.flatMap(prepare(configuration, request), (prepared) => work(configuration, request, prepared)).pipe(
      Effect.scoped
    )
  )
