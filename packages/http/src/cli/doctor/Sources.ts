/** Whether somebody stands behind each slot. No vendor is asked, since a call may cost. */
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Binding from "../../server/Binding.ts"
import type { Configuration, Provider } from "../../server/Configuration.ts"
import * as Variables from "../../server/Variables.ts"
import * as Check from "./Check.ts"

const check = (provider: Provider) =>
  Binding.bind(provider).pipe(
    Effect.match({
      onFailure: (error) => Check.refused(provider.slot, error),
      onSuccess: ({ credential, source }) => {
        const { adapter, byokOnly, slot } = provider
        if (source === null) return Check.make(slot, "off", nobody(provider))
        if (credential !== null)
          return Check.make(
            slot,
            "ok",
            `${adapter} is set up${credential._tag === "None" ? "" : "; its key was not tried"}.`
          )
        const only = `${adapter} is asked with the caller's own key only`
        return byokOnly
          ? Check.make(slot, "ok", `${only}.`)
          : Check.make(
              slot,
              "off",
              `${only}: set ${keyOf(provider, source.credential === "Client")} to have one of yours.`
            )
      }
    })
  )

const nobody = ({ slot }: Provider): string =>
  slot === "website"
    ? `Companies' own sites are not read: set ${Variables.website.enabled.name}=on.`
    : `There is no vendor: set ${Variables.provider(slot).adapter.name}.`

const keyOf = ({ slot }: Provider, isClient: boolean): string => {
  const { apiKey, clientId, clientSecret } = Variables.provider(slot)
  return isClient ? `${clientId.name} and ${clientSecret.name}` : apiKey.name
}

export const checks = ({ providers }: Configuration): Effect.Effect<ReadonlyArray<Check.Check>> =>
  Effect.forEach(providers, check).pipe(Effect.provide(FetchHttpClient.layer))
