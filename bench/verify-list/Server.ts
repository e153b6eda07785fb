/** `lading serve` as a process of its own, with the own verifier over the mail hosts of a benchmark; killed, or told to stop. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Process from "../http/Process.ts"
import type * as Store from "../http/Store.ts"
import type { World } from "../verify/World.ts"

export const apiKey = "lad_live_benchmark-of-lists"

export interface Limits {
  /** Connections to a host at a time. */
  readonly perHost: number
  readonly connections: number
}

export interface Server {
  readonly url: string
  /** The most memory that it had, in bytes; `null` where the system does not say. */
  readonly peak: () => Promise<number | null>
  /** Seconds on the processor so far; `null` where the system does not say. */
  readonly cpu: () => Promise<number | null>
  readonly end: (signal: "SIGKILL" | "SIGTERM") => Promise<void>
}

const environmentOf = (
  { nameServer, port }: Pick<World, "nameServer" | "port">,
  { folder, url }: Store.Store,
  { connections, perHost }: Limits
): Readonly<Record<string, string>> => ({
  LADING_PORT: "0",
  LADING_DRAIN_MS: "0",
  LADING_RATE_LIMIT: "0",
  LADING_LOG_LEVEL: "warn",
  LADING_TRADE: "sample",
  LADING_DATA_DIR: join(folder, "store"),
  ...(url === null ? {} : { LADING_DATABASE_URL: url }),
  LADING_API_KEY: apiKey,
  LADING_CREDITS: "1000000",
  LADING_SMTP_HELO: "probe.verifier.test",
  LADING_SMTP_FROM: "verify@verifier.test",
  LADING_SMTP_NAME_SERVERS: nameServer,
  LADING_SMTP_PORT: String(port),
  LADING_SMTP_ZONES: "test",
  LADING_SMTP_PRIVATE: "on",
  LADING_SMTP_CONNECTIONS: String(connections),
  LADING_SMTP_LIMITS: JSON.stringify({
    default: { connections: perHost, questions: 100, refusals: 20, connectEvery: 0, askEvery: 0 }
  })
})

const main = fileURLToPath(new URL("../../packages/http/src/cli/main.ts", import.meta.url))

/** Milliseconds: a first start creates a database. */
const patience = 120_000

/** A line of `/proc/<pid>/status`, in bytes. */
const memory = async (pid: number, name: string): Promise<number | null> => {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]
  return kibibytes === undefined ? null : Number(kibibytes) * 1024
}

/** Clock ticks of a second, on every Linux that Node runs on. */
const ticks = 100

const processor = async (pid: number): Promise<number | null> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // Behind the name, which may hold blanks.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [user, system] = [fields[11], fields[12]]
  return user === undefined || system === undefined ? null : (Number(user) + Number(system)) / ticks
}

/** Starts it and waits until it listens. */
export const start = async (world: World, store: Store.Store, limits: Limits): Promise<Server> => {
  const log = join(store.folder, "server.log")
  const descriptor = openSync(log, "a")
  const child = spawn(process.execPath, [main, "serve"], {
    env: Process.environmentOf(environmentOf(world, store, limits)),
    stdio: ["ignore", "pipe", descriptor]
  })
  closeSync(descriptor)
  const gone = once(child, "exit")
  const ended = gone.then(async (): Promise<never> => {
    throw new Error(`the server ended: ${await readFile(log, "utf8").catch(() => "")}`)
  })
  ended.catch(() => undefined)
  const listens = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the server does not start in time")), patience)
    let output = ""
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text
      const found = / on (http:\/\/\S+)/.exec(output)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    })
  })
  const url = await Promise.race([listens, ended]).catch((error: unknown) => {
    child.kill("SIGKILL")
    throw error
  })
  const pid = child.pid ?? 0
  return {
    url,
    peak: () => memory(pid, "VmHWM"),
    cpu: () => processor(pid),
    end: async (signal) => {
      child.kill(signal)
      await gone
    }
  }
}
