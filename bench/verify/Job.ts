/**
 * What a contender is told, and what it says of itself. Every round is a process of its own: what one keeps (names, what is
 * known of hosts, memory) is nothing that the next one has.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { Session } from "node:inspector/promises"
import { fileURLToPath } from "node:url"
import { MailPopulation } from "@lading/testing/mail"

export const contenders = ["lading", "singles", "deep-email-validator", "bare", "task"] as const
export type Name = (typeof contenders)[number]

export interface Job {
  readonly population: MailPopulation.PopulationSpec
  /** Where the name server is, `127.0.0.1:5353`, and the port of all mail hosts. */
  readonly nameServer: string
  readonly port: number
  /** Connections at a time: to one mail host, and to all together. */
  readonly perHost: number
  readonly connections: number
  /** Addresses, and unknown ones, that a connection may be asked for. */
  readonly questions: number
  readonly refusals: number
  /** Of the list, how many addresses are verified: the first of them. */
  readonly addresses: number
}

/** What a contender did with the whole list. */
export interface Done extends Outcome {
  readonly seconds: number
  /** On the processor, user and system, all threads. */
  readonly cpu: number
  /** Bytes: the most that the process had, and what it had when it began. */
  readonly peak: number
  readonly before: number
}

/** What came of the work. */
export interface Outcome {
  /** What it says of each address: a status, or `valid` and `invalid` where it knows no others. */
  readonly said: Readonly<Record<string, string>>
  /** Milliseconds until a task showed that it goes on. */
  readonly first?: number
}

/** Does the work and writes a CPU profile of it, without that of loading the code. */
const profiled = async (file: string, work: () => Promise<Outcome>): Promise<Outcome> => {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval: 500 })
  await session.post("Profiler.start")
  const outcome = await work()
  const { profile } = await session.post("Profiler.stop")
  await writeFile(file, JSON.stringify(profile))
  return outcome
}

/** The child's part: does the job that it is sent, and is gone. */
export const serve = (work: (job: Job, population: MailPopulation.MailPopulation) => Promise<Outcome>): void => {
  process.once("message", async (job: Job) => {
    const whole = MailPopulation.make(job.population)
    const population = { ...whole, addresses: whole.addresses.slice(0, job.addresses) }
    const before = process.memoryUsage.rss()
    const from = process.cpuUsage()
    const start = performance.now()
    const [, , file] = process.argv
    const outcome = file === undefined ? await work(job, population) : await profiled(file, () => work(job, population))
    const seconds = (performance.now() - start) / 1000
    const { system, user } = process.cpuUsage(from)
    const done: Done = {
      seconds,
      cpu: (system + user) / 1e6,
      peak: process.resourceUsage().maxRSS * 1024,
      before,
      ...outcome
    }
    process.send?.(done, () => process.disconnect())
  })
  process.send?.("ready")
}

/** Milliseconds. */
const patience = 170_000

/** Runs a contender once. `profile` is a folder that a CPU profile is written into. */
export const run = async (name: Name, job: Job, profile?: string): Promise<Done> => {
  const file = fileURLToPath(new URL(`contenders/${name}.ts`, import.meta.url))
  const args = profile === undefined ? [] : [`${profile}/${name}-${process.hrtime.bigint()}.cpuprofile`]
  const child = fork(file, args, { signal: AbortSignal.timeout(patience) })
  const failed = once(child, "exit").then(([code]): never => {
    throw new Error(`${name} ended early, with ${code}`)
  })
  failed.catch(() => undefined)
  await Promise.race([once(child, "message"), failed])
  child.send(job)
  // `serve` is at the other end.
  const [done] = (await Promise.race([once(child, "message"), failed])) as [Done]
  await failed.catch(() => undefined)
  return done
}
