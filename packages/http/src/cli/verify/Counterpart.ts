/**
 * Who verifies: somebody who is asked about addresses and answers one by one (the own verifier), or somebody who takes
 * whole lists and is asked how far they have come (a server, or a verifier of somebody else).
 */
import type { EmailResult, EmailVerifier } from "@lading/core/email"
import type { Credits } from "@lading/core/billing"
import type { Effect, Stream } from "effect"
import type { Stopped } from "../rows/Problem.ts"

export interface Direct {
  readonly _tag: "Direct"
  /** `attempt` counts from 1. */
  readonly verify: (emails: ReadonlyArray<string>, attempt: number) => Stream.Stream<EmailVerifier.Checked, Stopped>
}

/** How far a list has come. */
export interface Looked {
  readonly checked: number
  /** `null` while it goes on. */
  readonly ended: "completed" | "cancelled" | "failed" | null
  readonly credits: Credits.Credits
}

export interface Lists {
  readonly _tag: "Lists"
  /** Addresses of a list at most; of fewer than `least` each is asked about by itself. */
  readonly most: number
  readonly least: number
  /** Hands a list over; gives its name there. The same key again gives the same list. */
  readonly begin: (emails: ReadonlyArray<string>, key: string) => Effect.Effect<string, Stopped>
  readonly look: (name: string) => Effect.Effect<Looked, Stopped>
  /** What is known of its addresses, each under the spelling that was sent. */
  readonly results: (name: string) => Stream.Stream<EmailResult.EmailResult, Stopped>
  /** Of an address that is not handed over, or of which the results say nothing; `null` where nothing may be said. */
  readonly otherwise: (email: string) => EmailResult.EmailResult | null
  /** Whether it is handed over. */
  readonly takes: (email: string) => boolean
  readonly cancel: (name: string) => Effect.Effect<void, Stopped>
}

export interface Counterpart {
  readonly single: (
    email: string
  ) => Effect.Effect<{ readonly result: EmailResult.EmailResult; readonly credits: Credits.Credits }, Stopped>
  readonly bulk: Direct | Lists
}
