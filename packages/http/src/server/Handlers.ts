/** The endpoints: each names its use case, `Operation` does what all have in common. */
import { CompanyEnrichment, CompanySearch } from "@lading/core/company"
import { PersonEnrichment, PersonSearch } from "@lading/core/person"
import { Effect, Option, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { HttpApiBuilder } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { LadingApi, type NotReady, type Ready } from "../api/LadingApi.ts"
import * as Refusal from "../api/Refusal.ts"
import { Exchange } from "./Exchange.ts"
import * as Operation from "./Operation.ts"
import { Readiness } from "./Readiness.ts"

export const company = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "company",
    Effect.fnUntraced(function* (handlers) {
      const { enrich, find } = yield* CompanyEnrichment.CompanyEnrichment
      const { search } = yield* CompanySearch.CompanySearch
      return handlers
        .handleRaw(
          "enrich",
          Operation.handler(
            {
              name: "company",
              request: CompanyEnrichment.CompanyEnrichmentRequest,
              scope: "company",
              scopes: (request) => (request.include_customs === true ? ["customs"] : []),
              timeout: ({ waterfall }) => waterfall?.timeout_ms,
              enrich
            },
            limits
          )
        )
        .handleRaw("find", Operation.fetcher({ scope: "company", find }, limits))
        .handleRaw(
          "search",
          Operation.handler(
            {
              name: "company.search",
              request: CompanySearch.CompanySearchRequest,
              scope: "company",
              enrich: search
            },
            limits
          )
        )
    })
  )

export const people = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "people",
    Effect.fnUntraced(function* (handlers) {
      const { enrich, find } = yield* PersonEnrichment.PersonEnrichment
      const { search } = yield* PersonSearch.PersonSearch
      return handlers
        .handleRaw(
          "enrich",
          Operation.handler(
            {
              name: "person",
              request: PersonEnrichment.PersonEnrichmentRequest,
              scope: "people",
              scopes: (request) => (request.waterfall?.verify_emails === true ? ["email"] : []),
              timeout: ({ waterfall }) => waterfall?.timeout_ms,
              enrich
            },
            limits
          )
        )
        .handleRaw("find", Operation.fetcher({ scope: "people", find }, limits))
        .handleRaw(
          "search",
          Operation.handler(
            { name: "people.search", request: PersonSearch.PersonSearchRequest, scope: "people", enrich: search },
            limits
          )
        )
    })
  )

const readyOrNot = Effect.fnUntraced(function* (readiness: Readiness["Service"]) {
  const [draining, found] = yield* Effect.all([readiness.draining, readiness.check])
  const stores = Object.fromEntries(
    found.map(({ name, ok }) => [name, ok ? ("ok" as const) : ("unavailable" as const)])
  )
  const ready: Ready | NotReady = draining
    ? { status: "draining", stores }
    : found.every(({ ok, spared }) => ok || spared)
      ? { status: "ok", stores }
      : { status: "unavailable", stores }
  return ready
})

/** `Bearer` and the key; digests are compared, so that the time it takes says nothing about the key. */
const opens = Effect.fnUntraced(function* (key: Redacted.Redacted, authorization: string | undefined) {
  const digest = yield* Digest.Digest
  const bytes = new TextEncoder()
  const given = /^bearer +(.*)$/i.exec(authorization ?? "")?.[1] ?? ""
  const [wanted, got] = yield* Effect.all([
    digest.digestHex(Digest.sha256, bytes.encode(Redacted.value(key))),
    digest.digestHex(Digest.sha256, bytes.encode(given))
  ])
  return wanted === got
})

export const system = (metricsKey: Option.Option<Redacted.Redacted>) =>
  HttpApiBuilder.group(
    LadingApi,
    "system",
    Effect.fnUntraced(function* (handlers) {
      const readiness = yield* Readiness
      const digest = yield* Digest.Digest
      return handlers.handleAll({
        health: () => Effect.succeed({ status: "ok" as const }),
        ready: () => readyOrNot(readiness),
        metrics: Effect.fnUntraced(function* ({ request }) {
          if (
            Option.isSome(metricsKey) &&
            !(yield* opens(metricsKey.value, request.headers.authorization).pipe(
              Effect.provideService(Digest.Digest, digest)
            ))
          ) {
            const { request_id } = yield* Exchange
            return yield* new Refusal.Unauthenticated({
              request_id,
              message: "Expected the metrics key as Authorization: Bearer"
            })
          }
          return yield* PrometheusMetrics.format()
        })
      })
    })
  )
