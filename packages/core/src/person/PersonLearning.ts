/**
 * Whom enrichments answered with is remembered, behind the answer and without failing anybody: for as long as a source's
 * answer is kept. What was bought with an account's own key is that account's alone.
 */
import { Clock, Context, Effect, Layer, Metric, Queue } from "effect"
import { labelled } from "../value/Labelled.ts"
import type { Found } from "../waterfall/Enrichment.ts"
import { type Keeping, KnownPeople, type KnownPerson } from "./KnownPeople.ts"
import type { PersonProfile } from "./PersonProfile.ts"

export class PersonLearning extends Context.Service<
  PersonLearning,
  {
    /** Does not wait. Nobody is remembered whom only the request itself names. */
    readonly learn: (found: Found<PersonProfile>, account: string) => Effect.Effect<void>
  }
>()("@lading/core/person/PersonLearning") {}

const putsOf = labelled(["outcome"], (attributes) =>
  Metric.counter("lading_known_people_puts_total", {
    description: "People that enrichments answered with, by whether the store has taken them",
    incremental: true,
    attributes
  })
)

/** So many wait for the store; beyond that the oldest are forgotten. */
const waiting = 10_000

interface Put {
  readonly person: KnownPerson
  readonly keeping: Keeping
}

const personOf = ({ field_sources, profile }: Found<PersonProfile>): KnownPerson | null => {
  const { company_domain, current_title, company_name, first_name, last_name, location, social_links } = profile
  if (!Object.values(field_sources).some((source) => source !== "request")) return null
  if (company_domain === null || first_name === null || last_name === null) return null
  return {
    first_name,
    last_name,
    current_title,
    company_name,
    company_domain,
    city: location.city,
    country: location.country_code,
    linkedin_url: social_links.linkedin_url,
    emails: profile.emails.map(({ email, status, type }) => ({ email, type, status })),
    phones: profile.phones.map(({ number, type }) => ({ number, type }))
  }
}

/** `keep`: how long, in milliseconds. */
export const layer = (keep: number): Layer.Layer<PersonLearning, never, KnownPeople> =>
  Layer.effect(
    PersonLearning,
    Effect.gen(function* () {
      const people = yield* KnownPeople
      const queue = yield* Queue.make<Put>({ capacity: waiting, strategy: "sliding" })
      const put = ({ keeping, person }: Put) =>
        people.put(person, keeping).pipe(
          Effect.as("taken"),
          Effect.catch(({ problem }) =>
            Effect.as(Effect.logWarning("a person could not be remembered", { problem }), "failed")
          ),
          Effect.flatMap((outcome) => Metric.update(putsOf(outcome), 1))
        )
      yield* Queue.take(queue).pipe(Effect.flatMap(put), Effect.forever, Effect.forkScoped)
      return PersonLearning.of({
        learn: (found, account) => {
          const person = personOf(found)
          if (person === null) return Effect.void
          return Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const keeping = { account: found.run.byokUsed.length > 0 ? account : null, kept_until: now + keep }
            return Effect.asVoid(Queue.offer(queue, { person, keeping }))
          })
        }
      })
    })
  )
