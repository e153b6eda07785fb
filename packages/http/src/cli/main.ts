#!/usr/bin/env node
/**
 * `lading`: the command line. Answers go to the standard output; logs and what went wrong go to the error output.
 *
 * Gotcha: signals are left to the commands, since only those that serve have something to close.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Exit, Layer, Runtime } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import * as Account from "./Account.ts"
import * as Doctor from "./doctor/Command.ts"
import { enrich } from "./Enrich.ts"
import * as Erase from "./Erase.ts"
import * as Import from "./import/Command.ts"
import * as Key from "./Key.ts"
import * as Ledger from "./Ledger.ts"
import * as Mcp from "./mcp/Command.ts"
import * as Replay from "./Replay.ts"
import { sandbox } from "./Sandbox.ts"
import { serve } from "./Serve.ts"
import * as Sources from "./Sources.ts"
import * as Export from "./transfer/Export.ts"
import * as Restore from "./transfer/Restore.ts"
import * as Verify from "./verify/Command.ts"
import { version } from "../server/Version.ts"

const lading = Command.make("lading").pipe(
  Command.withDescription("Trade, company, contact and e-mail data from your own server"),
  Command.withSubcommands([
    serve,
    sandbox,
    enrich,
    Verify.command,
    Import.command,
    Mcp.command,
    Sources.command,
    Doctor.command,
    Account.command,
    Key.command,
    Ledger.command,
    Export.command,
    Restore.command,
    Erase.command,
    Replay.command
  ])
)

/** What the command line's own parser says, on one line. */
const complaint = ({ commandPath, errors }: CliOutput.Presenter.InvalidInvocation): string => {
  const problems = errors.map(({ message }) => message.replace("Expected: Schema validation failed: ", ""))
  return `lading: ${problems.join("; ").replaceAll(/\s+/g, " ")} (see ${commandPath.join(" ")} --help)`
}

/** A wrong call is one line, as every other failure; the help is there for who asks. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "InvalidInvocation" ? Console.error(complaint(event)) : CliOutput.defaultPresenter.present(event)
}

const layer = Layer.mergeAll(
  NodeServices.layer,
  CliOutput.layerPresenter(presenter),
  // Log levels have a variable of their own.
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
)

const main = Command.runWith(lading, { version })(process.argv.slice(2)).pipe(
  Effect.tapError((error) => (CliError.isCliError(error) ? Effect.void : Console.error(`lading: ${error.message}`))),
  Effect.tapDefect((defect) => Console.error(`lading: a defect, please report it\n${Cause.pretty(Cause.die(defect))}`)),
  Effect.provide(layer)
)

const run = Runtime.makeRunMain(({ fiber, teardown }) => {
  fiber.addObserver((exit) => {
    teardown(exit, (code) => {
      process.exitCode = code
      if (Exit.isFailure(exit)) process.exit(code)
    })
  })
})

run(main, { disableErrorReporting: true })
