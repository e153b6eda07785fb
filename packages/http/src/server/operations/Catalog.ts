/**
 * The catalogue: the operations of this server as a task or a language model calls them, each the same use case as its
 * endpoint, with the same schema and the same answer.
 */
import { Credits, type PriceBook } from "@lading/core/billing"
import { CompanyEnrichment, CompanySearch } from "@lading/core/company"
import { MatchedContacts, WebContacts } from "@lading/core/contact"
import { EmailRequest, EmailVerification } from "@lading/core/email"
import { PersonEnrichment, PersonSearch } from "@lading/core/person"
import { Operations } from "@lading/core/task"
import { CustomsSearch, MarketAnalytics } from "@lading/core/trade"
import { Effect, Layer } from "effect"
import * as Example from "../../api/Example.ts"
import type * as CustomsOperation from "../customs/CustomsOperation.ts"
import { all, bodyOf } from "../customs/CustomsOperation.ts"
import * as Customs from "../customs/Operations.ts"
import { answerOf } from "../email/Handlers.ts"
import type { UseCaseError } from "../Refused.ts"
import * as Documented from "./Documented.ts"
import * as Entry from "./Entry.ts"

const distinct = (names: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(names.filter((name) => name !== "request"))
]

const enriched = ({ platform, source }: PriceBook.PriceBook["company"]) =>
  `${platform} credits, and ${source} for each source that answers unless it has another price`

const enrichments = Effect.fnUntraced(function* (close: Entry.Closing, prices: PriceBook.PriceBook) {
  const companies = yield* CompanyEnrichment.CompanyEnrichment
  const people = yield* PersonEnrichment.PersonEnrichment
  return [
    close({
      name: "company.enrich",
      label: "company",
      path: "/api/company/enrich",
      request: CompanyEnrichment.CompanyEnrichmentRequest,
      sample: { ...Example.company },
      scopes: ["company"],
      more: (request) => (request.include_customs === true ? ["customs"] : []),
      price: enriched(prices.company),
      worst: (request, caller) => Effect.map(companies.quote(request, caller), ({ held }) => held),
      ask: companies.enrich,
      find: companies.find,
      show: (body) => ({
        body,
        isPending: body.meta.waterfall.async_pending,
        credits: body.meta.billing.credits_charged,
        platform: body.meta.billing.platform_credits_charged,
        sources: distinct((body.companies ?? [body.company]).flatMap((one) => Object.values(one.field_sources)))
      })
    }),
    close({
      name: "people.enrich",
      label: "person",
      path: "/api/people/enrich",
      request: PersonEnrichment.PersonEnrichmentRequest,
      sample: { ...Example.person },
      scopes: ["people"],
      more: (request) => (request.waterfall?.verify_emails === true ? ["email"] : []),
      price: enriched(prices.person),
      worst: (request, caller) => Effect.map(people.quote(request, caller), ({ held }) => held),
      ask: people.enrich,
      find: people.find,
      show: (body) => ({
        body,
        isPending: body.meta.waterfall.async_pending,
        credits: body.meta.billing.total_credits_charged,
        platform: body.meta.billing.platform_credits_charged,
        sources: distinct(Object.values(body.meta.field_sources))
      })
    })
  ]
})

const searched = ({ page, row }: PriceBook.PriceBook["search"]) =>
  `${row} credits for each row that comes, and ${page} for a page of a vendor's directory unless it has another price`

const searches = Effect.fnUntraced(function* (close: Entry.Closing, { search }: PriceBook.PriceBook) {
  const companies = yield* CompanySearch.CompanySearch
  const people = yield* PersonSearch.PersonSearch
  return [
    close({
      name: "company.search",
      path: "/api/company/search",
      request: CompanySearch.CompanySearchRequest,
      sample: { query: "nordvik", countries: ["NO"] },
      scopes: ["company"],
      price: searched(search),
      worst: companies.quote,
      ask: companies.search,
      show: (body) => ({
        body,
        credits: body.meta.billing.credits_charged,
        platform: body.meta.billing.platform_credits_charged,
        sources: distinct(body.data.list.flatMap(({ sources }) => sources))
      })
    }),
    close({
      name: "people.search",
      path: "/api/people/search",
      request: PersonSearch.PersonSearchRequest,
      sample: { company_domain: "nordvik.example", seniorities: ["head", "director"] },
      scopes: ["people"],
      price: searched(search),
      worst: people.quote,
      ask: people.search,
      show: (body) => ({
        body,
        credits: body.meta.billing.credits_charged,
        platform: body.meta.billing.platform_credits_charged,
        sources: distinct(body.data.list.flatMap(({ sources }) => sources))
      })
    })
  ]
})

const emails = Effect.fnUntraced(function* (close: Entry.Closing, { email }: PriceBook.PriceBook) {
  const { single } = yield* EmailVerification.EmailVerification
  return close({
    name: "email.verify",
    label: "email",
    path: "/api/email/verify",
    request: EmailRequest.Single,
    sample: { ...Example.email },
    scopes: ["email"],
    price: `${email.address} credits for a definite result, nothing for unknown`,
    worst: () => Effect.succeed(email.address),
    ask: single,
    show: (answer) => ({
      body: answerOf(answer),
      credits: answer.credits_charged,
      sources: []
    })
  })
})

const priceOf = ({ credits, name }: { readonly credits: number; readonly name: string }): string => {
  if (credits === 0) return "free"
  return name === "row"
    ? `${credits} credits for each row that comes`
    : `${credits} credits, nothing where nothing is found`
}

const trading =
  (close: Entry.Closing) =>
  <Request, Encoded, Answer, E extends UseCaseError>(
    path: string,
    operation: CustomsOperation.CustomsOperation<Request, Encoded, Answer, E>,
    sample: Readonly<Record<string, unknown>>
  ) =>
    close({
      name: operation.name,
      path: `/api/customs/${path}`,
      request: operation.request,
      sample,
      scopes: all(operation.scopes),
      price: priceOf(operation.ask.price),
      worst: (request) => Effect.sync(() => Credits.toNumber(operation.ask.worst(request))),
      ask: operation.ask,
      show: (answer) => ({
        body: bodyOf(answer, operation.show(answer.data)),
        credits: answer.credits_charged,
        sources: []
      })
    })

const trader = { company_id: "tr_0000000000000000" }
const side = { ...trader, role: "importer" }
const year = { start_time: "2025-01-01", end_time: "2025-12-31" }

/** All but the two that are deprecated for others. */
const customs = Effect.fnUntraced(function* (close: Entry.Closing) {
  const of = trading(close)
  const useCases = {
    search: yield* CustomsSearch.CustomsSearch,
    markets: yield* MarketAnalytics.MarketAnalytics,
    web: yield* WebContacts.WebContacts,
    contacts: yield* MatchedContacts.MatchedContacts
  }
  const company = Customs.companies(useCases)
  const record = Customs.records(useCases)
  const market = Customs.analytics(useCases)
  return [
    of("companies/match", company.match, { name: "Nordvik Robotics" }),
    of("companies/search", company.companies, { name: "Nordvik" }),
    of("companies/details", company.details, trader),
    of("companies/bulk-status", company.bulkStatus, { companies: [{ id: trader.company_id, type: "import" }] }),
    of("companies/product-keywords", company.productKeywords, { ...trader, tradeType: "importer" }),
    of("companies/trade-trends", company.tradeTrends, side),
    of("companies/records", company.companyRecords, trader),
    of("companies/partners", company.partners, side),
    of("companies/hs-codes", company.hsCodes, side),
    of("companies/regions", company.regions, side),
    of("companies/semantic-query", company.semanticQuery, { company_name: "Nordvik Robotics" }),
    of("companies/match-contacts", company.matchContacts, trader),
    of("records/search", record.records, { product: "valve" }),
    of("transactions/chinese-suppliers", record.chineseSuppliers, { product: "valve" }),
    of("transactions/merchants-new", record.merchantsNew, trader),
    of("analytics/market-trend", market.marketTrend, { type: "importer", product: "valve", ...year }),
    of("analytics/customs-statistics", market.customsStatistics, { group_by: ["month"], ...year }),
    of("analytics/company-statistics", market.companyStatistics, { role: "importer", product: "valve" }),
    of("analytics/port-statistics", market.portStatistics, { product: "valve" }),
    of("analytics/procurement-trends", market.procurementTrends, { product: "valve", country: "DE" }),
    of("analytics/world-regions", market.worldRegions, { role: "importer", product: "valve" })
  ]
})

/** At these prices, which are said with each operation. */
export const layer = (prices: PriceBook.PriceBook) =>
  Layer.effect(
    Operations.Operations,
    Effect.gen(function* () {
      const close = Entry.make(Documented.make())
      return Operations.make([
        ...(yield* enrichments(close, prices)),
        ...(yield* searches(close, prices)),
        yield* emails(close, prices),
        ...(yield* customs(close))
      ])
    })
  )
