/**
 * What replies mean, by the classifier, with what was read kept: most hosts say the same few sentences of everybody, with
 * the address in them.
 */
import type { Evidence } from "@lading/core/email"
import type { Classifier } from "./replies/Classifier.ts"
import * as Reply from "./Reply.ts"

/** What is known of the host that gave a reply. */
export interface Context {
  readonly stage: Evidence.Stage
  readonly provider: string | null
  /** Whether it took another recipient before. */
  readonly served: boolean
  readonly recipient: string
}

export interface Reading {
  readonly reply: Evidence.Reply
  /** What it may be taken for if nobody asks again. */
  readonly atLast: Evidence.ReplyClass | null
}

/** Sentences that are kept, all forgotten when there are more. */
const CAPACITY = 5_000

/** Longer ones are not kept. */
const LONGEST = 500

/** An address without a word in it that a reply could mean otherwise. */
const PLAIN = /^[\w.+-]+@[\w.-]+$/

/** The texts without the address; `null` where it is too long, or the address could be a part of the sentence. */
const sentenceOf = ({ lines }: Reply.Reply, recipient: string): string | null => {
  const whole = lines.length === 1 ? (lines[0] ?? "") : lines.join("\n")
  if (whole.length > LONGEST) return null
  if (!whole.includes("@")) return whole
  return PLAIN.test(recipient) ? whole.replaceAll(recipient, "@") : null
}

export type Read = (reply: Reply.Reply, context: Context) => Reading

export const make = (classifier: Classifier): Read => {
  const kept = new Map<string, Reading>()

  const read: Read = (reply, { provider, served, stage }) => {
    const enhanced = Reply.enhanced(reply)
    const said = { stage, code: reply.code, enhanced, text: Reply.text(reply) }
    const found = classifier.read({ ...said, provider, served })
    return { reply: { stage, code: reply.code, enhanced, class: found.class }, atLast: found.at_last }
  }

  return (reply, context) => {
    const sentence = sentenceOf(reply, context.recipient)
    if (sentence === null) return read(reply, context)
    const key = `${reply.code} ${context.stage} ${context.provider ?? ""} ${context.served ? 1 : 0} ${sentence}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const found = read(reply, context)
    if (kept.size >= CAPACITY) kept.clear()
    kept.set(key, found)
    return found
  }
}
