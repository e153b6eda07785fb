/**
 * What a visitor to a group of hosts has: one connection at a time, kept for as many addresses as it may be asked for, and
 * replaced by one to the same host or another.
 *
 * Gotcha: a connection is only opened when the one before it is closed, so that a place at the gate is one connection.
 */
import { Effect } from "effect"
import { Connection, type Ended, type Opened, type Question, type Told } from "./Connection.ts"
import type { Depth } from "./Depth.ts"
import { dial, type Dialing } from "./Dialing.ts"
import type { Connected, Gate } from "./Gate.ts"
import type { Peculiarities } from "./Peculiarities.ts"
import type { Time } from "./Time.ts"

export interface Means {
  readonly hello: string
  readonly sender: string
  readonly time: Time
  readonly dialing: Dialing
  readonly known: Peculiarities
  readonly depth: Depth
  /** Every connection that is not closed yet. */
  readonly open: Set<Connection>
}

export interface Endpoint {
  /** Name of the mail host. */
  readonly host: string
  readonly address: string
}

/** A socket that does not stand ends like a connection. */
const howOf = (error: unknown): Ended =>
  error instanceof Error && "code" in error && error.code === "ETIMEDOUT" ? "timed_out" : "refused"

const gone = Promise.resolve()

const isWhole = (told: Told): boolean => told._tag !== "Ended" && told._tag !== "Unheard"

export class Session implements Connected {
  #refusals = 0
  #connection: Connection | null = null
  #endpoint: Endpoint | null = null
  /** Hosts that took a recipient here. */
  readonly #served = new Set<string>()
  readonly #gate: Gate<Session>
  readonly #means: Means

  constructor(gate: Gate<Session>, means: Means) {
    this.#gate = gate
    this.#means = means
  }

  /** Where its connection leads, if it is one that can be asked. */
  get endpoint(): Endpoint | null {
    return this.isUsable ? this.#endpoint : null
  }

  get isUsable(): boolean {
    const connection = this.#connection
    return (
      connection !== null && connection.isOpen && connection.questions < this.#gate.limits.questions && !this.#isSuspect
    )
  }

  /**
   * Whether there were as many unknown users as may be. Where addresses are asked for together it ends sooner: each may be one,
   * and the last few would go by ones and twos.
   */
  get #isSuspect(): boolean {
    const { refusals } = this.#gate.limits
    const isTogether = this.#means.depth.of(this.#endpoint?.host ?? "") > 1
    return refusals - this.#refusals < (isTogether ? Math.max(1, refusals / 4) : 1)
  }

  leadsTo(hosts: ReadonlySet<string>): boolean {
    return this.isUsable && hosts.has(this.#endpoint?.host ?? "")
  }

  get closed(): Promise<void> {
    return this.#connection?.closed ?? gone
  }

  /** Addresses that were asked for in this connection. */
  get questions(): number {
    return this.#connection?.questions ?? 0
  }

  /** Whether its host greeted. */
  get greeted(): boolean {
    return this.#connection?.greeted ?? false
  }

  /** Whether a host took a recipient in this session. */
  served(host: string): boolean {
    return this.#served.has(host)
  }

  accepted(host: string): void {
    this.#served.add(host)
  }

  /** A recipient was unknown. Hosts count that. */
  refused(): void {
    this.#refusals++
  }

  /** It answers those behind with what those before have done. */
  wary(): void {
    if (this.#endpoint !== null) this.#means.depth.wary(this.#endpoint.host)
  }

  /** The next question gets a connection of its own. */
  renew(): void {
    this.#connection?.leave()
  }

  /** Addresses that may be asked for at once now; at least one where the connection can be asked. */
  get room(): number {
    const { depth, known } = this.#means
    const host = this.#endpoint?.host ?? ""
    if (known.has(host, "no_reset") || this.#connection?.pipelines !== true) return 1
    const { questions, refusals } = this.#gate.limits
    return Math.min(depth.of(host), questions - this.questions, refusals - this.#refusals, this.#gate.room)
  }

  /** Sees to a connection to this host; `null` when there is one, else why there is none. */
  ready(endpoint: Endpoint): Effect.Effect<Opened> {
    return Effect.gen({ self: this }, function* (): Effect.fn.Return<Opened> {
      const current = this.endpoint
      if (current !== null && current.host === endpoint.host && current.address === endpoint.address) return null
      const before = this.#connection
      if (before !== null) {
        before.leave()
        yield* Effect.promise(() => before.closed)
        this.#connection = null
      }
      yield* this.#gate.beforeConnecting
      return yield* Effect.promise(() => this.#open(endpoint))
    })
  }

  /** Asks for addresses in a connection that is ready. */
  ask(questions: ReadonlyArray<Omit<Question, "sender">>): Effect.Effect<ReadonlyArray<Told>> {
    return Effect.gen({ self: this }, function* (): Effect.fn.Return<ReadonlyArray<Told>> {
      const { depth, known, sender } = this.#means
      const connection = this.#connection
      const host = this.#endpoint?.host ?? ""
      if (connection === null) return questions.map(() => ({ _tag: "Ended", how: "closed" }))
      yield* this.#gate.beforeAsking(questions.length)
      const told = yield* Effect.promise(() => connection.ask(questions.map((each) => ({ ...each, sender }))))
      if (told.some(({ _tag }) => _tag === "NoReset")) known.note(host, "no_reset")
      if (known.has(host, "no_reset")) this.renew()
      if (connection.isOpen || told.every(isWhole)) depth.answered(host, questions.length)
      else depth.broken(host)
      return told
    })
  }

  async #open(endpoint: Endpoint): Promise<Opened> {
    const { dialing, hello, known, open, time } = this.#means
    const { socket, stands } = dial(endpoint.address, dialing)
    const useTls = !known.has(endpoint.host, "no_tls")
    const connection = new Connection(socket, { hello, host: endpoint.host, useTls, time })
    this.#connection = connection
    this.#endpoint = endpoint
    this.#refusals = 0
    open.add(connection)
    void connection.closed.then(() => open.delete(connection))
    const broken = await stands
    if (broken !== null) {
      connection.destroy()
      return { _tag: "Ended", how: howOf(broken) }
    }
    const opened = await connection.open()
    if (opened?._tag === "Ended" && opened.how === "tls_failed") known.note(endpoint.host, "no_tls")
    return opened
  }

  /** Ends it. Fulfilled when nothing is open any more. */
  end(): Promise<void> {
    this.renew()
    return this.closed
  }
}
