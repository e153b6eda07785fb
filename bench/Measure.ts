/**
 * Measuring two ways of doing one job in one run, in turn, so that a machine that slows down slows both. Figures are
 * CPU time of this process (`process.cpuUsage`), quoted as the median of the ratios of neighbouring rounds.
 */
import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export interface Contender {
  readonly name: string
  /** One round of the job. */
  readonly round: () => Promise<void>
}

export interface Comparison {
  readonly job: string
  readonly iterations: number
  readonly rounds: number
  readonly ours: { readonly name: string; readonly microseconds: number }
  readonly theirs: { readonly name: string; readonly microseconds: number }
  /** Ours to theirs: median, least and most of all rounds. */
  readonly ratio: Spread
}

/** Least, most and middle of some ratios. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export const spread = (ratios: ReadonlyArray<number>): Spread => ({
  median: median(ratios),
  min: Math.min(...ratios),
  max: Math.max(...ratios)
})

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** CPU microseconds, user and system. */
const cpu = async (round: () => Promise<void>): Promise<number> => {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await round()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** `iterations` is how often the job is done in a round. */
export const compare = async (
  job: string,
  ours: Contender,
  theirs: Contender,
  options: { readonly iterations: number; readonly rounds: number }
): Promise<Comparison> => {
  for (let warmUp = 0; warmUp < 3; warmUp++) {
    await ours.round()
    await theirs.round()
  }
  const a: Array<number> = []
  const b: Array<number> = []
  for (let round = 0; round < options.rounds; round++) {
    a.push((await cpu(ours.round)) / options.iterations)
    b.push((await cpu(theirs.round)) / options.iterations)
  }
  const ratios = a.map((mine, index) => mine / (b[index] ?? Number.NaN))
  return {
    job,
    ...options,
    ours: { name: ours.name, microseconds: median(a) },
    theirs: { name: theirs.name, microseconds: median(b) },
    ratio: spread(ratios)
  }
}

/** Prints the table and writes it to `bench/results/<name>.json`, beside what it was measured on. */
export const publish = async (name: string, comparisons: ReadonlyArray<Comparison>): Promise<void> => {
  console.table(
    comparisons.map(({ job, ours, theirs, ratio }) => ({
      job,
      [`${ours.name} (CPU µs)`]: ours.microseconds.toFixed(1),
      [`${theirs.name} (CPU µs)`]: theirs.microseconds.toFixed(1),
      ratio: ratio.median.toFixed(2),
      "min to max": `${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}`
    }))
  )
  await write(name, { comparisons })
}

const execute = promisify(execFile)

/** The commit that was measured, `…-dirty` when files differed from it; `null` outside of a repository. */
const commit = async (): Promise<string | null> => {
  const git = async (...args: ReadonlyArray<string>) =>
    (await execute("git", args, { cwd: fileURLToPath(new URL(".", import.meta.url)) })).stdout.trim()
  try {
    // The figures themselves are no difference: one benchmark is run after the other.
    const changes = await git("status", "--porcelain", "--", ":/", ":(top,exclude)bench/results")
    return `${await git("rev-parse", "HEAD")}${changes === "" ? "" : "-dirty"}`
  } catch {
    return null
  }
}

/** Writes figures to `bench/results/<name>.json`, beside what they were measured on. */
export const write = async (name: string, figures: object): Promise<void> => {
  const folder = new URL("results/", import.meta.url)
  await mkdir(folder, { recursive: true })
  const machine = { node: process.version, platform: process.platform, arch: process.arch, cpus: cpus().length }
  await writeFile(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ at: new Date().toISOString(), commit: await commit(), machine, ...figures }, null, 2)}\n`
  )
}
