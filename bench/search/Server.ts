/** `lading serve` over the folder of the benchmark, as a process of its own. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as Process from "../http/Process.ts"

export const apiKey = "lad_live_benchmark-of-searches"

const main = fileURLToPath(new URL("../../packages/http/src/cli/main.ts", import.meta.url))

export interface Server {
  readonly url: string
  readonly end: () => Promise<void>
}

/** Starts it and waits until it listens. `dataDir` has the column store in `chdb`. */
export const start = async (dataDir: string): Promise<Server> => {
  const child = spawn(process.execPath, [main, "serve"], {
    env: Process.environmentOf({
      LADING_PORT: "0",
      LADING_DRAIN_MS: "0",
      LADING_RATE_LIMIT: "0",
      LADING_LOG_LEVEL: "warn",
      LADING_DATA_DIR: dataDir,
      LADING_API_KEY: apiKey,
      LADING_CREDITS: "1000000"
    }),
    stdio: ["ignore", "pipe", "inherit"]
  })
  const gone = once(child, "exit")
  const listens = new Promise<string>((resolve) => {
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      const found = / on (http:\/\/\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  const ended = gone.then((): never => {
    throw new Error("the server ended")
  })
  const url = await Promise.race([listens, ended])
  ended.catch(() => undefined)
  return {
    url,
    end: async () => {
      child.kill("SIGTERM")
      await gone
    }
  }
}
