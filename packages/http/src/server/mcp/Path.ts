/** Where MCP clients find a server: one path, which they post to and end their session at. */
export const path = "/mcp"

/** What a client may lower its session's cap with, in credits, at any time. */
export const capHeader = "lading-max-credits"

export const methods: ReadonlyArray<string> = ["POST", "DELETE"]
