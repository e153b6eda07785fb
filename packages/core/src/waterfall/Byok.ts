/**
 * Bring your own key: the caller's credentials for sources, as they stand in `waterfall.byok`, or that the ones in the
 * vault are to be used. They are `Redacted` from the moment they are decoded.
 */
import { type Redacted, Schema } from "effect"
import type { Detail } from "../request/InvalidRequest.ts"
import type { Slot } from "./Slots.ts"
import type { Credential, Source } from "./Source.ts"

/** A part of a credential. */
export const secret = Schema.optional(
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
  provider_d_client_secret: secret,
  stored: Schema.optional(
    Schema.Boolean.annotate({ description: "Takes the account's stored keys for the slots that have none here" })
  )
}).annotate({ identifier: "Byok", description: "Your own vendor credentials; used for this request, never stored" })
export type Byok = typeof Byok.Type

const expected = 'Expected "stored", or an object with your own keys'

/** What a request may say: its own keys, or that the account's stored ones are to be used. */
const Own = Schema.Union([
  Schema.Literal("stored").annotate({ description: "The keys that the account has stored" }),
  Byok
]).annotate({ message: expected })
export type Own = typeof Own.Type

/** The field of a request; said of both, since what is neither is refused by one or the other. */
export const own = Schema.optional(Own).annotate({ message: expected })

/** Whether the account's stored keys are to be used. */
export const wantsStored = (own: Own | undefined): boolean => own === "stored" || own?.stored === true

/** The parts of a credential, as somebody gives them. */
export interface Parts {
  readonly api_key?: Redacted.Redacted | undefined
  readonly client_id?: Redacted.Redacted | undefined
  readonly client_secret?: Redacted.Redacted | undefined
}

/** The credential that the parts make for a source of a slot; `null` for none. `at` is where each part stands. */
export const credentialOf = (
  slot: string,
  source: Pick<Source, "credential">,
  { api_key: key, client_id: id, client_secret: secret }: Parts,
  at: (part: keyof Parts) => string
): { readonly credential: Exclude<Credential, { _tag: "None" }> | null; readonly problems: ReadonlyArray<Detail> } => {
  const problems: Array<Detail> = []
  const problem = (part: keyof Parts, message: string) => problems.push({ path: at(part), message })
  if (source.credential !== "ApiKey" && key !== undefined) problem("api_key", `${slot} does not take an API key`)
  if (source.credential !== "Client") {
    if (id !== undefined) problem("client_id", `${slot} does not take a client id`)
    if (secret !== undefined) problem("client_secret", `${slot} does not take a client secret`)
  }
  if (source.credential === "ApiKey" && key !== undefined) return { credential: { _tag: "ApiKey", key }, problems }
  if (source.credential === "Client") {
    if (id !== undefined && secret !== undefined) return { credential: { _tag: "Client", id, secret }, problems }
    if (id !== undefined) problem("client_secret", "Expected with the client id")
    if (secret !== undefined) problem("client_id", "Expected with the client secret")
  }
  return { credential: null, problems }
}

/** A credential by slot, or what is wrong with it. Credentials for a slot without an adapter are not used. */
export const credentials = (
  own: Own,
  slots: ReadonlyArray<Slot>
): { readonly bySlot: ReadonlyMap<string, Credential>; readonly problems: ReadonlyArray<Detail> } => {
  const byok: Byok = own === "stored" ? {} : own
  const given = new Map<string, Redacted.Redacted | undefined>(Object.entries({ ...byok, stored: undefined }))
  const bySlot = new Map<string, Credential>()
  const problems: Array<Detail> = []
  for (const { name, source } of slots) {
    if (source === null) continue
    const parts = {
      api_key: given.get(`${name}_api_key`),
      client_id: given.get(`${name}_client_id`),
      client_secret: given.get(`${name}_client_secret`)
    }
    const made = credentialOf(name, source, parts, (part) => `waterfall.byok.${name}_${part}`)
    problems.push(...made.problems)
    if (made.credential !== null) bySlot.set(name, made.credential)
  }
  return { bySlot, problems }
}
