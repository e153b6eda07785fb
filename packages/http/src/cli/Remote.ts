/** Administration through the process that owns the folder: the typed client, with the token of `owner.json`. */
import type { Owner } from "@lading/postgres"
import { Effect, Schema } from "effect"
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

const words = ({ details, message }: Client.Refusal.Refusal): string =>
  details.length === 0 ? message : details.map(({ message, path }) => `${path}: ${message}`).join("; ")

type ClientError = Client.Refusal.Refusal | HttpClientError.HttpClientError | Schema.SchemaError

/** The operations over HTTP, once the owner has shown that it answers. */
export const connect = Effect.fnUntraced(function* (
  folder: string,
  { host, pid, token }: Owner.Record,
  url: string
): Effect.fn.Return<Operations<Refused | OwnerSilent>, OwnerSilent, HttpClient.HttpClient> {
  const { admin, system } = yield* Client.make({ baseUrl: url, apiKey: token })
  const silent = new OwnerSilent({ folder, pid, host, url })
  yield* system.health().pipe(
    Effect.timeout(greeting),
    Effect.mapError(() => silent)
  )

  const asked = <Data>(answer: Effect.Effect<{ readonly body: { readonly data: Data } }, ClientError>) =>
    answer.pipe(
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(silent) }),
      Effect.map(({ body }) => body.data),
      Effect.mapError((error) => {
        switch (error._tag) {
          case "OwnerSilent":
          case "HttpClientError":
          case "SchemaError":
            return silent
          default:
            return new Refused({ message: words(error) })
        }
      })
    )

  const headers = {}
  return {
    createAccount: (name) => asked(admin.createAccount({ payload: { name }, headers })),
    listAccounts: (query) => asked(admin.listAccounts({ query })),
    grant: (account, payload) => asked(admin.grant({ params: { account }, payload, headers })),
    adjust: (account, payload) => asked(admin.adjust({ params: { account }, payload, headers })),
    createKey: (account, payload) => asked(admin.createKey({ params: { account }, payload, headers })),
    listKeys: (account) => asked(admin.listKeys({ params: { account } })),
    revokeKey: (key) => asked(admin.revokeKey({ params: { key } })),
    audit: (query) => asked(admin.audit({ query })),
    erase: (subject) => asked(admin.erase({ payload: { subject } })),
    replay: (request_id) => asked(admin.replay({ params: { request_id } }))
  }
})
