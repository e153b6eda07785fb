/**
 * What can be learnt of mail addresses by asking: their domains by DNS, and their hosts by SMTP. It knows of no lists and
 * judges nothing.
 */
import type { Evidence } from "@lading/core/email"
import { type Cause, Clock, Effect, Queue, type Scope, Stream } from "effect"
import * as Asking from "./Asking.ts"
import { CatchAll } from "./CatchAll.ts"
import type { Classifier } from "./replies/Classifier.ts"
import type { Connection } from "./Connection.ts"
import type { Dialing } from "./Dialing.ts"
import { Gate } from "./Gate.ts"
import * as MailDns from "./MailDns.ts"
import { Peculiarities } from "./Peculiarities.ts"
import * as Port25 from "./Port25.ts"
import { type Group, limitsOf } from "./Provider.ts"
import { type Means, Session } from "./Session.ts"
import * as Settings from "./Settings.ts"
import * as Time from "./Time.ts"

export interface Target extends Asking.Target {
  readonly domain: string
}

/** What was learnt. `conversation` is `null` where nobody was asked. */
export interface Learnt extends Pick<Evidence.Evidence, "domain" | "conversation"> {
  readonly atLast: Evidence.ReplyClass | null
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

/** Domains that are looked up at a time. */
const LOOKUPS = 64
const CONNECTIONS = 300
/** Groups that are remembered before the idle ones are forgotten. */
const GATES = 10_000

const mailDomain = (route: MailDns.Route): Evidence.MailDomain =>
  route._tag === "Hosts" ? { _tag: "Hosts", implicit: route.implicit, provider: route.group.provider } : route

const unasked = (route: MailDns.Route): Learnt => ({
  domain: mailDomain(route),
  conversation: null,
  atLast: null,
  rest: 0
})

const unreachable = (route: Asking.Hosts): Learnt => ({
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

const gates = (clock: Clock.Clock, { limits, providerLimits }: Settings.Settings) => {
  const all = new Map<string, Gate>()
  return (group: Group): Gate => {
    const { key } = group
    const known = all.get(key)
    if (known !== undefined) return known
    if (all.size >= GATES) for (const [key, gate] of all) if (gate.isIdle) all.delete(key)
    const gate = new Gate({ ...limitsOf(group, providerLimits), ...limits }, clock)
    all.set(key, gate)
    return gate
  }
}

/** A session behind the gate: its place is free again when its last connection is closed. */
const visiting =
  (means: Means) =>
  <A>(gate: Gate, use: (session: Session) => Effect.Effect<A>): Effect.Effect<A> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(gate.enter), () => {
        const session = new Session(gate, means)
        const end = Effect.sync(() => void session.end().then(() => gate.leave()))
        return Effect.onExit(restore(use(session)), () => end)
      })
    )

/** Connections end with the scope, at once. */
const openConnections: Effect.Effect<Set<Connection>, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => new Set<Connection>()),
  (open) =>
    Effect.promise(() => {
      const all = [...open]
      for (const connection of all) connection.destroy()
      return Promise.all(all.map(({ closed }) => closed))
    })
)

interface Job<T> {
  readonly domain: string
  readonly route: Asking.Hosts
  readonly targets: ReadonlyArray<T>
  readonly seen?: (learnt: Learnt) => void
}

const meansOf = Effect.fnUntraced(function* (settings: Settings.Settings, clock: Clock.Clock) {
  const time = { ...Time.defaults, ...settings.time }
  const dialing: Dialing = {
    port: settings.port ?? 25,
    proxy: settings.proxy ?? null,
    localAddress: settings.localAddress ?? null,
    patience: time.socket
  }
  const open = yield* openConnections
  const means: Means = {
    hello: settings.hello,
    sender: settings.sender,
    time,
    dialing,
    known: new Peculiarities(clock),
    open
  }
  return means
})

type Ask = <T extends Target>(
  job: Job<T>,
  session: Session,
  gate: Gate,
  emit: (target: T, learnt: Learnt) => Effect.Effect<void>
) => Effect.Effect<void>

/** Asks the hosts of a domain, and tells the port whether they were reached. */
const askingWith = (catchAll: CatchAll, classifier: Classifier, port: Port25.Port25): Ask =>
  Effect.fnUntraced(function* (job, session, gate, emit) {
    const { domain, route, targets } = job
    if (port.isClosed)
      return yield* Effect.forEach(targets, (target) => emit(target, unreachable(route)), { discard: true })
    const learntOf = ({ atLast, conversation }: Asking.Heard): Learnt => ({
      domain: mailDomain(route),
      conversation,
      atLast,
      rest: gate.pause?.rest ?? 0
    })
    const seen = (heard: Asking.Heard) => job.seen?.(learntOf(heard))
    const asking = { domain, route, session, gate, catchAll, classifier, seen }
    yield* Asking.ask(asking, targets, (target, heard) => {
      const { conversation } = heard
      const wasTried = conversation.attempts > 0 && conversation.reply === null
      return Effect.andThen(
        conversation.connected || wasTried ? port.note(route.group.key, conversation.connected) : Effect.void,
        emit(target, port.isClosed && !conversation.connected ? unreachable(route) : learntOf(heard))
      )
    })
  })

const grouped = <T extends Target>(targets: ReadonlyArray<T>): ReadonlyMap<string, ReadonlyArray<T>> =>
  Map.groupBy(targets, ({ domain }) => domain)

interface Ways {
  readonly route: Prober["route"]
  readonly gateOf: (group: Group) => Gate
  readonly visit: ReturnType<typeof visiting>
  readonly ask: Ask
  readonly connections: number
}

const probingOne = ({ ask, gateOf, route, visit }: Ways): Prober["one"] =>
  Effect.fnUntraced(function* (target, seen) {
    const found = yield* route(target.domain)
    let learnt = unasked(found)
    seen(learnt)
    if (found._tag !== "Hosts") return learnt
    const gate = gateOf(found.group)
    const emit = (_: Target, all: Learnt) => Effect.sync(() => void (learnt = all))
    const job = { domain: target.domain, route: found, targets: [target], seen }
    yield* visit(gate, (session) => ask(job, session, gate, emit))
    return learnt
  })

/** Looks all domains up, and lets as many work at each group as may; who is done with a domain takes the next. */
const probing = Effect.fnUntraced(function* <T extends Target>(
  { ask, connections, gateOf, route, visit }: Ways,
  queue: Queue.Queue<readonly [T, Learnt], Cause.Done>,
  targets: ReadonlyArray<T>
) {
  const groups = new Map<Gate, Array<Job<T>>>()
  const look = Effect.fnUntraced(function* ([domain, targets]: readonly [string, ReadonlyArray<T>]) {
    const found = yield* route(domain)
    if (found._tag !== "Hosts") {
      const all = targets.map((target) => [target, unasked(found)] as const)
      return void (yield* Queue.offerAll(queue, all))
    }
    const gate = gateOf(found.group)
    const jobs = groups.get(gate) ?? []
    if (jobs.length === 0) groups.set(gate, jobs)
    jobs.push({ domain, route: found, targets })
  })
  yield* Effect.forEach(grouped(targets), look, { concurrency: LOOKUPS, discard: true })
  const emit = (target: T, learnt: Learnt) => Effect.asVoid(Queue.offer(queue, [target, learnt] as const))
  const work = (gate: Gate, jobs: Array<Job<T>>) =>
    visit(
      gate,
      Effect.fnUntraced(function* (session) {
        for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) yield* ask(job, session, gate, emit)
      })
    )
  const workers = [...groups].flatMap(([gate, jobs]) =>
    Array.from({ length: Math.min(gate.limits.connections, jobs.length) }, () => work(gate, jobs))
  )
  yield* Effect.all(workers, { concurrency: connections, discard: true })
})

/** A prober; everything it has open ends with the scope. */
export const make = Effect.fnUntraced(function* (
  settings: Settings.Settings,
  classifier: Classifier
): Effect.fn.Return<Prober, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const dns = yield* MailDns.make(settings.dns)
  const means = yield* meansOf(settings, clock)
  const { dialing } = means
  const port = new Port25.Port25(clock, Port25.reach(settings.portHosts ?? Port25.hosts, dns, dialing))
  yield* Effect.forkScoped(port.check)
  const route = (domain: string): Effect.Effect<MailDns.Route> =>
    Settings.isReserved(domain, settings) ? Effect.succeed({ _tag: "Reserved" }) : dns.route(domain)
  const ways: Ways = {
    route,
    gateOf: gates(clock, settings),
    visit: visiting(means),
    ask: askingWith(new CatchAll(clock), classifier, port),
    connections: settings.connections ?? CONNECTIONS
  }
  return {
    dns,
    dialing,
    port,
    route,
    one: probingOne(ways),
    many: (targets) => Stream.callback((queue) => Effect.andThen(probing(ways, queue, targets), Queue.end(queue)))
  }
})
