/**
 * The server: routes, refusals, authentication and graceful stop over the use cases of core. It wants the use cases,
 * the accounts and an `HttpServer`; what is behind them is the installation's affair.
 */
import type { Accounts } from "@lading/core/account"
import type { CompanyEnrichment } from "@lading/core/company"
import type { PersonEnrichment } from "@lading/core/person"
import { Layer, type Option, type Redacted } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import type { HttpServer } from "effect/http"
import type { ServeError } from "effect/http/HttpServerError"
import type { Readiness } from "./Readiness.ts"

export interface Options {
  /** How long `/ready` says 503 while requests are still served, before listening stops; in milliseconds. */
  readonly drainMs: number
  /** What `/metrics` must be asked with as `Authorization: Bearer`; open to everybody without one. */
  readonly metricsKey: Option.Option<Redacted.Redacted>
  /** The longest body in bytes; 1 MiB unless said otherwise. */
  readonly bodyLimit?: number
  /** Beyond its own time-out a request is given up after this, in milliseconds; 5,000 unless said otherwise. */
  readonly requestTimeoutGraceMs?: number
}

/**
 * Serves until its scope closes; closing drains: `/ready` is 503 for `drainMs`, then listening stops, then running
 * requests finish. So the command line only launches the layer and lets a signal interrupt it.
 */
export declare const layer: (
  options: Options
) => Layer.Layer<
  never,
  never,
  | CompanyEnrichment.CompanyEnrichment
  | PersonEnrichment.PersonEnrichment
  | Accounts.Accounts
  | Readiness
  | Digest.Digest
  | SecureRandom.SecureRandom
  | HttpServer.HttpServer
>

/** The `HttpServer` on Node. The port is taken when the layer is built, before the first request is served. */
export declare const layerNode: (options: {
  readonly host: string
  /** 0 takes any free port; ask `HttpServer.HttpServer` for its address. */
  readonly port: number
}) => Layer.Layer<HttpServer.HttpServer, ServeError>
