/**
 * A language model behind an OpenAI-compatible chat endpoint as a planner: `POST {baseUrl}/chat/completions` with
 * structured output (OpenAI's API reference, "Create chat completion", and its guide "Structured Outputs").
 *
 * Gotchas
 * - Asked again at most for what it complains of (`json_schema`, `temperature`: `Refusal.milder`), and once where it names
 *   a short while to wait. Whoever wants more tries asks again.
 * - No length of the answer is set: servers disagree on its name (`max_tokens`, `max_completion_tokens`). Time and the size
 *   of a body bound it.
 */
import { Planner } from "@lading/core/task"
import { type SourceError, type Source, VendorHttp } from "@lading/core/waterfall"
import { Clock, Effect, Layer, type Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Asking from "./Asking.ts"
import * as Completion from "./Completion.ts"
import * as Refusal from "./Refusal.ts"

export interface Options {
  /** With its path, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  /** `null` where the endpoint wants none. */
  readonly key: Redacted.Redacted | null
  /** Milliseconds that a plan may take in all; 120,000 unless said. */
  readonly timeout?: number
}

const source = "openai"

const TIMEOUT = 120_000

/** Milliseconds that an endpoint may have itself waited for. */
const LONGEST_WAIT = 20_000

const unavailable = (problem: string, retryable: boolean) => new Planner.PlannerUnavailable({ problem, retryable })

const trouble = (error: SourceError.Unavailable | SourceError.InvalidResponse): Planner.PlannerUnavailable =>
  unavailable(`the model's endpoint cannot be asked: ${error.problem}`, error._tag === "Unavailable")

/** Sends a body; every status is an answer. */
type Send = (body: unknown) => Effect.Effect<VendorHttp.Answer, Planner.PlannerUnavailable>

const sending = (client: HttpClient.HttpClient, { baseUrl, key }: Options): Send => {
  const credential: Source.Credential = key === null ? { _tag: "None" } : { _tag: "ApiKey", key }
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`
  return (body) =>
    HttpClientRequest.post(url).pipe(
      HttpClientRequest.bodyJsonUnsafe(body),
      key === null ? (request) => request : HttpClientRequest.bearerToken(key),
      VendorHttp.json(source, credential),
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.mapError(trouble)
    )
}

/** Milliseconds to wait before the same is asked once more; `null` where that is not worth it. */
const waitOf = ({ headers, status }: VendorHttp.Answer): Effect.Effect<number | null> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const wait = status === 429 || status === 503 ? VendorHttp.retryAfter(headers, now) : null
    return wait === null || wait > LONGEST_WAIT ? null : wait
  })

const planBy = (send: Send, { model }: Options) =>
  Effect.fnUntraced(function* (asked: Planner.Asked): Effect.fn.Return<unknown, Planner.PlannerUnavailable> {
    const bodyOf = Asking.bodies(model, asked)
    let asking = Asking.whole
    let mayWait = true
    for (;;) {
      const answer = yield* send(bodyOf(asking))
      if (answer.status === 200) return yield* Completion.read(answer.body)
      const next = Refusal.milder(asking, answer)
      const wait = next === null && mayWait ? yield* waitOf(answer) : null
      if (next === null && wait === null) return yield* Refusal.of(answer)
      if (wait !== null) {
        mayWait = false
        yield* Effect.sleep(wait)
      }
      asking = next ?? asking
    }
  })

/** The model over the `HttpClient` of the context. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const plan = planBy(sending(yield* HttpClient.HttpClient, options), options)
  const late = unavailable("the model's endpoint does not answer in time", true)
  return Planner.Planner.of({
    absent: null,
    plan: (asked) =>
      Effect.timeoutOrElse(plan(asked), {
        duration: options.timeout ?? TIMEOUT,
        orElse: () => Effect.fail(late)
      })
  })
})

export const layer = (options: Options): Layer.Layer<Planner.Planner, never, HttpClient.HttpClient> =>
  Layer.effect(Planner.Planner, make(options))
