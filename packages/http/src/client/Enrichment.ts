/** Enrichments and quotes with promises. */
import { CompanyEnrichment, CompanySearch } from "@lading/core/company"
import { PersonEnrichment, PersonSearch } from "@lading/core/person"
import { Effect, Schema } from "effect"
import type { CompanyAnswer, PersonAnswer } from "../api/LadingApi.ts"
import type { CompanySearchAnswer, PersonSearchAnswer } from "../api/SearchEndpoints.ts"
import { quoteAnswer, type QuoteAnswer, QuoteRequest } from "../api/Quotes.ts"
import { type CallOptions, type Client, headers, type ReadOptions, run, sent } from "./Call.ts"

/** The answer is the body as it is. */
const whole = <A, I, E, Answer>(
  request: Schema.Codec<A, I>,
  value: I,
  call: (payload: A) => Effect.Effect<{ readonly body: Answer }, E>,
  options: CallOptions
): Promise<Answer> =>
  run(
    Schema.decodeEffect(request)(value).pipe(
      Effect.flatMap(call),
      Effect.map(({ body }) => body)
    ),
    options
  )

export const company = ({ company }: Client) => ({
  enrich: (
    request: typeof CompanyEnrichment.CompanyEnrichmentRequest.Encoded,
    options: CallOptions = {}
  ): Promise<CompanyAnswer> =>
    whole(
      CompanyEnrichment.CompanyEnrichmentRequest,
      request,
      (payload) => company.enrich({ payload, headers: headers(options) }),
      options
    ),
  /** The answer to a request with `async_pending`, as it is now. */
  find: (request_id: string, options: ReadOptions = {}): Promise<CompanyAnswer> =>
    run(
      Effect.map(company.find({ params: { request_id } }), ({ body }) => body),
      options
    ),
  search: (
    request: typeof CompanySearch.CompanySearchRequest.Encoded = {},
    options: CallOptions = {}
  ): Promise<CompanySearchAnswer> =>
    whole(
      CompanySearch.CompanySearchRequest,
      request,
      (payload) => company.search({ payload, headers: headers(options) }),
      options
    )
})

export const people = ({ people }: Client) => ({
  enrich: (
    request: typeof PersonEnrichment.PersonEnrichmentRequest.Encoded,
    options: CallOptions = {}
  ): Promise<PersonAnswer> =>
    whole(
      PersonEnrichment.PersonEnrichmentRequest,
      request,
      (payload) => people.enrich({ payload, headers: headers(options) }),
      options
    ),
  /** The answer to a request that was `pending`, as it is now. */
  find: (request_id: string, options: ReadOptions = {}): Promise<PersonAnswer> =>
    run(
      Effect.map(people.find({ params: { request_id } }), ({ body }) => body),
      options
    ),
  search: (
    request: typeof PersonSearch.PersonSearchRequest.Encoded,
    options: CallOptions = {}
  ): Promise<PersonSearchAnswer> =>
    whole(
      PersonSearch.PersonSearchRequest,
      request,
      (payload) => people.search({ payload, headers: headers(options) }),
      options
    )
})

export const quotes = ({ quotes }: Client) => ({
  /** What the request would cost; it is not run. */
  quote: (request: typeof QuoteRequest.Encoded, options: CallOptions = {}): Promise<QuoteAnswer> =>
    sent(
      [QuoteRequest, quoteAnswer],
      request,
      (payload) => quotes.quote({ payload, headers: headers(options) }),
      options
    )
})
