/**
 * Whether mail hosts can be reached at all. Many networks let nothing out to port 25; what depends on it is unknown there,
 * never invalid. Three large hosts are tried at the start, and again when nobody else can be reached.
 */
import { type Clock, Effect } from "effect"
import { dial, type Dialing } from "./Dialing.ts"
import type { MailDns } from "./MailDns.ts"

/** They answer everybody, for domains that are not going away. */
export const hosts: ReadonlyArray<string> = [
  "gmail-smtp-in.l.google.com",
  "outlook-com.olc.protection.outlook.com",
  "mx01.mail.icloud.com"
]

/** How long a closed port is taken for closed. */
const CLOSED = 10 * 60_000

/** Groups in a row that could not be reached, before the port is suspected. */
const SUSPICIOUS = 5

export class Port25 {
  readonly #clock: Clock.Clock
  readonly #try: Effect.Effect<boolean>
  readonly #unreached = new Set<string>()
  #closedUntil = 0
  #isTrying = false

  constructor(clock: Clock.Clock, tries: Effect.Effect<boolean>) {
    this.#clock = clock
    this.#try = tries
  }

  get isClosed(): boolean {
    return this.#closedUntil > this.#clock.currentTimeMillisUnsafe()
  }

  readonly check: Effect.Effect<boolean> = Effect.suspend(() => {
    this.#isTrying = true
    return Effect.ensuring(
      Effect.map(this.#try, (isOpen) => {
        this.#closedUntil = isOpen ? 0 : this.#clock.currentTimeMillisUnsafe() + CLOSED
        this.#unreached.clear()
        return isOpen
      }),
      Effect.sync(() => (this.#isTrying = false))
    )
  })

  /** Some host of the group was reached, or none. */
  note(group: string, reached: boolean): void {
    if (reached) this.#unreached.clear()
    else this.#unreached.add(group)
  }

  /** Looks, where so many were not reached that there is a reason to. */
  readonly suspect: Effect.Effect<void> = Effect.suspend(() =>
    this.#unreached.size >= SUSPICIOUS && !this.#isTrying ? Effect.asVoid(this.check) : Effect.void
  )
}

const connects = (address: string, dialing: Dialing): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const { socket, stands } = dial(address, dialing)
    void stands.then((broken) => {
      socket.destroy()
      resume(Effect.succeed(broken === null))
    })
    return Effect.sync(() => socket.destroy())
  })

/** Whether any of these hosts can be connected to; true where there is none to try. */
export const reach = Effect.fnUntraced(function* (names: ReadonlyArray<string>, dns: MailDns, dialing: Dialing) {
  if (names.length === 0) return true
  const each = (name: string) =>
    Effect.flatMap(dns.addresses(name), ([address]) =>
      address === undefined ? Effect.succeed(false) : connects(address, dialing)
    )
  const reached = yield* Effect.forEach(names, each, { concurrency: "unbounded" })
  return reached.includes(true)
})
