/**
 * A search engine of the web, as an adapter gives it: one question, and the pages that it lists. What is asked and what
 * becomes of the pages is `FoundPages`; here is how the engine is called, within the same guard as vendors of data:
 * circuit breaker, retries, what it says that it still takes, token bucket, seats.
 *
 * Gotcha: an engine that lists nothing has answered. One that cannot say whether there is something fails.
 */
import { Effect } from "effect"
import * as Credits from "../billing/Credits.ts"
import * as Guard from "../waterfall/Guard.ts"
import * as Source from "../waterfall/Source.ts"
import { type SourceError, TimedOut } from "../waterfall/SourceError.ts"

/** A page that the engine lists. */
export interface Listing {
  readonly url: string
  /** As the engine shows it; may be empty. */
  readonly title: string
}

export interface SearchEngine {
  /** Its name, e.g. `brave`: what `from` says of pages that it found. */
  readonly name: string
  readonly limits: Source.Limits
  /** Pages for a query of plain words and phrases in quotation marks, at most 400 characters; the best first. */
  readonly search: (query: string) => Effect.Effect<ReadonlyArray<Listing>, SourceError>
}

/** An engine as the guard knows those whom it calls: what it lists is handed over beside the outcome. */
const stepOf = (
  { limits, name, search }: SearchEngine,
  query: string,
  listed: (listings: ReadonlyArray<Listing>) => void
): Guard.Call<"company">["step"] => ({
  source: name,
  adapter: { adapter: name, version: "1", credential: "None", limits },
  serve: {
    fields: [],
    cost: { kind: "per_call", units: 1, unit: "query" },
    repeatable: true,
    accepts: () => true,
    call: () =>
      Effect.map(search(query), (listings) => {
        listed(listings)
        return Source.miss
      })
  },
  credential: { _tag: "None" },
  ownKey: false,
  price: { operation: "company", source: name, kind: "per_call", ownKey: false },
  worst: Credits.zero
})

/** Asks the engine, no longer than its own time-out. */
export const ask = (
  guard: Guard.Guard,
  engine: SearchEngine,
  query: string
): Effect.Effect<ReadonlyArray<Listing>, Guard.Trouble> =>
  Effect.suspend(() => {
    let found: ReadonlyArray<Listing> = []
    const step = stepOf(engine, query, (listings) => {
      found = listings
    })
    const call: Guard.Call<"company"> = {
      step,
      identity: { domain: null, name: null },
      credential: Guard.platformCredential(engine.name),
      flight: { asked: null, trouble: null, handle: null }
    }
    return guard.call(call).pipe(
      Effect.map(() => found),
      Effect.timeoutOrElse({
        duration: engine.limits.timeout,
        orElse: () => Effect.fail(new TimedOut({ source: engine.name }))
      })
    )
  })
