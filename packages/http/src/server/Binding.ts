/**
 * From what is configured for a slot to the slot: its adapter is loaded, and the platform's credential is checked for the
 * shape that the adapter takes.
 */
import type { Slots, Source } from "@lading/core/waterfall"
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import * as Adapters from "./Adapters.ts"
import { CannotStart } from "./CannotStart.ts"
import type { Provider } from "./Configuration.ts"
import * as Variables from "./Variables.ts"

const refuse = (variable: Variables.Variable<unknown>, problem: string) =>
  Effect.fail(new CannotStart({ variable: variable.name, problem }))

const found = (credential: Source.Credential | null) => Effect.succeed(credential)

const apiKeyOf = ({ adapter, apiKey, clientId, clientSecret, slot }: Provider) => {
  const variables = Variables.provider(slot)
  const problem = `expected nothing: the adapter ${adapter} takes an API key, ${variables.apiKey.name}`
  if (clientId !== null) return refuse(variables.clientId, problem)
  if (clientSecret !== null) return refuse(variables.clientSecret, problem)
  return found(apiKey === null ? null : { _tag: "ApiKey", key: apiKey })
}

const clientOf = ({ adapter, apiKey, clientId: id, clientSecret: secret, slot }: Provider) => {
  const variables = Variables.provider(slot)
  if (apiKey !== null) {
    return refuse(variables.apiKey, `expected nothing: the adapter ${adapter} takes a client id and its secret`)
  }
  if (id === null && secret === null) return found(null)
  if (id === null) return refuse(variables.clientId, `expected a client id beside ${variables.clientSecret.name}`)
  if (secret === null) return refuse(variables.clientSecret, `expected a secret beside ${variables.clientId.name}`)
  return found({ _tag: "Client", id, secret })
}

/** The platform's credential; `null` where only callers bring theirs. */
const credentialOf = (provider: Provider, shape: Source.Credential["_tag"]) => {
  if (provider.byokOnly) return found(null)
  switch (shape) {
    case "None":
      return found({ _tag: "None" })
    case "ApiKey":
      return apiKeyOf(provider)
    case "Client":
      return clientOf(provider)
  }
}

/** Answers of a simulator are kept and shown under a version of their own: nobody takes them for the vendor's. */
const inventing = (source: Source.Source): Source.Source => ({ ...source, version: `${source.version}-simulated` })

/** The slot; unbound where no adapter is configured. */
export const bind = Effect.fnUntraced(function* (
  provider: Provider
): Effect.fn.Return<Slots.Slot, CannotStart, HttpClient.HttpClient> {
  const { adapter, baseUrl, byokOnly, simulated, slot, unitPrice } = provider
  if (adapter === null) return { name: slot, source: null, credential: null, byokOnly }
  if (baseUrl === null && Adapters.needsBaseUrl(adapter)) {
    const problem = `expected the vendor's address, since the adapter ${adapter} has none of its own`
    return yield* refuse(Variables.provider(slot).baseUrl, problem)
  }
  const make = yield* Adapters.load(adapter)
  const source = yield* make(baseUrl === null ? {} : { baseUrl })
  const credential = yield* credentialOf(provider, source.credential)
  return {
    name: slot,
    source: simulated ? inventing(source) : source,
    credential,
    byokOnly,
    ...(unitPrice === null ? {} : { unitPrice })
  }
})
