/**
 * How chunks are changed by several at a time: an erasure, a cancellation and another process may each come between reading
 * a chunk and writing it. What is decided stays as it is.
 */
import { Effect } from "effect"
import { patiently } from "../request/Patience.ts"
import * as EmailResult from "./EmailResult.ts"
import * as EmailTask from "./EmailTask.ts"
import type * as EmailTasks from "./EmailTasks.ts"
import type * as EmailVerifier from "./EmailVerifier.ts"

/** With what came of some of its addresses; of those that are not in it, or decided, nothing is changed. */
export const withAnswers = (
  { answers, emails }: EmailTask.Chunk,
  some: ReadonlyArray<EmailVerifier.Checked>,
  now: number
): EmailTask.Chunk => {
  const known = new Map(some.map((checked) => [checked.email, checked]))
  return {
    emails,
    answers: emails.map((email, index) => {
      const answer = answers[index] ?? null
      const checked = known.get(email)
      if (checked === undefined || EmailTask.isDecided(answer)) return answer
      const due = checked._tag === "Again" ? now + checked.after : null
      return { result: EmailResult.pack(checked.result), due }
    })
  }
}

/** Changes a chunk as it stands, once more where somebody was faster. Nothing where the task has ended or the chunk is gone. */
export const change = Effect.fnUntraced(function* (
  tasks: EmailTasks.EmailTasks["Service"],
  id: string,
  number: number,
  change: (chunk: EmailTask.Chunk) => EmailTask.Chunk
) {
  for (;;) {
    const opened = yield* patiently(tasks.open(id, number))
    if (opened === null) return
    const { chunk, revision } = opened
    if (yield* patiently(tasks.note(id, number, { chunk: change(chunk), revision }))) return
    const task = yield* patiently(tasks.find(id))
    if (task === null || !EmailTask.isOpen(task)) return
  }
})
