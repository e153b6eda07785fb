/** What mail hosts were asked, by whom, and how many connections they had: kept while they run, for tests to look at. */

/** One command and what it got, or a greeting (`command` is `null`). */
export interface Exchange {
  /** Address of the host. */
  readonly host: string
  /** Address of the client. */
  readonly client: string
  /** Counts the connections of all hosts from 1. */
  readonly connection: number
  /** As it came, without its line end. */
  readonly command: string | null
  /** What went out, its lines joined by `\n`; `null` where nothing did. */
  readonly reply: string | null
  /** It came before the reply to the one before it went out. */
  readonly early: boolean
  readonly secure: boolean
  /** Epoch milliseconds of the clock that the hosts go by. */
  readonly at: number
}

export interface Connections {
  readonly opened: number
  readonly open: number
  /** Open at the same time. */
  readonly most: number
}

const NONE: Connections = { opened: 0, open: 0, most: 0 }

const opened = ({ most, open, opened }: Connections): Connections => ({
  opened: opened + 1,
  open: open + 1,
  most: Math.max(most, open + 1)
})

const closed = (of: Connections): Connections => ({ ...of, open: of.open - 1 })

/** Connections under a name: those of all, of a host, or of a client at a host. */
class Tally {
  #by = new Map<string, Connections>()

  of(name: string): Connections {
    return this.#by.get(name) ?? NONE
  }

  change(names: ReadonlyArray<string>, to: (of: Connections) => Connections): void {
    for (const name of names) this.#by.set(name, to(this.of(name)))
  }

  /** Forgets all but what is open. */
  clear(): void {
    for (const [name, { open }] of this.#by) this.#by.set(name, { opened: 0, open, most: open })
  }
}

export class Transcript {
  /** Off, only what is counted is kept: for 100,000 addresses. */
  readonly #records: boolean
  #exchanges: Array<Exchange> = []
  #recipients = new Map<string, number>()
  #commands = new Map<string, number>()
  #tally = new Tally()
  #alarms: Array<string> = []

  constructor(records: boolean) {
    this.#records = records
  }

  get exchanges(): ReadonlyArray<Exchange> {
    return [...this.#exchanges]
  }

  /** What no verifier may do, in words. */
  get alarms(): ReadonlyArray<string> {
    return [...this.#alarms]
  }

  alarm(words: string): void {
    this.#alarms.push(words)
  }

  /** How often RCPT named the address (its domain in lower case). */
  recipient(address: string): number {
    return this.#recipients.get(address) ?? 0
  }

  get recipients(): ReadonlyMap<string, number> {
    return new Map(this.#recipients)
  }

  /** How often a command came, `RCPT`. */
  count(verb: string): number {
    return this.#commands.get(verb) ?? 0
  }

  connections(host?: string, client?: string): Connections {
    return this.#tally.of(nameOf(host, client))
  }

  record(exchange: Exchange): void {
    if (this.#records) this.#exchanges.push(exchange)
  }

  command(verb: string): void {
    this.#commands.set(verb, this.count(verb) + 1)
  }

  asked(address: string): void {
    this.#recipients.set(address, this.recipient(address) + 1)
  }

  opened(host: string, client: string): void {
    this.#tally.change(namesOf(host, client), opened)
  }

  /** One that was over before it began. */
  passed(host: string, client: string): void {
    this.#tally.change(namesOf(host, client), (of) => ({ ...of, opened: of.opened + 1 }))
  }

  closed(host: string, client: string): void {
    this.#tally.change(namesOf(host, client), closed)
  }

  clear(): void {
    this.#exchanges = []
    this.#recipients.clear()
    this.#commands.clear()
    this.#alarms = []
    this.#tally.clear()
  }
}

const nameOf = (host = "*", client = "*") => `${host} ${client}`

const namesOf = (host: string, client: string) => [
  nameOf(),
  nameOf(host),
  nameOf(host, client),
  nameOf(undefined, client)
]
