/** The configuration of a command, read from the environment, and its logs. */
import { Effect } from "effect"
import { type Configuration, read } from "../server/Configuration.ts"
import * as Logs from "./Logs.ts"

const terminal = (): boolean => process.stderr.isTTY && process.env["NO_COLOR"] === undefined

/** Runs with the configuration, and logs as it says. */
export const configured = <A, E, R>(command: (configuration: Configuration) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(read(process.env), (configuration) =>
    Effect.provide(command(configuration), Logs.layer(configuration, terminal()))
  )
