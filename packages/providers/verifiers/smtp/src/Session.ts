/**
 * A visit to the hosts of one route: one connection at a time, kept for as many addresses as it may be asked for, and
 * replaced by one to the same host or the next where it breaks.
 *
 * Gotcha: a connection is only opened when the one before it is closed, so that a place at the gate is one connection.
 */
import { Effect } from "effect"
import { Connection, type Ended, type Opened, type Question, type Told } from "./Connection.ts"
import { dial, type Dialing } from "./Dialing.ts"
import type { Gate } from "./Gate.ts"
import type { MailHost } from "./MailDns.ts"
import type { Peculiarities } from "./Peculiarities.ts"
import type { Time } from "./Time.ts"

export interface Means {
  readonly hello: string
  readonly sender: string
  readonly time: Time
  readonly dialing: Dialing
  readonly known: Peculiarities
  /** Every connection that is not closed yet. */
  readonly open: Set<Connection>
}

interface Endpoint {
  readonly host: string
  readonly address: string
}

/** A socket that does not stand ends like a connection. */
const howOf = (error: unknown): Ended =>
  error instanceof Error && "code" in error && error.code === "ETIMEDOUT" ? "timed_out" : "refused"

export class Session {
  /** Whether any host greeted. */
  greeted = false
  /** Whether any host took a recipient. */
  served = false
  /** Whether the next question is one that was asked before, in a connection that was not fresh. */
  isRepeating = false
  #refusals = 0
  #at = 0
  #connection: Connection | null = null
  readonly #gate: Gate
  readonly #means: Means
  #endpoints: ReadonlyArray<Endpoint> = []

  constructor(gate: Gate, means: Means) {
    this.#gate = gate
    this.#means = means
  }

  /** From now on these hosts are asked. A connection that leads to one of them is kept. */
  visit(hosts: ReadonlyArray<MailHost>): void {
    const current = this.#endpoint
    this.#endpoints = hosts.flatMap(({ addresses, name }) => addresses.map((address) => ({ host: name, address })))
    const same = this.#endpoints.findIndex(
      ({ address, host }) => current !== null && address === current.address && host === current.host
    )
    if (same === -1) this.#retire()
    this.#at = Math.max(same, 0)
  }

  get host(): string {
    return this.#endpoint?.host ?? ""
  }

  get #endpoint(): Endpoint | null {
    return this.#endpoints[this.#at] ?? null
  }

  /** Addresses that were asked for in this connection. */
  get questions(): number {
    return this.#connection?.questions ?? 0
  }

  /** Goes on with the next host or address. Whether there is one. */
  next(): boolean {
    this.#retire()
    this.#at++
    return this.#at < this.#endpoints.length
  }

  /** The next question gets a connection of its own. */
  renew(): void {
    this.#retire()
  }

  /** A recipient was unknown. Hosts count that. */
  refused(): void {
    this.#refusals++
  }

  /** Sees to a connection that can be asked; `null` when there is one, else why there is none. */
  ready(): Effect.Effect<Opened> {
    return Effect.gen({ self: this }, function* (): Effect.fn.Return<Opened> {
      const { questions, refusals } = this.#gate.limits
      const before = this.#connection
      if (before !== null) {
        const isTired = before.questions >= questions || this.#refusals >= refusals
        if (before.isOpen && !isTired) return null
        before.leave()
        yield* Effect.promise(() => before.closed)
        this.#connection = null
      }
      yield* this.#gate.beforeConnecting
      return yield* Effect.promise(() => this.#open())
    })
  }

  /** Asks for an address in a connection that is ready. */
  ask(question: Omit<Question, "sender">): Effect.Effect<Told> {
    return Effect.gen({ self: this }, function* (): Effect.fn.Return<Told> {
      const connection = this.#connection
      if (connection === null) return { _tag: "Ended", how: "closed" }
      yield* this.#gate.beforeAsking
      const told = yield* Effect.promise(() => connection.ask({ ...question, sender: this.#means.sender }))
      if (told._tag === "NoReset") this.#means.known.note(this.host, "no_reset")
      if (this.#means.known.has(this.host, "no_reset")) this.renew()
      return told
    })
  }

  async #open(): Promise<Opened> {
    const endpoint = this.#endpoint
    if (endpoint === null) return { _tag: "Ended", how: "refused" }
    const { dialing, hello, known, open, time } = this.#means
    const { socket, stands } = dial(endpoint.address, dialing)
    const useTls = !known.has(endpoint.host, "no_tls")
    const connection = new Connection(socket, { hello, host: endpoint.host, useTls, time })
    this.#connection = connection
    this.#refusals = 0
    open.add(connection)
    void connection.closed.then(() => open.delete(connection))
    const broken = await stands
    if (broken !== null) {
      connection.destroy()
      return { _tag: "Ended", how: howOf(broken) }
    }
    const opened = await connection.open()
    this.greeted ||= connection.greeted
    if (opened?._tag === "Ended" && opened.how === "tls_failed") known.note(endpoint.host, "no_tls")
    return opened
  }

  #retire(): void {
    this.#connection?.leave()
  }

  /** Ends it. Fulfilled when nothing is open any more. */
  end(): Promise<void> {
    this.#retire()
    return this.#connection?.closed ?? Promise.resolve()
  }
}
