/** The other end of `Job.ts`: does one job and says what it found. */
import * as Asking from "./Asking.ts"
import * as Importing from "./Importing.ts"

const jobs = {
  importer: Importing.importer,
  engine: Importing.engine,
  stages: Importing.stages,
  beside: Asking.beside,
  postgres: Asking.postgres
}

export type Name = keyof typeof jobs
export type Wanted<N extends Name> = Parameters<(typeof jobs)[N]>[0]
export type Answer<N extends Name> = Awaited<ReturnType<(typeof jobs)[N]>>

const [, , name = "", wanted = "{}"] = process.argv
const job = new Map<string, (wanted: never) => Promise<unknown>>(Object.entries(jobs)).get(name)
if (job === undefined) throw new Error(`there is no job ${name}`)
// `Job.ts` wrote it, with the type that this job takes.
const found = await job(JSON.parse(wanted) as never)
process.send?.(found ?? null, () => process.disconnect())
