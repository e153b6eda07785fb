/**
 * `pnpm bench trade`: customs records brought into the store and asked for, beside the bare engine doing the same and
 * beside PostgreSQL.
 *
 * - Import: the importer with publication against one statement of the engine over the same file (`Importing.ts`), each in
 *   a process of its own.
 * - Questions: each of the store against SQL by hand through the same client, in turn, at the size asked for and at a tenth
 *   of it.
 * - PostgreSQL: the same questions over the same records, at most `--postgres-records`.
 *
 * `--records` (20,000,000), `--quick` (200,000, nothing is written), `--only import|questions|postgres`,
 * `--question <part of a name>`, `--seconds` for a question and both sides (10), `--folder` where files and stores are kept and found again: those of 100 million records
 * are made once.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Postgres from "../http/Store.ts"
import * as Measure from "../Measure.ts"
import type { Asked } from "./Asking.ts"
import * as Job from "./Job.ts"
import * as Store from "./Store.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    records: { type: "string" },
    "postgres-records": { type: "string", default: "2000000" },
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    question: { type: "string" },
    seconds: { type: "string" },
    folder: { type: "string" }
  }
})

const whole = (name: string, value: string): number => {
  const number = Number(value.replaceAll("_", ""))
  if (!Number.isSafeInteger(number) || number < 1000)
    throw new Error(`Expected --${name} to be a whole number from 1000 on, not ${value}`)
  return number
}

const kinds = ["import", "questions", "postgres"] as const
const only = kinds.filter((kind) => values.only === undefined || values.only === kind)
if (only.length === 0) throw new Error(`Expected --only ${kinds.join(" or --only ")}`)

const records = whole("records", values.records ?? (values.quick ? "200000" : "20000000"))
const tenth = Math.floor(records / 10)
const onPostgres = Math.min(records, whole("postgres-records", values["postgres-records"]))
/** For a question and both sides. */
const extent = {
  time: Number(values.seconds ?? (values.quick ? "1" : "10")) * 1000,
  most: values.quick ? 20 : 300,
  only: values.question ?? null
}

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "lading-bench-")))

const ms = (value: number | undefined | null): string => (value == null ? "" : value.toFixed(1))

const importing = async () => {
  const file = await Store.fileOf(folder, records)
  const bare = join(folder, "bare")
  const engine = await Job.run("engine", { file, store: bare, words: false })
  const withWords = await Job.run("engine", { file, store: bare, words: true })
  const ours = (await Store.filled(folder, records)).imported
  // Where a row's time goes before the engine has it, on a part that fits the time.
  const sample = Math.min(records, 1_000_000)
  const stages = await Job.run("stages", { file: await Store.fileOf(folder, sample), store: bare })
  await rm(bare, { recursive: true, force: true })
  const rate = (some: { readonly rows: number; readonly seconds: number }) => some.rows / some.seconds
  const found = {
    records,
    ours: { ...ours, rate: rate(ours) },
    engine: { ...engine, rate: rate(engine) },
    engine_with_words: { ...withWords, rate: rate(withWords) },
    ratio: rate(ours) / rate(engine),
    ratio_with_words: rate(ours) / rate(withWords),
    memory_beside_engine_mib: ours.peak_mib - engine.peak_mib,
    stages: { records: sample, ...stages }
  }
  console.table(
    Object.entries({ importer: ours, "bare engine": engine, "bare engine, words in lower case": withWords }).map(
      ([who, some]) => ({
        who,
        "rows/s": rate(some).toFixed(0),
        "ours to it": (rate(ours) / rate(some)).toFixed(2),
        "peak MiB": some.peak_mib.toFixed(0)
      })
    )
  )
  const steps = [
    ...ours.writing.steps.map((step) => ({ when: "writing", ...step })),
    ...ours.publishing.steps.map((step) => ({ when: "publishing", ...step }))
  ]
  console.log(
    `writing ${ms(ours.writing.seconds)} s, publishing ${ms(ours.publishing.seconds)} s; on ${sample} rows, s:`
  )
  console.log(stages)
  console.table(steps.filter(({ seconds }) => seconds > ours.seconds / 200))
  return found
}

const print = (asked: ReadonlyArray<Asked>, other: string): void =>
  console.table(
    asked.map(({ about, asks, byHand, difference, name, ours, ratio }) => ({
      question: name,
      about,
      asks,
      "median ms": ms(ours.median),
      p99: ms(ours.p99),
      [other]: ms(byHand?.median),
      [`${other} p99`]: ms(byHand?.p99),
      ratio: ratio?.toFixed(2) ?? "",
      "ms more": ms(difference)
    }))
  )

const questions = async () => {
  const asked = []
  for (const size of new Set([Math.max(1000, tenth), records])) {
    const { store } = await Store.filled(folder, size)
    const found = await Job.run("beside", { store, ...extent })
    console.log(`${size} records, ${found.rss_mib.toFixed(0)} MiB at the end`)
    print(found.asked, "by hand")
    asked.push({ records: size, ...found })
  }
  const before = new Map(asked[0]?.asked.map(({ name, ours }) => [name, ours.median]))
  const growth = (asked.at(-1)?.asked ?? []).map(({ about, name, ours }) => ({
    name,
    about,
    growth: ours.median / (before.get(name) ?? Number.NaN)
  }))
  console.table(growth.map((one) => ({ ...one, growth: one.growth.toFixed(2) })))
  return { sizes: asked, growth }
}

const postgres = async () => {
  if (!(await Postgres.isServerUp())) {
    console.log("PostgreSQL: skipped, for no server answers at LADING_TEST_POSTGRES or 127.0.0.1:5432")
    return null
  }
  const { store } = await Store.filled(folder, onPostgres)
  const found = await Job.run("postgres", { store, ...extent })
  console.log(`PostgreSQL, ${onPostgres} records:`, found.loaded)
  print(found.asked, "PostgreSQL")
  return { records: onPostgres, ...found }
}

try {
  const figures = {
    import: only.includes("import") ? await importing() : null,
    questions: only.includes("questions") ? await questions() : null,
    postgres: only.includes("postgres") ? await postgres() : null
  }
  if (!values.quick && only.length === kinds.length && values.question === undefined)
    await Measure.write("trade", { records, ...figures })
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true })
}
