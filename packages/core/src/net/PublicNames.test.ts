import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Dns, NetAddress } from "effect/net"
import * as PublicHost from "./PublicHost.ts"
import * as PublicNames from "./PublicNames.ts"

type Answer = ReadonlyArray<string> | Dns.DnsErrorReason | "never"

/** A resolver that answers so for A and for AAAA; `open` counts those that were not closed. */
const answering = (four: Answer, six: Answer) => {
  const seen = { open: 0, asked: [] as Array<string> }
  const answer = (said: Answer, name: string): Effect.Effect<Array<Dns.DnsRecord>, Dns.DnsError> => {
    if (said === "never") return Effect.never
    return typeof said === "string"
      ? Effect.fail(new Dns.DnsError({ reason: said, method: "resolve", hostname: name }))
      : Effect.succeed(
          said.map((text) => {
            const address = NetAddress.ipFromStringUnsafe(text)
            return NetAddress.isIpv4Address(address)
              ? Dns.makeRecordUnsafe("A", { address })
              : Dns.makeRecordUnsafe("AAAA", { address })
          })
        )
  }
  const resolver = Dns.make({
    lookup: () => Effect.die("the system's lookup"),
    resolve: (name, type) => {
      seen.asked.push(`${type} ${name}`)
      return answer(type === "A" ? four : six, name)
    }
  })
  const open = Effect.acquireRelease(
    Effect.sync(() => {
      seen.open++
      return resolver
    }),
    () => Effect.sync(() => seen.open--)
  )
  return { seen, dns: PublicNames.make(open) }
}

const resolved = (dns: Dns.Dns["Service"]) =>
  PublicHost.resolve(dns, new URL("https://acme.example/")).pipe(
    Effect.match({
      onFailure: ({ reason }): unknown => reason,
      onSuccess: (found) => found.map(({ address }) => address)
    })
  )

describe("names by their records", () => {
  it.effect("have the addresses of both kinds, or of the one that there is", () =>
    Effect.gen(function* () {
      const both = answering(["8.8.8.8", "8.8.4.4"], ["2606:4700::1111"])
      assert.deepStrictEqual(yield* resolved(both.dns), ["8.8.8.8", "8.8.4.4", "2606:4700::1111"])
      assert.deepStrictEqual(both.seen, { open: 0, asked: ["A acme.example.", "AAAA acme.example."] })
      assert.deepStrictEqual(yield* resolved(answering(["8.8.8.8"], "NotFound").dns), ["8.8.8.8"])
      assert.deepStrictEqual(yield* resolved(answering([], ["2606:4700::1111"]).dns), ["2606:4700::1111"])
      assert.deepStrictEqual(yield* resolved(answering(["8.8.8.8"], "ServerFailure").dns), ["8.8.8.8"])
    })
  )

  it.effect("lead nowhere where one address of either kind is not public", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* resolved(answering(["8.8.8.8", "10.0.0.1"], []).dns), "not_public")
      assert.strictEqual(yield* resolved(answering(["8.8.8.8"], ["::1"]).dns), "not_public")
    })
  )

  it.effect("are not there, or cannot be looked up", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* resolved(answering("NotFound", "NotFound").dns), "not_found")
      assert.strictEqual(yield* resolved(answering([], []).dns), "not_found")
      assert.strictEqual(yield* resolved(answering("NotFound", "Timeout").dns), "lookup_failed")
    })
  )

  it.effect("are not asked for any longer than somebody waits", () =>
    Effect.gen(function* () {
      const { dns, seen } = answering("never", "never")
      const lookup = yield* Effect.forkChild(dns.lookup("dead.example."), { startImmediately: true })
      assert.strictEqual(seen.open, 1)
      yield* Fiber.interrupt(lookup)
      assert.strictEqual(seen.open, 0)
    })
  )
})
