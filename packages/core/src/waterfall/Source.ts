/**
 * A source: what an adapter of a data vendor gives the waterfall. Its properties are data (what it serves, what it
 * costs, how often it may be asked); the one effect in it is `call`.
 *
 * Gotchas
 * - An adapter knows no credits, keeps no state between calls, and never retries: the waterfall does.
 * - Facts are the source's own spelling in the domain's words. Normalising is the field table's work.
 * - `raw` is the decoded JSON of the vendor's answer; it never holds a credential.
 */
import { Context, Effect, type Redacted } from "effect"
import type { CompanyDirectory } from "../company/CompanyDirectory.ts"
import type { CompanyFacts } from "../company/CompanyFacts.ts"
import type { CompanyIdentity } from "../company/CompanyIdentity.ts"
import type { PersonDirectory } from "../person/PersonDirectory.ts"
import type { PersonFacts } from "../person/PersonFacts.ts"
import type { PersonIdentity } from "../person/PersonIdentity.ts"
import type { InvalidResponse, SourceError } from "./SourceError.ts"

/** What each operation asks about, and what an answer is made of. */
export interface Operations {
  readonly company: { readonly identity: CompanyIdentity; readonly facts: CompanyFacts }
  readonly person: { readonly identity: PersonIdentity; readonly facts: PersonFacts }
}

export type Operation = keyof Operations

export type Outcome<Facts> =
  | { readonly _tag: "Hit"; readonly facts: Facts; readonly raw: unknown }
  | { readonly _tag: "Miss" }
  /** The vendor works on it; `handle` is what the adapter asks again with. */
  | { readonly _tag: "Pending"; readonly handle: string }

export const hit = <Facts>(facts: Facts, raw: unknown): Outcome<Facts> => ({ _tag: "Hit", facts, raw })

export const miss: Outcome<never> = { _tag: "Miss" }

export const pending = (handle: string): Outcome<never> => ({ _tag: "Pending", handle })

/**
 * Told by an adapter as soon as its vendor has begun to work on an answer, with the handle of it. Whoever stops waiting
 * for the call from then on has `Pending` with this handle, not nothing: what was begun is not lost, and not begun again.
 */
export const Begun = Context.Reference<(handle: string) => void>("@lading/core/waterfall/Source/Begun", {
  defaultValue: () => () => undefined
})

/** Says so; see `Begun`. */
export const begun = (handle: string): Effect.Effect<void> =>
  Effect.map(Begun, (tell) => {
    tell(handle)
  })

export type Credential =
  | { readonly _tag: "None" }
  | { readonly _tag: "ApiKey"; readonly key: Redacted.Redacted }
  | { readonly _tag: "Client"; readonly id: Redacted.Redacted; readonly secret: Redacted.Redacted }

/**
 * When the vendor takes money: for every call, for a call that finds something, or for every field it fills.
 */
export type BillingKind = "per_call" | "per_hit" | "per_field_hit"

/** What a call costs at the vendor, in the vendor's own units. For ordering and reports, never for the bill. */
export interface Cost {
  readonly kind: BillingKind
  readonly units: number
  /** What a unit is called at the vendor. */
  readonly unit: string
}

export interface SourceOperation<Identity, Facts> {
  /** The profile fields that an answer can fill. */
  readonly fields: ReadonlyArray<Exclude<keyof Facts & string, "domain_aliases">>
  readonly cost: Cost
  /** Whether the same call may be made twice; only then does the waterfall retry. */
  readonly repeatable: boolean
  /** Whether the vendor can work with this identity at all; asked before the call and before money is held. */
  readonly accepts: (identity: Identity) => boolean
  /**
   * What a failure speaks about, where that is not the vendor: each has a circuit of its own. For a source that asks
   * another server about every identity.
   */
  readonly circuit?: (identity: Identity) => string
  readonly call: (identity: Identity, credential: Credential) => Effect.Effect<Outcome<Facts>, SourceError>
  /**
   * Asks once more for a pending answer, with its handle and a credential of the same account. May be asked any number of
   * times, by another process too; `Unavailable`, `RateLimited` and `TimedOut` say that it is to be asked again later, every
   * other error ends it. A handle that the vendor knows no more is `InvalidResponse`. Whoever has no `Pending` has no
   * `resume`.
   */
  readonly resume?: (handle: string, credential: Credential) => Effect.Effect<Outcome<Facts>, SourceError>
  /**
   * Reads the raw answer of an earlier hit again, as `call` would today: what a replay is made of. Left out, a replay takes
   * the facts as they were read then.
   */
  readonly decode?: (raw: unknown) => Effect.Effect<Outcome<Facts>, InvalidResponse>
}

/**
 * How a credential is tried at the vendor: with a question that buys nothing. `Unauthorized` says that the vendor does not
 * take it, `QuotaExhausted` that it does; every other error leaves that open.
 */
export interface CredentialCheck {
  /** What is asked, e.g. `GET /v2/account`. */
  readonly question: string
  readonly call: (credential: Credential) => Effect.Effect<void, SourceError>
}

export interface Limits {
  /** Calls at the same time. */
  readonly concurrency: number
  /** Token bucket: `calls` in every `window` milliseconds. */
  readonly rate: { readonly calls: number; readonly window: number }
  /** The longest that the source is waited for, retries included, in milliseconds. */
  readonly timeout: number
}

/** What an adapter knows its vendor's answers from, as its fixtures say of themselves. */
export interface Fixtures {
  /** Written after the vendor's documentation, taken from true answers, or some of each. */
  readonly origin: "documented" | "recorded" | "mixed"
  /** Of the newest, `YYYY-MM-DD`. */
  readonly date: string
}

export interface Source {
  /** The adapter's name, e.g. `hunter`. */
  readonly adapter: string
  /** Rises whenever the same raw answer would be read differently; part of each observation and of the cache key. */
  readonly version: string
  /** The shape of the credential it needs. */
  readonly credential: Credential["_tag"]
  readonly limits: Limits
  /** Left out where no question is known that costs nothing. */
  readonly check?: CredentialCheck
  /** Left out where there is no vendor whose answers could be kept. */
  readonly fixtures?: Fixtures
  readonly company?: SourceOperation<CompanyIdentity, CompanyFacts>
  readonly person?: SourceOperation<PersonIdentity, PersonFacts>
  /** Search for companies, where the vendor has it. */
  readonly companyDirectory?: CompanyDirectory["Service"]
  /** Search for people, where the vendor has it. */
  readonly personDirectory?: PersonDirectory["Service"]
}
