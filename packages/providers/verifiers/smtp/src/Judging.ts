/** Which texts are worth asking for, and what is answered of what was learnt: core's lists and verdict around the prober. */
import { EmailAddress, type EmailResult, type Evidence, Verdict } from "@lading/core/email"
import { Lists } from "@lading/core/email/lists"
import { Result } from "effect"
import type { Target } from "./Prober.ts"

export interface Options {
  /** With the operator's own; those of the packages by default. */
  readonly lists?: Lists.Lists
  readonly policy?: Verdict.Policy
}

type Learnt = Pick<Evidence.Evidence, "domain" | "conversation">

export type Read =
  | {
      readonly _tag: "Ask"
      readonly target: Target
      readonly judge: (learnt: Learnt) => EmailResult.EmailResult
    }
  /** No address, or one of which enough is known: asking would cost its host, and change nothing. */
  | { readonly _tag: "Known"; readonly result: EmailResult.EmailResult }

const unasked: Learnt = { domain: { _tag: "Unanswered" }, conversation: null }

export const make = ({ lists = Lists.make(), policy = Verdict.defaults }: Options = {}) => {
  return (text: string): Read => {
    const parsed = EmailAddress.parse(text)
    if (Result.isFailure(parsed)) return { _tag: "Known", result: Verdict.ofText(text).result }
    const address = parsed.success
    const listed = lists.of(address)
    const judge = (learnt: Learnt) =>
      Verdict.of(address, { listed, domain: learnt.domain, conversation: learnt.conversation }, policy)
    if (address.literal || listed.disposable || listed.spamtrap) return { _tag: "Known", result: judge(unasked) }
    const { domain, local, smtputf8 } = address
    return { _tag: "Ask", target: { domain, local, smtputf8 }, judge }
  }
}
