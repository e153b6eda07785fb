/** `/api/reference/*`: tables that come with the server, each answer with a tag by which a client knows it again. */
import { Codes, Industries, Technologies } from "@lading/core/reference"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { LadingApi } from "../api/LadingApi.ts"
import type * as ReferenceGroup from "../api/ReferenceGroup.ts"
import * as SuccessBody from "../api/SuccessBody.ts"
import { Exchange } from "./Exchange.ts"
import * as Tag from "./Tag.ts"

/** A day; tables change when the server does. */
const age = "max-age=86400"

/** For everybody, and for whoever asked with this key. */
const open = { "cache-control": `public, ${age}` }
const keyed = { "cache-control": `private, ${age}`, vary: "Authorization, X-API-Key" }

type Headers = typeof open

interface Kept<Data> {
  readonly data: Data
  readonly etag: string
}

const kept = <Data>(data: Data) => Effect.map(Tag.of(JSON.stringify(data)), (etag): Kept<Data> => ({ data, etag }))

const answer = <Data>({ data, etag }: Kept<Data>, cache: Headers) =>
  Effect.gen(function* () {
    const { request_id } = yield* Exchange
    const headers = { ...cache, etag }
    return Tag.isKnown(yield* HttpServerRequest.HttpServerRequest, etag)
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.jsonUnsafe(SuccessBody.make(request_id, data), { headers })
  })

const list = <Entry>(list: ReadonlyArray<Entry>) => ({
  list,
  total: list.length,
  current_page: 1 as const,
  next_cursor: null
})

/** What is searched: the whole is tagged once, what a question finds is tagged then. */
const searched = Effect.fnUntraced(function* <Entry>(search: (query: string) => ReadonlyArray<Entry>) {
  const digest = yield* Digest.Digest
  const whole = yield* kept(list(search("")))
  return (query: string) =>
    (query.trim() === ""
      ? Effect.succeed(whole)
      : Effect.provideService(kept(list(search(query))), Digest.Digest, digest)
    ).pipe(Effect.flatMap((found) => answer(found, keyed)))
})

export const layer = HttpApiBuilder.group(
  LadingApi,
  "reference",
  Effect.fnUntraced(function* (handlers) {
    const codes: Kept<ReferenceGroup.CodesOf> = yield* kept({ countries: Codes.countries, languages: Codes.languages })
    const industries = yield* searched(Industries.search)
    const technologies = yield* searched(Technologies.search)
    return handlers.handleAll({
      codes: () => answer(codes, open),
      industries: ({ query }) => industries(query.q ?? ""),
      technologies: ({ query }) => technologies(query.q ?? "")
    })
  })
)
