/**
 * What the benchmark asks a server that it measures. Loaded before the server's own code (`node --import`), so that
 * neither server has to be changed for it.
 *
 * - It answers questions over the channel between the two processes: time on the processor, heap, profile.
 * - It loads the simulated vendor's adapter without that vendor's pace, see `PlainVendor.ts`.
 * - It ends the server when the benchmark is gone.
 */
import { writeFile } from "node:fs/promises"
import { Session } from "node:inspector/promises"
import { registerHooks } from "node:module"

export interface Heap {
  /** Bytes. */
  readonly heapUsed: number
  readonly external: number
  readonly rss: number
}

/** Each question and what is answered. */
export interface Answers {
  /** Seconds on the processor since the start, user and system, all threads. */
  readonly cpu: number
  /** After a collection; wants `--expose-gc`. */
  readonly heap: Heap
  /** Begins a CPU profile. */
  readonly profile: null
  /** Ends it and writes it to the file that is the argument. */
  readonly profiled: null
  /** Of vendors only: sets the time they take, in milliseconds. */
  readonly delay: null
  /** Of vendors only: how often they were asked. */
  readonly calls: number
  /** Of the hand-written server only: credits that are left in the account. */
  readonly balance: number
}

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier.endsWith("/sandbox/PlainVendor.ts") ? new URL("PlainVendor.ts", import.meta.url).href : specifier,
      context
    )
})

const session = new Session()

const profile = async (): Promise<null> => {
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval: 500 })
  await session.post("Profiler.start")
  return null
}

const profiled = async (file: string): Promise<null> => {
  const { profile } = await session.post("Profiler.stop")
  session.disconnect()
  await writeFile(file, JSON.stringify(profile))
  return null
}

const heap = (): Heap => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { external, heapUsed, rss } = process.memoryUsage()
  return { heapUsed, external, rss }
}

const cpu = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e6
}

const answer = (question: string, argument: unknown): unknown => {
  switch (question) {
    case "cpu":
      return cpu()
    case "heap":
      return heap()
    case "profile":
      return profile()
    case "profiled":
      return profiled(String(argument))
    default:
      return undefined
  }
}

process.on("message", async ({ argument, id, question }: { argument: unknown; id: number; question: string }) => {
  const found = await answer(question, argument)
  // Somebody else's question: the vendors listen too.
  if (found !== undefined) process.send?.({ to: id, answer: found })
})
process.on("disconnect", () => process.exit())
// A server that is stopped must end although somebody could still ask.
process.channel?.unref()
