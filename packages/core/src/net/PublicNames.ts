/**
 * Names by their records, A and AAAA, for hosts that whoever asks has chosen. The system's own lookup (`getaddrinfo`) holds
 * one of the few threads of the process until it has given up, long after whoever asked has: some names that nobody answers
 * for, and no vendor's name is found either. A query for a record holds no thread, and ends when nobody waits for it.
 *
 * Gotcha: only DNS is asked. The hosts file and names of the local network are not seen, and none of them is public.
 */
import { Effect, Result, type Scope } from "effect"
import { Dns, type NetAddress } from "effect/net"

type Resolver = Pick<Dns.Dns["Service"], "resolve">

/** How long one try may take, and how many there are. */
export const patience = { timeout: "2 seconds", tries: 2 } as const

type Addresses = ReadonlyArray<NetAddress.IpAddress>

/** A name that has one kind only is answered for the other kind with nothing, or not at all by some servers. */
const addresses = Effect.fnUntraced(function* ({ resolve }: Resolver, name: string) {
  const four = Effect.map(resolve(name, "A"), (records): Addresses => records.map(({ address }) => address))
  const six = Effect.map(resolve(name, "AAAA"), (records): Addresses => records.map(({ address }) => address))
  const answers = yield* Effect.all([Effect.result(four), Effect.result(six)], { concurrency: "unbounded" })
  const found = answers.flatMap(Result.getOrElse((): Addresses => []))
  if (found.length > 0) return found
  const failures = answers.flatMap((answer) => (Result.isFailure(answer) ? [answer.failure] : []))
  const worst = failures.find(({ reason }) => reason !== "NotFound") ?? failures[0]
  return worst === undefined ? [] : yield* worst
})

/** Each lookup opens a resolver of its own, which is closed with everything that it still asks when the lookup ends. */
export const make = <E>(open: Effect.Effect<Resolver, E, Scope.Scope>): Dns.Dns["Service"] =>
  Dns.make({
    lookup: (name) => Effect.scoped(Effect.flatMap(Effect.orDie(open), (resolver) => addresses(resolver, name)))
  })
