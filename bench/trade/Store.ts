/** Files of generated records, and stores that were filled from them, one for each size. */
import { createWriteStream } from "node:fs"
import { access, mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Trade } from "@lading/testing"
import type { Answer } from "./Child.ts"
import * as Job from "./Job.ts"

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false
  )

function* lines(records: number) {
  yield `${Trade.columns.join("\t")}\n`
  yield* Trade.chunks(Trade.make({ records }), Trade.tsv)
}

/** The path of a TSV file of so many records; one that is there is taken. */
export const fileOf = async (folder: string, records: number): Promise<string> => {
  const path = join(folder, `${records}.tsv`)
  if (await exists(path)) return path
  await mkdir(folder, { recursive: true })
  await pipeline(Readable.from(lines(records)), createWriteStream(`${path}.part`))
  await rename(`${path}.part`, path)
  return path
}

export type Imported = Answer<"importer">

export interface Filled {
  readonly records: number
  readonly store: string
  readonly imported: Imported
}

/** A store of so many records, filled by the importer; one that is there and whole is taken, with what it took then. */
export const filled = async (folder: string, records: number): Promise<Filled> => {
  const store = join(folder, `store-${records}`)
  const noted = join(folder, `store-${records}.json`)
  // It was written here, below.
  if (await exists(noted)) return { records, store, imported: JSON.parse(await readFile(noted, "utf8")) as Imported }
  const imported = await Job.run("importer", { file: await fileOf(folder, records), store })
  await writeFile(noted, JSON.stringify(imported))
  return { records, store, imported }
}
