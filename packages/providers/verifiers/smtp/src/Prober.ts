/**
 * What can be learnt of mail addresses by asking: their domains by DNS, and their hosts by SMTP. It knows of no lists and
 * judges nothing.
 */
import type { Evidence } from "@lading/core/email"
import { type Cause, Clock, Effect, FiberSet, Queue, type Scope, Semaphore, Stream } from "effect"
import * as Asking from "./Asking.ts"
import { CatchAll } from "./CatchAll.ts"
import type { Classifier } from "./replies/Classifier.ts"
import type { Connection } from "./Connection.ts"
import { Depth } from "./Depth.ts"
import type { Dialing } from "./Dialing.ts"
import { Gate } from "./Gate.ts"
import * as Inquiry from "./Inquiry.ts"
import * as MailDns from "./MailDns.ts"
import { Peculiarities } from "./Peculiarities.ts"
import * as Port25 from "./Port25.ts"
import { type Group, limitsOf } from "./Provider.ts"
import * as Readings from "./Readings.ts"
import { type Means, Session } from "./Session.ts"
import * as Settings from "./Settings.ts"
import * as Time from "./Time.ts"

export interface Target extends Inquiry.Target {
  readonly domain: string
}

/** What was learnt. `conversation` is `null` where nobody was asked. */
export interface Learnt extends Pick<Evidence.Evidence, "domain" | "conversation"> {
  readonly atLast: Evidence.ReplyClass | null
  /** Whether it was taken, and it has to be asked later whether every name is. */
  readonly isPutOff: boolean
  /** Milliseconds that its hosts are left alone for. */
  readonly rest: number
}

export interface Prober {
  readonly dns: MailDns.MailDns
  readonly dialing: Dialing
  readonly port: Port25.Port25
  readonly route: (domain: string) => Effect.Effect<MailDns.Route>
  /** Of one address. `seen` is told each thing as it is learnt, for those who cannot wait for the end. */
  readonly one: (target: Target, seen: (learnt: Learnt) => void) => Effect.Effect<Learnt>
  /** Of each, as it is learnt. Addresses of one domain, and domains of one group, share connections. */
  readonly many: <T extends Target>(targets: ReadonlyArray<T>) => Stream.Stream<readonly [T, Learnt]>
}

/** Domains that are looked up at a time, and before anybody is asked about them: what is for one host should be there together. */
const LOOKUPS = 64
const WAVE = 500
const CONNECTIONS = 300
/** Groups that are remembered before the idle ones are forgotten. */
const GATES = 10_000

const mailDomain = (route: MailDns.Route): Evidence.MailDomain =>
  route._tag === "Hosts" ? { _tag: "Hosts", implicit: route.implicit, provider: route.group.provider } : route

const unasked = (route: MailDns.Route): Learnt => ({
  domain: mailDomain(route),
  conversation: null,
  atLast: null,
  isPutOff: false,
  rest: 0
})

const unreachable = (route: Inquiry.Hosts): Learnt => ({
  ...unasked(route),
  conversation: {
    host: route.hosts[0].name,
    connected: false,
    reply: null,
    broken: "port_blocked",
    catch_all: null,
    attempts: 0
  }
})

const learntOf = (
  route: Inquiry.Hosts,
  gate: Gate<Session>,
  { atLast, conversation, isPutOff }: Inquiry.Heard
): Learnt => ({
  domain: mailDomain(route),
  conversation,
  atLast,
  isPutOff,
  rest: gate.pause?.rest ?? 0
})

/** The gates of groups, each made when it is first asked for. */
class Gates {
  readonly #all = new Map<string, Gate<Session>>()
  readonly #clock: Clock.Clock
  readonly #settings: Settings.Settings

  constructor(settings: Settings.Settings, clock: Clock.Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  of(group: Group): Gate<Session> {
    const { key } = group
    const known = this.#all.get(key)
    if (known !== undefined) return known
    if (this.#all.size >= GATES) for (const [key, gate] of this.#all) if (gate.isIdle) this.#all.delete(key)
    const { limits, providerLimits, time } = this.#settings
    const gate = new Gate<Session>(
      { ...limitsOf(group, providerLimits), ...limits },
      this.#clock,
      time?.idle ?? Time.defaults.idle
    )
    this.#all.set(key, gate)
    return gate
  }

  close(): void {
    for (const gate of this.#all.values()) gate.close()
  }
}

/** Connections end with the scope, at once; those that nobody uses say goodbye. */
const opening = (gates: Gates): Effect.Effect<Set<Connection>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Set<Connection>()),
    (open) =>
      Effect.promise(() => {
        gates.close()
        const all = [...open]
        for (const connection of all) connection.destroy()
        return Promise.all(all.map(({ closed }) => closed))
      })
  )

interface Ways {
  readonly route: Prober["route"]
  readonly gates: Gates
  readonly means: Means
  readonly catchAll: CatchAll
  readonly sender: string
  readonly read: Readings.Read
  readonly port: Port25.Port25
  readonly connections: number
}

/** A session behind the gate: whoever comes next gets its connection, or its place when that is closed. */
const visiting = <A>(
  { means }: Ways,
  gate: Gate<Session>,
  hosts: ReadonlySet<string>,
  use: (session: Session) => Effect.Effect<A>
): Effect.Effect<A> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(restore(gate.enter(hosts)), (kept) => {
      const session = kept ?? new Session(gate, means)
      return Effect.onExit(restore(use(session)), ({ _tag }) =>
        Effect.sync(() => gate.leave(session, _tag === "Success"))
      )
    })
  )

interface Domains<T extends Target> {
  readonly gate: Gate<Session>
  readonly next: () => Inquiry.Inquiry<T> | undefined
  readonly flush: Effect.Effect<void>
}

/**
 * Asks about domains of a group until all is known. Whoever waits for somebody else's probe has no connection meanwhile.
 */
const asking = Effect.fnUntraced(function* <T extends Target>(ways: Ways, { flush, gate, next }: Domains<T>) {
  const { read } = ways
  let begun: Array<Inquiry.Inquiry<T>> = []
  const open: Array<Inquiry.Inquiry<T>> = []
  const take = () => {
    const inquiry = open.shift() ?? next()
    if (inquiry !== undefined) begun.push(inquiry)
    return inquiry
  }
  const end = Effect.sync(() => {
    for (const inquiry of begun) inquiry.abandon()
  })
  for (let first = take(); first !== undefined; first = take()) {
    const visited = [first]
    const ask = (session: Session) => Asking.ask({ session, gate, read, flush, next: () => visited.shift() ?? take() })
    yield* Effect.ensuring(visiting(ways, gate, first.hosts, ask), end)
    for (const inquiry of begun.filter(({ waiting }) => waiting !== null)) {
      const { waiting } = inquiry
      if (waiting !== null) inquiry.told(yield* Effect.promise(() => waiting))
      if (inquiry.isOpen) open.push(inquiry)
    }
    begun = []
    yield* flush
  }
})

const probingOne = (ways: Ways): Prober["one"] =>
  Effect.fnUntraced(function* (target, seen) {
    const { catchAll, gates, port, sender } = ways
    const route = yield* ways.route(target.domain)
    let learnt = unasked(route)
    seen(learnt)
    if (route._tag !== "Hosts") return learnt
    if (port.isClosed) return unreachable(route)
    const gate = gates.of(route.group)
    const asked: Inquiry.Asked<Target> = {
      domain: target.domain,
      route,
      targets: [target],
      emit: (_, heard) => {
        learnt = learntOf(route, gate, heard)
        noted(port, route, heard)
      },
      seen: (heard) => seen(learntOf(route, gate, heard))
    }
    const inquiries = [new Inquiry.Inquiry(asked, catchAll, sender)]
    yield* asking(ways, { gate, next: () => inquiries.shift(), flush: port.suspect })
    return port.isClosed && learnt.conversation?.connected === false ? unreachable(route) : learnt
  })

const noted = (port: Port25.Port25, { group }: Inquiry.Hosts, { conversation }: Inquiry.Heard): void => {
  const { attempts, connected, reply } = conversation
  if (connected || (attempts > 0 && reply === null)) port.note(group.key, connected)
}

/** What a list has learnt, on its way to whoever reads it. */
class Results<T extends Target> {
  readonly #queue: Queue.Queue<readonly [T, Learnt], Cause.Done>
  readonly #port: Port25.Port25
  #heard: Array<readonly [T, Inquiry.Hosts, Gate<Session>, Inquiry.Heard]> = []

  constructor(queue: Queue.Queue<readonly [T, Learnt], Cause.Done>, port: Port25.Port25) {
    this.#queue = queue
    this.#port = port
  }

  hear(target: T, route: Inquiry.Hosts, gate: Gate<Session>, heard: Inquiry.Heard): void {
    this.#heard.push([target, route, gate, heard])
  }

  tell(targets: ReadonlyArray<T>, learnt: Learnt): void {
    Queue.offerAllUnsafe(
      this.#queue,
      targets.map((target) => [target, learnt] as const)
    )
  }

  /** Hands on what was heard, once it is known whether it was the port. */
  readonly flush: Effect.Effect<void> = Effect.suspend(() => {
    const all = this.#heard
    this.#heard = []
    for (const [, route, , each] of all) noted(this.#port, route, each)
    return Effect.map(this.#port.suspect, () => {
      const learnt = all.map(([target, route, gate, each]) => {
        const isReached = !this.#port.isClosed || each.conversation.connected
        return [target, isReached ? learntOf(route, gate, each) : unreachable(route)] as const
      })
      Queue.offerAllUnsafe(this.#queue, learnt)
    })
  })
}

/** A group of hosts, and the domains that wait for somebody to ask about them. */
interface Waiting<T extends Target> {
  readonly gate: Gate<Session>
  readonly inquiries: Array<Inquiry.Inquiry<T>>
  workers: number
}

type ByDomain<T> = readonly [domain: string, targets: ReadonlyArray<T>]

/** The domains of a list, in the groups whose hosts have their mail. */
class Groups<T extends Target> {
  readonly #all = new Map<Gate<Session>, Waiting<T>>()
  readonly #ways: Ways
  readonly #results: Results<T>

  constructor(ways: Ways, results: Results<T>) {
    this.#ways = ways
    this.#results = results
  }

  get all(): Iterable<Waiting<T>> {
    return this.#all.values()
  }

  /** Finds out where the mail of domains goes, one after the other. */
  readonly look = (domains: Iterator<ByDomain<T>>): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      for (let next = domains.next(); next.done !== true; next = domains.next()) {
        const [domain, targets] = next.value
        const route = yield* this.#ways.route(domain)
        if (route._tag !== "Hosts") this.#results.tell(targets, unasked(route))
        else if (this.#ways.port.isClosed) this.#results.tell(targets, unreachable(route))
        else this.#add(domain, route, targets)
      }
    })

  #add(domain: string, route: Inquiry.Hosts, targets: ReadonlyArray<T>): void {
    const { catchAll, gates, sender } = this.#ways
    const gate = gates.of(route.group)
    const group = this.#all.get(gate) ?? { gate, inquiries: [], workers: 0 }
    this.#all.set(gate, group)
    const emit = (target: T, heard: Inquiry.Heard) => this.#results.hear(target, route, gate, heard)
    group.inquiries.push(new Inquiry.Inquiry({ domain, route, targets, emit }, catchAll, sender))
  }

  /** Asks about the domains of a group until none is left. */
  readonly work = (group: Waiting<T>): Effect.Effect<void> => {
    const { gate, inquiries } = group
    const next = () => {
      // Nobody is asked behind a port that was found closed on the way.
      if (this.#ways.port.isClosed) for (const inquiry of inquiries.splice(0)) inquiry.unreachable()
      return inquiries.shift()
    }
    return Effect.ensuring(
      asking(this.#ways, { gate, next, flush: this.#results.flush }),
      Effect.sync(() => group.workers--)
    )
  }
}

/** Looks domains up, many at a time, and lets as many work at each group as may; who is done with a domain takes the next. */
const probing = Effect.fnUntraced(function* <T extends Target>(
  ways: Ways,
  queue: Queue.Queue<readonly [T, Learnt], Cause.Done>,
  targets: ReadonlyArray<T>
) {
  const workers = yield* FiberSet.make<void, never>()
  const places = yield* Semaphore.make(ways.connections)
  const groups = new Groups<T>(ways, new Results(queue, ways.port))
  const domains: ReadonlyArray<ByDomain<T>> = [...Map.groupBy(targets, ({ domain }) => domain)]
  for (let from = 0; from < domains.length; from += WAVE) {
    const wave = domains.slice(from, from + WAVE).values()
    const looks = Array.from({ length: LOOKUPS }, () => groups.look(wave))
    yield* Effect.all(looks, { concurrency: LOOKUPS, discard: true })
    for (const group of groups.all)
      while (group.workers < Math.min(group.gate.limits.connections, group.inquiries.length)) {
        group.workers++
        yield* FiberSet.run(workers, places.withPermit(groups.work(group)))
      }
  }
  yield* Effect.raceFirst(FiberSet.join(workers), FiberSet.awaitEmpty(workers))
})

const meansOf = (settings: Settings.Settings, clock: Clock.Clock, open: Set<Connection>): Means => {
  const time = { ...Time.defaults, ...settings.time }
  const dialing: Dialing = {
    port: settings.port ?? 25,
    proxy: settings.proxy ?? null,
    localAddress: settings.localAddress ?? null,
    patience: time.socket
  }
  const { hello, sender } = settings
  return { hello, sender, time, dialing, known: new Peculiarities(clock), depth: new Depth(), open }
}

/** A prober; everything it has open ends with the scope. */
export const make = Effect.fnUntraced(function* (
  settings: Settings.Settings,
  classifier: Classifier
): Effect.fn.Return<Prober, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const dns = yield* MailDns.make(settings.dns)
  const gates = new Gates(settings, clock)
  const means = meansOf(settings, clock, yield* opening(gates))
  const { dialing } = means
  const port = new Port25.Port25(clock, Port25.reach(settings.portHosts ?? Port25.hosts, dns, dialing))
  yield* Effect.forkScoped(port.check)
  const route = (domain: string): Effect.Effect<MailDns.Route> =>
    Settings.isReserved(domain, settings) ? Effect.succeed({ _tag: "Reserved" }) : dns.route(domain)
  const ways: Ways = {
    route,
    gates,
    means,
    catchAll: new CatchAll(clock),
    sender: settings.sender,
    read: Readings.make(classifier),
    port,
    connections: settings.connections ?? CONNECTIONS
  }
  return {
    dns,
    dialing,
    port,
    route,
    one: probingOne(ways),
    many: (targets) =>
      Stream.callback((queue) => Effect.andThen(Effect.scoped(probing(ways, queue, targets)), Queue.end(queue)))
  }
})
