/**
 * The interface for readers: `/openapi.json`, and `/docs`, which shows it with Swagger UI. The page carries its scripts
 * and styles itself; its policy forbids the browser to load anything from elsewhere, so it works without the internet.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"
import { LadingApi } from "../api/LadingApi.ts"

const openapi = "/openapi.json"
const docs = "/docs"

export const paths: ReadonlyArray<string> = [openapi, docs]

/** What the page may do: its own inline script and style, requests to this server, nothing else. */
export const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const layer = Layer.mergeAll(
  HttpRouter.add(
    "GET",
    openapi,
    Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(LadingApi)))
  ),
  HttpApiSwagger.layer(LadingApi, { path: docs }).pipe(
    Layer.provide(
      HttpRouter.middleware((page) => Effect.map(page, HttpServerResponse.setHeader("content-security-policy", policy)))
        .layer
    )
  )
)
