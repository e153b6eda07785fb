/**
 * Mail hosts and their name server, in a process of their own, so that their time on the processor is nobody's but theirs.
 * The first argument is what they serve, as JSON; the parent asks what they counted.
 */
import { MailPopulation, MailWorld } from "@lading/testing/mail"
import { Effect } from "effect"
import type { Counted, Question, Served } from "./World.ts"

/** `World.ts` wrote it. */
const { latency, population } = JSON.parse(process.argv[2] ?? "{}") as Served
const spec = MailPopulation.make(population).world

const serving = Effect.gen(function* () {
  const { dns, smtp } = yield* MailWorld.start(spec, { records: false, latency })
  const hosts = MailWorld.plan(spec).specs.map(({ address }) => address)
  const counted = Effect.gen(function* () {
    const each = yield* Effect.forEach(hosts, (host) => smtp.connections(host))
    const { system, user } = process.cpuUsage()
    const found: Counted = {
      mostPerHost: Math.max(...each.map(({ most }) => most)),
      opened: (yield* smtp.connections()).opened,
      recipients: yield* smtp.count("RCPT"),
      cpu: (system + user) / 1e6
    }
    return found
  })
  const run = Effect.runForkWith(yield* Effect.context<never>())
  process.on("message", (question: Question) => {
    const answer: Effect.Effect<Counted | null> =
      question === "counted" ? counted : Effect.as(Effect.andThen(smtp.clear, dns.clear), null)
    run(Effect.tap(answer, (found) => Effect.sync(() => process.send?.(found))))
  })
  process.send?.({ nameServer: dns.server, port: smtp.port })
  return yield* Effect.never
})

process.on("disconnect", () => process.exit())
void Effect.runPromise(Effect.scoped(serving))
