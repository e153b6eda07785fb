/** The variables of MCP: of this server's sessions, and of `lading mcp`, which is a client of a server. */
import { Schema, SchemaTransformation } from "effect"
import { isBaseUrl, optional, type Text, withDefault } from "./Variable.ts"

/** Credits with or without decimals: no `1e3`, no sign. */
const credits: Text<number> = Schema.String.check(Schema.isPattern(/^\d{1,9}(?:\.\d{1,6})?$/)).pipe(
  Schema.decodeTo(Schema.Finite, SchemaTransformation.numberFromString)
)

export const mcp = {
  credits: withDefault(
    {
      name: "LADING_MCP_MAX_CREDITS",
      meaning:
        "The most that a session of an MCP client may spend, in credits; with `lading mcp` of its own session, which the server's value bounds as well",
      expected: "credits below 1000000000 such as 10 or 2.5"
    },
    credits,
    "10",
    10
  ),
  url: optional(
    {
      name: "LADING_URL",
      meaning: "The server that `lading mcp` asks; left out, the one that owns the data folder",
      expected: "an address like http://127.0.0.1:8080, without credentials or query"
    },
    Schema.String.check(Schema.makeFilter(isBaseUrl))
  )
}
