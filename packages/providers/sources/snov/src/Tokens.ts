/**
 * Tokens of Snov.io: what a client id and its secret are exchanged for, and what every other request carries. A token is
 * kept until shortly before it ends, and whoever needs the same one at the same time waits for one request.
 *
 * Gotchas
 * - A token belongs to the client that it was made for: the key is id and secret together, compared by value, so that a
 *   right id with another secret gets nothing.
 * - The cache is bounded. A refusal is not kept, so that a client that is made valid works at once.
 * - The request ends when the last of those who wait for it has gone.
 */
import { type Source, type SourceError, VendorHttp } from "@lading/core/waterfall"
import { Cache, Clock, Effect, Exit, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Refusal from "./Refusal.ts"

const { source } = Refusal

export type Client = Extract<Source.Credential, { readonly _tag: "Client" }>

/** Tokens that are kept at the same time; the one that was not used for longest goes first. */
export const CAPACITY = 1_000

/** How long before its end a token is used no more, in seconds. */
const MARGIN = 60

export interface Token {
  readonly value: Redacted.Redacted
  /** Milliseconds from when it came. */
  readonly life: number
}

export interface Tokens {
  /** The client's token, fetched where there is none. */
  readonly get: (client: Client) => Effect.Effect<Token, SourceError.SourceError>
  /** Forgets this token of the client, and no newer one. */
  readonly drop: (client: Client, token: Token) => Effect.Effect<void>
}

/** `POST /v1/oauth/access_token`. A token must be able to stand in a header. */
const Granted = Schema.Struct({
  access_token: Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,4096}$/)),
  expires_in: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
})
const readGranted = VendorHttp.decode(source, Granted)

/** A token that ends soon after it came is used for half of its time. */
const lifeOf = (seconds: number): number => Math.floor(Math.max(seconds - MARGIN, seconds / 2) * 1000)

const fetching = (http: HttpClient.HttpClient, baseUrl: string) =>
  Effect.fnUntraced(function* (client: Client): Effect.fn.Return<Token, SourceError.SourceError> {
    const { body, headers, status } = yield* HttpClientRequest.post(`${baseUrl}/v1/oauth/access_token`).pipe(
      HttpClientRequest.bodyUrlParams({
        grant_type: "client_credentials",
        client_id: Redacted.value(client.id),
        client_secret: Redacted.value(client.secret)
      }),
      VendorHttp.json(source, client),
      Effect.provideService(HttpClient.HttpClient, http)
    )
    if (status !== 200) {
      const retryAfter = VendorHttp.retryAfter(headers, yield* Clock.currentTimeMillis)
      return yield* Refusal.read({ status, body, retryAfter })
    }
    const { access_token, expires_in } = yield* readGranted(body)
    return { value: Redacted.make(access_token), life: lifeOf(expires_in) }
  })

/** Tokens over this client of HTTP. */
export const make = (http: HttpClient.HttpClient, baseUrl: string): Effect.Effect<Tokens> =>
  Effect.map(
    Cache.makeWith<Client, Token, SourceError.SourceError>(fetching(http, baseUrl), {
      capacity: CAPACITY,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? exit.value.life : 0)
    }),
    (cache) => ({
      get: (client) => Cache.get(cache, client),
      drop: (client, token) => Effect.asVoid(Cache.invalidateWhen(cache, client, (kept) => kept === token))
    })
  )
