/**
 * Mail hosts on loopback: real SMTP servers, each with an address of its own in 127.0.0.0/8 and all with the same port, so that
 * a client finds them as it finds those of the world, by address. They say what their persona says, write down what they
 * were asked, and take no message.
 *
 * Time is the `Clock` of whoever starts them: with a `TestClock`, a greylist of five minutes and a greeting after 20 seconds
 * go by when the test says so; with the real one, `elapse` moves greylists on, and `pace` shortens every wait.
 *
 * Gotchas
 * - DATA and BDAT end the scope with a defect, so that a test fails whose code sends a message, whatever it asserts.
 * - Addresses beside 127.0.0.1 are there on Linux; other systems want them set up first.
 * - A persona that does not listen has an address at which nobody answers, and so a refused connection.
 */
import { Clock, Duration, Effect, Fiber, type Scope } from "effect"
import * as Net from "node:net"
import { Conversation, type Room } from "./Conversation.ts"
import { type Domain, personaOf } from "./Judgement.ts"
import type { Persona } from "./Persona.ts"
import type { PersonaName } from "./Personas.ts"
import { type Connections, type Exchange, Transcript } from "./Transcript.ts"

export interface HostSpec {
  /** `mx.acme.test` */
  readonly name: string
  /** In 127.0.0.0/8. */
  readonly address: string
  /** Left out, `strict`. */
  readonly persona?: PersonaName | Persona
  /** By name, in lower-case ASCII. */
  readonly domains: Readonly<Record<string, Domain>>
}

export interface Options {
  /** What waits are multiplied with (default 1); greylists are not. */
  readonly pace?: number
  /**
   * Milliseconds that what goes out is on its way (default 0), however many replies it holds: the distance of a host, which
   * pipelined commands pay once.
   */
  readonly latency?: number
  /** Keeps each command and reply (default true); off, they are only counted. */
  readonly records?: boolean
  /** Names of clients by address, for hosts that ask for one. Without it every client has one. */
  readonly reverseNames?: Readonly<Record<string, string>>
}

export interface MailHosts {
  /** Of every host. */
  readonly port: number
  /** Commands and replies since the start or the last `clear`, oldest first. */
  readonly exchanges: Effect.Effect<ReadonlyArray<Exchange>>
  /** The commands alone. */
  readonly commands: Effect.Effect<ReadonlyArray<string>>
  /** How often a command came, `RCPT`. */
  readonly count: (verb: string) => Effect.Effect<number>
  /** How often RCPT named an address (domain in lower case). */
  readonly asked: (address: string) => Effect.Effect<number>
  /** The same of every address. */
  readonly recipients: Effect.Effect<ReadonlyMap<string, number>>
  /** Of all, of the host at an address, of a client, or of a client at a host. */
  readonly connections: (host?: string, client?: string) => Effect.Effect<Connections>
  /** From now on the host at the address behaves so; connections that are there too. */
  readonly become: (address: string, persona: PersonaName | Persona) => Effect.Effect<void>
  /** So much time has gone by for those who greylist, beside what the clock says. */
  readonly elapse: (time: Duration.Input) => Effect.Effect<void>
  /** Waits that are under way, for a test to see before it moves its clock. */
  readonly waiting: Effect.Effect<number>
  /** Closes every connection as a crash does. */
  readonly hangUp: Effect.Effect<void>
  /** Forgets what was asked, and first contacts. */
  readonly clear: Effect.Effect<void>
}

/** Tries at a port that is free at every address. */
const TRIES = 20

/** Starts them; they stop with the scope, and with it every connection. */
export const start = Effect.fnUntraced(function* (
  specs: ReadonlyArray<HostSpec>,
  options: Options = {}
): Effect.fn.Return<MailHosts, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const state = new State(clock, options)
  const rooms = new Map(specs.map((spec) => [spec.address, state.room(spec)]))
  const listening = specs.filter(({ persona = "strict" }) => personaOf(persona).listens !== false)
  const port = yield* Effect.acquireRelease(
    Effect.promise(() => listenAll(listening, (address, socket) => state.begin(rooms.get(address), socket))),
    ({ servers }) => Effect.promise(() => closeAll(servers, state))
  )
  yield* Effect.addFinalizer(() => {
    const { alarms } = state.transcript
    return alarms.length === 0 ? Effect.void : Effect.die(new Error(`A message was sent: ${alarms.join("; ")}`))
  })
  return { port: port.port, ...state.views() }
})

class State {
  readonly transcript: Transcript
  readonly #clock: Clock.Clock
  readonly #options: Options
  readonly #open = new Set<Conversation>()
  readonly #contacts: Array<Map<string, number>> = []
  readonly #personas = new Map<string, Persona>()
  #elapsed = 0
  #waiting = 0
  #opened = 0

  constructor(clock: Clock.Clock, options: Options) {
    this.#clock = clock
    this.#options = options
    this.transcript = new Transcript(options.records ?? true)
  }

  room({ address, domains, name, persona = "strict" }: HostSpec): Room {
    const contacts = new Map<string, number>()
    this.#contacts.push(contacts)
    const first = personaOf(persona)
    const { reverseNames } = this.#options
    return {
      name,
      address,
      persona: () => this.#personas.get(address) ?? first,
      domain: (domain) => (Object.hasOwn(domains, domain) ? domains[domain] : undefined),
      contacts,
      latency: this.#options.latency ?? 0,
      reverseName: (client) => (reverseNames === undefined ? "client.test" : reverseNames[client]),
      transcript: this.transcript,
      now: () => this.#clock.currentTimeMillisUnsafe() + this.#elapsed,
      later: (millis, then) => this.#later(millis, then)
    }
  }

  begin(room: Room | undefined, socket: Net.Socket): void {
    if (room === undefined) return void socket.destroy()
    this.#opened++
    const conversation = new Conversation(room, socket, this.#opened)
    this.#open.add(conversation)
    socket.once("close", () => this.#open.delete(conversation))
    conversation.begin()
  }

  hangUp(): void {
    for (const conversation of this.#open) conversation.destroy()
  }

  #later(millis: number, then: () => void): () => void {
    this.#waiting++
    const wait = this.#clock.sleep(Duration.millis(millis * (this.#options.pace ?? 1)))
    const fiber = Effect.runFork(wait)
    fiber.addObserver((exit) => {
      this.#waiting--
      if (exit._tag === "Success") then()
    })
    return () => void Effect.runFork(Fiber.interrupt(fiber))
  }

  views(): Omit<MailHosts, "port"> {
    const { transcript } = this
    return {
      exchanges: Effect.sync(() => transcript.exchanges),
      commands: Effect.sync(() => transcript.exchanges.flatMap(({ command }) => command ?? [])),
      count: (verb) => Effect.sync(() => transcript.count(verb)),
      asked: (address) => Effect.sync(() => transcript.recipient(address)),
      recipients: Effect.sync(() => transcript.recipients),
      connections: (host, client) => Effect.sync(() => transcript.connections(host, client)),
      become: (address, persona) => Effect.sync(() => void this.#personas.set(address, personaOf(persona))),
      elapse: (time) => Effect.sync(() => void (this.#elapsed += Duration.toMillis(time))),
      waiting: Effect.sync(() => this.#waiting),
      hangUp: Effect.sync(() => this.hangUp()),
      clear: Effect.sync(() => {
        transcript.clear()
        for (const contacts of this.#contacts) contacts.clear()
      })
    }
  }
}

interface Listening {
  readonly port: number
  readonly servers: ReadonlyArray<Net.Server>
}

type OnConnection = (address: string, socket: Net.Socket) => void

const listenAll = async (specs: ReadonlyArray<HostSpec>, onConnection: OnConnection): Promise<Listening> => {
  for (let attempt = 1; ; attempt++) {
    const servers: Array<Net.Server> = []
    try {
      let port = 0
      for (const { address } of specs) {
        const server = Net.createServer((socket) => onConnection(address, socket))
        port = await listen(server, address, port)
        servers.push(server)
      }
      return { port, servers }
    } catch (error) {
      await Promise.all(servers.map(closed))
      if (attempt === TRIES || !isTaken(error)) throw error
    }
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EADDRINUSE"

const listen = (server: Net.Server, address: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host: address, port, backlog: 4_096 }, () => {
      const at = server.address()
      resolve(typeof at === "object" && at !== null ? at.port : 0)
    })
  })

const closed = (server: Net.Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

const closeAll = async (servers: ReadonlyArray<Net.Server>, state: State): Promise<void> => {
  const all = Promise.all(servers.map(closed))
  state.hangUp()
  await all
}
