/** A list from its file to its result, with verifiers that say what the test wants. */
import { assert, describe, it } from "@effect/vitest"
import { Credits } from "@lading/core/billing"
import { EmailResult, type EmailVerifier } from "@lading/core/email"
import { Duration, Effect, Option, Stream } from "effect"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as CommandLine from "../../fixtures/CommandLine.ts"
import * as Input from "../rows/Input.ts"
import * as Output from "../rows/Output.ts"
import { Stopped } from "../rows/Problem.ts"
import * as Column from "./Column.ts"
import type { Counterpart, Direct, Lists } from "./Counterpart.ts"
import * as Job from "./Job.ts"
import * as List from "./List.ts"
import * as Run from "./Run.ts"
import * as Verdict from "./Verdict.ts"
import * as Writing from "./Writing.ts"

const result = (email: string, status: EmailResult.EmailStatus): EmailResult.EmailResult => ({
  ...EmailResult.unknown(email),
  status
})

const folder = Effect.acquireRelease(Effect.promise(CommandLine.folder), (home) =>
  Effect.promise(() => rm(home, { recursive: true, force: true }))
)

/** A job over a file; `seen` is told of each row whenever it is read. */
const begun = Effect.fnUntraced(function* (
  lines: ReadonlyArray<string>,
  header = "email",
  seen: (number: number) => void = () => {}
) {
  const home = yield* folder
  const place: Input.Place = { path: join(home, "list.csv"), format: "csv", delimiter: "," }
  yield* Effect.promise(() => writeFile(place.path, `${header}\n${lines.join("\n")}\n`))
  const survey = yield* Input.survey(place)
  const column = yield* Column.find(survey, Option.none())
  const rows = List.rowsOf(place, survey, column).pipe(
    Stream.zipWithIndex,
    Stream.map(([row, index]) => {
      seen(index)
      return row
    })
  )
  const out = join(home, "result.csv")
  const open = (restart = false) =>
    Job.open({ out, subject: { file: survey.digest }, restart, list: (at) => List.write(rows, column, at) })
  const output = Output.make({
    format: "csv",
    delimiter: ",",
    marked: false,
    columns: Verdict.columns.filter(({ head }) => head === "status" || head === "error"),
    members: Verdict.line,
    header: column.header,
    raw: false
  })
  /** Status or error of each row. */
  const written = (job: Job.Job) =>
    Effect.gen(function* () {
      yield* Writing.write({ job, column, rows, output })
      yield* job.publish
      const text = yield* Effect.promise(() => readFile(out, "utf8"))
      return text
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(",").slice(1).join(""))
    })
  return { open, written, out }
})

const taskOf = (job: Job.Job, bulk: Direct | Lists, patience: Duration.Input = 0): Run.Task => ({
  job,
  counterpart: {
    single: (email) => Effect.succeed({ result: result(email, "safe"), credits: Credits.zero }),
    bulk
  } satisfies Counterpart,
  patience: Duration.fromInputUnsafe(patience),
  saying: () => Effect.void,
  elsewhere: () => Effect.void
})

/** Hosts of `grey…` want to be asked again at once, until the third time. */
const greylisting = (asked: Array<readonly [email: string, attempt: number]>): Direct => ({
  _tag: "Direct",
  verify: (emails, attempt) =>
    Stream.fromIterable(emails).pipe(
      Stream.map((email): EmailVerifier.Checked => {
        asked.push([email, attempt])
        return email.startsWith("grey") && attempt < 3
          ? { _tag: "Again", email, after: 1, result: result(email, "unknown") }
          : { _tag: "Decided", email, result: result(email, "safe") }
      })
    )
})

/** Tasks that end when they are looked at for the second time; what they were begun with. */
const taking = (begun: Array<readonly [key: string, emails: ReadonlyArray<string>]>, most: number): Lists => {
  const looks = new Map<string, number>()
  const emailsOf = (name: string) => begun.find(([key]) => key === name)?.[1] ?? []
  return {
    _tag: "Lists",
    most,
    least: 2,
    begin: (emails, key) =>
      Effect.sync(() => {
        begun.push([key, emails])
        return key
      }),
    look: (name) =>
      Effect.sync(() => {
        const times = (looks.get(name) ?? 0) + 1
        looks.set(name, times)
        return { checked: 1, ended: times > 1 ? "completed" : null, credits: Credits.fromNumber(0.1) }
      }),
    // As Reoon spells them.
    results: (name) => Stream.fromIterable(emailsOf(name).map((email) => result(email.toLowerCase(), "invalid"))),
    takes: (email) => email.includes("@"),
    otherwise: (email) => result(email, "unknown"),
    cancel: () => Effect.void
  }
}

describe("a list that is verified here", () => {
  it.live("asks about each mailbox once, about greylisted ones again, and gives each row its verdict", () =>
    Effect.gen(function* () {
      const { open, written } = yield* begun([
        "mara@acme.example",
        "grey@acme.example",
        "Mara Ellison <MARA@acme.example>",
        "  ",
        "a".repeat(1001),
        "grey@acme.example"
      ])
      const job = yield* open()
      const asked: Array<readonly [string, number]> = []
      yield* Run.run(taskOf(job, greylisting(asked), "1 hour"))
      assert.deepStrictEqual(asked, [
        ["mara@acme.example", 1],
        ["grey@acme.example", 1],
        ["grey@acme.example", 2],
        ["grey@acme.example", 3]
      ])
      assert.deepStrictEqual(job.now().counts, { rows: 6, addresses: 2, blank: 2 })
      assert.deepStrictEqual(yield* written(job), [
        "safe",
        "safe",
        "safe",
        "no address",
        "longer than any address",
        "safe"
      ])
    })
  )

  it.live("waits for nobody beyond its patience, and goes on with what is due in the next run", () =>
    Effect.gen(function* () {
      const { open, written } = yield* begun(["mara@acme.example", "grey@acme.example"])
      const asked: Array<readonly [string, number]> = []
      yield* Effect.scoped(Effect.flatMap(open(), (job) => Run.run(taskOf(job, greylisting(asked), "-1 second"))))
      assert.strictEqual(asked.length, 2)
      const job = yield* open()
      assert.deepStrictEqual([job.answers.decided, job.answers.waiting.size], [1, 1])
      assert.deepStrictEqual(job.answers.statuses, { safe: 1, unknown: 1 })
      yield* Run.run(taskOf(job, greylisting(asked), "1 hour"))
      assert.deepStrictEqual(asked.slice(2), [
        ["grey@acme.example", 2],
        ["grey@acme.example", 3]
      ])
      assert.deepStrictEqual(yield* written(job), ["safe", "safe"])
    })
  )

  it.live("cuts off half a line that a crash has left, and never writes over a result", () =>
    Effect.gen(function* () {
      const { open, out, written } = yield* begun(["mara@acme.example", "una@acme.example"])
      const asked: Array<readonly [string, number]> = []
      const { at } = yield* Effect.scoped(
        Effect.gen(function* () {
          const job = yield* open()
          yield* Run.run(taskOf(job, greylisting(asked)))
          return job
        })
      )
      yield* Effect.promise(() => writeFile(at.answers, '{"number":0,"emai', { flag: "a" }))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const job = yield* open()
          yield* Run.run(taskOf(job, greylisting(asked)))
          assert.strictEqual(asked.length, 2)
          assert.deepStrictEqual(yield* written(job), ["safe", "safe"])
        })
      )
      assert.include((yield* Effect.flip(open())).problem, `${out} is there already`)
    })
  )
})

/** What is reachable, in bytes: the rest is collected first. */
const reachable = (): number => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  return process.memoryUsage().heapUsed
}

describe("a list of long rows", () => {
  it.live("is never in the memory as a whole, neither when it is read nor when it is written", () =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      const lines = Array.from({ length: 3000 }, (_, n) => `${n % 1000}@acme.example,${"x".repeat(10_000)}`)
      const before = reachable()
      const { open, written } = yield* begun(lines.splice(0), "email,note", (number) => {
        if (number % 500 === 499) sizes.push(reachable())
      })
      const job = yield* open()
      yield* Run.run(taskOf(job, greylisting([])))
      assert.deepStrictEqual(job.now().counts, { rows: 3000, addresses: 1000, blank: 0 })
      const cells = yield* written(job)
      assert.isTrue(cells.length === 3000 && cells.every((cell) => cell.endsWith("safe")))
      assert.strictEqual(sizes.length, 12)
      // Thirty million characters.
      assert.isBelow(Math.max(...sizes) - before, 10_000_000)
    })
  )
})

describe("a list that is handed over", () => {
  it.live("goes in portions, each once, a rest below the least address by address", () =>
    Effect.gen(function* () {
      const { open, written } = yield* begun(["A@acme.example", "b@acme.example", "c@acme.example", "none"])
      const lists: Array<readonly [string, ReadonlyArray<string>]> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          const job = yield* open()
          const bulk = taking(lists, 2)
          const dying = { ...bulk, look: () => Effect.fail(new Stopped({ problem: "dead" })) }
          assert.strictEqual((yield* Effect.flip(Run.run(taskOf(job, dying)))).problem, "dead")
        })
      )
      const job = yield* open()
      yield* Run.run(taskOf(job, taking(lists, 2)))
      assert.deepStrictEqual(lists, [[`${job.now().id}-0`, ["A@acme.example", "b@acme.example"]]])
      assert.strictEqual(Credits.toNumber(Credits.sum(job.now().portions.map(({ credits }) => credits))), 0.1)
      assert.deepStrictEqual(yield* written(job), ["invalid", "invalid", "safe", "unknown"])
    })
  )

  it.live("is handed over again under its key after a crash, and not after a day", () =>
    Effect.gen(function* () {
      const { open } = yield* begun(["a@acme.example", "b@acme.example"])
      const job = yield* open()
      const lists: Array<readonly [string, ReadonlyArray<string>]> = []
      const bulk = taking(lists, 10)
      const lost = {
        ...bulk,
        begin: (...list: Parameters<Lists["begin"]>) =>
          Effect.andThen(bulk.begin(...list), Effect.fail(new Stopped({ problem: "killed" })))
      }
      yield* Effect.flip(Run.run(taskOf(job, lost)))
      yield* Job.guarded(job, false)
      yield* Run.run(taskOf(job, bulk))
      assert.deepStrictEqual([lists[1], lists.length], [lists[0], 2])
      const [portion] = job.now().portions
      assert.exists(portion)
      yield* job.keep({ portions: [{ ...portion, name: null, handed_at: Date.now() - 24 * 3_600_000 }] })
      assert.include((yield* Effect.flip(Job.guarded(job, false))).problem, "may be charged twice; --charge-again")
      yield* Job.guarded(job, true)
    })
  )
})
