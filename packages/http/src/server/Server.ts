/**
 * The server: routes, refusals, authentication and graceful stop over the use cases of core. It wants the use cases,
 * the accounts and an `HttpServer`; what is behind them is the installation's affair.
 */
import type { Accounts, VendorKeys } from "@lading/core/account"
import { Billing, Credits, type Ledger } from "@lading/core/billing"
import type { CompanyEnrichment, CompanySearch } from "@lading/core/company"
import type { MatchedContacts, WebContacts } from "@lading/core/contact"
import type { EmailVerification } from "@lading/core/email"
import type { Webhooks } from "@lading/core/net"
import type { PersonEnrichment, PersonSearch } from "@lading/core/person"
import type { AgenticTasks, Operations } from "@lading/core/task"
import type { CustomsSearch, MarketAnalytics } from "@lading/core/trade"
import { Effect, Layer, type Option, type Redacted } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { bodyLimit, LadingApi } from "../api/LadingApi.ts"
import * as AccountHandlers from "./account/Handlers.ts"
import type { Administration } from "./admin/Administration.ts"
import * as AdminHandlers from "./admin/Handlers.ts"
import * as Loading from "./admin/Loading.ts"
import * as Authentication from "./Authentication.ts"
import * as CustomsHandlers from "./customs/Handlers.ts"
import * as Documents from "./Documents.ts"
import * as EmailHandlers from "./email/Handlers.ts"
import * as Envelope from "./Envelope.ts"
import * as Flags from "./Flags.ts"
import * as Handlers from "./Handlers.ts"
import * as InFlight from "./InFlight.ts"
import type { Buckets } from "./limits/Buckets.ts"
import * as Mcp from "./mcp/Endpoint.ts"
import type { Operator } from "./Operator.ts"
import * as Quotes from "./Quotes.ts"
import * as RateLimit from "./RateLimit.ts"
import { Readiness } from "./Readiness.ts"
import * as Reference from "./Reference.ts"
import type { TradeIntake } from "./TradeIntake.ts"
import * as TaskHandlers from "./tasks/Handlers.ts"
import * as WebhookHandlers from "./webhooks/Handlers.ts"
import * as Work from "./Work.ts"

export interface Options {
  /** How long `/ready` says 503 while requests are still served, before listening stops; in milliseconds. */
  readonly drainMs: number
  /** What `/metrics` must be asked with as `Authorization: Bearer`; open to everybody without one. */
  readonly metricsKey: Option.Option<Redacted.Redacted>
  /** How often an API key may ask; unless given, as often as it likes. */
  readonly rateLimit?: RateLimit.Rate
  /** How often an account may ask with all of its keys; unless given, as often as it likes. */
  readonly accountRateLimit?: RateLimit.Rate
  /** How many requests under `/api` are answered at once; 1,000 unless said otherwise. */
  readonly inFlight?: number
  /** How many of them an account may have, or a `fair` share of them; unless given, as many as it likes. */
  readonly accountInFlight?: number | "fair"
  /** The longest body in bytes; 1 MiB unless said otherwise. */
  readonly bodyLimit?: number
  /** What a session of an MCP client may spend, in credits; 10 unless said otherwise. */
  readonly mcpCredits?: number
  /** Beyond its own time-out a request is given up after this, in milliseconds; 5,000 unless said otherwise. */
  readonly requestTimeoutGraceMs?: number
}

export { layer as layerNode } from "./NodeServer.ts"

/** How many requests are answered at once, unless something else is said. */
const inFlight = 1000

/** What a session of an MCP client may spend, unless something else is said. */
const mcpCredits = 10

const routes = (options: Options) => {
  const limits = {
    body: options.bodyLimit ?? bodyLimit,
    grace: options.requestTimeoutGraceMs ?? Work.grace
  }
  const rates = { key: options.rateLimit ?? null, account: options.accountRateLimit ?? null }
  const crowd = { all: options.inFlight ?? inFlight, ofAccount: options.accountInFlight ?? null }
  const mcp = Mcp.layer({ ...limits, cap: Credits.fromNumber(options.mcpCredits ?? mcpCredits) })
  const envelope = Envelope.layer({ inFlight: crowd.all })
  return Layer.mergeAll(HttpApiBuilder.layer(LadingApi), Documents.layer, Flags.layer, mcp, envelope).pipe(
    Layer.provide([
      Handlers.company(limits),
      Handlers.people(limits),
      CustomsHandlers.layer(limits),
      EmailHandlers.layer(limits),
      AccountHandlers.layer(limits, rates, crowd.ofAccount),
      WebhookHandlers.layer(limits),
      TaskHandlers.layer(limits),
      Quotes.layer(limits),
      Reference.layer,
      AdminHandlers.layer(limits).pipe(Layer.provide(Loading.layer)),
      Handlers.system(options.metricsKey)
    ]),
    Layer.provide([
      AdminHandlers.layerScope,
      // Nothing that is billed here costs anything: the ledger keeps outcomes for those who repeat themselves.
      Billing.layer(),
      Authentication.layer,
      HttpServer.layerServices
    ]),
    // One entrance for all: who asks by one way has used up what is asked for by another.
    Layer.provide(
      Authentication.layerEntrance.pipe(
        Layer.provide(RateLimit.layer(rates)),
        Layer.provide(Layer.sync(InFlight.InFlight, () => InFlight.make(crowd)))
      )
    )
  )
}

/**
 * Serves until its scope closes; closing drains: `/ready` is 503 for `drainMs`, then listening stops, then running
 * requests finish. So the command line only launches the layer and lets a signal interrupt it.
 *
 * Finalizers run last added first, so the order of the lines is the order of the stop, read backwards.
 */
export const layer = (
  options: Options
): Layer.Layer<
  never,
  never,
  | CompanyEnrichment.CompanyEnrichment
  | CompanySearch.CompanySearch
  | PersonEnrichment.PersonEnrichment
  | PersonSearch.PersonSearch
  | CustomsSearch.CustomsSearch
  | MarketAnalytics.MarketAnalytics
  | WebContacts.WebContacts
  | MatchedContacts.MatchedContacts
  | EmailVerification.EmailVerification
  | AgenticTasks.AgenticTasks
  | Accounts.Accounts
  | VendorKeys.VendorKeys
  | Operations.Operations
  | Ledger.Ledger
  | Webhooks.Webhooks
  | Administration
  | Operator
  | TradeIntake
  | Buckets
  | Readiness
  | Digest.Digest
  | SecureRandom.SecureRandom
  | HttpServer.HttpServer
> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const readiness = yield* Readiness
      const server = yield* HttpServer.HttpServer
      const work = yield* Work.Work
      yield* Effect.addFinalizer(() =>
        Effect.timeoutOrElse(work.ended, {
          duration: Work.longest(options.requestTimeoutGraceMs),
          orElse: () => Effect.logWarning("stopped while requests were running")
        })
      )
      yield* server.serve(yield* HttpRouter.toHttpEffect(routes(options)))
      yield* Effect.addFinalizer(() => Effect.andThen(readiness.drain, Effect.sleep(options.drainMs)))
    })
  ).pipe(Layer.provide(Work.layer))
