/**
 * Proofs of erasure: that a subject was erased, when, and how much of it there was. A proof holds no personal data; the
 * digest of the handle is what somebody who knows it can check it by.
 */
import { Context, Effect, Layer, Schema } from "effect"

export class ErasuresUnavailable extends Schema.TaggedError<ErasuresUnavailable>()("ErasuresUnavailable", {
  problem: Schema.String
}) {}

/** What a handle names: `email`, `domain` or `url`. */
export const Kind = Schema.Literals(["email", "domain", "url"])
export type Kind = typeof Kind.Type

export const Proof = Schema.Struct({
  id: Schema.String,
  kind: Kind,
  /** Lower-case hex SHA-256 of the handle, as the list of suppressed subjects holds it. */
  digest: Schema.String,
  /** Epoch milliseconds. */
  erased_at: Schema.Int,
  /** By what they are (`answers`, `outcomes`, `runs`, `webhooks`): how many were erased. */
  erased: Schema.Record(Schema.String, Schema.Int)
}).annotate({ identifier: "ErasureProof" })
export type Proof = typeof Proof.Type

export class Erasures extends Context.Service<
  Erasures,
  {
    readonly record: (proof: Proof) => Effect.Effect<void, ErasuresUnavailable>
    /** The newest first, at most `limit`. */
    readonly list: (limit: number) => Effect.Effect<ReadonlyArray<Proof>, ErasuresUnavailable>
  }
>()("@lading/core/account/Erasures") {}

/** Proofs in memory, lost with the process. */
export const layerMemory: Layer.Layer<Erasures> = Layer.sync(Erasures, () => {
  const proofs: Array<Proof> = []
  return {
    record: (proof) => Effect.sync(() => void proofs.unshift(proof)),
    list: (limit) => Effect.sync(() => proofs.slice(0, limit))
  }
})
