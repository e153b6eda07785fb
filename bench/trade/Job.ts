/**
 * A job of the benchmark in a process of its own, so that its memory is its own and a column store has one owner. What it
 * found comes back over Node's channel between processes.
 */
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Answer, Name, Wanted } from "./Child.ts"

const child = fileURLToPath(new URL("Child.ts", import.meta.url))

/** The machine's own configuration has no say here. */
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LADING_")))

export const run = <N extends Name>(name: N, wanted: Wanted<N>): Promise<Answer<N>> =>
  new Promise((resolve, reject) => {
    const process = fork(child, [name, JSON.stringify(wanted)], { env: environment(), stdio: "inherit" })
    let answer: { readonly found: Answer<N> } | null = null
    // `Child.ts` is at the other end, and answers with what this job gives.
    process.once("message", (message) => (answer = { found: message as Answer<N> }))
    process.once("error", reject)
    process.once("exit", (code, signal) =>
      answer === null ? reject(new Error(`the job ${name} ended with ${code ?? signal}`)) : resolve(answer.found)
    )
  })
