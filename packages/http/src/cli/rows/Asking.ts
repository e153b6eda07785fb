/**
 * Whom rows are asked: the use cases in this process (`Here`), or a server through the typed client. A row that fails is
 * an outcome; what would fail every other row too stops the run.
 *
 * Gotcha: every row has an `Idempotency-Key`, the same in every attempt and after every crash, so that a server answers
 * and charges it once. That lasts for the 24 hours that a server keeps a key.
 */
import type { Quote } from "@lading/core/waterfall"
import { Duration, Effect, type Redacted } from "effect"
import type { HttpClient, HttpClientError } from "effect/http"
import * as Client from "../../client/index.ts"
import type { Kind } from "./Columns.ts"
import * as Outcome from "./Outcome.ts"
import { Stopped } from "./Problem.ts"
import type { Question } from "./Question.ts"

/** What came of a row. */
export interface Answered {
  readonly outcome: Outcome.Outcome
  /** It failed since nobody could answer: another row may fail for the same reason. */
  readonly unavailable: boolean
}

/** What came of a row that was pending. */
export type Found =
  | { readonly _tag: "Found"; readonly outcome: Outcome.Outcome }
  /** It is still pending, or nobody could be asked for now. */
  | { readonly _tag: "NotYet" }
  | { readonly _tag: "Unknown" }

export interface Counterpart {
  readonly ask: (question: Question, key: string) => Effect.Effect<Answered, Stopped>
  /** The answer to a row that was pending, as it is now. */
  readonly find: (kind: Kind, request_id: string) => Effect.Effect<Found, Stopped>
  /** What a row would cost. */
  readonly quote: (question: Question) => Effect.Effect<Quote.Quote, Stopped>
  /** Whether pending answers are lost with this process: then the row has to be asked again. */
  readonly forgets: boolean
}

export const answered = (outcome: Outcome.Outcome): Answered => ({ outcome, unavailable: false })

export const foundOf = (outcome: Outcome.Outcome): Found =>
  outcome.status === "pending" ? { _tag: "NotYet" } : { _tag: "Found", outcome }

type ClientError = Client.Refusal.Refusal | HttpClientError.HttpClientError | { readonly _tag: "SchemaError" }

/** How long an answer may take: longer than the longest that a server allows itself. */
const patience = "70 seconds"

/** Milliseconds before each time that a row is sent again which a server, or the way there, could not take. */
const pauses = [500, 1000, 2000, 4000]

/** How often an answer is looked for that a twin of the request still works on; half a second apart. */
const twin = 180

/** What to do about a failure. */
type Verdict =
  | { readonly _tag: "Again"; readonly millis: number; readonly counts: boolean }
  /** It is this row's own. */
  | { readonly _tag: "Failed"; readonly error: string; readonly request_id: string; readonly unavailable: boolean }
  | { readonly _tag: "Unknown"; readonly problem: string }
  | { readonly _tag: "Stopped"; readonly problem: string }

const failed = ({ _tag, message, request_id }: Client.Refusal.Refusal, error = message): Verdict => ({
  _tag: "Failed",
  error,
  request_id,
  unavailable: _tag === "Unavailable"
})

const stopped = (problem: string): Verdict => ({ _tag: "Stopped", problem })

const wait = (millis: number, counts: boolean): Verdict => ({ _tag: "Again", millis, counts })

/** What to do about it, after so many attempts that count. */
const judge = (error: ClientError, url: string, attempt: number): Verdict => {
  switch (error._tag) {
    case "RateLimited":
      return wait((error.retry_after ?? 1) * 1000, false)
    case "Conflict":
      return error.retryable && attempt < twin ? wait((error.retry_after ?? 0.5) * 1000, true) : failed(error)
    case "Unavailable": {
      const pause = pauses[attempt]
      return pause === undefined
        ? failed(error)
        : wait(error.retry_after === null ? pause : error.retry_after * 1000, true)
    }
    case "HttpClientError": {
      const pause = pauses[attempt]
      return pause === undefined ? stopped(`${url} does not answer; start it, or look at --url`) : wait(pause, true)
    }
    case "InvalidRequest":
      return Outcome.ofOptions(error.details)
        ? stopped(Outcome.details(error.details))
        : failed(error, Outcome.details(error.details))
    case "Unauthenticated":
      return stopped(`${url} does not know the API key in LADING_API_KEY`)
    case "Forbidden":
      return stopped(`${url} refuses: ${error.message}; make a key that may (lading key create)`)
    case "InsufficientCredits":
      return stopped(`${url} refuses: ${error.message}; grant more (lading account grant), or raise --row-credits`)
    case "NotFound":
      return { _tag: "Unknown", problem: `${url} does not answer as a Lading server of this version does` }
    case "MethodNotAllowed":
    case "UnsupportedMediaType":
    case "SchemaError":
      return stopped(`${url} does not answer as a Lading server of this version does`)
    case "PayloadTooLarge":
    case "Internal":
    case "DeadlineExceeded":
      return failed(error)
  }
}

type Failed = Extract<Verdict, { readonly _tag: "Failed" | "Unknown" }>

/** Calls, again and again where that makes sense; fails with what is final. */
const persistent = (url: string) => {
  const attempt = <A>(call: Effect.Effect<A, ClientError>, number: number): Effect.Effect<A, Failed | Stopped> =>
    call.pipe(
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => Effect.fail(new Stopped({ problem: `${url} does not answer in ${patience}` }))
      }),
      Effect.catch((error): Effect.Effect<A, Failed | Stopped> => {
        if (error._tag === "Stopped") return Effect.fail(error)
        const verdict = judge(error, url, number)
        switch (verdict._tag) {
          case "Failed":
          case "Unknown":
            return Effect.fail(verdict)
          case "Stopped":
            return Effect.fail(new Stopped({ problem: verdict.problem }))
          case "Again":
            return Effect.sleep(Duration.millis(verdict.millis)).pipe(
              Effect.andThen(attempt(call, verdict.counts ? number + 1 : number))
            )
        }
      })
    )
  return <A>(call: Effect.Effect<A, ClientError>) => attempt(call, 0)
}

const asFailed = ({ error, request_id, unavailable }: Extract<Failed, { readonly _tag: "Failed" }>): Answered => ({
  outcome: Outcome.failed(error, request_id),
  unavailable
})

/** A server, with a key of one of its accounts. */
export const server = Effect.fnUntraced(function* (
  url: string,
  apiKey: Redacted.Redacted
): Effect.fn.Return<Counterpart, never, HttpClient.HttpClient> {
  const { company, people, quotes } = yield* Client.make({ baseUrl: url, apiKey })
  const persist = persistent(url)
  const otherwise = ({ problem }: { readonly problem: string }) => Effect.fail(new Stopped({ problem }))
  return {
    forgets: false,
    ask: (question, key) => {
      const headers = { "idempotency-key": key }
      const call =
        question.kind === "company"
          ? Effect.map(company.enrich({ payload: question.payload, headers }), ({ body }) => Outcome.ofCompany(body))
          : Effect.map(people.enrich({ payload: question.payload, headers }), ({ body }) => Outcome.ofPerson(body))
      return persist(call).pipe(
        Effect.map(answered),
        Effect.catchTags({ Failed: (failure) => Effect.succeed(asFailed(failure)), Unknown: otherwise })
      )
    },
    find: (kind, request_id) => {
      const params = { request_id }
      const call =
        kind === "company"
          ? Effect.map(company.find({ params }), ({ body }) => Outcome.ofCompany(body))
          : Effect.map(people.find({ params }), ({ body }) => Outcome.ofPerson(body))
      return persist(call).pipe(
        Effect.map(foundOf),
        Effect.catchTags({
          Failed: () => Effect.succeed<Found>({ _tag: "NotYet" }),
          Unknown: () => Effect.succeed<Found>({ _tag: "Unknown" })
        })
      )
    },
    quote: ({ kind, payload }) => {
      const quoted = kind === "company" ? { operation: kind, request: payload } : { operation: kind, request: payload }
      return persist(quotes.quote({ payload: quoted, headers: {} })).pipe(
        Effect.map(({ body }) => body.data),
        Effect.catchTags({ Failed: ({ error }) => Effect.fail(new Stopped({ problem: error })), Unknown: otherwise })
      )
    }
  }
})
