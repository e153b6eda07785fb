/**
 * The variables that configure an installation, as data: name, meaning, default, what is expected, and how the text is
 * read. `Configuration` reads them, `docs/operations.md` lists them (a test holds the two together).
 *
 * Gotchas: an empty or blank value is not set. What is expected is said in words, since a schema's own message may hold
 * the value.
 */
import { PriceBook } from "@lading/core/billing"
import { Guard, Waterfall } from "@lading/core/waterfall"
import { Option, type Redacted, Schema, SchemaTransformation } from "effect"
import * as Adapters from "./Adapters.ts"
import * as EmailVariables from "./EmailVariables.ts"
import * as FinderVariables from "./FinderVariables.ts"
import * as McpVariables from "./McpVariables.ts"
import * as PlannerVariables from "./PlannerVariables.ts"
import * as TelemetryVariables from "./TelemetryVariables.ts"
import * as TradeStores from "./TradeStores.ts"
import {
  aDuration,
  credential,
  duration,
  isBaseUrl,
  isUrl,
  onOrOff,
  optional,
  price,
  redacted,
  type Text,
  type Variable,
  whole,
  withDefault
} from "./Variable.ts"

export type { Variable } from "./Variable.ts"

/** The slots that vendors are bound to, in the order in which they are asked by default. */
const vendorSlots = ["provider_a", "provider_b", "provider_c", "provider_d"] as const

/** The slots of the wire. `website` reads the company's own site: no vendor, no key. */
export const slotNames = [...vendorSlots, "website"] as const
export type SlotName = (typeof slotNames)[number]

const slotOf = (word: string): SlotName | undefined =>
  slotNames.find((slot) => [slot, slot.replace(/^provider_/, "")].includes(word.trim().toLowerCase()))

const isOrder = (text: string): boolean => {
  const slots = text.split(",").map(slotOf)
  return !slots.includes(undefined) && new Set(slots).size === slots.length
}

const order: Text<ReadonlyArray<SlotName>> = Schema.String.check(Schema.makeFilter(isOrder)).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.Literals(slotNames)),
    SchemaTransformation.transform({
      decode: (text): ReadonlyArray<SlotName> => text.split(",").flatMap((word) => slotOf(word) ?? []),
      encode: (slots: ReadonlyArray<SlotName>) => slots.join(",")
    })
  )
)

const { company } = PriceBook.PriceBook.fields
const amount = Schema.optionalKey(company.fields.platform)
const slotAmounts = Schema.Struct({
  provider_a: amount,
  provider_b: amount,
  provider_c: amount,
  provider_d: amount,
  website: amount
})
const operationPrices = Schema.optionalKey(
  Schema.Struct({ platform: amount, source: amount, sources: Schema.optionalKey(slotAmounts) })
)

const customsPrices = Schema.optionalKey(
  Schema.Struct({
    row: amount,
    analytics: amount,
    bulk_status: amount,
    details: amount,
    match: amount,
    match_contacts: amount,
    product_keywords: amount,
    semantic_query: amount
  })
)

const searchPrices = Schema.optionalKey(
  Schema.Struct({ row: amount, page: amount, pages: Schema.optionalKey(slotAmounts) })
)

const PriceChanges = Schema.Struct({
  version: Schema.optionalKey(Schema.NonEmptyString),
  company: operationPrices,
  person: operationPrices,
  customs: customsPrices,
  email: Schema.optionalKey(Schema.Struct({ address: amount })),
  search: searchPrices
})
export type PriceChanges = typeof PriceChanges.Type

/** A name that is mistyped is refused: it is money. */
const readPrices = Schema.decodeUnknownOption(Schema.fromJsonString(PriceChanges), { onExcessProperty: "error" })

/** The part of the price book that differs from the standard one. */
const prices: Text<PriceChanges> = Schema.String.check(
  Schema.makeFilter((text) => Option.isSome(readPrices(text)))
).pipe(
  Schema.decodeTo(
    PriceChanges,
    SchemaTransformation.transform({
      decode: (text): PriceChanges => Option.getOrElse(readPrices(text), () => ({})),
      encode: (changes) => JSON.stringify(changes)
    })
  )
)

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "none"] as const

const { attempts, failures } = Guard.defaults

export const server = {
  host: withDefault(
    { name: "LADING_HOST", meaning: "Address to listen on", expected: "an IP address or a host name" },
    Schema.String.check(Schema.isPattern(/^[A-Za-z0-9.:_-]{1,253}$/)),
    "127.0.0.1",
    "127.0.0.1"
  ),
  port: withDefault(
    {
      name: "LADING_PORT",
      meaning: "Port to listen on; 0 takes a free one",
      expected: "a whole number from 0 to 65535"
    },
    whole(0, 65_535),
    "8080",
    8080
  ),
  drainMs: optional(
    {
      name: "LADING_DRAIN_MS",
      meaning:
        "After SIGTERM, how long `/ready` is 503 while requests are still served, in milliseconds; 5000, in the sandbox 0",
      expected: "a whole number of milliseconds up to 600000"
    },
    whole(0, 600_000)
  ),
  rateLimit: optional(
    {
      name: "LADING_RATE_LIMIT",
      meaning: "Requests a minute that an API key may send, 0 for as many as it likes; 600, in the sandbox 0",
      expected: "a whole number up to 1000000"
    },
    whole(0, 1_000_000)
  ),
  accountRateLimit: optional(
    {
      name: "LADING_ACCOUNT_RATE_LIMIT",
      meaning:
        "Requests a minute that an account may send with all of its keys, 0 for as many as they may; left out, twice what one key may",
      expected: "a whole number up to 1000000"
    },
    whole(0, 1_000_000)
  ),
  inFlight: withDefault(
    {
      name: "LADING_IN_FLIGHT",
      meaning:
        "Requests under `/api` that are answered at once; what comes beyond is 503 with `Retry-After`, and is not queued",
      expected: "a whole number from 1 to 1000000"
    },
    whole(1, 1_000_000),
    "1000",
    1000
  ),
  accountInFlight: optional(
    {
      name: "LADING_ACCOUNT_IN_FLIGHT",
      meaning:
        "Requests of one account that are answered at once, 0 for as many as all; what comes beyond is 429 with `Retry-After`; left out, a fair share of `LADING_IN_FLIGHT`: three times what is free then; in the sandbox 0",
      expected: "a whole number up to 1000000"
    },
    whole(0, 1_000_000)
  ),
  metricsKey: optional(
    {
      name: "LADING_METRICS_KEY",
      meaning: "What `/metrics` must be asked with as `Authorization: Bearer`; without it `/metrics` is open",
      expected: "printable ASCII characters without spaces",
      secret: true
    },
    credential
  ),
  logLevel: withDefault(
    { name: "LADING_LOG_LEVEL", meaning: "Least level that is logged", expected: `one of ${logLevels.join(", ")}` },
    Schema.Literals(logLevels),
    "info",
    "info"
  ),
  logFormat: optional(
    {
      name: "LADING_LOG_FORMAT",
      meaning: "`json` or `pretty`; by default `pretty` on a terminal, else `json`",
      expected: "json or pretty"
    },
    Schema.Literals(["json", "pretty"])
  ),
  logErrors: withDefault(
    {
      name: "LADING_LOG_ERRORS",
      meaning:
        "Whether log lines have the messages of defects: `on` or `off`; such a message may hold what was asked or answered, so it is for looking into one",
      expected: "on or off"
    },
    onOrOff,
    "off",
    false
  )
}

/** 32 bytes in Base64, of either alphabet. */
const aesKeyPattern = "[A-Za-z0-9+/_-]{43}=?"

const aesKey = redacted(Schema.String.check(Schema.isPattern(new RegExp(`^${aesKeyPattern}$`))))

const aesKeysExpected = "one or more keys of 32 bytes in Base64, with commas between them"

const aesKeys: Text<ReadonlyArray<Redacted.Redacted>> = Schema.String.check(
  Schema.isPattern(new RegExp(`^${aesKeyPattern}(\\s*,\\s*${aesKeyPattern})*$`))
).pipe(
  Schema.decodeTo(
    Schema.Array(redacted(Schema.String)),
    SchemaTransformation.transform({
      decode: (text): ReadonlyArray<string> => text.split(",").map((key) => key.trim()),
      encode: (keys: ReadonlyArray<string>) => keys.join(",")
    })
  )
)

export const stores = {
  dataDir: withDefault(
    {
      name: "LADING_DATA_DIR",
      meaning: "Folder of the embedded database and of the sandbox's key; one process at a time",
      expected: "the path of a folder"
    },
    Schema.NonEmptyString,
    "./.lading",
    "./.lading"
  ),
  databaseUrl: optional(
    {
      name: "LADING_DATABASE_URL",
      meaning: "PostgreSQL server to use in place of the embedded database",
      expected: "postgres://user:password@host:port/database",
      secret: true
    },
    redacted(Schema.String.check(Schema.makeFilter(isUrl(["postgres:", "postgresql:"]))))
  ),
  sealKey: optional(
    {
      name: "LADING_SEAL_KEY",
      meaning:
        "Key that raw answers, runs and webhooks are sealed with (AES-256-GCM), 32 bytes in Base64, the same for every server on one database; left out, the data folder keeps a random one",
      expected: "32 bytes in Base64, such as `openssl rand -base64 32` prints",
      secret: true
    },
    aesKey
  ),
  sealFormerKeys: withDefault(
    {
      name: "LADING_SEAL_FORMER_KEYS",
      meaning:
        "Former values of `LADING_SEAL_KEY`, with commas between them: what is sealed with one still opens ([how to change it](#changing-the-keys))",
      expected: aesKeysExpected,
      secret: true
    },
    aesKeys,
    "",
    []
  ),
  vaultKey: optional(
    {
      name: "LADING_VAULT_KEY",
      meaning:
        "Key that the vendor keys of accounts are sealed with (AES-256-GCM), 32 bytes in Base64, the same for every server on one database; left out, the data folder keeps a random one, and with `LADING_DATABASE_URL` no vendor key can be stored",
      expected: "32 bytes in Base64, such as `openssl rand -base64 32` prints",
      secret: true
    },
    aesKey
  ),
  vaultFormerKeys: withDefault(
    {
      name: "LADING_VAULT_FORMER_KEYS",
      meaning:
        "Former values of `LADING_VAULT_KEY`, with commas between them: what is sealed with one still opens, and is sealed again with the one in use ([how to change it](#changing-the-keys))",
      expected: aesKeysExpected,
      secret: true
    },
    aesKeys,
    "",
    []
  )
}

export const limits = {
  redisUrl: optional(
    {
      name: "LADING_REDIS_URL",
      meaning:
        "Redis server, version 5 or newer, over which several servers count limits and circuits together; left out, each counts for itself",
      expected: "redis://user:password@host:port/database, or rediss:// for TLS",
      secret: true
    },
    redacted(Schema.String.check(Schema.makeFilter(isUrl(["redis:", "rediss:"]))))
  ),
  redisPrefix: withDefault(
    {
      name: "LADING_REDIS_PREFIX",
      meaning: "What the keys there begin with: another one for each installation that uses the same server",
      expected: "up to 64 letters, digits and any of : . _ -"
    },
    Schema.String.check(Schema.isPattern(/^[A-Za-z0-9:._-]{1,64}$/)),
    "lading:",
    "lading:"
  )
}

export const trade = {
  store: optional(
    {
      name: "LADING_TRADE",
      meaning:
        "Where customs records are: `clickhouse` (a server), `chdb` (the data folder), `demo` (200,000 invented ones in the data folder), `sample` (5,000 of them in memory) or `none`; left out, the server where it has a URL, else the data folder where something was imported, in the sandbox `demo`",
      expected: `one of ${TradeStores.names.join(", ")}`
    },
    Schema.Literals(TradeStores.names)
  ),
  domains: optional(
    {
      name: "LADING_TRADER_DOMAINS",
      meaning:
        "CSV file with the web domains of traders: columns `domain`, and `company_id` or `name` and `country`; read at the start",
      expected: "the path of a file"
    },
    Schema.NonEmptyString
  ),
  clickhouseUrl: optional(
    {
      name: "LADING_CLICKHOUSE_URL",
      meaning: "ClickHouse server for customs records, version 26.2 or newer",
      expected: "a URL like https://user:password@host:8443/database",
      secret: true
    },
    redacted(Schema.String.check(Schema.makeFilter(isUrl(["http:", "https:"]))))
  ),
  clickhouseCluster: optional(
    {
      name: "LADING_CLICKHOUSE_CLUSTER",
      meaning:
        "Cluster of that server over whose nodes customs records are spread, as `remote_servers` calls it; left out, that server alone",
      expected: "the name of a cluster"
    },
    Schema.String.check(Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/))
  )
}

const apiKey = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{16,512}$/))

/** Whether the text may be a key of ours. */
export const isApiKey = Schema.is(apiKey)

export const account = {
  apiKey: optional(
    {
      name: "LADING_API_KEY",
      meaning: "API key of the account `default`, created when it is missing, in place of a random one",
      expected: "at least 16 printable ASCII characters without spaces",
      secret: true
    },
    redacted(apiKey)
  ),
  credits: withDefault(
    {
      name: "LADING_CREDITS",
      meaning: "Credits that the account `default` is granted, once for good",
      expected: "a whole number of credits up to 1000000000"
    },
    whole(0, 1_000_000_000),
    "1000000",
    1_000_000
  )
}

export const waterfall = {
  order: withDefault<ReadonlyArray<SlotName>>(
    {
      name: "LADING_SOURCE_ORDER",
      meaning:
        "Slots that are asked, in this order, when a request names none; left out, `website` comes last where it is on",
      expected: `some of ${slotNames.join(", ")}, each once, with commas between them`
    },
    order,
    vendorSlots.join(","),
    vendorSlots
  ),
  prices: withDefault<PriceChanges>(
    {
      name: "LADING_PRICES",
      meaning:
        'Prices that differ from the standard ones, e.g. `{"company":{"platform":0.2,"sources":{"provider_c":2}}}`',
      expected:
        "a JSON object with version, company and person (platform, source, sources), customs (row, analytics, details, …), email (address) and search (row, page, pages), in credits from 0 to 1000000"
    },
    prices,
    "{}",
    {}
  ),
  keepHit: withDefault(
    { name: "LADING_CACHE_HIT_TTL", meaning: "How long a source's answer is kept", expected: aDuration },
    duration,
    "30 days",
    Waterfall.defaults.keepHit
  ),
  keepMiss: withDefault(
    { name: "LADING_CACHE_MISS_TTL", meaning: "How long it is kept that a source knows nothing", expected: aDuration },
    duration,
    "1 day",
    Waterfall.defaults.keepMiss
  ),
  keepRaw: withDefault(
    {
      name: "LADING_RAW_TTL",
      meaning: "How long raw answers and runs are kept, so that they can be replayed",
      expected: aDuration
    },
    duration,
    "30 days",
    Waterfall.defaults.keepRaw
  ),
  pending: withDefault(
    {
      name: "LADING_PENDING_TTL",
      meaning: "How long an answer that a vendor gives later is waited for",
      expected: aDuration
    },
    duration,
    "15 minutes",
    Waterfall.defaults.pending.life
  ),
  attempts: withDefault(
    {
      name: "LADING_SOURCE_ATTEMPTS",
      meaning: "How often a call that may be repeated is made in all, when the vendor is busy or down",
      expected: "a whole number from 1 to 10"
    },
    whole(1, 10),
    String(attempts),
    attempts
  ),
  failures: withDefault(
    {
      name: "LADING_CIRCUIT_FAILURES",
      meaning: "Failures of a vendor in a row after which it is not asked for a while",
      expected: "a whole number from 1 to 1000"
    },
    whole(1, 1000),
    String(failures),
    failures
  ),
  open: withDefault(
    { name: "LADING_CIRCUIT_OPEN", meaning: "How long it is not asked then", expected: aDuration },
    duration,
    "30 seconds",
    Guard.defaults.open
  )
}

/** Which adapter stands behind a slot when nothing is said; `null` for the slot that is turned on. */
const defaultAdapter: Readonly<Record<SlotName, string | null>> = {
  provider_a: "apollo",
  provider_b: "snov",
  provider_c: "hunter",
  provider_d: "peopledatalabs",
  website: null
}

/** Works with the caller's own key only, whatever the platform has. */
export const byokOnly = (slot: SlotName): boolean => slot === "provider_d"

/** `website` has a slot of its own, which costs nothing. */
const adapterNames = [...Adapters.names.filter((name) => name !== "website"), "none"]

export const website = {
  enabled: withDefault(
    {
      name: "LADING_WEBSITE",
      meaning: "Whether the slot `website` reads companies' own sites: `on` or `off`",
      expected: "on or off"
    },
    onOrOff,
    "off",
    false
  )
}

export { email } from "./EmailVariables.ts"
export { finder } from "./FinderVariables.ts"
export { mcp } from "./McpVariables.ts"
export { planner } from "./PlannerVariables.ts"
export { telemetry } from "./TelemetryVariables.ts"

export const webhooks = {
  insecure: withDefault(
    {
      name: "LADING_WEBHOOK_INSECURE",
      meaning:
        "Whether webhooks may be sent over `http`, to any port and to hosts that are not public: `on` or `off`; for development and tests only, since whoever may ask could then reach what the server reaches",
      expected: "on or off"
    },
    onOrOff,
    "off",
    false
  )
}

/** The variables of one slot that a vendor is bound to. */
export const provider = (slot: SlotName) => {
  const prefix = `LADING_${slot.toUpperCase()}`
  const ignored = byokOnly(slot) ? "; ignored, since the slot works with the caller's own key only" : ""
  const key = (suffix: string, meaning: string) =>
    optional(
      {
        name: `${prefix}_${suffix}`,
        meaning: `${meaning}${ignored}`,
        expected: "printable ASCII characters without spaces",
        secret: true
      },
      credential
    )
  return {
    adapter: withDefault<string | null>(
      {
        name: `${prefix}_ADAPTER`,
        // Not the names: a vendor that is added would change four rows of the page.
        meaning: `Adapter of the vendor behind \`${slot}\`, or \`none\``,
        expected: `one of ${adapterNames.join(", ")}`
      },
      Schema.Literals(adapterNames).pipe(
        Schema.decodeTo(
          Schema.NullOr(Schema.String),
          SchemaTransformation.transform({
            decode: (name) => (name === "none" ? null : name),
            encode: (name) => name ?? "none"
          })
        )
      ),
      defaultAdapter[slot] ?? "none",
      defaultAdapter[slot]
    ),
    apiKey: key("API_KEY", "The platform's API key at that vendor"),
    clientId: key("CLIENT_ID", "The platform's client id, for vendors that want one"),
    clientSecret: key("CLIENT_SECRET", "The secret of that client"),
    baseUrl: optional(
      {
        name: `${prefix}_BASE_URL`,
        meaning: "Address of the vendor in place of its own",
        expected: "an address like https://api.vendor.example, without credentials or query",
        secret: true
      },
      Schema.String.check(Schema.makeFilter(isBaseUrl))
    ),
    unitPrice: optional(
      {
        name: `${prefix}_UNIT_PRICE`,
        meaning: "What one of the vendor's units (`lading sources` names them) is worth, in one currency for all slots",
        expected: "a price below 1000000 such as 0.049"
      },
      price
    )
  }
}

/** Every variable there is, in the order of the documentation. */
export const all: ReadonlyArray<Variable<unknown>> = [
  ...Object.values(server),
  ...Object.values(TelemetryVariables.telemetry),
  ...Object.values(stores),
  ...Object.values(limits),
  ...Object.values(trade),
  ...Object.values(account),
  ...Object.values(waterfall),
  ...vendorSlots.flatMap((slot) => Object.values(provider(slot))),
  ...Object.values(website),
  ...Object.values(FinderVariables.finder),
  ...Object.values(webhooks),
  ...Object.values(McpVariables.mcp),
  ...Object.values(EmailVariables.email),
  ...Object.values(PlannerVariables.planner)
]
