/** Whether somebody stands behind each slot and, where that is wanted, whether the vendor takes the platform's key. */
import { type Slots, type Source, SourceError } from "@lading/core/waterfall"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Binding from "../../server/Binding.ts"
import type { Configuration, Provider } from "../../server/Configuration.ts"
import * as Variables from "../../server/Variables.ts"
import * as Check from "./Check.ts"

/** What a vendor may take to say whether a key is right. */
const patience = "10 seconds"

/** What the vendor says of the platform's key, to a question that costs nothing. */
const tried = (
  provider: Provider,
  { check }: Source.Source,
  credential: Source.Credential
): Effect.Effect<Check.Check> => {
  const { adapter, slot } = provider
  if (check === undefined) {
    return Effect.succeed(Check.make(slot, "ok", `${adapter} is set up; its key cannot be tried for nothing.`))
  }
  const right = Check.make(slot, "ok", `${adapter} is set up, and takes the key.`)
  return check.call(credential).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(new SourceError.TimedOut({ source: adapter ?? slot }))
    }),
    Effect.match({
      onSuccess: () => right,
      onFailure: ({ _tag }) => {
        const variable = keyOf(provider, credential._tag === "Client")
        if (_tag === "Unauthorized")
          return Check.make(slot, "failed", `${adapter} does not take the key of ${variable}.`)
        return _tag === "QuotaExhausted"
          ? Check.make(slot, "warning", `${adapter} takes the key, and says that its credits are used up.`)
          : Check.make(slot, "unknown", `${adapter} does not say whether it takes the key: ${_tag}.`)
      }
    })
  )
}

const found = (
  provider: Provider,
  { credential, source }: Slots.Slot,
  tryKeys: boolean
): Effect.Effect<Check.Check> => {
  const { adapter, byokOnly, slot } = provider
  if (source === null) return Effect.succeed(Check.make(slot, "off", nobody(provider)))
  if (credential !== null) {
    if (tryKeys && credential._tag !== "None") return tried(provider, source, credential)
    const untried = credential._tag === "None" ? "" : "; its key was not tried (--try-keys)"
    return Effect.succeed(Check.make(slot, "ok", `${adapter} is set up${untried}.`))
  }
  const only = `${adapter} is asked with the caller's own key only`
  const wanted = keyOf(provider, source.credential === "Client")
  return Effect.succeed(
    byokOnly
      ? Check.make(slot, "ok", `${only}.`)
      : Check.make(slot, "off", `${only}: set ${wanted} to have one of yours.`)
  )
}

const check = (provider: Provider, tryKeys: boolean) =>
  Binding.bind(provider).pipe(
    Effect.flatMap((slot) => found(provider, slot, tryKeys)),
    Effect.catch((error) => Effect.succeed(Check.refused(provider.slot, error)))
  )

const nobody = ({ slot }: Provider): string =>
  slot === "website"
    ? `Companies' own sites are not read: set ${Variables.website.enabled.name}=on.`
    : `There is no vendor: set ${Variables.provider(slot).adapter.name}.`

const keyOf = ({ slot }: Provider, isClient: boolean): string => {
  const { apiKey, clientId, clientSecret } = Variables.provider(slot)
  return isClient ? `${clientId.name} and ${clientSecret.name}` : apiKey.name
}

export const checks = ({ providers }: Configuration, tryKeys: boolean): Effect.Effect<ReadonlyArray<Check.Check>> =>
  Effect.forEach(providers, (provider) => check(provider, tryKeys), { concurrency: "unbounded" }).pipe(
    Effect.provide(FetchHttpClient.layer)
  )
