/** A task, from the request to its end: the use case with everything else in memory. */
import { Core } from "@lading/core"
import { Credits, Ledger } from "@lading/core/billing"
import { EmailVerification, EmailVerifier } from "@lading/core/email"
import { Caller } from "@lading/core/request"
import { Clock, Effect, Layer } from "effect"
import { serve } from "../Job.ts"
import { verifying } from "../Lading.ts"

const account = "acc_bench"
let requests = 0
const caller = Effect.map(Clock.currentTimeMillis, (now) =>
  Caller.embedded(`req_${String(++requests).padStart(20, "0")}`, now, account)
)

const task = Effect.fnUntraced(function* (emails: ReadonlyArray<string>) {
  const ledger = yield* Ledger.Ledger
  const amount = Credits.fromNumber(1e6)
  yield* ledger.grant({ account, amount, expires_at: null, key: "first", reason: "benchmark" })
  const { bulk, result } = yield* EmailVerification.EmailVerification
  const start = performance.now()
  const { answer } = yield* bulk({ type: "bulk", emails }, yield* caller)
  const look = Effect.flatMap(caller, (who) =>
    result({ type: "bulk_result", task_id: answer.task_id, page: 1, limit: 1 }, who)
  )
  let first: number | undefined
  while (true) {
    const { progress, status } = yield* look
    if (progress.checked > 0) first ??= performance.now() - start
    if (status === "completed") break
    yield* Effect.sleep(10)
  }
  const who = yield* caller
  const { results } = yield* result({ type: "bulk_result", task_id: answer.task_id }, who)
  const said = Object.fromEntries(Object.values(results).map(({ email, status }) => [email, status]))
  return first === undefined ? { said } : { said, first }
})

serve((job, population) =>
  verifying(job, (verifier) => {
    const core = Core.layerMemory([], {
      ledger: Ledger.layerMemory,
      verifier: Layer.succeed(EmailVerifier.EmailVerifier, verifier)
    })
    return Effect.provide(task(population.addresses), core)
  })
)
