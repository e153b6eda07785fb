/**
 * The tools of a server for a program that speaks over standard input and output: what is listed and called here is listed
 * and called there, in one session at `/mcp`, whose cap holds for as long as this process lives.
 *
 * Gotchas
 * - Nothing is billed here, and nothing is opened: the server does both.
 * - A session that the server has ended is not begun again: its cap would begin again with it.
 */
import { Context, Effect, Exit, Fiber, Layer, type Redacted, type Scope } from "effect"
import { McpClient, type McpClientError, McpProtocol, McpSchema, McpServer } from "effect/ai"
import { HttpClient, HttpClientRequest } from "effect/http"
import { capHeader, path } from "../../server/mcp/Path.ts"
import { version } from "../../server/Version.ts"
import { CannotBegin } from "../rows/Problem.ts"

export interface Options {
  /** Of the server, without a path. */
  readonly url: string
  readonly apiKey: Redacted.Redacted
  /** The most that the session may spend, in credits. */
  readonly credits: number
}

const sentence = ({ reason }: McpClientError.McpClientError): string => {
  switch (reason._tag) {
    case "HttpError":
      if (reason.status === 401) return "the server does not know the key in LADING_API_KEY"
      return reason.status === 404 ? "the server has no MCP endpoint" : `the server answered ${reason.status}`
    case "ClosedError":
      return "the session has ended: the server was started anew, or the session was idle for too long. Start this process anew"
    default:
      return `the server cannot be asked (${reason._tag})`
  }
}

/** Connects, for as long as the scope. */
const connect = Effect.fnUntraced(function* ({
  apiKey,
  credits,
  url
}: Options): Effect.fn.Return<McpClient.McpClient, CannotBegin, HttpClient.HttpClient | Scope.Scope> {
  const http = HttpClient.mapRequest(yield* HttpClient.HttpClient, HttpClientRequest.bearerToken(apiKey))
  const transport = yield* McpClient.http({
    url: `${url.replace(/\/+$/, "")}${path}`,
    protocol: McpProtocol.v2025_11_25,
    headers: { [capHeader]: credits.toFixed(6) }
  }).pipe(
    Effect.provideService(HttpClient.HttpClient, http),
    Effect.mapError((error) => new CannotBegin({ problem: `${url}: ${sentence(error)}` }))
  )
  return yield* McpClient.make({ name: "lading mcp", version }).pipe(
    Effect.provideService(McpClient.Transport, transport),
    Effect.mapError((error) => new CannotBegin({ problem: `${url}: ${sentence(error)}` }))
  )
})

/** What is said where the server does not answer a call: a result, so that a model can read it. */
const unanswered = (error: McpClientError.McpClientError) =>
  new McpSchema.CallToolResult({
    isError: true,
    content: [
      {
        type: "text",
        text: JSON.stringify({
          error: {
            code: "unavailable",
            message: sentence(error),
            retryable: error.reason._tag !== "ClosedError",
            details: []
          }
        })
      }
    ]
  })

/** Registers what the server lists. */
const register = (client: McpClient.McpClient, tools: ReadonlyArray<McpSchema.Tool>) =>
  Effect.flatMap(McpServer.McpServer, ({ addTool }) =>
    Effect.forEach(
      tools,
      (tool) =>
        addTool({
          tool,
          annotations: Context.empty(),
          handle: (args) =>
            client.callTool({ tool, arguments: args }).pipe(Effect.catch((error) => Effect.succeed(unanswered(error))))
        }),
      { discard: true }
    )
  )

/** Serves over the standard streams until they end. */
export const serve = Effect.fnUntraced(function* (options: Options) {
  const client = yield* connect(options)
  const tools = yield* Effect.mapError(
    client.listTools(),
    (error) => new CannotBegin({ problem: `${options.url}: ${sentence(error)}` })
  )
  const serving = Layer.launch(
    McpServer.layerStdio({
      name: "lading",
      version,
      instructions: client.instructions,
      protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26, McpProtocol.v2024_11_05],
      registrations: Layer.effectDiscard(register(client, tools))
    }).pipe(Layer.orDie)
  )
  // The end of the input interrupts whoever serves, and is no failure.
  const exit = yield* Effect.flatMap(Effect.forkChild(serving), Fiber.await)
  if (!Exit.hasInterrupts(exit)) return yield* exit
}, Effect.scoped)
