/** How `@lading/smtp` is set up for the benchmark: asked as fast as connections allow, since the other one has no manners. */
import { EmailVerifier } from "@lading/core/email"
import { Verifier, type Settings } from "@lading/smtp"
import { Effect } from "effect"
import type { Job } from "./Job.ts"

const settings = (job: Job): Settings.Settings => ({
  hello: "probe.verifier.test",
  sender: "verify@verifier.test",
  port: job.port,
  dns: { nameServers: [job.nameServer], permit: (address) => address.startsWith("127.") },
  zones: ["test"],
  limits: {
    connections: job.perHost,
    questions: job.questions,
    refusals: job.refusals,
    connectEvery: 0,
    askEvery: 0
  },
  connections: job.connections,
  portHosts: []
})

/** What `use` makes of the verifier. */
export const verifying = <A, E>(
  job: Job,
  use: (verifier: EmailVerifier.EmailVerifier["Service"]) => Effect.Effect<A, E>
): Promise<A> =>
  EmailVerifier.EmailVerifier.pipe(
    Effect.flatMap(use),
    Effect.provide(Verifier.layer(settings(job))),
    Effect.runPromise
  )
