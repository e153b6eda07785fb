/**
 * A company's own web site as a source, and a reader of web pages: no key, no vendor, no charge.
 *
 * What is special about it: every company is another server, chosen by whoever asks. So names are resolved, judged and
 * pinned before each connection (`Web`), what comes is bounded in size and time (`Body`, `Html`), and robots.txt is
 * obeyed (`Reading`). `README.md` has the decisions.
 *
 * Gotchas
 * - `raw` is not what the site sent but what is kept of it (`Extract`): small, without the texts of its pages.
 * - A site that is down says nothing of the next one: circuits are kept for each domain.
 */
import * as NodeDns from "@effect/platform-node-shared/NodeDns"
import { type PageError, PageReader } from "@lading/core/contact"
import { PublicNames } from "@lading/core/net"
import { Source, SourceError, VendorHttp } from "@lading/core/waterfall"
import { Effect, Layer } from "effect"
import * as Company from "./Company.ts"
import * as Kept from "./Kept.ts"
import * as Options from "./Options.ts"
import * as PageText from "./PageText.ts"
import * as Reading from "./Reading.ts"
import * as Refusal from "./Refusal.ts"
import * as Visit from "./Visit.ts"
import * as Web from "./Web.ts"

export type { Options, Time } from "./Options.ts"

const { source } = Refusal

const means = (options: Options.Options): Web.Means => ({
  dns: options.dns ?? PublicNames.make(NodeDns.make(PublicNames.patience)),
  relay: options.baseUrl === undefined ? null : new URL(options.baseUrl),
  permitted: {
    ...(options.ports === undefined ? {} : { ports: options.ports }),
    ...(options.permit === undefined ? {} : { address: options.permit })
  },
  userAgent: options.userAgent ?? Options.userAgent,
  time: { ...Options.time, ...options.time }
})

/** Reads in one visit, whose connections end with it. */
const visiting = (means: Web.Means) => {
  const open = Effect.map(Web.open(means), Reading.make)
  return <A, E>(visit: (reading: Reading.Reading) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.scoped(Effect.flatMap(open, visit))
}

const read = VendorHttp.decode(source, Company.Site)

/** Reads a raw answer. One that says nothing of the company is none. */
const outcome = (raw: unknown) =>
  Effect.map(read(raw), (site) => {
    const facts = Company.facts(site)
    return Company.saysSomething(facts) ? Source.hit(facts, raw) : Source.miss
  })

const refused = (error: PageError.PageError) => {
  const refusal = Refusal.read(error)
  return refusal._tag === "Miss" ? Effect.succeed(null) : Effect.fail(refusal)
}

/** The source. Its `HttpClient` is its own, since it has to choose the address of every connection. */
export const make = (options: Options.Options = {}): Effect.Effect<Source.Source> =>
  Effect.sync(() => {
    const set = means(options)
    const visit = visiting(set)
    return {
      adapter: source,
      version: "1",
      credential: "None",
      fixtures: { origin: "documented", date: "2026-11-21" },
      limits: { concurrency: 16, rate: { calls: 50, window: 1_000 }, timeout: Options.wholeTime },
      company: {
        fields: Company.fields,
        cost: { kind: "per_hit", units: 0, unit: "visit" },
        repeatable: true,
        accepts: ({ domain }) => domain !== null,
        circuit: ({ domain }) => domain ?? "",
        call: Effect.fnUntraced(function* ({ domain }) {
          if (domain === null) return yield* new SourceError.InvalidInput({ source, problem: "no domain" })
          const site = yield* Effect.catch(
            visit((reading) => Visit.site(reading, domain, set.time)),
            refused
          )
          return site === null ? Source.miss : yield* outcome(Kept.bounded(site))
        }),
        decode: outcome
      }
    }
  })

/** Reads single pages, each in a visit of its own. */
export const layerPageReader = (options: Options.Options = {}): Layer.Layer<PageReader.PageReader> =>
  Layer.sync(PageReader.PageReader, () => {
    const set = means(options)
    const visit = visiting(set)
    return {
      read: Effect.fnUntraced(function* (text, { country } = {}) {
        const url = yield* PageReader.address(text, set.permitted)
        url.hash = ""
        const found = yield* visit((reading) => Visit.within(set.time.home)(reading.page(url)))
        return PageText.of(found, country ?? null)
      })
    }
  })
