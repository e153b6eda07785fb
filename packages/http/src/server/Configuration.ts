/**
 * What an installation is made of, read from `LADING_*` variables. A wrong value fails with one line that names it.
 *
 * Gotchas: secrets are `Redacted` from here on. Warnings are given back rather than logged, since the log's own level
 * and format stand in the configuration.
 */
import { PriceBook } from "@lading/core/billing"
import { Guard, Waterfall } from "@lading/core/waterfall"
import { ConfigProvider, Effect, Hash, type Redacted } from "effect"
import { CannotStart } from "./CannotStart.ts"
import type * as Finders from "./Finders.ts"
import { nearest } from "./Nearest.ts"
import type * as Planners from "./Planners.ts"
import type * as Telemetry from "./Telemetry.ts"
import type * as TradeStores from "./TradeStores.ts"
import * as Variables from "./Variables.ts"
import type * as Verifiers from "./Verifiers.ts"

/** What is said about a slot. */
export interface Provider {
  readonly slot: Variables.SlotName
  readonly adapter: string | null
  readonly apiKey: Redacted.Redacted | null
  readonly clientId: Redacted.Redacted | null
  readonly clientSecret: Redacted.Redacted | null
  readonly baseUrl: string | null
  /** What one of the vendor's units is worth; `null` where it is not said. */
  readonly unitPrice: number | null
  readonly byokOnly: boolean
  /** Whether somebody has chosen the vendor, by adapter or by address: then the sandbox does not simulate it. */
  readonly chosen: boolean
  /** Whether a simulator stands in for the vendor: only in the sandbox. */
  readonly simulated: boolean
}

export interface Configuration {
  readonly host: string
  readonly port: number
  /** Milliseconds; `null` where it is not said. */
  readonly drainMs: number | null
  /** Requests a minute for each API key, 0 for no limit; `null` where it is not said. */
  readonly rateLimit: number | null
  /** Requests a minute for each account, 0 for no limit; `null` where it is not said. */
  readonly accountRateLimit: number | null
  /** Requests that are answered at once. */
  readonly inFlight: number
  /** Requests of one account among them, 0 for no limit; `null` where it is not said. */
  readonly accountInFlight: number | null
  readonly metricsKey: Redacted.Redacted | null
  readonly logLevel: (typeof Variables.logLevels)[number]
  readonly logFormat: "json" | "pretty" | null
  /** Whether lines have the messages of defects. */
  readonly logErrors: boolean
  /** What is sent to an OpenTelemetry collector. */
  readonly telemetry: Telemetry.Options
  readonly dataDir: string
  readonly databaseUrl: Redacted.Redacted | null
  /** 32 bytes in Base64; `null` where it is not said. */
  readonly sealKey: Redacted.Redacted | null
  /** What opens what was sealed before. */
  readonly sealFormerKeys: ReadonlyArray<Redacted.Redacted>
  /** The same of stored vendor keys. */
  readonly vaultKey: Redacted.Redacted | null
  readonly vaultFormerKeys: ReadonlyArray<Redacted.Redacted>
  /** Where limits are counted together; `null` where each server counts for itself. */
  readonly redisUrl: Redacted.Redacted | null
  readonly redisPrefix: string
  /** Where customs records are; `null` where it is not said. */
  readonly trade: TradeStores.Name | null
  /** File of the domains of traders. */
  readonly traderDomains: string | null
  readonly clickhouseUrl: Redacted.Redacted | null
  /** The cluster of that server; `null` for the server alone. */
  readonly clickhouseCluster: string | null
  readonly apiKey: Redacted.Redacted | null
  /** Whole credits. */
  readonly credits: number
  readonly prices: PriceBook.PriceBook
  readonly policy: Waterfall.Policy
  /** Whether webhooks may be sent over http and to hosts that are not public. */
  readonly webhookInsecure: boolean
  /** Who verifies mail addresses. */
  readonly email: Verifiers.Options
  /** Who finds pages with contacts of companies. */
  readonly finder: Finders.Options
  /** What a session of an MCP client may spend, in credits. */
  readonly mcpCredits: number
  /** The server that commands ask; `null` where it is not said. */
  readonly url: string | null
  /** Who makes plans of prompts. */
  readonly planner: Planners.Options
  /** Each slot. */
  readonly providers: ReadonlyArray<Provider>
  /** Who is asked, in this order, when a request names nobody. */
  readonly sourceOrder: ReadonlyArray<Variables.SlotName>
  /** What is wrong without being harmful, one line each. */
  readonly warnings: ReadonlyArray<string>
}

export type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = "LADING_"

/** Only what is ours, without blank values. */
const given = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith(PREFIX) && value !== undefined && value.trim() !== "" ? [[name, value]] : []
    )
  )

/** Whether OpenTelemetry is turned off by its own name. */
const isSilenced = (environment: Environment): boolean =>
  environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true"

/** What is set under a standard's name and not under ours; by our names. */
const standard = (environment: Environment, ours: Readonly<Record<string, string>>): Record<string, string> =>
  isSilenced(environment)
    ? {}
    : Object.fromEntries(
        Variables.all.flatMap(({ name, standard }) => {
          const value = standard === null || name in ours ? undefined : environment[standard]
          return value === undefined || value.trim() === "" ? [] : [[name, value]]
        })
      )

const shown = (value: string): string => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)

type Read = <A>(variable: Variables.Variable<A>) => Effect.Effect<A, CannotStart>

const reading = (ours: Readonly<Record<string, string>>, others: Readonly<Record<string, string>>): Read => {
  const values = { ...others, ...ours }
  const provider = ConfigProvider.fromEnvRecord(values)
  return ({ config, expected, name, secret, standard }) =>
    Effect.mapError(config.parse(provider), () => {
      const value = values[name]
      const got = secret || value === undefined ? "" : `, got ${shown(value)}`
      const variable = name in ours ? name : (standard ?? name)
      return new CannotStart({ variable, problem: `expected ${expected}${got}` })
    })
}

const readPrices = (changes: Variables.PriceChanges): PriceBook.PriceBook => {
  const { company, customs, email, person, search, version } = PriceBook.standard
  const book = {
    version,
    company: { ...company, ...changes.company, sources: { ...company.sources, ...changes.company?.sources } },
    person: { ...person, ...changes.person, sources: { ...person.sources, ...changes.person?.sources } },
    customs: { ...customs, ...changes.customs },
    email: { ...email, ...changes.email },
    search: { ...search, ...changes.search, pages: { ...search.pages, ...changes.search?.pages } }
  }
  if (Object.keys(changes).length === 0) return book
  // Every capture names the version of its prices, so other prices need another version.
  return { ...book, version: changes.version ?? `${version}-${(Hash.string(JSON.stringify(book)) >>> 0).toString(16)}` }
}

/** The slot that needs nothing but to be on. */
const readWebsite = Effect.fnUntraced(function* (read: Read) {
  const adapter = (yield* read(Variables.website.enabled)) ? "website" : null
  return {
    slot: "website",
    adapter,
    apiKey: null,
    clientId: null,
    clientSecret: null,
    baseUrl: null,
    unitPrice: null,
    byokOnly: false
  } as const
})

const readProvider = Effect.fnUntraced(function* (read: Read, slot: Variables.SlotName) {
  if (slot === "website") return yield* readWebsite(read)
  const variables = Variables.provider(slot)
  const adapter = yield* read(variables.adapter)
  const apiKey = yield* read(variables.apiKey)
  const clientId = yield* read(variables.clientId)
  const clientSecret = yield* read(variables.clientSecret)
  const baseUrl = yield* read(variables.baseUrl)
  const unitPrice = yield* read(variables.unitPrice)
  return { slot, adapter, apiKey, clientId, clientSecret, baseUrl, unitPrice, byokOnly: Variables.byokOnly(slot) }
})

const isChosen = (values: Readonly<Record<string, string>>, slot: Variables.SlotName): boolean => {
  if (slot === "website") return Variables.website.enabled.name in values
  const { adapter, baseUrl } = Variables.provider(slot)
  return [adapter, baseUrl].some(({ name }) => name in values)
}

/** A misspelt variable would otherwise pass in silence. */
const unknown = (values: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const known = Variables.all.map(({ name }) => name)
  return Object.keys(values)
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is not known; did you mean ${nearest(name, known)}?`)
}

/** One server reads what it has sealed itself; several need one key. */
const unsealed = `${Variables.stores.sealKey.name} is not set: what is kept is sealed with the key in ${Variables.stores.dataDir.name}, which other servers on this database do not have`

/** Keys of the platform that are set and do nothing. */
export const ignoredKeys = (providers: ReadonlyArray<Provider>): ReadonlyArray<string> =>
  providers.flatMap(({ adapter, apiKey, byokOnly, clientId, clientSecret, slot }) => {
    const variables = Variables.provider(slot)
    const set = [
      ...(apiKey === null ? [] : [variables.apiKey]),
      ...(clientId === null ? [] : [variables.clientId]),
      ...(clientSecret === null ? [] : [variables.clientSecret])
    ]
    if (byokOnly) return set.map(({ name }) => `${name} is ignored: ${slot} works with the caller's own key only`)
    if (adapter !== null) return []
    return set.map(({ name }) => `${name} is ignored: ${slot} has no vendor, set ${variables.adapter.name}`)
  })

const readServer = (read: Read) => {
  const { accountInFlight, accountRateLimit, drainMs, host, inFlight } = Variables.server
  const { logErrors, logFormat, logLevel, metricsKey, port, rateLimit } = Variables.server
  return Effect.all({
    host: read(host),
    port: read(port),
    drainMs: read(drainMs),
    rateLimit: read(rateLimit),
    accountRateLimit: read(accountRateLimit),
    inFlight: read(inFlight),
    accountInFlight: read(accountInFlight),
    metricsKey: read(metricsKey),
    logLevel: read(logLevel),
    logFormat: read(logFormat),
    logErrors: read(logErrors)
  })
}

const readTelemetry = (read: Read): Effect.Effect<Telemetry.Options, CannotStart> => {
  const { attributes, headers, service, signals, url } = Variables.telemetry
  return Effect.all({
    url: read(url),
    headers: read(headers),
    signals: read(signals),
    service: read(service),
    attributes: read(attributes)
  })
}

const readStores = (read: Read) =>
  Effect.all({
    dataDir: read(Variables.stores.dataDir),
    databaseUrl: read(Variables.stores.databaseUrl),
    sealKey: read(Variables.stores.sealKey),
    sealFormerKeys: read(Variables.stores.sealFormerKeys),
    vaultKey: read(Variables.stores.vaultKey),
    vaultFormerKeys: read(Variables.stores.vaultFormerKeys),
    redisUrl: read(Variables.limits.redisUrl),
    redisPrefix: read(Variables.limits.redisPrefix),
    trade: read(Variables.trade.store),
    traderDomains: read(Variables.trade.domains),
    clickhouseUrl: read(Variables.trade.clickhouseUrl),
    clickhouseCluster: read(Variables.trade.clickhouseCluster),
    apiKey: read(Variables.account.apiKey),
    credits: read(Variables.account.credits)
  })

const readEmail = (read: Read): Effect.Effect<Verifiers.Options, CannotStart> => {
  const { connections, hello, limits, lists, localAddress, nameServers, port, privateHosts, proxy } = Variables.email
  const { publicAddress, reoonKey, reoonUrl, rules, sender, verifier, zones } = Variables.email
  return Effect.all({
    verifier: read(verifier),
    hello: read(hello),
    sender: read(sender),
    publicAddress: read(publicAddress),
    localAddress: read(localAddress),
    proxy: read(proxy),
    nameServers: read(nameServers),
    rules: read(rules),
    lists: read(lists),
    limits: read(limits),
    connections: read(connections),
    zones: read(zones),
    privateHosts: read(privateHosts),
    port: read(port),
    reoonKey: read(reoonKey),
    reoonUrl: read(reoonUrl),
    simulated: Effect.succeed(false)
  })
}

const readFinder = (read: Read): Effect.Effect<Finders.Options, CannotStart> => {
  const { key, name, url } = Variables.finder
  return Effect.all({ name: read(name), url: read(url), key: read(key) })
}

const readMcp = (read: Read) => Effect.all({ mcpCredits: read(Variables.mcp.credits), url: read(Variables.mcp.url) })
const readPlanner = (read: Read): Effect.Effect<Planners.Options, CannotStart> => {
  const { key, model, url } = Variables.planner
  return Effect.all({ url: read(url), model: read(model), key: read(key) })
}

const readPolicy = Effect.fnUntraced(function* (read: Read): Effect.fn.Return<Waterfall.Policy, CannotStart> {
  const { attempts, failures, keepHit, keepMiss, keepRaw, open, pending } = Variables.waterfall
  return {
    guard: {
      ...Guard.defaults,
      attempts: yield* read(attempts),
      failures: yield* read(failures),
      open: yield* read(open)
    },
    keepHit: yield* read(keepHit),
    keepMiss: yield* read(keepMiss),
    keepRaw: yield* read(keepRaw),
    pending: { ...Waterfall.defaults.pending, life: yield* read(pending) }
  }
})

/** Where no order is set, the companies' own sites come after the vendors. */
const readOrder = Effect.fnUntraced(function* (read: Read, values: Readonly<Record<string, string>>) {
  const order = yield* read(Variables.waterfall.order)
  const enabled = yield* read(Variables.website.enabled)
  return enabled && !(Variables.waterfall.order.name in values) ? [...order, "website" as const] : order
})

/** Reads the configuration; the first wrong value ends it. */
export const read = Effect.fnUntraced(function* (
  environment: Environment
): Effect.fn.Return<Configuration, CannotStart> {
  const values = given(environment)
  const one = reading(values, standard(environment, values))
  const server = yield* readServer(one)
  const telemetry = yield* readTelemetry(one)
  const stores = yield* readStores(one)
  const sourceOrder = yield* readOrder(one, values)
  const prices = readPrices(yield* one(Variables.waterfall.prices))
  const policy = yield* readPolicy(one)
  const webhookInsecure = yield* one(Variables.webhooks.insecure)
  const email = yield* readEmail(one)
  const finder = yield* readFinder(one)
  const mcp = yield* readMcp(one)
  const planner = yield* readPlanner(one)
  const providers = yield* Effect.forEach(Variables.slotNames, (slot) =>
    Effect.map(readProvider(one, slot), (provider) => ({
      ...provider,
      chosen: isChosen(values, slot),
      simulated: false
    }))
  )
  const warnings = [...unknown(values), ...(stores.databaseUrl !== null && stores.sealKey === null ? [unsealed] : [])]
  return {
    ...server,
    ...mcp,
    telemetry,
    ...stores,
    prices,
    policy,
    webhookInsecure,
    email,
    finder,
    planner,
    providers,
    sourceOrder,
    warnings
  }
})
