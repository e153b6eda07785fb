/**
 * Flags of countries, `/assets/flags/<cc>.svg` (`country-flag-icons`, which has them as texts: no path of a request leads
 * to a file). They are loaded when the first is asked for.
 */
import { TradePlace } from "@lading/core/trade"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Refusal from "../api/Refusal.ts"
import * as Answer from "./Answer.ts"
import { Exchange } from "./Exchange.ts"
import * as Tag from "./Tag.ts"

/** As the router has it. */
export const path = "/assets/flags/:file"

/** Where the flag of a country is, by alpha-2 code. */
export const pathOf = (country: string): string => `/assets/flags/${country.toLowerCase()}.svg`

const load = Effect.promise(() => import("country-flag-icons/string/3x2")).pipe(
  Effect.map((flags): ReadonlyMap<string, string> => new Map(Object.entries(flags)))
)

/** A day; the flag of a country changes less often than that. */
const cache = "public, max-age=86400"

/** Opened by itself it may load and run nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** The code in the name of a file. */
const codeOf = (file: string | undefined): string | null => {
  const code = /^([a-z]{2})\.svg$/.exec(file ?? "")?.[1]?.toUpperCase() ?? null
  return code === null || TradePlace.country(code) === null ? null : code
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const digest = yield* Digest.Digest
    const all = yield* Effect.cached(load)
    yield* router.add(
      "GET",
      path,
      Effect.gen(function* () {
        const { request_id } = yield* Exchange
        const request = yield* HttpServerRequest.HttpServerRequest
        const { file } = yield* HttpRouter.params
        const code = codeOf(file)
        const flag = code === null ? undefined : (yield* all).get(code)
        if (flag === undefined) {
          return Answer.refuse(new Refusal.NotFound({ request_id, message: "There is no such flag" }))
        }
        const etag = yield* Effect.provideService(Tag.of(flag), Digest.Digest, digest)
        const headers = { etag, "cache-control": cache, "content-security-policy": policy }
        return Tag.isKnown(request, etag)
          ? HttpServerResponse.empty({ status: 304, headers })
          : HttpServerResponse.text(flag, { contentType: "image/svg+xml", headers })
      })
    )
  })
)
