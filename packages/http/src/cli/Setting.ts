/** The configuration of a command, read from the environment, and its logs. */
import { Effect } from "effect"
import { type Configuration, read } from "../server/Configuration.ts"
import * as Failure from "./Failure.ts"
import * as Logs from "./Logs.ts"
import * as SecretFiles from "./SecretFiles.ts"

/** All of it: `Config` reads single variables, and misspelt ones have to be found. */
const environment = process.env

const terminal = process.stderr.isTTY && environment["NO_COLOR"] === undefined

/** Runs with the configuration, and logs as it says. */
export const configured = <A, E extends Failure.Failure, R>(
  command: (configuration: Configuration) => Effect.Effect<A, E, R>
): Effect.Effect<A, Failure.CommandFailed, R> =>
  SecretFiles.resolve(environment).pipe(
    Effect.flatMap(read),
    Effect.flatMap((configuration) => Effect.provide(command(configuration), Logs.layer(configuration, terminal))),
    Effect.mapError(Failure.of)
  )
