/** `lading verify <address>`: the verdict on one address, in words. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Credits } from "@lading/core/billing"
import { type EmailResult, Typo } from "@lading/core/email"
import { Console, Effect } from "effect"
import type { Configuration } from "../../server/Configuration.ts"
import type * as Failure from "../Failure.ts"
import * as Print from "../Print.ts"
import * as Where from "../rows/Where.ts"
import * as Signals from "../Signals.ts"
import * as Table from "../Table.ts"
import type { Counterpart } from "./Counterpart.ts"
import * as Here from "./Here.ts"
import * as Server from "./Server.ts"

const words: Readonly<Record<EmailResult.EmailStatus, string>> = {
  safe: "its host takes mail for it, and not for names that nobody has",
  valid: "its host takes mail for it",
  invalid: "no mail reaches it",
  disabled: "its mailbox is closed",
  disposable: "its domain gives throw-away addresses",
  inbox_full: "its mailbox is full",
  catch_all: "its host takes mail for every name, so that nobody can tell whether the mailbox is there",
  role_account: "its host takes mail for it; it is a role, and no person",
  spamtrap: "it is on your list of spam traps",
  unknown: "nobody could tell"
}

const shown = (value: string | boolean | null): string =>
  value === null ? "unknown" : value === true ? "yes" : value === false ? "no" : value

/** An invalid address is wrong by itself, or has no host, or is unknown to it. */
const wordsOf = ({ is_valid_syntax, mx_accepts_mail, status }: EmailResult.EmailResult): string => {
  if (status !== "invalid") return words[status]
  if (!is_valid_syntax) return "it is no mail address"
  return mx_accepts_mail ? "its host knows no such mailbox" : "its domain takes no mail"
}

const lines = (result: EmailResult.EmailResult, credits: Credits.Credits | null): ReadonlyArray<string> => {
  const meant = Typo.ofResult(result)
  const { domain: _, email, overall_score, status, username: __, ...flags } = result
  return [
    `${Table.text(email)} is ${status} (score ${overall_score}): ${wordsOf(result)}.`,
    ...(meant === null ? [] : [`Did you mean ${Table.text(meant)}?`]),
    "",
    ...Table.columns(
      ["field", "value"],
      Object.entries(flags).map(([name, value]) => [name, shown(value)])
    ),
    ...(credits === null ? [] : ["", `Charged: ${Print.credits(Credits.toNumber(credits))}`])
  ]
}

interface Request extends Where.Wanted {
  readonly file: string
  readonly json: boolean
}

/** Whoever verifies, until the scope closes. */
export const open = (configuration: Configuration, where: Where.Where) =>
  where._tag === "Server"
    ? Effect.map(Server.make(where.url, where.apiKey), (made): Counterpart => made)
    : Here.open(configuration, where.sandbox)

export const run = Effect.fnUntraced(function* (
  configuration: Configuration,
  request: Request
): Effect.fn.Return<void, Failure.Failure> {
  const where = yield* Where.find(configuration, request)
  const asked = Effect.gen(function* () {
    const { single } = yield* open(configuration, where)
    return yield* single(request.file.trim())
  }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerUndici))
  const { credits, result } = yield* Signals.untilStopped(asked)
  if (request.json) {
    const did_you_mean = Typo.ofResult(result)
    return yield* Console.log(JSON.stringify({ ...result, did_you_mean }, null, 2))
  }
  return yield* Print.lines(lines(result, where._tag === "Server" ? credits : null))
})
