/**
 * Erasure: somebody wants to be forgotten. The subject is suppressed first, so that nothing new about it is kept; then
 * everything that speaks of it is erased from kept answers, stored outcomes and the log of runs; what remains is a proof.
 * May be repeated: each time is a proof of its own.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import * as Ledger from "../billing/Ledger.ts"
import { at, type InvalidRequest } from "../request/InvalidRequest.ts"
import * as Mentions from "../value/Mentions.ts"
import * as AnswerCache from "../waterfall/AnswerCache.ts"
import * as RunLog from "../waterfall/RunLog.ts"
import * as Erasures from "./Erasures.ts"
import * as Handle from "./Handle.ts"
import * as Suppression from "./Suppression.ts"

export type ErasureError =
  | InvalidRequest
  | Suppression.SuppressionUnavailable
  | AnswerCache.AnswerCacheUnavailable
  | Ledger.LedgerUnavailable
  | RunLog.RunLogUnavailable
  | Erasures.ErasuresUnavailable

export class Erasure extends Context.Service<
  Erasure,
  {
    /** Erases a mail address, a domain or a page (its web address). Nothing is done for what is none of these. */
    readonly erase: (subject: string) => Effect.Effect<Erasures.Proof, ErasureError>
  }
>()("@lading/core/account/Erasure") {}

const make = Effect.gen(function* () {
  const answers = yield* AnswerCache.AnswerCache
  const digest = yield* Digest.Digest
  const erasures = yield* Erasures.Erasures
  const ledger = yield* Ledger.Ledger
  const random = yield* SecureRandom.SecureRandom
  const runs = yield* RunLog.RunLog
  const suppression = yield* Suppression.Suppression

  const erase = Effect.fnUntraced(function* (subject: string): Effect.fn.Return<Erasures.Proof, ErasureError> {
    const handle = Handle.read(subject)
    if (typeof handle === "string") return yield* at("subject", handle)
    yield* suppression.add(handle.text)
    Mentions.forget()
    const handles = [handle.text]
    const erased = {
      answers: yield* answers.erase(handles),
      outcomes: yield* ledger.erase(handles),
      runs: yield* runs.erase(handles)
    }
    const proof: Erasures.Proof = {
      id: `era_${Base64Url.encode(yield* random.randomBytes(15))}`,
      kind: handle.kind,
      digest: yield* digest.digestHex(Digest.sha256, new TextEncoder().encode(handle.text)),
      erased_at: yield* Clock.currentTimeMillis,
      erased
    }
    yield* erasures.record(proof)
    return proof
  })

  return Erasure.of({ erase })
})

export const layer: Layer.Layer<
  Erasure,
  never,
  | AnswerCache.AnswerCache
  | Digest.Digest
  | Erasures.Erasures
  | Ledger.Ledger
  | RunLog.RunLog
  | SecureRandom.SecureRandom
  | Suppression.Suppression
> = Layer.effect(Erasure, make)
