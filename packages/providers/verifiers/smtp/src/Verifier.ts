/**
 * The port `EmailVerifier` by own DNS and SMTP.
 *
 * An address whose host asks for patience (a greylist, a limit of ours, trouble of its own) is `Again`, after minutes:
 * greylists know us by our address, our name and our sender, so nothing of these may change until then.
 */
import { EmailVerifier, type Evidence } from "@lading/core/email"
import { Clock, Effect, Layer, Option, Stream } from "effect"
import * as Classifier from "./replies/Classifier.ts"
import * as Inquiry from "./Inquiry.ts"
import * as Judging from "./Judging.ts"
import * as Prober from "./Prober.ts"
import * as Settings from "./Settings.ts"

export interface Options extends Judging.Options {
  /** With the operator's own rules; ours by default. */
  readonly classifier?: Classifier.Classifier
}

type Read = ReturnType<typeof Judging.make>

/** Milliseconds after the first, the second and the third time. After the fourth nobody is asked again. */
export const patience: ReadonlyArray<number> = [5, 15, 45].map((minutes) => minutes * 60_000)

const BROKEN_FOR_NOW: ReadonlySet<Evidence.Broken> = new Set(["timed_out", "closed", "tls_failed"])

const isForNow = ({ conversation, domain }: Prober.Learnt): boolean => {
  if (conversation === null) return domain._tag === "Unanswered"
  const { broken, reply } = conversation
  return (reply !== null && Inquiry.FOR_NOW.has(reply.class)) || (broken !== null && BROKEN_FOR_NOW.has(broken))
}

/** With what the last reply may be taken for. */
const atLast = (learnt: Prober.Learnt): Prober.Learnt => {
  const { conversation } = learnt
  if (learnt.atLast === null || conversation === null || conversation.reply === null) return learnt
  return { ...learnt, conversation: { ...conversation, reply: { ...conversation.reply, class: learnt.atLast } } }
}

/** What is known when time is up. */
const nothing: Prober.Learnt = {
  domain: { _tag: "Unanswered" },
  conversation: null,
  atLast: null,
  isPutOff: false,
  rest: 0
}

const singleWith = (prober: Prober.Prober, read: Read) =>
  Effect.fnUntraced(function* (email: string, deadline: number) {
    const found = read(email)
    if (found._tag === "Known") return found.result
    let seen = nothing
    const asking = prober.one(found.target, (learnt) => (seen = learnt))
    const left = deadline - (yield* Clock.currentTimeMillis)
    const learnt = yield* Effect.timeoutOption(asking, Math.max(left, 0))
    return found.judge(Option.getOrElse(learnt, () => seen))
  })

interface Asked extends Prober.Target {
  readonly email: string
  readonly judge: Extract<ReturnType<Read>, { readonly _tag: "Ask" }>["judge"]
}

const checked = ({ email, judge }: Asked, learnt: Prober.Learnt, attempt: number): EmailVerifier.Checked => {
  const wait = patience[attempt - 1]
  const result = judge(learnt)
  // Whether every name is taken matters to some addresses only: `judge` knows.
  const isOpen = isForNow(learnt) || (learnt.isPutOff && result.status === "unknown")
  if (!isOpen) return { _tag: "Decided", email, result }
  if (wait === undefined) return { _tag: "Decided", email, result: judge(atLast(learnt)) }
  return { _tag: "Again", email, after: Math.max(wait, learnt.rest), result }
}

const bulkWith = (prober: Prober.Prober, read: Read) => (emails: ReadonlyArray<string>, attempt: number) =>
  Stream.suspend(() => {
    const known: Array<EmailVerifier.Checked> = []
    const targets: Array<Asked> = []
    for (const email of new Set(emails)) {
      const found = read(email)
      if (found._tag === "Known") known.push({ _tag: "Decided", email, result: found.result })
      else targets.push({ ...found.target, email, judge: found.judge })
    }
    const asked = Stream.map(prober.many(targets), ([target, learnt]) => checked(target, learnt, attempt))
    return Stream.concat(Stream.fromIterable(known), asked)
  })

const hostsWith =
  ({ route }: Prober.Prober) =>
  (domains: ReadonlyArray<string>) =>
    Effect.map(
      Effect.forEach(
        new Set(domains),
        (domain) =>
          Effect.map(route(domain), (found) => [domain, found._tag === "Hosts" ? found.group.key : ""] as const),
        { concurrency: 64 }
      ),
      (found) => new Map(found)
    )

/** Fails where the names that mail hosts would be told are not the operator's. */
export const layer = (
  settings: Settings.Settings,
  options: Options = {}
): Layer.Layer<EmailVerifier.EmailVerifier, EmailVerifier.EmailVerifierUnavailable> =>
  Layer.effect(
    EmailVerifier.EmailVerifier,
    Effect.gen(function* () {
      const problem = Settings.problem(settings)
      if (problem !== null) return yield* new EmailVerifier.EmailVerifierUnavailable({ problem, retryable: false })
      const prober = yield* Prober.make(settings, options.classifier ?? Classifier.make())
      const read = Judging.make(options)
      return {
        name: "smtp",
        single: singleWith(prober, read),
        bulk: { _tag: "Direct", hosts: hostsWith(prober), verify: bulkWith(prober, read) } as const
      }
    })
  )
