/**
 * A whole installation from its configuration: slots, stores, core, limits and the server on top.
 *
 * Gotcha: whatever the tracing is, requests to vendors open no client span and carry no trace headers (`VendorHttp`),
 * since a client span would hold the request's headers, and with them the key.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeDns from "@effect/platform-node/NodeDns"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Core } from "@lading/core"
import { Erasure } from "@lading/core/account"
import type { CompanyEnrichment } from "@lading/core/company"
import { EmailVerifier } from "@lading/core/email"
import { PublicNames, WebhookUrl } from "@lading/core/net"
import type { PersonEnrichment } from "@lading/core/person"
import { Slots } from "@lading/core/waterfall"
import { Owner } from "@lading/postgres"
import { Effect, Layer, Option, Schedule } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import type { HttpClient, HttpServer } from "effect/http"
import type { ServeError } from "effect/http/HttpServerError"
import { Dns } from "effect/net"
import { SqlClient } from "effect/sql"
import { WorkflowEngine } from "effect/workflow"
import * as Administration from "./admin/Administration.ts"
import * as Binding from "./Binding.ts"
import { CannotStart } from "./CannotStart.ts"
import type { Configuration } from "./Configuration.ts"
import * as Durable from "./Durable.ts"
import * as DurableSweep from "./DurableSweep.ts"
import * as Catalog from "./operations/Catalog.ts"
import * as Operator from "./Operator.ts"
import * as RandomPool from "./RandomPool.ts"
import * as Server from "./Server.ts"
import * as Finders from "./Finders.ts"
import * as HsList from "./HsList.ts"
import * as Limits from "./limits/Limits.ts"
import * as Planners from "./Planners.ts"
import * as Tasks from "./tasks/Tasks.ts"
import * as TradeStores from "./TradeStores.ts"
import * as Stores from "./Stores.ts"
import * as TraderDomainsFile from "./TraderDomainsFile.ts"
import * as Variables from "./Variables.ts"
import * as Verifiers from "./Verifiers.ts"
import * as Sender from "./webhooks/Sender.ts"

/** How vendors are asked: connections are kept, and shared by all of them. */
const layerHttpClient: Layer.Layer<HttpClient.HttpClient> = NodeHttpClient.layerUndici

/** Digests and random keys by the platform's own cryptography. */
const layerCrypto: Layer.Layer<Digest.Digest | SecureRandom.SecureRandom> = Layer.merge(
  NodeCrypto.layerDigest,
  RandomPool.layer
)

/** Every slot as it is configured, its adapter loaded. */
const layerSlots = ({ providers, sourceOrder }: Configuration): Layer.Layer<Slots.Slots, CannotStart> =>
  Layer.unwrap(Effect.map(Effect.forEach(providers, Binding.bind), (slots) => Slots.layer(slots, sourceOrder))).pipe(
    Layer.provide(layerHttpClient)
  )

const problemOf = ({ host, port }: Configuration, { cause }: ServeError): CannotStart => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason"
  const variable = Variables.server.port.name
  if (code === "EADDRINUSE") {
    const problem = `port ${port} of ${host} is in use; set another one, or 0 for any that is free`
    return new CannotStart({ variable, problem })
  }
  if (code === "EACCES") return new CannotStart({ variable, problem: `this user may not listen on port ${port}` })
  return new CannotStart({ variable: Variables.server.host.name, problem: `cannot listen on ${host}: ${code}` })
}

const layerAddress = (configuration: Configuration): Layer.Layer<HttpServer.HttpServer, CannotStart> =>
  Server.layerNode({ host: configuration.host, port: configuration.port }).pipe(
    Layer.catch((error) => Layer.effectContext(Effect.fail(problemOf(configuration, error))))
  )

/** What a command wants where the configuration says nothing. */
export interface Defaults {
  /** Milliseconds. */
  readonly drainMs: number
  /** Requests a minute for each API key; 0 for no limit. */
  readonly rateLimit: number
  /** Whether an account may have a fair share of the requests at once only. */
  readonly fair: boolean
}

const minute = 60_000

const perMinute = (requests: number) => (requests === 0 ? null : { requests, window: minute })

const serverOptions = (configuration: Configuration, defaults: Defaults): Server.Options => {
  const { drainMs, inFlight, metricsKey } = configuration
  const ofKey = configuration.rateLimit ?? defaults.rateLimit
  const rateLimit = perMinute(ofKey)
  const accountRateLimit = perMinute(configuration.accountRateLimit ?? 2 * ofKey)
  const accountInFlight = configuration.accountInFlight ?? (defaults.fair ? "fair" : 0)
  return {
    drainMs: drainMs ?? defaults.drainMs,
    metricsKey: Option.fromNullOr(metricsKey),
    inFlight,
    mcpCredits: configuration.mcpCredits,
    ...(rateLimit === null ? {} : { rateLimit }),
    ...(accountRateLimit === null ? {} : { accountRateLimit }),
    ...(accountInFlight === 0 ? {} : { accountInFlight })
  }
}

/** What an installation offers to who prepares it, and to who tells others where it is. */
export type Offered = Stores.Ports | Owner.Owner | HttpServer.HttpServer | Digest.Digest | SecureRandom.SecureRandom

/** Who verifies mail addresses. */
export const layerVerifier = ({ email }: Configuration): Layer.Layer<EmailVerifier.EmailVerifier, CannotStart> =>
  Verifiers.layer(email).pipe(Layer.provide(layerHttpClient))

/** The use cases over the stores of the installation. */
const layerCore = (configuration: Configuration) => {
  const { policy, prices } = configuration
  return Core.layer({ prices, policy }).pipe(
    Layer.provide([layerSlots(configuration), layerVerifier(configuration), layerFinder(configuration)])
  )
}

/** Tasks over the same use cases. */
const layerTasks = (configuration: Configuration) =>
  Tasks.layer(configuration.prices).pipe(
    Layer.provide(Planners.layerPlanner(configuration).pipe(Layer.provide(layerHttpClient)))
  )

/** Who finds pages with contacts. Whoever has chosen a search engine means the pages that it lists, in a sandbox too. */
const layerFinder = ({ finder, providers }: Configuration) => {
  const website = providers.find(({ slot }) => slot === "website")
  const enabled = website !== undefined && website.adapter !== null
  const baseUrl = finder.name === "website" ? (website?.baseUrl ?? null) : null
  return Finders.layer(finder, { enabled, baseUrl }).pipe(Layer.provide(layerHttpClient))
}

/** What product codes mean here. */
const layerProducts = ({ dataDir }: Configuration): Layer.Layer<never, CannotStart> =>
  HsList.layer(dataDir).pipe(
    Layer.catchTag("NotAList", ({ file, problem }) =>
      Layer.effectDiscard(new CannotStart({ variable: null, problem: `${file}: ${problem}` }))
    )
  )

/** Goes on with what is pending; the stores are opened by now. */
const layerDurable = ({ databaseUrl }: Configuration) => Durable.layer({ shared: databaseUrl !== null })

/** Whoever can read the folder that this process owns. */
const layerOperator = Layer.unwrap(Effect.map(Owner.Owner, ({ token }) => Operator.layer(token)))

const layerAdministrationOver = Administration.layer.pipe(Layer.provide(Erasure.layer))

/** Forgets durable work that ended long ago. */
const layerSweep = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Stores.regularly(
      "forget workflows that have ended",
      Effect.provideService(DurableSweep.sweep(Durable.prefix), SqlClient.SqlClient, sql),
      Schedule.spaced("1 hour")
    )
  )
)

/** Receivers of webhooks by name. Those of development are on this machine, and in its hosts file. */
const layerNames = ({ webhookInsecure }: Configuration): Layer.Layer<Dns.Dns> =>
  webhookInsecure ? NodeDns.layer : Layer.succeed(Dns.Dns, PublicNames.make(NodeDns.make(PublicNames.patience)))

/** Serves until its scope closes. */
export const layer = (configuration: Configuration, defaults: Defaults): Layer.Layer<Offered, CannotStart> =>
  Layer.mergeAll(
    Server.layer(serverOptions(configuration, defaults)),
    Stores.layerMaintenance,
    layerSweep,
    Sender.layer().pipe(Layer.provide(layerNames(configuration)))
  ).pipe(
    Layer.provide(layerTasks(configuration)),
    Layer.provide([layerAdministrationOver, layerOperator, Stores.layerReadiness(TradeStores.chosen(configuration))]),
    Layer.provide(Catalog.layer(configuration.prices)),
    Layer.provide(layerCore(configuration)),
    Layer.provide(Limits.layer(configuration)),
    Layer.provide(layerDurable(configuration)),
    // Those of the file before those that were learnt.
    Layer.provide([TradeStores.layer(configuration), TraderDomainsFile.layer(configuration.traderDomains)]),
    Layer.provide(layerProducts(configuration)),
    // Whoever is asked to send somewhere, and whoever sends.
    Layer.provide(Layer.succeed(WebhookUrl.Policy, { insecure: configuration.webhookInsecure })),
    // The stores first: nobody is let in before there is somebody to answer.
    Layer.provideMerge(layerAddress(configuration)),
    Layer.provideMerge(Layer.merge(Stores.layer(configuration), layerCrypto))
  )

/** Administration without a server: opens the stores, and owns the folder meanwhile. */
export const layerAdministration = (
  configuration: Configuration
): Layer.Layer<Administration.Administration, CannotStart> =>
  layerAdministrationOver.pipe(
    Layer.provide(layerCore({ ...configuration, email: { ...configuration.email, verifier: "none" } })),
    Layer.provide(Core.layerLimits),
    // Whoever administers goes on with nothing: that is the server's affair.
    Layer.provide(WorkflowEngine.layerMemory),
    // What records say is nothing to administer; what is known of companies is erased with the rest.
    Layer.provide(TradeStores.layerIndex(configuration)),
    Layer.provide([Stores.layer(configuration), layerCrypto])
  )

/**
 * The use cases alone, in memory and without billing: for one question on the command line. `verifies`: with the verifier,
 * which takes its time to load.
 */
export const layerLocal = (
  configuration: Configuration,
  verifies: boolean
): Layer.Layer<CompanyEnrichment.CompanyEnrichment | PersonEnrichment.PersonEnrichment, CannotStart> => {
  const { email, policy, prices } = configuration
  const verifier = Verifiers.layer(verifies ? email : { ...email, verifier: "none" })
  return Layer.unwrap(
    Effect.map(EmailVerifier.EmailVerifier, (chosen) =>
      Core.layerMemoryOver(layerSlots(configuration), {
        prices,
        policy,
        verifier: Layer.succeed(EmailVerifier.EmailVerifier, chosen)
      })
    )
  ).pipe(Layer.provide(verifier), Layer.provide(layerHttpClient))
}
