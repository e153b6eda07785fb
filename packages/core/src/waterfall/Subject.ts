/**
 * Subject: all that the waterfall has to know about an operation, as data and pure functions. Companies and persons
 * are two of them; the waterfall itself knows neither.
 */
import type { Option } from "effect"
import type { FieldTable, Region } from "./Field.ts"
import type { Operation, Operations, Source, SourceOperation } from "./Source.ts"

export interface Subject<Name extends Operation, Profile> {
  readonly operation: Name
  readonly table: FieldTable<Operations[Name]["facts"], Profile>
  /** Facts out of the answer cache; none where they were kept in another shape. */
  readonly decode: (facts: unknown) => Option.Option<Operations[Name]["facts"]>
  /** An identity out of the log of runs; none where it was kept in another shape. */
  readonly decodeIdentity: (identity: unknown) => Option.Option<Operations[Name]["identity"]>
  /** The adapter's part for this operation, where it has one. */
  readonly serve: (
    source: Source
  ) => SourceOperation<Operations[Name]["identity"], Operations[Name]["facts"]> | undefined
  /** Equal for identities that mean the same; the key of shared calls and of the cache. */
  readonly key: (identity: Operations[Name]["identity"]) => string
  /** Questions that sources answer about equally often, see `Segment`. */
  readonly segment: (identity: Operations[Name]["identity"]) => string
  /** What the request itself says; it stands before all sources. */
  readonly requested: (identity: Operations[Name]["identity"]) => Operations[Name]["facts"]
  /** What the request says that counts only where no source says anything. */
  readonly fallback: (identity: Operations[Name]["identity"]) => Operations[Name]["facts"]
  /** Whether the answer speaks of whom was asked about; an answer that cannot be judged does. */
  readonly matches: (identity: Operations[Name]["identity"], facts: Operations[Name]["facts"]) => boolean
  readonly region: (facts: Operations[Name]["facts"]) => Region
  /** Names of the subject under which it may be suppressed, e.g. `domain:acme.example`. */
  readonly handles: (identity: Operations[Name]["identity"], facts?: Operations[Name]["facts"]) => ReadonlyArray<string>
  /**
   * What is left of an answer when these are suppressed: of its own handles, and of all that it mentions anywhere, in the
   * raw answer too. `null` when it is about somebody who objected.
   */
  readonly withhold: (
    facts: Operations[Name]["facts"],
    suppressed: { readonly own: ReadonlySet<string>; readonly mentioned: ReadonlySet<string> }
  ) => Operations[Name]["facts"] | null
}
