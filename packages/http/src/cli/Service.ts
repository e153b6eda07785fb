/** What `serve` and `sandbox` have in common: an installation that runs until it is stopped. */
import { Owner } from "@lading/postgres"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import type { CannotStart } from "../server/CannotStart.ts"
import { type Configuration, ignoredKeys } from "../server/Configuration.ts"
import * as Installation from "../server/Installation.ts"
import * as Telemetry from "../server/Telemetry.ts"
import * as Signals from "./Signals.ts"
import { version } from "../server/Version.ts"

/** An address that a person on this machine can use: one that means all interfaces becomes loopback. */
const reachable = (url: string): string => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

/** Serves; `begun` prepares the installation when it listens, and says what there is to say. */
export const run = <E, R>(
  configuration: Configuration,
  defaults: Installation.Defaults,
  begun: (url: string) => Effect.Effect<void, E, R | Installation.Offered>
): Effect.Effect<void, E | CannotStart | Owner.FolderUnusable, Exclude<R, Installation.Offered>> =>
  Effect.gen(function* () {
    for (const warning of [...configuration.warnings, ...ignoredKeys(configuration.providers)]) {
      yield* Effect.logWarning(warning)
    }
    return yield* Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const owner = yield* Owner.Owner
      const url = reachable(HttpServer.formatAddress(address))
      yield* owner.announce(url)
      yield* begun(url)
      return yield* Effect.never
    }).pipe(Effect.provide(Installation.layer(configuration, defaults)))
  }).pipe(
    // Where nobody exports spans, they would be made for every request and thrown away.
    Effect.withTracerEnabled(Telemetry.isTraced(configuration.telemetry)),
    Effect.provide(Telemetry.layer(configuration.telemetry, { version, logErrors: configuration.logErrors })),
    Signals.serveUntilStopped
  )
