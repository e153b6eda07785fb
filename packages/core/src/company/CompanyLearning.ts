/**
 * What enrichments say of companies is remembered in the index: behind the answer, together with what else has come
 * meanwhile, and without failing anybody. What was bought with an account's own key is that account's alone.
 */
import { Array as Arr, Context, Effect, Layer, Metric, Option, Queue, Schema } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as TraderDomains from "../trade/TraderDomains.ts"
import { labelled } from "../value/Labelled.ts"
import type { Found } from "../waterfall/Enrichment.ts"
import { Range } from "../waterfall/Said.ts"
import { CompanyIndex } from "./CompanyIndex.ts"
import type { CompanyProfile } from "./CompanyProfile.ts"
import { handleOf, type KnownCompany, type Said } from "./KnownCompany.ts"

export class CompanyLearning extends Context.Service<
  CompanyLearning,
  {
    /** Does not wait. Nothing is remembered that only the request itself says. */
    readonly learn: (found: ReadonlyArray<Found<CompanyProfile>>, account: string) => Effect.Effect<void>
  }
>()("@lading/core/company/CompanyLearning") {}

/** For embedders that search for no companies. */
export const layerNone: Layer.Layer<CompanyLearning> = Layer.succeed(CompanyLearning, { learn: () => Effect.void })

const putsOf = labelled(["outcome"], (attributes) =>
  Metric.counter("lading_company_index_puts_total", {
    description: "Companies that enrichments answered with, by whether the index has taken them",
    incremental: true,
    attributes
  })
)

/** So many wait for the index; beyond that the oldest are forgotten. */
const waiting = 10_000

/** So many are put together. */
const together = 500

const isRange = Schema.is(Range)

/** The range that the number stands for, where its source gave one. */
const employeesOf = ({ field_sources, profile, run }: Found<CompanyProfile>): Said["employees"] => {
  const count = profile.estimated_employee_count
  if (count === null) return null
  const raw = run.observations
    .filter(({ field, origin }) => field === "estimated_employee_count" && origin.source === field_sources[field])
    .map(({ reading }) => reading.raw)
    .find(isRange)
  return raw === undefined ? { min: count, max: count } : { min: raw.min, max: raw.max }
}

/** `null` for what nobody but the request has said. */
const companyOf = (found: Found<CompanyProfile>, account: string): KnownCompany | null => {
  const { field_sources, profile, run } = found
  if (!Object.values(field_sources).some((source) => source !== "request")) return null
  const name = field_sources["name"] === "request" ? null : profile.name
  if (name === null && profile.primary_domain === null) return null
  return {
    account: run.byokUsed.length > 0 ? account : null,
    trader_id: null,
    name,
    domain: profile.primary_domain,
    website_url: profile.website_url,
    country: profile.hq.country_code,
    city: profile.hq.city,
    industries: profile.industries,
    technologies: profile.technologies,
    employees: employeesOf(found),
    founded_year: profile.founded_year,
    description: profile.description,
    linkedin_url: profile.social_links.linkedin_url
  }
}

/** With the trader that its domain is known to be of, where that is one by id. */
const tied = (domains: TraderDomains.TraderDomains["Service"], company: KnownCompany) =>
  company.domain === null
    ? Effect.succeed(company)
    : domains.traders(company.domain).pipe(
        Effect.map((known) => ({
          ...company,
          trader_id: known.find(({ trader_id }) => trader_id !== null)?.trader_id ?? null
        }))
      )

const handles = ({ domain }: KnownCompany): ReadonlyArray<string> => (domain === null ? [] : [handleOf(domain)])

const unobjected = (suppression: Suppression.Suppression["Service"], some: ReadonlyArray<KnownCompany>) =>
  Effect.map(
    suppression.find(() => some.flatMap(handles)),
    (objected) => some.filter((company) => !handles(company).some((handle) => objected.has(handle)))
  )

const make = Effect.gen(function* () {
  const index = yield* CompanyIndex
  const domains = yield* TraderDomains.TraderDomains
  const suppression = yield* Suppression.Suppression
  const queue = yield* Queue.make<KnownCompany>({ capacity: waiting, strategy: "sliding" })
  const put = Effect.fnUntraced(function* (some: ReadonlyArray<KnownCompany>) {
    const companies = yield* Effect.forEach(yield* unobjected(suppression, some), (company) => tied(domains, company))
    yield* index.put(companies)
    // Who objected meanwhile may have been erased before this came.
    const objected = yield* suppression.find(() => companies.flatMap(handles))
    if (objected.size > 0) yield* index.erase([...objected])
  })
  const putOrComplain = (some: ReadonlyArray<KnownCompany>) =>
    put(some).pipe(
      Effect.as("taken"),
      Effect.catch(({ problem }) =>
        Effect.as(Effect.logWarning("companies could not be put into the index", { problem }), "failed")
      ),
      Effect.flatMap((outcome) => Metric.update(putsOf(outcome), some.length))
    )
  yield* Queue.takeBetween(queue, 1, together).pipe(Effect.flatMap(putOrComplain), Effect.forever, Effect.forkScoped)
  return CompanyLearning.of({
    learn: (found, account) =>
      Effect.asVoid(Queue.offerAll(queue, Arr.getSomes(found.map((one) => Option.fromNullOr(companyOf(one, account))))))
  })
})

export const layer: Layer.Layer<
  CompanyLearning,
  never,
  CompanyIndex | Suppression.Suppression | TraderDomains.TraderDomains
> = Layer.effect(CompanyLearning, make)
