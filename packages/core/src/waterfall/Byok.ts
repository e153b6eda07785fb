/**
 * Bring your own key: the caller's credentials for sources, as they stand in `waterfall.byok`. They are `Redacted` from
 * the moment they are decoded.
 */
import { type Redacted, Schema } from "effect"
import type { Detail } from "../request/InvalidRequest.ts"
import type { Slot } from "./Slots.ts"
import type { Credential } from "./Source.ts"

const secret = Schema.optional(
  Schema.RedactedFromValue(Schema.NonEmptyString.check(Schema.isMaxLength(4096)), { label: "own key" })
)

/** A slot takes `<slot>_api_key`, or `<slot>_client_id` with `<slot>_client_secret`. */
export const Byok = Schema.Struct({
  provider_a_api_key: secret,
  provider_a_client_id: secret,
  provider_a_client_secret: secret,
  provider_b_api_key: secret,
  provider_b_client_id: secret,
  provider_b_client_secret: secret,
  provider_c_api_key: secret,
  provider_c_client_id: secret,
  provider_c_client_secret: secret,
  provider_d_api_key: secret,
  provider_d_client_id: secret,
  provider_d_client_secret: secret
}).annotate({ identifier: "Byok", description: "Your own vendor credentials; used for this request, never stored" })
export type Byok = typeof Byok.Type

/** A credential by slot, or what is wrong with it. Credentials for a slot without an adapter are not used. */
export const credentials = (
  byok: Byok,
  slots: ReadonlyArray<Slot>
): { readonly bySlot: ReadonlyMap<string, Credential>; readonly problems: ReadonlyArray<Detail> } => {
  const given = new Map<string, Redacted.Redacted | undefined>(Object.entries(byok))
  const bySlot = new Map<string, Credential>()
  const problems: Array<Detail> = []
  for (const { name, source } of slots) {
    const [key, id, secret] = ["api_key", "client_id", "client_secret"].map((part) => given.get(`${name}_${part}`))
    const problem = (part: string, message: string) =>
      problems.push({ path: `waterfall.byok.${name}_${part}`, message })
    if (source === null) continue
    if (source.credential !== "ApiKey" && key !== undefined) problem("api_key", `${name} does not take an API key`)
    if (source.credential !== "Client") {
      if (id !== undefined) problem("client_id", `${name} does not take a client id`)
      if (secret !== undefined) problem("client_secret", `${name} does not take a client secret`)
    }
    if (source.credential === "ApiKey" && key !== undefined) bySlot.set(name, { _tag: "ApiKey", key })
    if (source.credential === "Client") {
      if (id !== undefined && secret !== undefined) bySlot.set(name, { _tag: "Client", id, secret })
      else if (id !== undefined) problem("client_secret", "Expected with the client id")
      else if (secret !== undefined) problem("client_id", "Expected with the client secret")
    }
  }
  return { bySlot, problems }
}
