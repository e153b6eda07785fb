/**
 * How much one group of mail hosts is asked for at a time: the one place where connections are counted. Who has entered
 * may have one connection; the place is free again when that connection is closed, not when somebody has said so.
 *
 * A group that is tired of us is left alone for a while: 15 minutes, then twice as long each time, up to two hours.
 */
import type { Evidence } from "@lading/core/email"
import { type Clock, Effect } from "effect"
import type { Limits } from "./Provider.ts"

const FIRST_PAUSE = 15 * 60_000
const LONGEST_PAUSE = 2 * 3_600_000

/** Why nobody is asked, and for how many milliseconds. */
export interface Pause {
  readonly reply: Evidence.Reply
  readonly rest: number
}

export class Gate {
  readonly limits: Limits
  readonly #clock: Clock.Clock
  readonly #waiting = new Set<() => void>()
  #inside = 0
  #connectAt = 0
  #askAt = 0
  #pausedUntil = 0
  #pausedBy: Evidence.Reply | null = null
  #length = FIRST_PAUSE

  constructor(limits: Limits, clock: Clock.Clock) {
    this.limits = limits
    this.#clock = clock
  }

  /** Waits for a place, first come first served. Whoever is interrupted while it waits takes none. */
  readonly enter: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.#inside < this.limits.connections) {
      this.#inside++
      return resume(Effect.void)
    }
    const wake = () => resume(Effect.void)
    this.#waiting.add(wake)
    return Effect.sync(() => {
      // Woken and interrupted at once, it hands its place on.
      if (!this.#waiting.delete(wake)) this.leave()
    })
  })

  leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#inside--
      return
    }
    this.#waiting.delete(next)
    next()
  }

  /** Whether nobody would notice that it is gone. */
  get isIdle(): boolean {
    const now = this.#now()
    return this.#inside === 0 && Math.max(this.#pausedUntil, this.#askAt, this.#connectAt) <= now
  }

  /** Waits until a connection may be opened. */
  readonly beforeConnecting: Effect.Effect<void> = Effect.suspend(() => {
    const at = Math.max(this.#now(), this.#connectAt)
    this.#connectAt = at + this.limits.connectEvery
    return this.#until(at)
  })

  /** Waits until an address may be asked for. */
  readonly beforeAsking: Effect.Effect<void> = Effect.suspend(() => {
    const at = Math.max(this.#now(), this.#askAt)
    this.#askAt = at + this.limits.askEvery
    return this.#until(at)
  })

  get pause(): Pause | null {
    const rest = this.#pausedUntil - this.#now()
    return rest > 0 && this.#pausedBy !== null ? { reply: this.#pausedBy, rest } : null
  }

  /** Somebody said that it is enough. */
  tire(reply: Evidence.Reply): void {
    if (this.pause !== null) return
    this.#pausedUntil = this.#now() + this.#length
    this.#pausedBy = reply
    this.#length = Math.min(this.#length * 2, LONGEST_PAUSE)
  }

  /** Somebody gave an answer. */
  recover(): void {
    this.#length = FIRST_PAUSE
  }

  #now(): number {
    return this.#clock.currentTimeMillisUnsafe()
  }

  #until(at: number): Effect.Effect<void> {
    const wait = at - this.#now()
    return wait > 0 ? Effect.sleep(wait) : Effect.void
  }
}
