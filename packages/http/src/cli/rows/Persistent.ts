/**
 * Calls of a server that are made again where that makes sense: while it limits, is away for a moment, or still works on a
 * twin of the request. What fails for every call alike is told apart from what is wrong with one.
 */
import { Duration, Effect } from "effect"
import type { HttpClientError } from "effect/http"
import type * as Client from "../../client/index.ts"
import * as Outcome from "./Outcome.ts"
import { Stopped } from "./Problem.ts"

export type ClientError = Client.Refusal.Refusal | HttpClientError.HttpClientError | { readonly _tag: "SchemaError" }

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
const judge = (error: ClientError, url: string, attempt: number, cheaper: string): Verdict => {
  switch (error._tag) {
    case "RateLimited":
      return wait((error.retry_after ?? 1) * 1000, false)
    case "Conflict":
      return error.retryable && attempt < twin ? wait((error.retry_after ?? 0.5) * 1000, true) : failed(error)
    case "Unavailable": {
      const pause = error.retryable ? pauses[attempt] : undefined
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
      return stopped(`${url} refuses: ${error.message}; grant more (lading account grant)${cheaper}`)
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

export type Failed = Extract<Verdict, { readonly _tag: "Failed" | "Unknown" }>

/** Calls, again and again where that makes sense; fails with what is final. */
/** `cheaper` says what else helps where credits are missing. */
export const persistent = (url: string, cheaper = "") => {
  const attempt = <A>(call: Effect.Effect<A, ClientError>, number: number): Effect.Effect<A, Failed | Stopped> =>
    call.pipe(
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => Effect.fail(new Stopped({ problem: `${url} does not answer in ${patience}` }))
      }),
      Effect.catch((error): Effect.Effect<A, Failed | Stopped> => {
        if (error._tag === "Stopped") return Effect.fail(error)
        const verdict = judge(error, url, number, cheaper)
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
