/**
 * Where the mail of a domain goes, by DNS, with what was answered kept for a while.
 *
 * `node:dns` and not `effect/net` Dns: that one gives one reason for a name that does not exist and for one without such a
 * record, and no times to live; the first is the difference between a dead domain and one with an address of its own.
 *
 * Gotchas
 * - Node keeps nothing of what it was answered, and tells no time to live of MX records: `MX_LIFE` stands for it.
 * - A null MX (RFC 7505) comes as one record with an empty name.
 * - What is judged is what is connected to: hosts come with their addresses, of which those that are not public are gone.
 */
import type { Evidence } from "@lading/core/email"
import { PublicAddress } from "@lading/core/net"
import { Cache, Duration, Effect, Random, type Scope, Semaphore } from "effect"
import { promises } from "node:dns"
import { isIP } from "node:net"
import * as Provider from "./Provider.ts"

export interface MailHost {
  /** In lower case. */
  readonly name: string
  /** To be connected to, in this order; at least one. */
  readonly addresses: ReadonlyArray<string>
}

/** Where to go, best first; else why there is nowhere to go. */
export type Route =
  | {
      readonly _tag: "Hosts"
      readonly implicit: boolean
      readonly group: Provider.Group
      readonly hosts: readonly [MailHost, ...ReadonlyArray<MailHost>]
    }
  | Exclude<Evidence.MailDomain, { readonly _tag: "Hosts" }>

export interface Options {
  /** `192.0.2.53` or `192.0.2.53:5353`; the system's by default. */
  readonly nameServers?: ReadonlyArray<string>
  /** Addresses that may be connected to although they are not public. */
  readonly permit?: (address: string) => boolean
  /** Whether hosts without an IPv4 address are asked over IPv6. Many a receiver takes IPv6 from known senders only. */
  readonly ipv6?: boolean
}

type Answer<A> =
  | { readonly _tag: "Records"; readonly records: ReadonlyArray<A>; readonly life: number }
  | { readonly _tag: "NoRecord" | "NoName" | "Unanswered"; readonly life: number }

/** Milliseconds. */
const MX_LIFE = 30 * 60_000
const LEAST_LIFE = 5 * 60_000
const MOST_LIFE = 6 * 3_600_000
const NOTHING_LIFE = 3_600_000
const UNANSWERED_LIFE = 30_000
const PATIENCE = { timeout: 2_000, tries: 2 }

/** Names that are kept. */
const CAPACITY = 50_000

/** Hosts of a domain that are tried, and addresses of a host. */
const HOSTS = 3
const ADDRESSES = 2

const failure = (error: unknown): Answer<never> => {
  const code = error instanceof Error && "code" in error ? error.code : null
  if (code === "ENODATA") return { _tag: "NoRecord", life: NOTHING_LIFE }
  if (code === "ENOTFOUND" || code === "EBADNAME") return { _tag: "NoName", life: NOTHING_LIFE }
  return { _tag: "Unanswered", life: UNANSWERED_LIFE }
}

const records = <A>(found: ReadonlyArray<A>, life: number): Answer<A> =>
  found.length === 0 ? { _tag: "NoRecord", life: NOTHING_LIFE } : { _tag: "Records", records: found, life }

const lifeOf = (found: ReadonlyArray<{ readonly ttl: number }>): number => {
  const least = Math.min(...found.map(({ ttl }) => ttl * 1_000))
  return Math.min(Math.max(least, LEAST_LIFE), MOST_LIFE)
}

interface Exchange {
  readonly exchange: string
  readonly priority: number
}

/** Addresses of a host; what kept it from having any. */
type Located = MailHost | "none" | "private" | "unanswered"

const isLocated = (located: Located): located is MailHost => typeof located !== "string"

/** How long that is so, too: in milliseconds. */
interface Looked {
  readonly located: Located
  readonly life: number
}

interface Questions {
  readonly mx: Cache.Cache<string, Answer<Exchange>>
  readonly hosts: Cache.Cache<string, Looked>
}

/** Answers for as long as they hold. */
const kept = <A extends { readonly life: number }>(ask: (name: string) => Effect.Effect<A>) =>
  Cache.makeWith(ask, {
    capacity: CAPACITY,
    timeToLive: (exit) => Duration.millis(exit._tag === "Success" ? exit.value.life : 0)
  })

/** Questions in the air, of everybody together. Of more at a time a name server loses some, and then each costs seconds. */
const QUESTIONS = 128

const located = (name: string, answer: Answer<string>, permit: (address: string) => boolean): Located => {
  if (answer._tag === "Unanswered") return "unanswered"
  if (answer._tag !== "Records") return "none"
  const addresses = answer.records.filter((address) => PublicAddress.isPublic(address) || permit(address))
  return addresses.length === 0 ? "private" : { name, addresses: addresses.slice(0, ADDRESSES) }
}

const questions = Effect.fnUntraced(function* ({
  ipv6 = false,
  nameServers = [],
  permit = () => false
}: Options): Effect.fn.Return<Questions, never, Scope.Scope> {
  const resolver = yield* Effect.acquireRelease(
    Effect.sync(() => new promises.Resolver(PATIENCE)),
    (resolver) => Effect.sync(() => resolver.cancel())
  )
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const addresses = (found: ReadonlyArray<{ readonly address: string; readonly ttl: number }>) =>
    records(
      found.map(({ address }) => address),
      lifeOf(found)
    )
  const turns = yield* Semaphore.make(QUESTIONS)
  const asking =
    <A>(ask: (name: string) => Promise<Answer<A>>) =>
    (name: string): Effect.Effect<Answer<A>> =>
      turns.withPermit(Effect.promise(() => ask(name).catch(failure)))
  const four = asking(async (name) => addresses(await resolver.resolve4(name, { ttl: true })))
  const six = asking(async (name) => addresses(await resolver.resolve6(name, { ttl: true })))
  const look = Effect.fnUntraced(function* (name: string): Effect.fn.Return<Looked> {
    const first = yield* four(name)
    const answer = ipv6 && first._tag !== "Records" && first._tag !== "NoName" ? yield* six(name) : first
    return { located: located(name, answer, permit), life: answer.life }
  })
  return {
    mx: yield* kept(asking(async (name) => records(await resolver.resolveMx(name), MX_LIFE))),
    hosts: yield* kept(look)
  }
})

const locating =
  ({ hosts }: Questions) =>
  (name: string): Effect.Effect<Located> =>
    // A name that is an address was written by somebody who wants us to go there.
    isIP(name) !== 0 ? Effect.succeed("private") : Effect.map(Cache.get(hosts, name), ({ located }) => located)

/** The best few; hosts of one preference in an order that changes. */
const best = Effect.fnUntraced(function* (found: ReadonlyArray<Exchange>) {
  const shuffled = yield* Random.shuffle(found.filter(({ exchange }) => exchange !== "" && exchange !== "."))
  const names = shuffled
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ""))
  return [...new Set(names)].slice(0, HOSTS)
})

const routeOf = (located: ReadonlyArray<Located>, implicit: boolean): Route => {
  const [first, ...others] = located.filter(isLocated)
  if (first !== undefined)
    return { _tag: "Hosts", implicit, group: Provider.groupOf(first.name), hosts: [first, ...others] }
  if (located.includes("unanswered")) return { _tag: "Unanswered" }
  return located.includes("private") ? { _tag: "Private" } : { _tag: "NoHost" }
}

export interface MailDns {
  /** Of a host, those that may be connected to; none where it has none, or nobody said. */
  readonly addresses: (name: string) => Effect.Effect<ReadonlyArray<string>>
  readonly route: (domain: string) => Effect.Effect<Route>
}

/** Ends what it still asks with the scope. */
export const make = Effect.fnUntraced(function* (options: Options = {}): Effect.fn.Return<MailDns, never, Scope.Scope> {
  const asked = yield* questions(options)
  const locate = locating(asked)
  return {
    addresses: (name) => Effect.map(locate(name), (located) => (isLocated(located) ? located.addresses : [])),
    route: Effect.fnUntraced(function* (domain: string): Effect.fn.Return<Route> {
      const answer = yield* Cache.get(asked.mx, domain)
      switch (answer._tag) {
        case "NoName":
          return { _tag: "NoDomain" }
        case "Unanswered":
          return { _tag: "Unanswered" }
        case "NoRecord":
          return routeOf([yield* locate(domain)], true)
        case "Records": {
          const names = yield* best(answer.records)
          if (names.length === 0) return { _tag: "NullMx" }
          // One after the other is as fast where there is one, as nearly always, and costs no fibre.
          const concurrency = names.length === 1 ? 1 : "unbounded"
          return routeOf(yield* Effect.forEach(names, locate, { concurrency }), false)
        }
      }
    })
  }
})
