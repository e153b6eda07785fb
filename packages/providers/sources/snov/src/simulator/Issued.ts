/**
 * What the simulator has given out: tokens with the client that each belongs to, and tasks with the question that each
 * works on. Bounded, so that a sandbox can run for days: the oldest are forgotten first.
 */

/** How slow tasks are and how soon tokens end. */
export interface Manners {
  /** How often a task says that it is in progress before it is done; 1 by default. */
  readonly polls?: number
  /** Seconds that a token lasts; 3,600 by default. */
  readonly expiresIn?: number
}

export type Question =
  | { readonly _tag: "Company"; readonly domain: string }
  | { readonly _tag: "Person"; readonly first_name: string; readonly last_name: string; readonly domain: string }

interface Task {
  readonly owner: string
  readonly question: Question
  left: number
}

const KEPT = 10_000

const bounded = <A>() => {
  const kept = new Map<string, A>()
  return {
    get: (key: string) => kept.get(key),
    all: () => kept.values(),
    clear: () => kept.clear(),
    set: (key: string, value: A) => {
      kept.set(key, value)
      if (kept.size <= KEPT) return
      for (const [oldest] of kept) {
        kept.delete(oldest)
        return
      }
    }
  }
}

/** 32 hexadecimal digits, as opaque as the true ones (FNV-1a). */
const hex = (about: string): string =>
  [0, 1, 2, 3]
    .map((part) => {
      let h = 0x811c9dc5
      for (const letter of `${part}/${about}`) h = Math.imul(h ^ (letter.codePointAt(0) ?? 0), 0x01000193)
      return (h >>> 0).toString(16).padStart(8, "0")
    })
    .join("")

export const make = ({ expiresIn = 3_600, polls = 1 }: Manners) => {
  const tokens = bounded<{ readonly client: string; readonly until: number }>()
  const tasks = bounded<Task>()
  let count = 0
  return {
    /** A new token for a client, `<id>:<secret>`. */
    token: (client: string) => {
      const access_token = `synthetic.${hex(`token ${++count}`)}`
      tokens.set(access_token, { client, until: Date.now() + expiresIn * 1000 })
      return { access_token, token_type: "Bearer", expires_in: expiresIn }
    },
    /** Whose token it is; `null` for one that has ended or never was. */
    owner: (token: string): string | null => {
      const known = tokens.get(token)
      return known === undefined || known.until <= Date.now() ? null : known.client
    },
    /** Ends every token before its time. */
    expire: () => tokens.clear(),
    /** The hash of a new task. */
    task: (owner: string, question: Question): string => {
      const hash = hex(`task ${++count}`)
      tasks.set(hash, { owner, question, left: polls })
      return hash
    },
    /** What a task of this owner works on, and whether it is done; asking brings it nearer to that. */
    ask: (owner: string, hash: string): { readonly question: Question; readonly done: boolean } | null => {
      const task = tasks.get(hash)
      if (task === undefined || task.owner !== owner) return null
      const done = task.left <= 0
      task.left -= 1
      return { question: task.question, done }
    },
    /** Ends every task. */
    finish: () => {
      for (const task of tasks.all()) task.left = 0
    }
  }
}
export type Issued = ReturnType<typeof make>
