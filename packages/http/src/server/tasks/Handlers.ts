/** The endpoints under `/api/tasks`: an account's own tasks, for keys with the scope `tasks`. */
import { Billing } from "@lading/core/billing"
import { InvalidRequest } from "@lading/core/request"
import { AgenticTasks, TaskRequest } from "@lading/core/task"
import { Effect, Option, Result, Schema, Stream } from "effect"
import { Base64Url } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Principal } from "../../api/Authorization.ts"
import { LadingApi } from "../../api/LadingApi.ts"
import * as SuccessBody from "../../api/SuccessBody.ts"
import * as TasksGroup from "../../api/TasksGroup.ts"
import { Exchange } from "../Exchange.ts"
import type * as Idempotent from "../Idempotent.ts"
import * as Operation from "../Operation.ts"
import { fromUseCase } from "../Refused.ts"
import * as Unbilled from "../Unbilled.ts"
import { Work } from "../Work.ts"
import * as Export from "./Export.ts"

type UseCases = AgenticTasks.AgenticTasks["Service"]

/** Who asks, where the key may. */
const permitted = Effect.gen(function* () {
  const principal = yield* Principal
  const { request_id } = yield* Exchange
  yield* Operation.permit(["tasks"], principal, request_id)
  return principal
})

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(JSON.stringify(body), { status, contentType: "application/json", headers })

const ordering = ({ create }: UseCases, limits: Operation.Limits) => {
  const body = Math.max(limits.body, TasksGroup.bodyLimit)
  const read = Operation.reader(TaskRequest.TaskRequest, { ...limits, body })
  return Effect.fnUntraced(function* (raw: Idempotent.Raw) {
    const { received_at, request_id } = yield* Exchange
    const { scopes } = yield* permitted
    const work = yield* Work
    const { caller, request } = yield* read(raw)
    const { answer, replayed } = yield* work.wait(
      Effect.mapError(create(request, { caller, scopes }), fromUseCase(request_id)),
      {
        request_id,
        deadline: received_at + AgenticTasks.timeout + limits.grace,
        outlives: caller.idempotency !== null
      }
    )
    const headers = replayed ? { "idempotent-replayed": "true" } : {}
    return json(201, SuccessBody.make(answer.request_id, answer.task), headers)
  })
}

interface OfTask extends Idempotent.Raw {
  readonly params: { readonly task_id: string }
}

/** The endpoints that are repeatable and cost nothing. */
const posts = ({ cancel, plan }: UseCases) => ({
  plan: Unbilled.of({
    name: "tasks.plan",
    request: TaskRequest.PlanRequest,
    kept: AgenticTasks.Planned,
    run: (request, _raw: Idempotent.Raw & { readonly scopes: Parameters<UseCases["plan"]>[1]["scopes"] }, caller) =>
      plan(request, { caller, scopes: _raw.scopes })
  }),
  cancel: Unbilled.of({
    name: "tasks.cancel",
    request: TasksGroup.Nothing,
    kept: AgenticTasks.Task,
    run: (_request, { params }: OfTask, { account }) => cancel(account, params.task_id)
  })
})

const wrongCursor = () => InvalidRequest.at("cursor", "Expected next_cursor of the page before")

/** Which page it is, and behind which entry it begins: the id of a task, or the number of a row. */
const Place = Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.String]))
const decodePlace = Schema.decodeUnknownOption(Place)

const placeOf = (cursor: string): Effect.Effect<typeof Place.Type, InvalidRequest.InvalidRequest> => {
  const place = Option.flatMap(Result.getSuccess(Base64Url.decodeString(cursor)), decodePlace)
  return Option.isSome(place) ? Effect.succeed(place.value) : Effect.fail(wrongCursor())
}

const cursorOf = (page: number, behind: string): string => Base64Url.encode(JSON.stringify([page, behind]))

type Listing = Schema.Struct<typeof TasksGroup.ListQuery>["Type"]
type Window = Schema.Struct<typeof TasksGroup.DataQuery>["Type"]

const list = ({ list }: UseCases) =>
  Effect.fnUntraced(function* (account: string, { cursor, limit = TasksGroup.perPage, status }: Listing) {
    const [page, after] = cursor === undefined ? [1, undefined] : yield* placeOf(cursor)
    // One more than is shown says whether there is a further page.
    const { tasks, total } = yield* list(account, { status, after, limit: limit + 1 })
    const shown = tasks.slice(0, limit)
    const last = shown.at(-1)
    const next = tasks.length > limit && last !== undefined ? cursorOf(page + 1, last.task_id) : null
    return { list: shown, total, current_page: page, next_cursor: next } satisfies TasksGroup.TaskList
  })

const page = ({ rows }: UseCases) =>
  Effect.fnUntraced(function* (account: string, id: string, query: Window) {
    const { cursor, limit = TasksGroup.perPage, status = null } = query
    const [page, from] = cursor === undefined ? [query.page ?? 1, null] : yield* placeOf(cursor)
    const begin = from === null ? (page - 1) * limit : Number(from)
    if (!Number.isSafeInteger(begin) || begin < 0) return yield* wrongCursor()
    const { list, total } = yield* rows(account, id, { state: status, from: begin, limit })
    const next = begin + limit < total ? cursorOf(page + 1, String(begin + limit)) : null
    return { list, total, current_page: page, next_cursor: next } satisfies TasksGroup.TaskRows
  })

/** All rows as a text, or a page of them. */
const data = (useCases: UseCases, limits: Operation.Limits) => {
  const { find, rows } = useCases
  const paged = page(useCases)
  return Effect.fnUntraced(function* ({ params, query }: OfTask & { readonly query: Window }) {
    const { account } = yield* permitted
    const { request_id } = yield* Exchange
    const id = params.task_id
    const { format = "json", status = null } = query
    if (format === "json") {
      const { body } = yield* Unbilled.read(paged(account, id, query), limits)
      return json(200, body)
    }
    // Asked before anything is sent: a task that there is not is no empty file.
    const task = yield* Effect.mapError(find(account, id), fromUseCase(request_id)).pipe(
      Effect.catchTags({ InsufficientCredits: Effect.die, Conflict: Effect.die })
    )
    const read = (from: number, limit: number) => rows(account, id, { state: status, from, limit })
    const columns = (task.plan?.output_fields ?? []).map(({ name }) => name)
    const text = format === "csv" ? Export.csv(columns, read) : Export.lines(read)
    return HttpServerResponse.stream(Stream.encodeText(text), {
      contentType: format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson",
      headers: { "content-disposition": `attachment; filename="${id}.${format}"` }
    })
  })
}

export const layer = (limits: Operation.Limits) =>
  HttpApiBuilder.group(
    LadingApi,
    "tasks",
    Effect.fnUntraced(function* (handlers) {
      const useCases = yield* AgenticTasks.AgenticTasks
      const billing = yield* Billing.Billing
      const { cancel, plan } = posts(useCases)
      const bounded = { ...limits, body: Math.max(limits.body, TasksGroup.bodyLimit) }
      const planned = Unbilled.handler(plan, billing, bounded)
      const cancelled = Unbilled.handler(cancel, billing, limits)
      const listed = list(useCases)
      return handlers
        .handleRaw("create", ordering(useCases, limits))
        .handleRaw("plan", (raw) => Effect.flatMap(permitted, ({ scopes }) => planned({ ...raw, scopes })))
        .handleRaw("cancel", (raw) => Effect.andThen(permitted, cancelled(raw)))
        .handleRaw("data", data(useCases, limits))
        .handleAll({
          list: ({ query }) =>
            Effect.flatMap(permitted, ({ account }) => Unbilled.read(listed(account, query), limits)),
          find: ({ params }) =>
            Effect.flatMap(permitted, ({ account }) => Unbilled.read(useCases.find(account, params.task_id), limits))
        })
    })
  )
