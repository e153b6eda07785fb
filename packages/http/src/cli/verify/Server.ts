/** Lists at a server, as tasks of `POST /api/email/verify`, through the typed client. */
import { Credits } from "@lading/core/billing"
import { EmailRequest } from "@lading/core/email"
import { Effect, Option, type Redacted, Stream } from "effect"
import type { HttpClient } from "effect/http"
import * as Client from "../../client/index.ts"
import * as Persistent from "../rows/Persistent.ts"
import { Stopped } from "../rows/Problem.ts"
import type { Counterpart, Lists, Looked } from "./Counterpart.ts"

type Asked = typeof EmailRequest.EmailRequest.Type

const stop = (problem: string) => Effect.fail(new Stopped({ problem }))

/** Asks; what a server refuses stops the run. */
const asking = (url: string, { email }: Client.Client) => {
  const persist = Persistent.persistent(url)
  const call = (payload: Asked, key: string | null = null) =>
    persist(
      Effect.map(
        email.verify({ payload, query: {}, headers: key === null ? {} : { "idempotency-key": key } }),
        ({ body }) => body
      )
    )
  const ask = (payload: Asked, key: string | null = null) =>
    call(payload, key).pipe(
      Effect.catchTags({
        Failed: ({ error }) => stop(`${url} refuses: ${error}`),
        Unknown: ({ problem }) =>
          stop("task_id" in payload ? `${url} knows no task ${payload.task_id} of this key any more` : problem)
      })
    )
  return { call, ask }
}

const listsOf = (url: string, { ask, call }: ReturnType<typeof asking>): Lists => {
  const look = (task_id: string): Effect.Effect<Looked, Stopped> =>
    Effect.map(ask({ type: "bulk_result", task_id, limit: 1 }), ({ meta, progress, status }) => ({
      checked: progress.checked,
      ended: status === "queued" || status === "running" ? null : status,
      credits: Credits.fromNumber(meta.billing.credits_charged)
    }))
  return {
    _tag: "Lists",
    most: EmailRequest.mostEmails,
    least: 1,
    takes: () => true,
    // Somebody in it has objected.
    otherwise: () => null,
    begin: (emails, key) => Effect.map(ask({ type: "bulk", emails }, key), ({ task_id }) => task_id),
    look,
    results: (task_id) =>
      Stream.paginate(1, (page) =>
        Effect.map(ask({ type: "bulk_result", task_id, page, limit: EmailRequest.mostResults }), (answer) => {
          // A page may be short since somebody in it has objected: the number of addresses says where the end is.
          const isLast = page * EmailRequest.mostResults >= answer.progress.total
          return [Object.values(answer.results), isLast ? Option.none<number>() : Option.some(page + 1)] as const
        })
      ),
    cancel: (task_id) =>
      call({ type: "cancel", task_id }).pipe(
        Effect.asVoid,
        Effect.catchTags({
          // It has ended by itself meanwhile.
          Failed: ({ error }) =>
            Effect.flatMap(look(task_id), ({ ended }) =>
              ended === null ? stop(`${url} refuses: ${error}`) : Effect.void
            ),
          Unknown: () => stop(`${url} knows no task ${task_id} of this key any more`)
        })
      )
  }
}

export const make = Effect.fnUntraced(function* (
  url: string,
  apiKey: Redacted.Redacted
): Effect.fn.Return<Counterpart, never, HttpClient.HttpClient> {
  const asked = asking(url, yield* Client.make({ baseUrl: url, apiKey }))
  return {
    single: (email) =>
      Effect.flatMap(asked.ask({ type: "single", email }), ({ meta, results }) => {
        const [result] = Object.values(results)
        return result === undefined
          ? stop(`${url} does not answer as a Lading server of this version does`)
          : Effect.succeed({ result, credits: Credits.fromNumber(meta.billing.credits_charged) })
      }),
    bulk: listsOf(url, asked)
  }
})
