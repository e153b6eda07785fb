/** Logs for people on a terminal, and one JSON object a line for everything else. */
import { type Layer, Logger } from "effect"

export const layer = (terminal: boolean): Layer.Layer<never> =>
  Logger.layer([terminal ? Logger.consolePretty() : Logger.consoleJson])
