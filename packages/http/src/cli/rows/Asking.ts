/**
 * Whom rows are asked: the use cases in this process (`Here`), or a server through the typed client. A row that fails is
 * an outcome; what would fail every other row too stops the run.
 *
 * Gotcha: every row has an `Idempotency-Key`, the same in every attempt and after every crash, so that a server answers
 * and charges it once. That lasts for the 24 hours that a server keeps a key.
 */
import type { Quote } from "@lading/core/waterfall"
import { Effect, type Redacted } from "effect"
import type { HttpClient } from "effect/http"
import * as Client from "../../client/index.ts"
import type { Kind } from "./Columns.ts"
import * as Outcome from "./Outcome.ts"
import * as Persistent from "./Persistent.ts"
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

const asFailed = ({
  error,
  request_id,
  unavailable
}: Extract<Persistent.Failed, { readonly _tag: "Failed" }>): Answered => ({
  outcome: Outcome.failed(error, request_id),
  unavailable
})

/** A server, with a key of one of its accounts. */
export const server = Effect.fnUntraced(function* (
  url: string,
  apiKey: Redacted.Redacted
): Effect.fn.Return<Counterpart, never, HttpClient.HttpClient> {
  const { company, people, quotes } = yield* Client.make({ baseUrl: url, apiKey })
  const persist = Persistent.persistent(url, ", or raise --row-credits")
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
