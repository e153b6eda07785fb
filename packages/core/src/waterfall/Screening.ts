/** What of an answer may be shown: nothing of anybody who has objected, whoever it is about. */
import { Effect, Option } from "effect"
import type * as Suppression from "../account/Suppression.ts"
import * as Mentions from "../value/Mentions.ts"
import type * as Guard from "./Guard.ts"
import type { About } from "./Request.ts"
import type { Operation, Operations } from "./Source.ts"
import type { Subject } from "./Subject.ts"

/** An answer, and whether it is about somebody who objected. */
export interface Checked<Facts> {
  readonly answer: Guard.Answered<Facts>
  readonly suppressed: boolean
}

/**
 * An answer without what may not be shown: about the subject, or about anybody else that it mentions. What was withheld
 * stands in the raw answer too, so that goes with it. A store that is down must let nothing through.
 */
export const check = Effect.fnUntraced(function* <Name extends Operation, Profile>(
  suppression: Suppression.Suppression["Service"],
  { subject, identity }: About<Name, Profile>,
  answer: Guard.Answered<Operations[Name]["facts"]>
): Effect.fn.Return<Checked<Operations[Name]["facts"]>> {
  const { outcome } = answer
  if (outcome._tag !== "Hit") return { answer, suppressed: false }
  const own = () => subject.handles(identity, outcome.facts)
  const found = yield* Effect.catch(
    suppression.find(() => [...own(), ...Mentions.of([outcome.facts, outcome.raw])]),
    (error) => Effect.as(Effect.logWarning("suppression unavailable", error.problem), null)
  )
  if (found === null) return { answer, suppressed: true }
  if (found.size === 0) return { answer, suppressed: false }
  const facts = withhold(subject, outcome.facts, own(), found)
  return facts === null
    ? { answer, suppressed: true }
    : { answer: { ...answer, outcome: { _tag: "Hit", facts, raw: null } }, suppressed: false }
})

/** What is left of facts; `null` when they are about somebody who objected, or make no sense without. */
const withhold = <Name extends Operation, Profile>(
  subject: Subject<Name, Profile>,
  facts: Operations[Name]["facts"],
  own: ReadonlyArray<string>,
  suppressed: ReadonlySet<string>
): Operations[Name]["facts"] | null => {
  const objected = { own: new Set(own.filter((handle) => suppressed.has(handle))), mentioned: suppressed }
  const left = subject.withhold(facts, objected)
  return left === null ? null : Option.getOrNull(subject.decode(Mentions.without(left, suppressed)))
}
