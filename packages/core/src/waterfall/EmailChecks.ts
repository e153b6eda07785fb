/**
 * The addresses that the sources of one request tell, each verified once: within the time of the request, against its tab,
 * and never at the cost of its answer. What a verifier cannot say, or cannot say in time, is `unknown` and free.
 */
import { Clock, Effect } from "effect"
import type * as Bill from "../billing/Bill.ts"
import * as Credits from "../billing/Credits.ts"
import type { Tab } from "../billing/Tab.ts"
import * as EmailResult from "../email/EmailResult.ts"
import type * as EmailVerifier from "../email/EmailVerifier.ts"
import type { Ending } from "./Ending.ts"
import type { FieldTable } from "./Field.ts"
import type { Observation } from "./Observation.ts"
import * as VerifiedEmail from "./VerifiedEmail.ts"

/** How many addresses are asked about at the same time. */
const concurrency = 5

/** What is kept of the time for the answer: a tenth of what is left, at most so many milliseconds. */
const room = 500

/** What addresses are verified for. */
export interface Asked<Facts, Profile> {
  readonly table: FieldTable<Facts, Profile>
  readonly tab: Tab
  /** What a verdict costs; `null` where nothing is to be verified. */
  readonly verdict: Credits.Credits | null
  /** Epoch milliseconds. */
  readonly deadline: number
}

/** What it came to. */
export interface Checked {
  /** Of every address that a source told, in their order. */
  readonly verified: ReadonlyArray<VerifiedEmail.VerifiedEmail>
  /** What is set aside for the addresses in answers that are still to come, by source. */
  readonly setAside: ReadonlyMap<string, Credits.Credits>
}

/** Of a step, what is to be set aside for it. */
interface Planned {
  readonly source: string
  readonly checks?: Credits.Credits
}

export interface EmailChecks {
  /** Verifies what is new in these. Of the time that is left it may take a part: 2 is a half. */
  readonly check: (endings: ReadonlyArray<Ending>, share: number) => Effect.Effect<void>
  /** Sets aside what the addresses of answers that are still to come can cost, where it fits. */
  readonly setAside: (endings: ReadonlyArray<Ending>, steps: ReadonlyArray<Planned>) => void
  /** Observations with what is known by now. */
  readonly judged: (observations: ReadonlyArray<Observation>) => ReadonlyArray<Observation>
  /** `null` where nothing was to be verified. */
  readonly checked: (endings: ReadonlyArray<Ending>) => Checked | null
}

/** For requests that want nothing verified. */
const none: EmailChecks = {
  check: () => Effect.void,
  setAside: () => undefined,
  judged: (observations) => observations,
  checked: () => null
}

const platform: Bill.Payee = { _tag: "Platform" }

const verifiedOf = (
  email: string,
  { overall_score, status }: EmailResult.EmailResult,
  credits: Credits.Credits
): VerifiedEmail.VerifiedEmail => ({ email, status, overall_score, credits: Credits.toNumber(credits), reason: null })

/** Asks about one address; whatever goes wrong is the reason why nobody verified it. */
const ask = Effect.fnUntraced(function* (
  verifier: EmailVerifier.EmailVerifier["Service"],
  email: string,
  { cut, until }: { readonly until: number; readonly cut: number }
): Effect.fn.Return<EmailResult.EmailResult | VerifiedEmail.NotVerified> {
  const now = yield* Clock.currentTimeMillis
  if (now >= until) return "deadline_exceeded"
  return yield* verifier.single(email, until).pipe(
    Effect.timeoutOrElse({
      duration: cut - now,
      orElse: () => Effect.succeed<VerifiedEmail.NotVerified>("deadline_exceeded")
    }),
    Effect.catch(({ problem }) =>
      Effect.as(Effect.logWarning("an address could not be verified", problem), "verifier_unavailable" as const)
    ),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("the verifier does not work", defect), "verifier_unavailable" as const)
    )
  )
})

/** The addresses that are to be asked about: of each answer the first ones that nobody has told before. */
const wanted = <Facts, Profile>(
  table: FieldTable<Facts, Profile>,
  endings: ReadonlyArray<Ending>,
  known: ReadonlyMap<string, unknown>
): ReadonlyArray<VerifiedEmail.Address> => {
  const found = new Map<string, VerifiedEmail.Address>()
  for (const { observations } of endings) {
    VerifiedEmail.addressesIn(table, observations)
      .filter(({ key }) => !known.has(key) && !found.has(key))
      .slice(0, VerifiedEmail.mostOfAnswer)
      .forEach((address) => found.set(address.key, address))
  }
  return [...found.values()]
}

/** `before`: what is known of addresses already. */
export const make = <Facts, Profile>(
  verifier: EmailVerifier.EmailVerifier["Service"],
  { deadline, tab, table, verdict }: Asked<Facts, Profile>,
  before: ReadonlyMap<string, VerifiedEmail.VerifiedEmail> = new Map()
): EmailChecks => {
  if (verdict === null) return none
  const known = new Map(before)
  const setAside = new Map<string, Credits.Credits>()

  const one = ({ email, key }: VerifiedEmail.Address, times: { readonly until: number; readonly cut: number }) =>
    Effect.map(ask(verifier, email, times), (result) => {
      const credits = typeof result !== "string" && EmailResult.isDefinite(result) ? verdict : Credits.zero
      tab.charge(verdict, { payee: platform, credits })
      known.set(
        key,
        typeof result === "string" ? VerifiedEmail.notVerified(email, result) : verifiedOf(email, result, credits)
      )
    })

  /** Whether it may be asked about; the reason is noted where it may not. */
  const admitted = ({ email, key }: VerifiedEmail.Address): boolean => {
    const reason =
      verifier.bulk._tag === "Absent" ? "verifier_unavailable" : tab.reserve(verdict) ? null : "budget_exhausted"
    if (reason !== null) known.set(key, VerifiedEmail.notVerified(email, reason))
    return reason === null
  }

  const check: EmailChecks["check"] = Effect.fnUntraced(function* (endings, share) {
    const addresses = wanted(table, endings, known).filter(admitted)
    if (addresses.length === 0) return
    const now = yield* Clock.currentTimeMillis
    const left = Math.max(0, deadline - now)
    const kept = Math.min(room, left / 10)
    const until = now + (left - kept) / share
    const times = { until, cut: until + kept / 2 }
    yield* Effect.interruptible(
      Effect.forEach(addresses, (address) => one(address, times), { concurrency, discard: true })
    )
  })

  return {
    check,
    setAside: (endings, steps) => {
      for (const { source, verdict } of endings) {
        const checks = steps.find((step) => step.source === source)?.checks
        if (verdict._tag === "Pending" && checks !== undefined && tab.reserve(checks)) setAside.set(source, checks)
      }
    },
    judged: (observations) => VerifiedEmail.judged(table, observations, [...known.values()]),
    checked: (endings) => {
      const observations = endings.flatMap((ending) => ending.observations)
      return { verified: VerifiedEmail.inOrder(table, observations, [...known.values()]), setAside }
    }
  }
}
