/**
 * `pnpm bench importers`: records out of files, beside the bare CSV package splitting the same bytes into cells. With
 * `--quick` fewer rows.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Formats, noOptions } from "@lading/importers"
import { Trade } from "@lading/testing"
import { Effect, Stream } from "effect"
import Papa from "papaparse"
import * as Measure from "../Measure.ts"

const records = process.argv.includes("--quick") ? 20_000 : 100_000
const rounds = 7
const folder = await mkdtemp(join(tmpdir(), "lading-bench-"))

const { file: format } = Formats.formats
const mapping = fileURLToPath(new URL("../../packages/importers/src/fixtures/canonical.yaml", import.meta.url))

const trade = Trade.make({ records })
const tsv = `${Trade.columns.join("\t")}\n${[...Trade.chunks(trade, Trade.tsv)].join("")}`
const quoted = tsv.replaceAll(/[^\t\n]+/g, (cell) => `"${cell.replaceAll('"', '""')}"`).replaceAll("\t", ",")
const file = async (name: string, text: string) => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const count = async (path: string, map: string) => {
  const open = format.open([path], { ...noOptions, mapping: map })
  const run = Effect.flatMap(open, ({ batches }) =>
    Stream.runFold(
      batches(null),
      () => 0,
      (sum, batch) => sum + batch.records.length
    )
  )
  const found = await Effect.runPromise(run)
  if (found !== records) throw new Error(`expected ${records} records, found ${found}`)
}

/** As fast as the package goes: all bytes at once, and nothing made of the cells. */
const split = async (path: string, delimiter: string) => {
  const { data } = Papa.parse<Array<string>>(await readFile(path, "utf8"), { delimiter, newline: "\n" })
  if (data.length < records) throw new Error("rows are missing")
}

const compare = (job: string, path: string, map: string, delimiter: string) =>
  Measure.compare(
    job,
    { name: "records", round: () => count(path, map) },
    { name: "bare cells", round: () => split(path, delimiter) },
    { iterations: records, rounds }
  )

const plainPath = await file("t.tsv", tsv)
const quotedPath = await file("q.csv", quoted)
await Measure.publish("importers", [
  await compare("TSV of 37 columns, a row", plainPath, mapping, "\t"),
  await compare("CSV of 37 columns, all in quotes, a row", quotedPath, mapping, ",")
])
await rm(folder, { recursive: true, force: true })
