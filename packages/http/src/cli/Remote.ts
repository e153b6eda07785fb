/** Administration through the process that owns the folder: the typed client, with the token of `owner.json`. */
import type { Owner } from "@lading/postgres"
import { type Duration, Effect, Schema } from "effect"
import type { HttpClient, HttpClientError } from "effect/http"
import * as Client from "../client/index.ts"
import type { Operations } from "../server/admin/Administration.ts"

/** The owner has refused, in its own words. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { message: Schema.String }) {}

/** The owner lives, as far as anybody can tell, and does not answer. */
export class OwnerSilent extends Schema.TaggedError<OwnerSilent>()("OwnerSilent", {
  folder: Schema.String,
  pid: Schema.Int,
  host: Schema.String,
  /** `null` while it has not said where it listens. */
  url: Schema.NullOr(Schema.String)
}) {}

/** How long the owner may take to show that it answers at all. */
const greeting = "5 seconds"
/** How long an answer may take: longer than the owner's own limit for a request. */
const patience = "70 seconds"

export const words = ({ details, message }: Client.Refusal.Refusal): string =>
  details.length === 0 ? message : details.map(({ message, path }) => `${path}: ${message}`).join("; ")

export type ClientError = Client.Refusal.Refusal | HttpClientError.HttpClientError | Schema.SchemaError

/** A process that owns a folder, once it has shown that it answers. */
export interface Owned {
  readonly client: Client.Client
  /** What is said when it answers no more. */
  readonly silent: OwnerSilent
}

export const reach = Effect.fnUntraced(function* (
  folder: string,
  { host, pid, token }: Owner.Record,
  url: string
): Effect.fn.Return<Owned, OwnerSilent, HttpClient.HttpClient> {
  const client = yield* Client.make({ baseUrl: url, apiKey: token })
  const silent = new OwnerSilent({ folder, pid, host, url })
  yield* client.system.health().pipe(
    Effect.timeout(greeting),
    Effect.mapError(() => silent)
  )
  return { client, silent }
})

/** The data of an answer; `within` so much time. */
export const asked = <Data>(
  answer: Effect.Effect<{ readonly body: { readonly data: Data } }, ClientError>,
  silent: OwnerSilent,
  within: Duration.Input = patience
): Effect.Effect<Data, OwnerSilent | Client.Refusal.Refusal> =>
  answer.pipe(
    Effect.timeoutOrElse({ duration: within, orElse: () => Effect.fail(silent) }),
    Effect.map(({ body }) => body.data),
    Effect.catchTags({ HttpClientError: () => Effect.fail(silent), SchemaError: () => Effect.fail(silent) })
  )

/** In its own words. */
export const refused = <A>(
  answer: Effect.Effect<A, OwnerSilent | Client.Refusal.Refusal>
): Effect.Effect<A, OwnerSilent | Refused> =>
  Effect.mapError(answer, (error) => (error._tag === "OwnerSilent" ? error : new Refused({ message: words(error) })))

/** The operations over HTTP. */
export const connect = Effect.fnUntraced(function* (
  folder: string,
  owner: Owner.Record,
  url: string
): Effect.fn.Return<Operations<Refused | OwnerSilent>, OwnerSilent, HttpClient.HttpClient> {
  const { client, silent } = yield* reach(folder, owner, url)
  const { admin } = client
  const told = <Data>(answer: Effect.Effect<{ readonly body: { readonly data: Data } }, ClientError>) =>
    refused(asked(answer, silent))
  const headers = {}
  return {
    createAccount: (name) => told(admin.createAccount({ payload: { name }, headers })),
    listAccounts: (query) => told(admin.listAccounts({ query })),
    grant: (account, payload) => told(admin.grant({ params: { account }, payload, headers })),
    adjust: (account, payload) => told(admin.adjust({ params: { account }, payload, headers })),
    refund: (account, payload) => told(admin.refund({ params: { account }, payload, headers })),
    createKey: (account, payload) => told(admin.createKey({ params: { account }, payload, headers })),
    limits: (account) => told(admin.limits({ params: { account } })),
    setLimits: (account, payload) => told(admin.setLimits({ params: { account }, payload })),
    usage: (account, query) => told(admin.usage({ params: { account }, query })),
    listKeys: (account) => told(admin.listKeys({ params: { account } })),
    revokeKey: (key) => told(admin.revokeKey({ params: { key } })),
    audit: (query) => told(admin.audit({ query })),
    erase: (subject) => told(admin.erase({ payload: { subject } })),
    replay: (request_id) => told(admin.replay({ params: { request_id } }))
  }
})
