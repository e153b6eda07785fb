/** `lading serve`: the server as it is configured. */
import { ApiKey } from "@lading/core/account"
import { Effect, Redacted } from "effect"
import { Command } from "effect/cli"
import type { Configuration } from "../server/Configuration.ts"
import * as FirstAccount from "../server/FirstAccount.ts"
import * as Print from "./Print.ts"
import * as Service from "./Service.ts"
import { configured } from "./Setting.ts"

/** Adds the configured key, or a random one where no key was ever made; gives the line that says which. */
const prepareKey = Effect.fnUntraced(function* ({ apiKey }: Configuration, { hasKey, id }: FirstAccount.FirstAccount) {
  if (apiKey !== null) {
    yield* FirstAccount.addKey(id, apiKey)
    return "as in LADING_API_KEY"
  }
  if (hasKey) return "those that were made before"
  const key = yield* ApiKey.generate
  yield* FirstAccount.addKey(id, key)
  return `${Redacted.value(key)}  (shown this once; only its digest is kept)`
})

const announce = Effect.fnUntraced(function* (configuration: Configuration, url: string) {
  const account = yield* FirstAccount.find
  const key = yield* prepareKey(configuration, account)
  const credits = yield* FirstAccount.grant(account.id, configuration.credits)
  yield* Print.lines([
    "",
    `Lading serves on ${url}  (documentation: ${url}/docs)`,
    "",
    `  API key   ${key}`,
    `  account   ${FirstAccount.name}, ${Print.credits(credits)}`,
    `  data      ${Print.place(configuration)}`,
    ...Print.sources(configuration),
    `  verifier  ${Print.verifier(configuration)}`,
    ""
  ])
})

export const serve = Command.make("serve", {}, () =>
  configured((configuration) =>
    Service.run(configuration, { drainMs: 5000, rateLimit: 600, fair: true }, (url) => announce(configuration, url))
  )
).pipe(
  Command.withDescription(
    "Serve with your own vendors and keys, as LADING_* variables configure it (docs/operations.md)"
  ),
  Command.withShortDescription("Serve with your own vendors and keys")
)
