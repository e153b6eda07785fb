/** The use cases inside the command, without a server: nothing is billed, and what is kept goes with the process. */
import type { CompanyEnrichment } from "@lading/core/company"
import { EmailVerifier } from "@lading/core/email"
import type { PersonEnrichment } from "@lading/core/person"
import { Caller } from "@lading/core/request"
import { Clock, Context, Effect, Layer, Random, type Scope } from "effect"
import type { CannotStart } from "../server/CannotStart.ts"
import { type Configuration, ignoredKeys } from "../server/Configuration.ts"
import * as Installation from "../server/Installation.ts"

/** Somebody inside the process, with a request id of its own. */
export const caller = Effect.gen(function* () {
  const number = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
  return Caller.embedded(`req_${number.toString(36).padStart(20, "0")}`, yield* Clock.currentTimeMillis)
})

/** The configuration with the sandbox's simulators in it, where they are wanted. */
const chosen = (configuration: Configuration, sandbox: boolean) =>
  sandbox
    ? Effect.flatMap(
        Effect.promise(() => import("../sandbox/index.ts")),
        ({ Simulation }) => Simulation.configure(configuration)
      )
    : Effect.succeed(configuration)

export type UseCases = CompanyEnrichment.CompanyEnrichment | PersonEnrichment.PersonEnrichment

/** What the use cases are wanted for. */
export interface Wanted {
  readonly sandbox: boolean
  readonly verifyEmails: boolean
}

/** The use cases as they are configured, or over simulated vendors, until the scope closes. */
export const open = Effect.fnUntraced(function* (
  configuration: Configuration,
  { sandbox, verifyEmails }: Wanted
): Effect.fn.Return<Context.Context<UseCases>, CannotStart, Scope.Scope> {
  const actual = yield* chosen(configuration, sandbox)
  for (const warning of [...actual.warnings, ...ignoredKeys(actual.providers)]) yield* Effect.logWarning(warning)
  return yield* Layer.build(Installation.layerLocal(actual, verifyEmails))
})

/** The configured verifier of mail addresses, or the own one over simulated mail hosts, until the scope closes. */
export const openVerifier = Effect.fnUntraced(function* (
  configuration: Configuration,
  sandbox: boolean
): Effect.fn.Return<EmailVerifier.EmailVerifier["Service"], CannotStart, Scope.Scope> {
  const actual = yield* chosen(configuration, sandbox)
  for (const warning of actual.warnings) yield* Effect.logWarning(warning)
  return Context.get(yield* Layer.build(Installation.layerVerifier(actual)), EmailVerifier.EmailVerifier)
})
