/**
 * A list of addresses that is verified after its request: what it is, how far it has come, and its addresses in chunks.
 * A chunk is what is noted down at once: after a crash no address is asked about again but those of a chunk that was in the
 * air. Pure.
 */
import { Schema } from "effect"
import type { Credits } from "../billing/Credits.ts"
import type { HoldId } from "../billing/Hold.ts"
import * as EmailResult from "./EmailResult.ts"

export const State = Schema.Literals(["queued", "running", "completed", "cancelled", "failed"])
export type State = typeof State.Type

/** Whether it still goes on. States only go forward: what has ended stays as it ended. */
export const isOpen = ({ state }: { readonly state: State }): boolean => state === "queued" || state === "running"

/** What it was begun with, and does not change. */
export interface Ordered {
  /** `ver_…` */
  readonly id: string
  readonly account: string
  /** Name of the verifier that it was given to. */
  readonly verifier: string
  readonly webhook_url: string | null
  /** Epoch milliseconds. */
  readonly received_at: number
  /** When nothing is waited for any more, epoch milliseconds. */
  readonly expires_at: number
  /** Of an address with a definite result. */
  readonly price: Credits
  readonly price_version: string
  /** The request's own hold, and the one for the list. */
  readonly parent: HoldId
  readonly hold: HoldId
}

export interface EmailTask extends Ordered {
  readonly state: State
  /** Addresses, each once. */
  readonly total: number
  /** Those that are decided. */
  readonly checked: number
  /** Those with a definite result. */
  readonly definite: number
  /** Names that another verifier gave to it, or to its parts. */
  readonly verifier_tasks: ReadonlyArray<string>
  /** Epoch milliseconds; `null` while it goes on. */
  readonly ended_at: number | null
  /** What it costs; `null` until it has ended. */
  readonly charged: Credits | null
}

/** What is known of an address of a chunk. `due`: when its host wants to be asked again, epoch milliseconds. */
export const Answer = Schema.Struct({ result: EmailResult.Packed, due: Schema.NullOr(Schema.Finite) })
export type Answer = typeof Answer.Type

/** Addresses and answers in the same order; `null` for one that nobody was asked about yet. */
export interface Chunk {
  readonly emails: ReadonlyArray<string>
  readonly answers: ReadonlyArray<Answer | null>
}

export const isDecided = (answer: Answer | null): answer is Answer => answer !== null && answer.due === null

export const fresh = (emails: ReadonlyArray<string>): Chunk => ({ emails, answers: emails.map(() => null) })

export const resultsOf = ({ answers, emails }: Chunk): ReadonlyArray<EmailResult.EmailResult> =>
  emails.flatMap((email, index) => {
    const answer = answers[index] ?? null
    return isDecided(answer) ? [EmailResult.unpack(email, answer.result)] : []
  })

export interface Counts {
  readonly checked: number
  readonly definite: number
  /** When the last one that has to be asked again is due, epoch milliseconds. */
  readonly due: number | null
}

export const countsOf = ({ answers }: Pick<Chunk, "answers">): Counts => {
  const decided = answers.filter(isDecided)
  const due = answers.flatMap((answer) => answer?.due ?? [])
  return {
    checked: decided.length,
    definite: decided.filter(({ result: [, , status] }) => EmailResult.isDefinite({ status })).length,
    due: due.length === 0 ? null : Math.max(...due)
  }
}

/** As it stays when nobody is asked any more. */
export const closed = ({ answers, emails }: Chunk): Chunk => ({
  emails,
  answers: answers.map((answer, index) => ({
    result: answer?.result ?? EmailResult.pack(EmailResult.unknown(emails[index] ?? "")),
    due: null
  }))
})

/** A chunk without these addresses; `null` when nothing is left. */
export const without = ({ answers, emails }: Chunk, isGone: (email: string) => boolean): Chunk | null => {
  const left = emails.flatMap((email, index) => (isGone(email) ? [] : [{ email, answer: answers[index] ?? null }]))
  return left.length === 0
    ? null
    : { emails: left.map(({ email }) => email), answers: left.map(({ answer }) => answer) }
}

const Kept = Schema.fromJsonString(
  Schema.Struct({ emails: Schema.Array(Schema.String), answers: Schema.Array(Schema.NullOr(Answer)) })
)
export const parse = Schema.decodeUnknownOption(Kept)

/** The text, without running the schema: what goes in is ours. */
export const textOf = ({ answers, emails }: Chunk): string => JSON.stringify({ emails, answers })
