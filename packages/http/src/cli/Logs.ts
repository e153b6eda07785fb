/** Logs of the command line. They go to the error output, so that what a command answers can be piped. */
import { Layer, Logger, References } from "effect"
import type { LogLevel } from "effect/LogLevel"
import type { Configuration } from "../server/Configuration.ts"
import * as LogErrors from "../server/LogErrors.ts"

const levels: Readonly<Record<Configuration["logLevel"], LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
}

const json = Logger.withConsoleError(Logger.formatJson)

const pretty = (colors: boolean) => Logger.consolePretty({ colors, mode: "tty" })

type Settings = Pick<Configuration, "logErrors" | "logFormat" | "logLevel">

/** In the configured form; `terminal` says whether a person reads the error output. */
export const layer = ({ logErrors, logFormat, logLevel }: Settings, terminal: boolean): Layer.Layer<never> => {
  const written = (logFormat ?? (terminal ? "pretty" : "json")) === "json" ? json : pretty(terminal)
  return Layer.mergeAll(
    Logger.layer([logErrors ? written : LogErrors.withoutMessages(written)]),
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, levels[logLevel])
  )
}
