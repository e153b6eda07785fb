/** Rows that are asked in this process: the use cases over the configured vendors, or over those of the sandbox. */
import { Credits } from "@lading/core/billing"
import { CompanyEnrichment } from "@lading/core/company"
import { PersonEnrichment } from "@lading/core/person"
import { Effect } from "effect"
import type { Configuration } from "../../server/Configuration.ts"
import * as Failure from "../Failure.ts"
import * as Local from "../Local.ts"
import { answered, type Answered, type Counterpart, type Found, foundOf } from "./Asking.ts"
import type { Kind } from "./Columns.ts"
import * as Outcome from "./Outcome.ts"
import { Stopped } from "./Problem.ts"
import type { Question } from "./Question.ts"

const stop = (problem: string) => Effect.fail(new Stopped({ problem }))

type AskingError = CompanyEnrichment.CompanyEnrichmentError | PersonEnrichment.PersonEnrichmentError

/** What a failure is to its row, or to the whole run. */
const judged = (error: AskingError): Effect.Effect<Answered, Stopped> => {
  const { message } = Failure.of(error)
  switch (error._tag) {
    case "SourcesUnavailable":
      return Effect.succeed({ outcome: Outcome.failed(message), unavailable: true })
    case "DeadlineExceeded":
      return Effect.succeed(answered(Outcome.failed(message)))
    case "CeilingTooLow":
      return stop(`a row may cost ${Credits.toNumber(error.needed)} credits; raise --row-credits`)
    case "InvalidRequest":
      return Outcome.ofOptions(error.details) ? stop(message) : Effect.succeed(answered(Outcome.failed(message)))
    default:
      return stop(message)
  }
}

const ask = Effect.fnUntraced(function* (question: Question) {
  const caller = yield* Local.caller
  if (question.kind === "company") {
    const companies = yield* CompanyEnrichment.CompanyEnrichment
    return Outcome.ofCompany((yield* companies.enrich(question.payload, caller)).answer)
  }
  const persons = yield* PersonEnrichment.PersonEnrichment
  return Outcome.ofPerson((yield* persons.enrich(question.payload, caller)).answer)
})

const find = Effect.fnUntraced(function* (kind: Kind, request_id: string) {
  const { account } = yield* Local.caller
  if (kind === "company") {
    const companies = yield* CompanyEnrichment.CompanyEnrichment
    return Outcome.ofCompany(yield* companies.find(request_id, account))
  }
  const persons = yield* PersonEnrichment.PersonEnrichment
  return Outcome.ofPerson(yield* persons.find(request_id, account))
})

const quote = Effect.fnUntraced(function* (question: Question) {
  const caller = yield* Local.caller
  if (question.kind === "company") {
    const companies = yield* CompanyEnrichment.CompanyEnrichment
    return yield* companies.quote(question.payload, caller)
  }
  const persons = yield* PersonEnrichment.PersonEnrichment
  return yield* persons.quote(question.payload, caller)
})

/** What is pending is known until the scope closes. */
export const open = Effect.fnUntraced(function* (configuration: Configuration, wanted: Local.Wanted) {
  const core = yield* Local.open(configuration, wanted)
  const counterpart: Counterpart = {
    forgets: true,
    ask: (question) => ask(question).pipe(Effect.map(answered), Effect.catch(judged), Effect.provide(core)),
    find: (kind, request_id) =>
      find(kind, request_id).pipe(
        Effect.map(foundOf),
        Effect.catchTags({
          UnknownEnrichment: () => Effect.succeed<Found>({ _tag: "Unknown" }),
          EnrichmentStoreUnavailable: () => Effect.succeed<Found>({ _tag: "NotYet" }),
          LedgerUnavailable: () => Effect.succeed<Found>({ _tag: "NotYet" }),
          SuppressionUnavailable: () => Effect.succeed<Found>({ _tag: "NotYet" })
        }),
        Effect.provide(core)
      ),
    quote: (question) =>
      quote(question).pipe(
        Effect.catch((error) => stop(Failure.of(error).message)),
        Effect.provide(core)
      )
  }
  return counterpart
})
