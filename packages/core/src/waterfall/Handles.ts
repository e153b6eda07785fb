/**
 * Handles of answers that vendors are working on, by their questions: an equal question meanwhile asks for the answer and
 * does not begin another one, which might be paid for again. In this process only; the answer cache has the answer when it
 * is there.
 */

export interface Handles {
  /** `null` where nobody works on the question, as far as this process knows. */
  readonly find: (question: string, now: number) => string | null
  /** One that is known already keeps its time. */
  readonly remember: (question: string, handle: string, now: number) => void
  readonly forget: (question: string) => void
}

/** The oldest of more than these are forgotten: their questions are begun again. */
const most = 10_000

/** `life`: how long a handle is good for, in milliseconds. */
export const make = (life: number): Handles => {
  const known = new Map<string, { readonly handle: string; readonly until: number }>()
  return {
    find: (question, now) => {
      const entry = known.get(question)
      if (entry === undefined || entry.until > now) return entry?.handle ?? null
      known.delete(question)
      return null
    },
    remember: (question, handle, now) => {
      if (known.get(question)?.handle === handle) return
      known.set(question, { handle, until: now + life })
      for (const oldest of known.keys()) {
        if (known.size <= most) return
        known.delete(oldest)
      }
    },
    forget: (question) => {
      known.delete(question)
    }
  }
}
