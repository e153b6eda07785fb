/**
 * How much one group of mail hosts is asked for at a time: the one place where connections are counted. Who has entered
 * may have one connection; the place is free again when that connection is closed, not when somebody has said so. A
 * connection that its visitor needs no more is given to the next one, or kept for a moment, with its place.
 *
 * A group that is tired of us is left alone for a while: 15 minutes, then twice as long each time, up to two hours. After
 * that it gets half as many connections, half as often, and step by step what it got before.
 */
import type { Evidence } from "@lading/core/email"
import { type Clock, Effect } from "effect"
import type { Limits } from "./Provider.ts"
import { after } from "./Timer.ts"

const FIRST_PAUSE = 15 * 60_000
const LONGEST_PAUSE = 2 * 3_600_000

/** The least that is left of the limits, and answers in a row until there is twice as much. */
const LEAST_SHARE = 1 / 8
const RECOVERY = 20

const DAY = 24 * 3_600_000

/** Why nobody is asked, and for how many milliseconds. `null`: it was asked for as many as a day may have. */
export interface Pause {
  readonly reply: Evidence.Reply | null
  readonly rest: number
}

/** What a visitor has, and leaves behind for the next. */
export interface Connected {
  /** Whether it leads to one of these hosts. */
  readonly leadsTo: (hosts: ReadonlySet<string>) => boolean
  /** Whether more may be asked there. */
  readonly isUsable: boolean
  /** Fulfilled when nothing of it is open; at once where nothing is. */
  readonly closed: Promise<void>
  readonly end: () => Promise<void>
}

interface Idle<C> {
  readonly connected: C
  readonly callOff: () => void
}

export class Gate<C extends Connected = Connected> {
  readonly limits: Limits
  readonly #clock: Clock.Clock
  readonly #patience: number
  readonly #waiting = new Set<(connected: C | null) => void>()
  readonly #idle = new Set<Idle<C>>()
  #inside = 0
  #connectAt = 0
  #askAt = 0
  #pausedUntil = 0
  #pausedBy: Evidence.Reply | null = null
  #length = FIRST_PAUSE
  /** Of the limits. */
  #share = 1
  #good = 0
  #asked = 0
  #dayEnds = 0

  /** `patience`: milliseconds that a connection is kept which nobody needs. */
  constructor(limits: Limits, clock: Clock.Clock, patience: number) {
    this.limits = limits
    this.#clock = clock
    this.#patience = patience
  }

  /** Connections at a time, as things are. */
  get connections(): number {
    return Math.max(1, Math.floor(this.limits.connections * this.#share))
  }

  /**
   * Waits for a place, first come first served, and gives the connection that is there already: if it may be, one to these
   * hosts. Whoever is interrupted while it waits takes none.
   */
  enter(hosts: ReadonlySet<string>): Effect.Effect<C | null> {
    return Effect.callback((resume) => {
      const kept = this.#keptFor(hosts)
      if (kept !== null) return resume(Effect.succeed(kept))
      if (this.#inside < this.connections) {
        this.#inside++
        return resume(Effect.succeed(null))
      }
      const [other] = this.#idle
      if (other !== undefined) return resume(Effect.succeed(this.#taken(other)))
      let given: C | null = null
      const wake = (connected: C | null) => {
        given = connected
        resume(Effect.succeed(connected))
      }
      this.#waiting.add(wake)
      return Effect.sync(() => {
        // Woken and interrupted at once, it hands its place on.
        if (this.#waiting.delete(wake)) return
        if (given === null) this.#free()
        else this.leave(given, true)
      })
    })
  }

  /** A visitor goes. `keep`: what it has may be somebody else's. */
  leave(connected: C, keep: boolean): void {
    const isKept = keep && connected.isUsable && this.#inside <= this.connections
    if (!isKept) return void connected.end().then(() => this.#free())
    const [next] = this.#waiting
    if (next === undefined) return this.#keep(connected)
    this.#waiting.delete(next)
    next(connected)
  }

  /** Says goodbye to those that nobody needs. */
  close(): void {
    for (const idle of this.#idle) this.leave(this.#taken(idle), false)
  }

  #keep(connected: C): void {
    const part = () => this.leave(this.#taken(idle), false)
    const idle: Idle<C> = { connected, callOff: after(this.#patience, part) }
    this.#idle.add(idle)
    // The host may have had enough of waiting before.
    void connected.closed.then(() => {
      if (this.#idle.has(idle)) part()
    })
  }

  #taken(idle: Idle<C>): C {
    idle.callOff()
    this.#idle.delete(idle)
    return idle.connected
  }

  #keptFor(hosts: ReadonlySet<string>): C | null {
    for (const idle of this.#idle) if (idle.connected.leadsTo(hosts)) return this.#taken(idle)
    return null
  }

  #free(): void {
    this.#inside--
    this.#admit()
  }

  #admit(): void {
    for (const next of this.#waiting) {
      if (this.#inside >= this.connections) return
      this.#inside++
      this.#waiting.delete(next)
      next(null)
    }
  }

  /** Whether nobody would notice that it is gone. */
  get isIdle(): boolean {
    const now = this.#now()
    const busyUntil = Math.max(this.#pausedUntil, this.#askAt, this.#connectAt, this.#share < 1 ? now + 1 : 0)
    return this.#inside === 0 && busyUntil <= now && (this.#asked === 0 || this.#dayEnds <= now)
  }

  /** Waits until a connection may be opened. */
  readonly beforeConnecting: Effect.Effect<void> = Effect.suspend(() => {
    const at = Math.max(this.#now(), this.#connectAt)
    this.#connectAt = at + this.limits.connectEvery / this.#share
    return this.#until(at)
  })

  /** Waits until so many addresses may be asked for. */
  beforeAsking(addresses: number): Effect.Effect<void> {
    const now = this.#now()
    if (this.#dayEnds <= now) {
      this.#dayEnds = now + DAY
      this.#asked = 0
    }
    this.#asked += addresses
    const at = Math.max(now, this.#askAt)
    this.#askAt = at + (addresses * this.limits.askEvery) / this.#share
    return this.#until(at)
  }

  /** Addresses that may be asked for at once, beside what connections may. */
  get room(): number {
    const left = this.#dayEnds > this.#now() ? this.limits.daily - this.#asked : this.limits.daily
    // Together they would come faster than they may.
    return this.limits.askEvery > 0 ? Math.min(1, left) : left
  }

  get pause(): Pause | null {
    if (this.#pausedUntil === 0 && this.#asked < this.limits.daily) return null
    const now = this.#now()
    if (this.#pausedUntil > now) return { reply: this.#pausedBy, rest: this.#pausedUntil - now }
    return this.room > 0 ? null : { reply: null, rest: this.#dayEnds - now }
  }

  /** Somebody said that it is enough. */
  tire(reply: Evidence.Reply): void {
    if (this.#pausedUntil > this.#now()) return
    this.#pausedUntil = this.#now() + this.#length
    this.#pausedBy = reply
    this.#length = Math.min(this.#length * 2, LONGEST_PAUSE)
    this.#share = Math.max(this.#share / 2, LEAST_SHARE)
    this.#good = 0
  }

  /** Somebody gave an answer. */
  recover(): void {
    if (this.#length === FIRST_PAUSE || ++this.#good < RECOVERY) return
    this.#good = 0
    if (this.#share === 1) this.#length = FIRST_PAUSE
    this.#share = Math.min(this.#share * 2, 1)
    this.#admit()
  }

  #now(): number {
    return this.#clock.currentTimeMillisUnsafe()
  }

  #until(at: number): Effect.Effect<void> {
    const wait = at - this.#now()
    return wait > 0 ? Effect.sleep(wait) : Effect.void
  }
}
