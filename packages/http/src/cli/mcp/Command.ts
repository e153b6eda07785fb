/** `lading mcp`: the tools of a server for programs that start MCP servers themselves, over standard input and output. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Owner } from "@lading/postgres"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { resolve } from "node:path"
import type { Configuration } from "../../server/Configuration.ts"
import { CannotBegin } from "../rows/Problem.ts"
import { configured } from "../Setting.ts"
import * as Signals from "../Signals.ts"
import * as Bridge from "./Bridge.ts"

const flags = {
  url: Flag.String("url").pipe(
    Flag.withDescription("Server to ask; LADING_URL unless said, else the one that owns the data folder"),
    Flag.withMetavar("<http://127.0.0.1:8080>"),
    Flag.optional
  ),
  credits: Flag.Finite("max-credits").pipe(
    Flag.withDescription(
      "The most that this session may spend; LADING_MCP_MAX_CREDITS unless said, never more than the server allows"
    ),
    Flag.withMetavar("<credits>"),
    Flag.optional
  )
}

/** Until the input ends or a signal comes; both are a success. */
const untilEnd = <A, E, R>(serving: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    Signals.untilStopped(serving),
    (error) => error instanceof Signals.Interrupted,
    () => Effect.void
  )

const cannot = (problem: string) => Effect.fail(new CannotBegin({ problem }))

const found = Effect.fnUntraced(function* ({ dataDir, url }: Configuration, said: Option.Option<string>) {
  const address = Option.getOrNull(said) ?? url
  if (address !== null) {
    const { protocol = "" } = URL.parse(address) ?? {}
    return /^https?:$/.test(protocol)
      ? address
      : yield* cannot("--url: expected an address such as http://127.0.0.1:8080")
  }
  const owner = yield* Owner.read(resolve(dataDir))
  return (
    owner?.url ??
    (yield* cannot("no server is known: put its address into LADING_URL, and an API key into LADING_API_KEY"))
  )
})

export const command = Command.make("mcp", flags, ({ credits, url: said }) =>
  configured((configuration) =>
    Effect.gen(function* () {
      const { apiKey, mcpCredits } = configuration
      const url = yield* found(configuration, said)
      if (apiKey === null) return yield* cannot(`${url} is asked with an API key; put one into LADING_API_KEY`)
      const most = Option.getOrElse(credits, () => mcpCredits)
      if (!(most >= 0 && most < 1_000_000_000)) return yield* cannot("--max-credits: expected credits such as 2.5")
      return yield* Bridge.serve({ url, apiKey, credits: most })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici), untilEnd)
  )
).pipe(
  Command.withDescription(
    "Offer the tools of a server over standard input and output, to programs that start MCP servers themselves (docs/mcp.md)"
  ),
  Command.withShortDescription("Offer a server's tools to MCP clients")
)
