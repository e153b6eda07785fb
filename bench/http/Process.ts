/**
 * A process of the benchmark: a server that prints where it listens, is asked over Node's own channel between processes
 * (see `Probe.ts`), and goes when the benchmark goes.
 *
 * Gotcha: what it writes to its error output is kept in a file, since logs are part of a server's work and a terminal is
 * slower than any of it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Answers } from "./Probe.ts"

export interface Running extends AsyncDisposable {
  /** Where it listens; one address for each of its servers. */
  readonly urls: ReadonlyArray<string>
  readonly ask: <Question extends keyof Answers>(
    question: Question,
    argument?: number | string
  ) => Promise<Answers[Question]>
}

export interface Options {
  /** A name for its log. */
  readonly name: string
  /** Where its log is kept. */
  readonly folder: string
  /** Relative to this folder, with its arguments. */
  readonly command: ReadonlyArray<string>
  /** For Node itself. */
  readonly flags?: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
}

const probe = new URL("Probe.ts", import.meta.url).href

/** What it prints then, to the end of the line. */
const listening = /serves on (.*)\n/

/** Milliseconds: a first start creates a database. */
const patience = 60_000

/** The environment of a process of the benchmark: nothing of the machine's own configuration. */
export const environmentOf = (environment: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(LADING|PEER)_/.test(name))),
  ...environment
})

const spawned = ({ name, folder, command, flags = [], environment = {} }: Options) => {
  const log = join(folder, `${name}.log`)
  const descriptor = openSync(log, "a")
  const [file = "", ...args] = command
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [...flags, "--import", probe, path, ...args], {
    env: environmentOf(environment),
    stdio: ["ignore", "pipe", descriptor, "ipc"],
    // Otherwise Ctrl-C reaches both at once, and the benchmark cannot stop them in order.
    detached: true
  })
  closeSync(descriptor)
  return { child, log }
}

/** Starts it and waits until it listens. */
export const start = async (options: Options): Promise<Running> => {
  const { child, log } = spawned(options)
  const gone = once(child, "exit")
  let output = ""
  /** Never gives anything: fails when the process ends, whatever it was asked for. */
  const ended = gone.then(async (): Promise<never> => {
    throw new Error(`${options.name} ended: ${output}\n${await readFile(log, "utf8").catch(() => "")}`)
  })
  ended.catch(() => undefined)
  const urls = new Promise<ReadonlyArray<string>>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${options.name} does not start in time: ${output}`)), patience)
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text
      const found = listening.exec(output)?.[1]?.match(/http:\/\/[^\s)]+/g)
      if (found == null) return
      clearTimeout(timer)
      resolve([...new Set(found.map((url) => new URL(url).origin))])
    })
  })
  let asked = 0
  const answer = <Question extends keyof Answers>(question: Question, argument?: number | string) =>
    new Promise<Answers[Question]>((resolve, reject) => {
      const id = ++asked
      const hear = (message: unknown) => {
        // `Probe.ts` is at the other end.
        const { answer, to } = message as { readonly answer: Answers[Question]; readonly to: number }
        if (to !== id) return
        child.off("message", hear)
        resolve(answer)
      }
      child.on("message", hear)
      child.send({ id, question, argument }, (error) => (error === null ? undefined : reject(error)))
    })
  return {
    urls: await Promise.race([urls, ended]),
    ask: (question, argument) => Promise.race([answer(question, argument), ended]),
    // As an operator would.
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM")
      const timer = setTimeout(() => child.kill("SIGKILL"), 15_000)
      await gone
      clearTimeout(timer)
    }
  }
}
