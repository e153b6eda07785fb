/** `@lading/smtp`, address by address, as many at a time as there may be connections. */
import { Clock, Effect } from "effect"
import { serve } from "../Job.ts"
import { verifying } from "../Lading.ts"

/** Milliseconds. */
const patience = 60_000

serve((job, population) =>
  verifying(job, ({ single }) =>
    Effect.forEach(
      population.addresses,
      (email) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.map(single(email, now + patience), ({ status }) => [email, status] as const)
        ),
      { concurrency: job.connections }
    ).pipe(Effect.map((all) => ({ said: Object.fromEntries(all) })))
  )
)
