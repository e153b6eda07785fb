/**
 * The port of a verifier of mail addresses. One that asks itself (`Direct`) is given addresses and says of each what came
 * of it; one that is asked (`Delegated`) is given a list and asked for the result under the name that it gave it.
 *
 * Gotchas
 * - An address is personal data: no verifier logs one, and no error names one.
 * - What cannot be learnt is the status `unknown`, not an error. An error says that nothing was verified.
 */
import { Context, Effect, Layer, Schema, type Stream } from "effect"
import type { EmailResult } from "./EmailResult.ts"

/** Nothing can be verified now. */
export class EmailVerifierUnavailable extends Schema.TaggedError<EmailVerifierUnavailable>()(
  "EmailVerifierUnavailable",
  { problem: Schema.String, retryable: Schema.Boolean }
) {}

/** What came of an address. */
export type Checked =
  | { readonly _tag: "Decided"; readonly email: string; readonly result: EmailResult }
  /** Its host asks to be asked again (greylisting), not before so many milliseconds; `result` is what is known until then. */
  | { readonly _tag: "Again"; readonly email: string; readonly after: number; readonly result: EmailResult }

export interface Direct {
  readonly _tag: "Direct"
  /** Where the mail of each domain goes: domains with the same answer are best asked by one process, one after the other. */
  readonly hosts: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>>
  /** Each address once, as they are decided, in no order. `attempt` counts from 1 and says how often they were asked. */
  readonly verify: (emails: ReadonlyArray<string>, attempt: number) => Stream.Stream<Checked, EmailVerifierUnavailable>
}

/** How far a list has come that somebody else verifies. */
export interface Progress {
  readonly checked: number
  /** `null` until it is complete. */
  readonly results: ReadonlyArray<EmailResult> | null
}

export interface Delegated {
  readonly _tag: "Delegated"
  /** Addresses that it takes at once; of fewer each is asked about by itself. */
  readonly least: number
  readonly most: number
  /** Hands a list over; gives its name for it. Not to be repeated without need: it is paid each time. */
  readonly begin: (emails: ReadonlyArray<string>) => Effect.Effect<string, EmailVerifierUnavailable>
  readonly progress: (task: string) => Effect.Effect<Progress, EmailVerifierUnavailable>
}

/** There is none. */
export interface Absent {
  readonly _tag: "Absent"
  /** What has to be done to have one. */
  readonly remedy: string
}

export class EmailVerifier extends Context.Service<
  EmailVerifier,
  {
    /** e.g. `smtp` */
    readonly name: string
    /** One address, by `deadline` (epoch milliseconds): `unknown` rather than late. */
    readonly single: (email: string, deadline: number) => Effect.Effect<EmailResult, EmailVerifierUnavailable>
    readonly bulk: Direct | Delegated | Absent
  }
>()("@lading/core/email/EmailVerifier") {}

/** The error of an installation without a verifier. */
export const absent = ({ remedy }: Absent): EmailVerifierUnavailable =>
  new EmailVerifierUnavailable({ problem: remedy, retryable: false })

/** For installations that verify nothing: says so. */
export const layerAbsent = (remedy: string): Layer.Layer<EmailVerifier> => {
  const bulk: Absent = { _tag: "Absent", remedy }
  return Layer.succeed(EmailVerifier, { name: "none", single: () => Effect.fail(absent(bulk)), bulk })
}
