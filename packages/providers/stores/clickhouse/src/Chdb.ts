/**
 * One connection to chDB, used with care.
 *
 * Gotchas, of chDB 3.4
 * - What a query had put out before it failed, or was ended, comes in front of the next answer of its connection. So one
 *   statement has its turn after the other, and after a failed one its remains are fetched and thrown away.
 * - A query that is given up goes on. Another connection to the same folder can end it (`KILL QUERY`, but not `SYNC`, which
 *   never returns).
 * - Statements with parameters have their turns in all connections of a process together.
 */
import type * as Clickhouse from "@clickhouse/client"
import { setTimeout } from "node:timers/promises"

type Turn = <A>(work: () => Promise<A>) => Promise<A>

/** Gives one its turn after the other. */
export const turns = (client: Clickhouse.ClickHouseClient): Turn => {
  let last: Promise<unknown> = Promise.resolve()
  const clean = () => client.command({ query: "SELECT 1" }).catch(() => undefined)
  return (work) => {
    const mine = last.then(work).catch(async (cause: unknown) => {
      await clean()
      throw cause
    })
    last = mine.catch(() => undefined)
    return mine
  }
}

/** How long an ended query may take to notice, before it is told again. */
const AGAIN = 100

/**
 * Works in its turn, and rejects as soon as the signal says so; `end` is told then, again and again, until the work is
 * over. What has not begun by then never does.
 */
export const endable = <A>(
  turn: Turn,
  work: () => Promise<A>,
  end: () => Promise<unknown>,
  signal: AbortSignal
): Promise<A> => {
  let isRunning = false
  const answer = turn(() => {
    signal.throwIfAborted()
    isRunning = true
    return work().finally(() => {
      isRunning = false
    })
  })
  const ending = async (): Promise<void> => {
    if (!isRunning) return
    await end().catch(() => undefined)
    await setTimeout(AGAIN)
    return ending()
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason)
      void ending()
    }
    signal.addEventListener("abort", onAbort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })
}
