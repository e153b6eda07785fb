/**
 * The simulated vendors of the sandbox: real servers on loopback in this process, all of one synthetic population. What
 * they say is invented; everything in front of them is as it is in production.
 *
 * Gotcha: choosing an adapter or an address takes a slot out of the simulation. A key alone does not, so that nobody
 * spends a vendor's credits by starting a sandbox.
 */
import { start as startApollo } from "@lading/apollo/simulator"
import { start as startHunter } from "@lading/hunter/simulator"
import { start as startPeopleDataLabs } from "@lading/peopledatalabs/simulator"
import { start as startSnov } from "@lading/snov/simulator"
import type { Simulator } from "@lading/testing"
import { start as startPlain } from "@lading/testing/plain/simulator"
import { start as startWebsite } from "@lading/website/simulator"
import { Effect, Redacted, type Scope } from "effect"
import type { Configuration, Provider } from "../server/Configuration.ts"
import type { SlotName } from "../server/Variables.ts"
import * as SampleMail from "./SampleMail.ts"

interface Vendor {
  readonly adapter: string
  readonly start: Effect.Effect<Simulator.Simulator, never, Scope.Scope>
}

/** The plain vendor stands in for Snov.io, whose limits (12 calls a minute) would show in every trial. */
const vendors: Readonly<Record<SlotName, Vendor>> = {
  provider_a: { adapter: "apollo", start: startApollo() },
  provider_b: { adapter: "plain", start: startPlain({ seed: 2 }) },
  provider_c: { adapter: "hunter", start: startHunter() },
  provider_d: { adapter: "peopledatalabs", start: startPeopleDataLabs() },
  website: { adapter: "website", start: startWebsite() }
}

/** A vendor whose answers come later than most requests would wait: after some ten seconds. */
const later: Vendor = { adapter: "snov", start: startSnov({ polls: 5 }) }

export interface Options {
  /** Whether `provider_b` answers later, as Snov.io may. */
  readonly pending: boolean
}

/** A simulator takes every key that is not empty. */
const anyKey = Redacted.make("synthetic-key")

const simulate = Effect.fnUntraced(function* (
  provider: Provider,
  { pending }: Options
): Effect.fn.Return<Provider, never, Scope.Scope> {
  if (provider.chosen) return provider
  const late = pending && provider.slot === "provider_b"
  const { adapter, start } = late ? later : vendors[provider.slot]
  const { url } = yield* start
  return {
    ...provider,
    adapter,
    baseUrl: url,
    apiKey: late ? null : (provider.apiKey ?? (provider.byokOnly ? null : anyKey)),
    clientId: late ? anyKey : null,
    clientSecret: late ? anyKey : null,
    simulated: true
  }
})

/** The own verifier over simulated mail hosts, unless somebody has chosen one. */
const verify = Effect.fnUntraced(function* (
  email: Configuration["email"]
): Effect.fn.Return<Configuration["email"], never, Scope.Scope> {
  if (email.verifier !== null || email.hello !== null) return email
  const { nameServer, port } = yield* SampleMail.start
  return {
    ...email,
    verifier: "smtp",
    hello: "probe.sandbox.example",
    sender: "verify@sandbox.example",
    nameServers: [nameServer],
    port,
    privateHosts: true,
    zones: ["example"],
    simulated: true
  }
})

/**
 * The configuration with a simulator behind each slot that nobody chose a vendor for, and simulated mail hosts; they stop
 * with the scope.
 */
export const configure = Effect.fnUntraced(function* (
  configuration: Configuration,
  options: Options = { pending: false }
): Effect.fn.Return<Configuration, never, Scope.Scope> {
  return {
    ...configuration,
    providers: yield* Effect.forEach(configuration.providers, (provider) => simulate(provider, options)),
    email: yield* verify(configuration.email),
    // Nor does a sandbox need customs records of its own.
    trade: configuration.clickhouseUrl === null ? (configuration.trade ?? "demo") : configuration.trade
  }
})
