/** Addresses that are verified in this process: by the configured verifier, or over the mail hosts of the sandbox. */
import { Credits } from "@lading/core/billing"
import { EmailResult, type EmailVerifier, Verdict } from "@lading/core/email"
import { Clock, Effect, Schedule, Stream } from "effect"
import type { Configuration } from "../../server/Configuration.ts"
import * as Local from "../Local.ts"
import { CannotBegin, Stopped } from "../rows/Problem.ts"
import type { Counterpart, Direct, Lists } from "./Counterpart.ts"

type Service = EmailVerifier.EmailVerifier["Service"]

const stopped = ({ problem }: EmailVerifier.EmailVerifierUnavailable) => new Stopped({ problem })

/** Another's verifier that is away for a moment is asked again. */
const patience = { schedule: Schedule.exponential("1 second"), times: 5 }

const patiently = <A>(asked: Effect.Effect<A, EmailVerifier.EmailVerifierUnavailable>): Effect.Effect<A, Stopped> =>
  asked.pipe(Effect.retry({ ...patience, while: ({ retryable }) => retryable }), Effect.mapError(stopped))

const direct = ({ verify }: EmailVerifier.Direct): Direct => ({
  _tag: "Direct",
  verify: (emails, attempt) => Stream.mapError(verify(emails, attempt), stopped)
})

const lists = (bulk: EmailVerifier.Delegated): Lists => ({
  _tag: "Lists",
  most: bulk.most,
  least: bulk.least,
  // Nobody else is told of a text that is no address.
  takes: (email) => Verdict.ofNone(email) === null,
  otherwise: (email) => Verdict.ofNone(email) ?? EmailResult.unknown(email),
  // Not again by itself: each is paid.
  begin: (emails) => Effect.mapError(bulk.begin(emails), stopped),
  look: (name) =>
    Effect.map(patiently(bulk.progress(name)), ({ checked, results }) => ({
      checked,
      ended: results === null ? null : "completed",
      credits: Credits.zero
    })),
  results: (name) =>
    Stream.fromIterableEffect(Effect.map(patiently(bulk.progress(name)), ({ results }) => results ?? [])),
  // It cannot be called back; nobody fetches it.
  cancel: () => Effect.void
})

/** Milliseconds that a single address may take. */
const longest = 60_000

const singly = ({ single }: Service): Counterpart["single"] =>
  Effect.fnUntraced(function* (email) {
    const deadline = (yield* Clock.currentTimeMillis) + longest
    return { result: yield* patiently(single(email, deadline)), credits: Credits.zero }
  })

const remedy =
  "nobody verifies mail addresses here: set LADING_SMTP_HELO and LADING_SMTP_FROM, or LADING_VERIFIER=reoon and its key (docs/email.md), or say --url or --sandbox"

export const open = Effect.fnUntraced(function* (configuration: Configuration, sandbox: boolean) {
  const verifier = yield* Local.openVerifier(configuration, sandbox)
  const { bulk } = verifier
  if (bulk._tag === "Absent") return yield* new CannotBegin({ problem: remedy })
  const counterpart: Counterpart = {
    single: singly(verifier),
    bulk: bulk._tag === "Direct" ? direct(bulk) : lists(bulk)
  }
  return counterpart
})
