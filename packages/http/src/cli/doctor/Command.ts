/**
 * `lading doctor`: whether what is configured would work, looked at without changing anything and without a call that
 * costs.
 */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Asked from "../Asked.ts"
import * as Failure from "../Failure.ts"
import * as Print from "../Print.ts"
import { configured } from "../Setting.ts"
import * as Table from "../Table.ts"
import * as Report from "./Report.ts"

const lines = ({ checks }: Report.Report): ReadonlyArray<string> =>
  Table.columns(
    ["check", "is", "what was found"],
    checks.map(({ name, outcome, says }) => [name, outcome, says])
  )

const tryKeys = Flag.Boolean("try-keys").pipe(
  Flag.withDescription("Ask the vendors whether they take the platform's keys, with questions that cost nothing"),
  Flag.withDefault(false)
)

export const command = Command.make("doctor", { json: Asked.json, tryKeys }, ({ json, ...wanted }) =>
  Effect.gen(function* () {
    const report = yield* configured((configuration) => Report.make(configuration, wanted))
    yield* Print.answer(Report.Report, report, json, lines)
    const failed = report.checks.filter(({ outcome }) => outcome === "failed").map(({ name }) => name)
    if (failed.length > 0) return yield* new Failure.CommandFailed({ message: `not well: ${failed.join(", ")}` })
  })
).pipe(
  Command.withDescription(
    "Look whether what is configured would work: settings, data, customs records, vendors' slots, and whether mail hosts would talk to this machine. Changes nothing, and asks no vendor unless with --try-keys; exit code 1 where something is not well"
  ),
  Command.withShortDescription("Look whether what is configured would work")
)
