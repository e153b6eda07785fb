/** `@lading/smtp`, the whole list at once, as a chunk of a task is verified. */
import { Effect, Stream } from "effect"
import { serve } from "../Job.ts"
import { verifying } from "../Lading.ts"

serve((job, population) =>
  verifying(job, ({ bulk }) => {
    if (bulk._tag !== "Direct") throw new Error("it asks itself")
    const found = Stream.runCollect(bulk.verify(population.addresses, 1))
    return Effect.map(found, (all) => ({
      said: Object.fromEntries(all.map(({ email, result }) => [email, result.status]))
    }))
  })
)
