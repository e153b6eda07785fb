/**
 * Reoon as a verifier of mail addresses: single ones through the power mode, lists as tasks.
 *
 * Gotchas
 * - The key goes into the query, as Reoon wants it; `VendorHttp` keeps URLs out of spans and errors.
 * - A list of fewer than ten is no task.
 * - Reoon takes 50,000 at once; this takes 5,000, so that an answer stays below `VendorHttp.SIZE_LIMIT`.
 */
import { EmailVerifier } from "@lading/core/email"
import { type SourceError, VendorHttp } from "@lading/core/waterfall"
import { Clock, Data, Effect, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Result from "./Result.ts"

const source = "reoon"

/** Where Reoon is. */
export const defaultBaseUrl = "https://emailverifier.reoon.com"

export interface Options {
  readonly key: Redacted.Redacted
  /** Scheme and host, without a path. */
  readonly baseUrl?: string
}

/** Fewer are no task. */
const FEWEST = 10

const MOST = 5_000

const unavailable = (problem: string, retryable: boolean) =>
  new EmailVerifier.EmailVerifierUnavailable({ problem, retryable })

const ErrorAnswer = Schema.Struct({ status: Schema.Literal("error"), reason: Schema.optional(Schema.Unknown) })
const isError = Schema.is(ErrorAnswer)

/** The reason is not quoted: it may name the address or the key. */
const refusal = (status: number, body: unknown): EmailVerifier.EmailVerifierUnavailable | null => {
  if (status === 429) return unavailable("Reoon asks for fewer calls", true)
  if (status >= 500) return unavailable(`Reoon answers ${status}`, true)
  const reason = isError(body) && typeof body.reason === "string" ? body.reason.toLowerCase() : ""
  if (status === 402 || reason.includes("credit")) return unavailable("no credits are left at Reoon", false)
  if (status === 401 || status === 403 || /\bkey\b/.test(reason)) return unavailable("Reoon refuses the key", false)
  return null
}

/** The question itself is refused: another one may be answered. */
class QuestionRefused extends Data.TaggedError("QuestionRefused")<{ readonly status: number }> {}

const ofList = ({ status }: QuestionRefused) =>
  Effect.fail(unavailable(`Reoon refuses the question (${status})`, false))

const trouble = (error: SourceError.SourceError): EmailVerifier.EmailVerifierUnavailable =>
  unavailable(
    "problem" in error && typeof error.problem === "string" ? `${error._tag}: ${error.problem}` : error._tag,
    error._tag === "Unavailable"
  )

const TaskBegun = Schema.Struct({ task_id: Schema.Union([Schema.String, Schema.Finite]) })
const TaskState = Schema.Struct({
  status: Schema.String,
  count_checked: Schema.optional(Schema.Unknown),
  results: Schema.optional(Schema.NullOr(Schema.Record(Schema.String, Result.Answer)))
})

const answerOf = VendorHttp.decode(source, Result.Answer)
const begunOf = VendorHttp.decode(source, TaskBegun)
const stateOf = VendorHttp.decode(source, TaskState)

type Ask = (
  request: HttpClientRequest.HttpClientRequest
) => Effect.Effect<unknown, EmailVerifier.EmailVerifierUnavailable | QuestionRefused>

type Single = EmailVerifier.EmailVerifier["Service"]["single"]

const asking =
  (client: HttpClient.HttpClient, { baseUrl = defaultBaseUrl, key }: Options): Ask =>
  (request) =>
    request.pipe(
      HttpClientRequest.prependUrl(baseUrl.replace(/\/+$/, "")),
      VendorHttp.json(source, { _tag: "ApiKey", key }),
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.mapError(trouble),
      Effect.flatMap(({ body, status }): ReturnType<Ask> => {
        const refused = refusal(status, body)
        if (refused !== null) return Effect.fail(refused)
        return status >= 300 || isError(body) ? Effect.fail(new QuestionRefused({ status })) : Effect.succeed(body)
      })
    )

const singleBy = (ask: Ask, key: Redacted.Redacted): Single =>
  Effect.fnUntraced(function* (email, deadline) {
    const left = deadline - (yield* Clock.currentTimeMillis)
    if (left <= 0) return Result.unknown(email)
    return yield* ask(
      HttpClientRequest.get("/api/v1/verify", { urlParams: { email, mode: "power", key: Redacted.value(key) } })
    ).pipe(
      Effect.flatMap((body) => Effect.mapError(answerOf(body), trouble)),
      Effect.map((answer) => Result.read(email, answer)),
      // What it does not take for an address is nothing that it can say anything of.
      Effect.catchTag("QuestionRefused", () => Effect.succeed(Result.unknown(email))),
      Effect.timeoutOrElse({ duration: left, orElse: () => Effect.succeed(Result.unknown(email)) })
    )
  })

const beginBy = (ask: Ask, key: Redacted.Redacted): EmailVerifier.Delegated["begin"] =>
  Effect.fnUntraced(function* (emails) {
    if (emails.length > MOST) return yield* unavailable(`more than ${MOST} addresses at once`, false)
    if (emails.length < FEWEST) return yield* unavailable(`fewer than ${FEWEST} addresses`, false)
    const request = HttpClientRequest.post("/api/v1/create-bulk-verification-task/").pipe(
      HttpClientRequest.bodyJsonUnsafe({ name: "lading", emails, key: Redacted.value(key) })
    )
    const begun = yield* Effect.flatMap(ask(request), (answer) => Effect.mapError(begunOf(answer), trouble)).pipe(
      Effect.catchTag("QuestionRefused", ofList)
    )
    return String(begun.task_id)
  })

const progressBy = (ask: Ask, key: Redacted.Redacted): EmailVerifier.Delegated["progress"] =>
  Effect.fnUntraced(function* (task) {
    const path = "/api/v1/get-result-bulk-verification-task/"
    const body = yield* ask(
      HttpClientRequest.get(path, { urlParams: { task_id: task, key: Redacted.value(key) } })
    ).pipe(Effect.catchTag("QuestionRefused", ofList))
    const { count_checked, results, status } = yield* Effect.mapError(stateOf(body), trouble)
    const checked = Result.numberOf(count_checked) ?? 0
    if (status === "waiting" || status === "running") return { checked, results: null }
    if (status !== "completed" || results === undefined || results === null)
      return yield* unavailable("Reoon lost the list", false)
    const read = Object.entries(results).map(([email, answer]) => Result.read(email, answer))
    return { checked: read.length, results: read }
  })

/** Reoon over the `HttpClient` of the context. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const ask = asking(yield* HttpClient.HttpClient, options)
  const { key } = options
  const bulk: EmailVerifier.Delegated = {
    _tag: "Delegated",
    least: FEWEST,
    most: MOST,
    begin: beginBy(ask, key),
    progress: progressBy(ask, key)
  }
  return EmailVerifier.EmailVerifier.of({ name: source, single: singleBy(ask, key), bulk })
})
