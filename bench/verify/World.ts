/** Mail hosts for a benchmark: starts `Servers.ts` and asks it. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { MailPopulation } from "@lading/testing/mail"

export interface Served {
  readonly population: MailPopulation.PopulationSpec
  /** Milliseconds that a reply is on its way. */
  readonly latency: number
}

export type Question = "counted" | "clear"

/** Since the last `clear`, by the servers. */
export interface Counted {
  /** Connections to one host at a time, of the host that had most. */
  readonly mostPerHost: number
  readonly opened: number
  /** RCPT commands. */
  readonly recipients: number
  /** Seconds on the processor since the start of the process. */
  readonly cpu: number
}

export interface World extends AsyncDisposable {
  readonly nameServer: string
  readonly port: number
  readonly counted: () => Promise<Counted>
  readonly clear: () => Promise<void>
}

export const start = async (served: Served): Promise<World> => {
  const child = fork(fileURLToPath(new URL("Servers.ts", import.meta.url)), [JSON.stringify(served)])
  const gone = once(child, "exit")
  const ended = gone.then((): never => {
    throw new Error("the mail hosts ended")
  })
  ended.catch(() => undefined)
  const heard = async () => (await Promise.race([once(child, "message"), ended]))[0]
  const ask = (question: Question) => {
    const answer = heard()
    child.send(question)
    return answer
  }
  // `Servers.ts` is at the other end, here and below.
  const { nameServer, port } = (await heard()) as Pick<World, "nameServer" | "port">
  return {
    nameServer,
    port,
    counted: async () => (await ask("counted")) as Counted,
    clear: async () => void (await ask("clear")),
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await gone
    }
  }
}
