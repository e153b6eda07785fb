/**
 * The web domains of traders: customs records have none, so they are learnt from enrichments and from an operator's file.
 * An entry is about a trader by its id, or about a name in a country.
 *
 * Gotcha: of several entries the one of the operator counts, then the newest.
 */
import { Context, Effect, Layer, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as DomainName from "../value/DomainName.ts"
import * as TraderName from "./TraderName.ts"

export class TraderDomainsUnavailable extends Schema.TaggedError<TraderDomainsUnavailable>()(
  "TraderDomainsUnavailable",
  { problem: Schema.String }
) {}

/** Which trader is meant. */
export interface Trader {
  readonly trader_id: string
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null
}

export interface Entry {
  /** `null` where only a name is known. */
  readonly trader_id: string | null
  readonly name: string | null
  readonly country: string | null
  /** Lower case, without scheme, `www.` and path. */
  readonly domain: string
  readonly origin: "enrichment" | "operator"
}

/** The traders of a domain, as they are known by it. */
export interface Known {
  readonly trader_id: string | null
  readonly name: string | null
  readonly country: string | null
}

export class TraderDomains extends Context.Service<
  TraderDomains,
  {
    /** The domain of a trader, by its id, else by its name and country; `null` where nobody has learnt it. */
    readonly find: (trader: Trader) => Effect.Effect<string | null, TraderDomainsUnavailable>
    /** Who is known under a domain, the operator's first; at most ten. */
    readonly traders: (domain: string) => Effect.Effect<ReadonlyArray<Known>, TraderDomainsUnavailable>
    readonly learn: (entry: Entry) => Effect.Effect<void, TraderDomainsUnavailable>
    /** Forgets what is about one of these handles; gives their number. */
    readonly erase: (handles: ReadonlyArray<string>) => Effect.Effect<number, TraderDomainsUnavailable>
  }
>()("@lading/core/trade/TraderDomains") {}

/** What names are compared by. */
export const nameKey = (name: string): string => TraderName.read(name).words.join(" ")

/** The handle under which an entry is erased, or kept from being learnt. */
export const handleOf = (domain: string): string => `domain:${DomainName.registrable(domain)}`

/** How many traders of a domain are told. */
export const MOST = 10

const isOf = (entry: Entry, trader: Trader): boolean =>
  entry.trader_id === null
    ? entry.name !== null && entry.country === trader.country && nameKey(entry.name) === nameKey(trader.name)
    : entry.trader_id === trader.trader_id

/** The operator's first, then the newest; by the trader itself before by its name. */
const rank = ({ origin, trader_id }: Entry): number => (origin === "operator" ? 0 : 2) + (trader_id === null ? 1 : 0)

const same = (a: Entry, b: Entry): boolean =>
  a.trader_id === b.trader_id &&
  a.origin === b.origin &&
  a.country === b.country &&
  nameKey(a.name ?? "") === nameKey(b.name ?? "")

/** Of each trader or name the last entry of its origin; beyond so many the oldest are forgotten. */
const capacity = 10_000

/** Domains in memory, lost with the process; `given` is what is known from the start. */
export const layerMemory = (
  given: ReadonlyArray<Entry> = []
): Layer.Layer<TraderDomains, never, Suppression.Suppression> =>
  Layer.effect(
    TraderDomains,
    Effect.map(Suppression.Suppression, (suppression) => {
      let entries: ReadonlyArray<Entry> = given
      const best = (found: ReadonlyArray<Entry>) => found.toSorted((a, b) => rank(a) - rank(b))
      return {
        find: (trader) => Effect.sync(() => best(entries.filter((entry) => isOf(entry, trader)))[0]?.domain ?? null),
        traders: (domain) =>
          Effect.sync(() =>
            best(entries.filter((entry) => entry.domain === domain))
              .slice(0, MOST)
              .map(({ country, name, trader_id }) => ({ trader_id, name, country }))
          ),
        learn: (entry) =>
          suppression
            .find(() => [handleOf(entry.domain)])
            .pipe(
              Effect.map((objected) => {
                if (objected.size > 0) return
                entries = [entry, ...entries.filter((other) => !same(other, entry))].slice(0, capacity)
              }),
              Effect.mapError(({ problem }) => new TraderDomainsUnavailable({ problem }))
            ),
        erase: (handles) =>
          Effect.sync(() => {
            const before = entries.length
            entries = entries.filter(({ domain }) => !handles.includes(handleOf(domain)))
            return before - entries.length
          })
      }
    })
  )

const nameAndCountry = (name: string, country: string | null): string => `${country ?? ""}:${nameKey(name)}`

/** What an operator gives, before what is learnt. It is forgotten with the rest, until the process ends. */
export const withGiven = (given: ReadonlyArray<Entry>, domains: TraderDomains["Service"]): TraderDomains["Service"] => {
  const byId = new Map<string, string>()
  const byName = new Map<string, string>()
  const byDomain = new Map<string, Array<Known>>()
  for (const { country, domain, name, trader_id } of given) {
    if (trader_id !== null) byId.set(trader_id, domain)
    else if (name !== null) byName.set(nameAndCountry(name, country), domain)
    byDomain.set(domain, [...(byDomain.get(domain) ?? []), { trader_id, name, country }].slice(0, MOST))
  }
  const gone = (handles: ReadonlyArray<string>): number => {
    let count = 0
    for (const domain of byDomain.keys()) if (handles.includes(handleOf(domain))) byDomain.delete(domain)
    for (const known of [byId, byName]) {
      for (const [key, domain] of known) if (handles.includes(handleOf(domain)) && known.delete(key)) count++
    }
    return count
  }
  return {
    learn: domains.learn,
    find: (trader) => {
      const domain = byId.get(trader.trader_id) ?? byName.get(nameAndCountry(trader.name, trader.country))
      return domain === undefined ? domains.find(trader) : Effect.succeed(domain)
    },
    traders: (domain) =>
      Effect.map(domains.traders(domain), (learnt) => [...(byDomain.get(domain) ?? []), ...learnt].slice(0, MOST)),
    erase: (handles) => Effect.map(domains.erase(handles), (count) => count + gone(handles))
  }
}
