/**
 * `lading sandbox`: the server over simulated vendors, with nothing to configure. What `start` of the repository runs.
 */
import { Effect, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import type { Configuration } from "../server/Configuration.ts"
import * as FirstAccount from "../server/FirstAccount.ts"
import * as Curl from "./Curl.ts"
import * as Print from "./Print.ts"
import * as Service from "./Service.ts"
import { configured } from "./Setting.ts"

/** A company and a person that every simulated vendor knows. */
const company = { identity: { domains: ["nordvik-robotics.example"] }, waterfall: { mode: "aggregate" } }
const person = {
  identity: { first_name: "Mara", last_name: "Ellison", domain: "nordvik-robotics.example" },
  waterfall: { mode: "aggregate", byok: { provider_d_api_key: "any-key-will-do" } }
}

/** What is said of the data: never more than is true of the slots. */
const nature = ({ providers }: Configuration): ReadonlyArray<string> => {
  const real = providers.filter(({ adapter, simulated }) => adapter !== null && !simulated).map(({ slot }) => slot)
  return real.length === 0
    ? ["All data are synthetic: companies, people, addresses and numbers are invented, domains are reserved ones."]
    : [`Simulated vendors give synthetic data; ${real.join(", ")} is yours, and what it says is not simulated.`]
}

const goods = { product: "coffee", limit: 3 }

const address = { type: "single", email: "mara.ellison@nordvik-robotics.example" }

/** Where there are records to ask about. */
const customs = ({ trade }: Configuration, url: string, key: string): ReadonlyArray<string> =>
  trade === "none"
    ? []
    : [
        `Ask who trades coffee${trade === "demo" ? " (at the first start the records take some seconds)" : ""}:`,
        "",
        Curl.post(`${url}/api/customs/companies/search`, key, goods),
        ""
      ]

const announce = Effect.fnUntraced(function* (configuration: Configuration, key: Redacted.Redacted, url: string) {
  const account = yield* FirstAccount.find
  yield* FirstAccount.addKey(account.id, key)
  const credits = yield* FirstAccount.grant(account.id, configuration.credits)
  const shown = Redacted.value(key)
  yield* Print.lines([
    "",
    `Lading sandbox on ${url}  (documentation: ${url}/docs)`,
    "",
    ...nature(configuration),
    "",
    `  API key   ${shown}`,
    `  account   ${FirstAccount.name}, ${Print.credits(credits)}`,
    `  data      ${Print.place(configuration)}`,
    ...Print.sources(configuration),
    `  verifier  ${Print.verifier(configuration)}`,
    "",
    "Enrich a company:",
    "",
    Curl.post(`${url}/api/company/enrich`, shown, company),
    "",
    "Enrich a person (provider_d asks with your own key; its simulator takes any):",
    "",
    Curl.post(`${url}/api/people/enrich`, shown, person),
    "",
    "Verify a mail address:",
    "",
    Curl.post(`${url}/api/email/verify`, shown, address),
    "",
    ...customs(configuration, url, shown),
    "Ctrl-C stops it; data and key are kept for the next start.",
    ""
  ])
})

interface Options {
  readonly pending: boolean
}

const run = Effect.fnUntraced(function* (configuration: Configuration, options: Options) {
  // The sandbox's code, and with it the simulators, is loaded by nobody else.
  const { KeyFile, Simulation } = yield* Effect.promise(() => import("../sandbox/index.ts"))
  const simulated = yield* Simulation.configure(configuration, options)
  const keyOf =
    configuration.apiKey === null ? KeyFile.readOrCreate(configuration.dataDir) : Effect.succeed(configuration.apiKey)
  const begun = (url: string) => Effect.flatMap(keyOf, (key) => announce(simulated, key, url))
  yield* Service.run(simulated, { drainMs: 0, rateLimit: 0, fair: false }, begun)
}, Effect.scoped)

const flags = {
  pending: Flag.Boolean("pending").pipe(
    Flag.withDescription("Let provider_b answer later, as Snov.io may: some answers are pending for ten seconds or so"),
    Flag.withDefault(false)
  )
}

export const sandbox = Command.make("sandbox", flags, (options) =>
  configured((configuration) => run(configuration, options))
).pipe(
  Command.withDescription(
    "Serve over four simulated vendors with synthetic data. LADING_* variables count here too (docs/operations.md)"
  ),
  Command.withShortDescription("Serve synthetic data, with nothing to configure")
)
