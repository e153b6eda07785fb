/**
 * The operations of this server as tools of an MCP server: what an operation is called, takes, answers and costs, and one
 * way to call it. What goes wrong with a call is its result (`isError`), so that a model can read it; only a call of what
 * is no tool is an error of the protocol.
 *
 * Each call takes the most that it may cost from the budget of its session before it runs, and gives back what it was not
 * charged. Where nobody knows yet what it is charged (it was cancelled, or its answer is pending), the most counts.
 */
import type { Scope } from "@lading/core/account"
import { Credits, Ledger } from "@lading/core/billing"
import type { Caller } from "@lading/core/request"
import { Operations } from "@lading/core/task"
import { WaterfallOptions } from "@lading/core/waterfall"
import { Clock, Context, Effect, Exit, Schema } from "effect"
import { McpSchema, McpServer } from "effect/ai"
import { SecureRandom } from "effect/crypto"
import type * as Refusal from "../../api/Refusal.ts"
import { fromUseCase } from "../Refused.ts"
import * as RequestId from "../RequestId.ts"
import { Work } from "../Work.ts"
import type * as Budget from "./Budget.ts"
import { Calling } from "./Calling.ts"

/** What models are told before they call anything. */
export const instructions =
  "Tools of a Lading server: companies, people, customs records and mail addresses. Calls cost credits as their " +
  "descriptions say; what finds nothing is mostly free. A session has a cap, and lading_balance, which is free, says " +
  "what is left. Answers have meta.billing with what was charged."

/** `company.enrich` as tools are called. */
export const nameOf = ({ name }: Pick<Operations.Operation, "name">): string => name.replaceAll(/[^a-zA-Z0-9]+/g, "_")

/** An API key's own tool: free, and for every key. */
const balanceName = "lading_balance"

interface Failure {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly details: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

const text = (value: unknown) => [{ type: "text" as const, text: JSON.stringify(value) }]

const answered = (body: unknown) => new McpSchema.CallToolResult({ content: text(body), structuredContent: body })

/** Without structured content, which would have to have the shape of an answer. */
const failed = ({ code, details, message, retryable }: Failure) =>
  new McpSchema.CallToolResult({ isError: true, content: text({ error: { code, message, retryable, details } }) })

const beyond = (worst: Credits.Credits, { cap, left, reserved }: Budget.State): Failure => {
  const running = reserved > 0 ? `, ${Credits.toNumber(reserved)} are reserved for calls that run` : ""
  const message =
    `This call may cost up to ${Credits.toNumber(worst)} credits; ` +
    `${Credits.toNumber(left)} of the session's ${Credits.toNumber(cap)} are left${running}`
  return { code: "session_cap_reached", message, retryable: reserved > 0, details: [] }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether sources still work on the answer, and will be paid when theirs is there. */
const isPending = (body: unknown): boolean => {
  const meta = isObject(body) ? body["meta"] : null
  const waterfall = isObject(meta) ? meta["waterfall"] : null
  return isObject(waterfall) && waterfall["async_pending"] === true
}

/** A request whose price cannot be said now may cost what is left, and not more: its own ceiling says so. */
const withCeiling = (input: unknown, { left }: Budget.State): unknown => {
  const waterfall = isObject(input) ? input["waterfall"] : undefined
  if (!isObject(input) || !(waterfall === undefined || isObject(waterfall))) return input
  return { ...input, waterfall: { ...waterfall, max_credits: Credits.toNumber(left) } }
}

interface Means {
  readonly work: Work["Service"]
  readonly random: SecureRandom.SecureRandom["Service"]
  readonly grace: number
}

/** Runs it as a request of its own, no longer than any may take. */
const running = ({ grace, random, work }: Means, operation: Operations.Operation) =>
  Effect.fnUntraced(function* (input: unknown, { principal }: NonNullable<Calling>) {
    const received_at = yield* Clock.currentTimeMillis
    const request_id = yield* Effect.provideService(RequestId.make, SecureRandom.SecureRandom, random)
    const { account, key, scopes } = principal
    const caller: Caller.Caller = { account, api_key: key, request_id, received_at, idempotency: null }
    const deadline = received_at + WaterfallOptions.timeout.maximum + grace
    const run = operation.run(input, { caller, scopes })
    return yield* work.wait(run, { request_id, deadline, outlives: false })
  })

/** What the session pays for a call that has ended so. */
const chargedFor = (
  exit: Exit.Exit<Operations.Outcome, Operations.OperationFailed | Refusal.DeadlineExceeded>,
  worst: Credits.Credits
): Credits.Credits => {
  if (Exit.isSuccess(exit)) {
    const { body, credits } = exit.value
    return isPending(body) ? Credits.max(worst, credits) : credits
  }
  // A failure costs nothing; whoever was interrupted, or given up, may have been charged.
  const error = Exit.findErrorOption(exit)
  return error._tag === "Some" && error.value._tag === "OperationFailed" ? Credits.zero : worst
}

const callOf = (means: Means, operation: Operations.Operation) => {
  const run = running(means, operation)
  return Effect.fnUntraced(function* (input: unknown) {
    const calling = yield* Calling
    if (calling === null || calling.budget === null) return yield* Effect.die("a call outside a session")
    const { budget } = calling
    const known = yield* operation.worst(input, calling.principal.account)
    const state = budget.state()
    const worst = known ?? state.left
    if (!budget.reserve(worst)) return failed(beyond(worst, budget.state()))
    const asked = known === null ? withCeiling(input, state) : input
    return yield* run(asked, calling).pipe(
      Effect.onExit((exit) => Effect.sync(() => budget.settle(worst, chargedFor(exit, worst)))),
      Effect.map(({ body }) => answered(body)),
      Effect.catch((error) => Effect.succeed(failed(error)))
    )
  })
}

/** All tools spend at most and change nothing that is kept for others. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true }

/** A schema of an object, as both ends of a tool are. */
const objectOf = Schema.decodeUnknownSync(McpSchema.ToolJson)

const toolOf = (operation: Operations.Operation) => {
  const { answer, description, price, request, title } = operation
  const about = [title, description].filter((words) => words !== "").join(". ")
  return new McpSchema.Tool({
    name: nameOf(operation),
    title,
    description: `${about.replace(/\.?$/, ".")} Price: ${price}.`,
    inputSchema: objectOf(request),
    outputSchema: objectOf(answer),
    annotations
  })
}

const amounts = { type: "number" } as const

const balanceTool = new McpSchema.Tool({
  name: balanceName,
  title: "Credits that are left",
  description:
    "What this session may still spend (its cap, what was charged, what is reserved for calls that run) and what the account has. Price: free.",
  inputSchema: { type: "object", properties: {} },
  outputSchema: {
    type: "object",
    properties: {
      session: { type: "object", properties: { cap: amounts, spent: amounts, reserved: amounts, left: amounts } },
      account: { type: "object", properties: { available: amounts, held: amounts } }
    },
    required: ["session", "account"]
  },
  annotations: { ...annotations, openWorldHint: false }
})

const balanceOf = (ledger: Ledger.Ledger["Service"]) =>
  Effect.gen(function* () {
    const calling = yield* Calling
    if (calling === null || calling.budget === null) return yield* Effect.die("a call outside a session")
    const { cap, left, reserved, spent } = calling.budget.state()
    const { available, held } = yield* ledger.balance(calling.principal.account)
    return answered({
      session: {
        cap: Credits.toNumber(cap),
        spent: Credits.toNumber(spent),
        reserved: Credits.toNumber(reserved),
        left: Credits.toNumber(left)
      },
      account: { available: Credits.toNumber(available), held: Credits.toNumber(held) }
    })
  }).pipe(Effect.catch((error) => Effect.succeed(failed(fromUseCase("req_balance")(error)))))

const permitted = (has: ReadonlyArray<Scope.Scope>, { scopes }: Operations.Operation): boolean =>
  scopes.every((scope) => has.includes(scope))

/** Registers the tools; those whose scopes a key lacks it neither sees nor calls. */
export const register = Effect.fnUntraced(function* (grace: number) {
  const server = yield* McpServer.McpServer
  const operations = yield* Operations.Operations
  const ledger = yield* Ledger.Ledger
  const means: Means = { work: yield* Work, random: yield* SecureRandom.SecureRandom, grace }
  const none = Context.empty()
  for (const operation of operations.all) {
    const call = callOf(means, operation)
    yield* server.addTool({ tool: toolOf(operation), annotations: none, handle: call })
  }
  yield* server.addTool({ tool: balanceTool, annotations: none, handle: () => balanceOf(ledger) })
})

/** Hides what the key may not call. */
export const visibility = McpServer.visibility(
  Effect.map(Operations.Operations, (operations) => {
    const byName = new Map(operations.all.map((operation) => [nameOf(operation), operation]))
    return ({ target }: McpServer.MiddlewareOptions) =>
      Effect.map(Calling, (calling) => {
        const operation = byName.get(target)
        return operation === undefined || (calling !== null && permitted(calling.principal.scopes, operation))
      })
  })
)
