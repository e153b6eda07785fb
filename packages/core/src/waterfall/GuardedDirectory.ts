/**
 * A vendor's directory behind the guard: circuit, retries, the vendor's own count, bucket and permits, as for enrichments,
 * but under names of their own. Vendors limit their searches apart, so that one that is used up stops no enrichment.
 */
import { Clock, Effect } from "effect"
import type { Directory, Page, Search } from "./Directory.ts"
import type * as Flights from "./Flights.ts"
import type * as Guard from "./Guard.ts"
import * as Source from "./Source.ts"
import { InvalidResponse, TimedOut } from "./SourceError.ts"
import * as Credits from "../billing/Credits.ts"

/** A directory that can be asked. */
export interface Askable<Filter, Found> {
  /** The slot's name. */
  readonly source: string
  readonly adapter: Source.Source
  readonly credential: Source.Credential
  readonly directory: Directory<Filter, Found>
  /** What is searched for; its limits are kept apart from those of other searches. */
  readonly operation: Source.Operation
}

/** A page of the directory, by the deadline (epoch milliseconds). */
export const search = <Filter, Found>(
  guard: Guard.Guard,
  asked: Askable<Filter, Found>,
  question: Search<Filter>,
  deadline: number
): Effect.Effect<Page<Found>, Guard.Trouble> =>
  Effect.suspend(() => {
    const { adapter, credential, directory, operation, source } = asked
    const name = `${source}:platform:${operation}_search`
    const flight: Flights.Flight<Guard.Trouble> = { asked: null, trouble: null, handle: null }
    let page: Page<Found> | null = null
    const call = directory.search(question, credential).pipe(
      Effect.tap((found) => Effect.sync(() => (page = found))),
      // The guard knows outcomes of enrichments only; this one says that the call has ended well.
      Effect.as(Source.miss)
    )
    const called = guard.call<"company">({
      step: {
        source,
        adapter: { ...adapter, limits: directory.limits },
        serve: {
          fields: [],
          cost: { kind: "per_call", units: directory.cost.units, unit: directory.cost.unit },
          repeatable: directory.repeatable,
          accepts: () => true,
          call: () => call
        },
        credential,
        ownKey: false,
        price: { operation: "company", source, kind: "per_call", ownKey: false },
        worst: Credits.zero
      },
      identity: { domain: null, name: null },
      credential: { circuit: name, bucket: name },
      flight
    })
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      called.pipe(
        Effect.timeoutOrElse({
          duration: Math.max(0, Math.min(directory.limits.timeout, deadline - now)),
          // Whoever never got to ask was kept from it by something: that is the reason.
          orElse: () => Effect.fail(flight.trouble ?? new TimedOut({ source }))
        }),
        Effect.flatMap(() =>
          page === null ? Effect.fail(new InvalidResponse({ source, problem: "no page" })) : Effect.succeed(page)
        )
      )
    )
  })
