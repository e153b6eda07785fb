/** `lading replay`: what a request would be answered today, from the raw answers that it was answered from then. */
import { DateTime, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Admin from "../api/Admin.ts"
import { administered } from "./Administration.ts"
import * as Asked from "./Asked.ts"
import * as Failure from "./Failure.ts"
import * as Print from "./Print.ts"
import * as Table from "./Table.ts"

type Report = typeof Admin.ReplayReport.Type
type Subject = Report["subjects"][number]

const told = ({ source, value }: Subject["differences"][number]["before"]): string => {
  const text = Table.text(value)
  return `${text === "" ? "nothing" : text}${source === null ? "" : ` (${source})`}`
}

const subject = ({ differences, identity, sources }: Subject): ReadonlyArray<string> => [
  "",
  Table.text(identity),
  ...Table.columns(
    ["source", "then", "now", "read from", "problem"],
    sources.map(({ adapter_now, adapter_then, problem, reading, source }) => [
      source,
      adapter_then,
      adapter_now ?? "",
      reading,
      problem ?? ""
    ])
  ).map((line) => `  ${line}`),
  ...(differences.length === 0
    ? []
    : [
        "",
        ...Table.columns(
          ["field", "before", "after"],
          differences.map(({ after, before, field }) => [field, told(before), told(after)])
        ).map((line) => `  ${line}`)
      ])
]

const lines = ({ account, answered_at, operation, request_id, same, subjects }: Report): ReadonlyArray<string> => [
  `${request_id}: ${operation}, answered ${DateTime.formatIso(DateTime.makeUnsafe(answered_at))}, account ${account}`,
  ...subjects.flatMap(subject),
  ...(same ? ["", "Everything comes out as it did"] : [])
]

export const command = Command.make(
  "replay",
  {
    request: Argument.String("request_id").pipe(Argument.withDescription("Id of the request, req_…")),
    json: Asked.json
  },
  ({ json, request }) =>
    Effect.gen(function* () {
      const report = yield* administered(Effect.void, ({ replay }) => replay(request))
      yield* Print.answer(Admin.ReplayReport, report, json, lines)
      if (!report.same) return yield* new Failure.CommandFailed({ message: "it does not come out as it did" })
    })
).pipe(
  Command.withDescription(
    "Decode and merge the kept answers of a request again, without a vendor call, and print what comes out otherwise; exit code 1 where something does"
  ),
  Command.withShortDescription("Read the answers of a request again")
)
