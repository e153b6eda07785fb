/** Lists in memory, lost with the process. */
import { Clock, Effect, Layer } from "effect"
import * as Suppression from "../account/Suppression.ts"
import * as Mentions from "../value/Mentions.ts"
import { type Credits, zero } from "../billing/Credits.ts"
import * as EmailList from "./EmailList.ts"
import * as EmailTask from "./EmailTask.ts"
import { type ChunkHead, EmailTasks, EmailTasksUnavailable, type Ended, type Opened } from "./EmailTasks.ts"

interface Held extends Opened {
  readonly lane: number
}

interface Kept {
  readonly ordered: EmailTask.Ordered
  readonly kept_until: number
  intake: ReadonlyArray<string>
  state: EmailTask.State
  chunks: Array<Held | null>
  names: Map<number, string>
  ended_at: number | null
  charged: Credits | null
}

const countsOf = (kept: Kept) => {
  const counts = kept.chunks.flatMap((held) => (held === null ? [] : [EmailTask.countsOf(held.chunk)]))
  return {
    total: kept.intake.length + kept.chunks.reduce((sum, held) => sum + (held?.chunk.emails.length ?? 0), 0),
    checked: counts.reduce((sum, { checked }) => sum + checked, 0),
    definite: counts.reduce((sum, { definite }) => sum + definite, 0)
  }
}

const taskOf = (kept: Kept): EmailTask.EmailTask => ({
  ...kept.ordered,
  ...countsOf(kept),
  state: kept.state,
  verifier_tasks: [...kept.names].toSorted(([a], [b]) => a - b).map(([, name]) => name),
  ended_at: kept.ended_at,
  charged: kept.charged
})

/** Leaves out who has objected. In portions: each is a question. */
const shown = (suppression: Suppression.Suppression["Service"]) => (emails: ReadonlyArray<string>) =>
  Effect.forEach(EmailList.cut(emails, 5000), (portion) =>
    Effect.map(
      suppression.find(() => Mentions.of(portion)),
      (objected) =>
        objected.size === 0
          ? portion
          : portion.filter((email) => !Mentions.of(email).some((handle) => objected.has(handle)))
    )
  ).pipe(
    Effect.map((portions) => portions.flat()),
    Effect.mapError(({ problem }) => new EmailTasksUnavailable({ problem }))
  )

/** Without the addresses that these handles are of; gives the number. */
const forget = (kept: Kept, handles: ReadonlySet<string>): number => {
  const before = countsOf(kept).total
  const isGone = (email: string) => Mentions.of(email).some((handle) => handles.has(handle))
  kept.intake = kept.intake.filter((email) => !isGone(email))
  kept.chunks = kept.chunks.map((held) => {
    const left = held === null ? null : EmailTask.without(held.chunk, isGone)
    if (held === null || left === null) return null
    return left.emails.length === held.chunk.emails.length
      ? held
      : { chunk: left, revision: held.revision + 1, lane: held.lane }
  })
  return before - countsOf(kept).total
}

type Tasks = Map<string, Kept>

const open = (tasks: Tasks, id: string): Kept | null => {
  const kept = tasks.get(id)
  return kept !== undefined && EmailTask.isOpen(kept) ? kept : null
}

/** The chunks of a list, and what is changed in them. */
const chunks = (tasks: Tasks) => {
  const note = (id: string, number: number, { chunk, revision }: Opened): boolean => {
    const kept = open(tasks, id)
    const held = kept?.chunks[number]
    if (kept === null || held === null || held === undefined || held.revision !== revision) return false
    kept.chunks[number] = { chunk, revision: revision + 1, lane: held.lane }
    return true
  }
  const heads = (id: string): ReadonlyArray<ChunkHead> =>
    (tasks.get(id)?.chunks ?? []).flatMap((held, number) => {
      if (held === null) return []
      const { checked, due } = EmailTask.countsOf(held.chunk)
      return [{ number, lane: held.lane, size: held.chunk.emails.length, checked, due }]
    })
  const opened = (id: string, number: number): Opened | null => {
    const held = tasks.get(id)?.chunks[number] ?? null
    return held === null ? null : { chunk: held.chunk, revision: held.revision }
  }
  const results = (id: string, from: number, limit: number) => {
    const all = (tasks.get(id)?.chunks ?? []).flatMap((held) => (held === null ? [] : [held.chunk]))
    const emails = all.flatMap((chunk) => chunk.emails).slice(from, from + limit)
    const answers = all.flatMap((chunk) => chunk.answers).slice(from, from + limit)
    return EmailTask.resultsOf({ emails, answers })
  }
  return {
    chunks: (id: string) => Effect.sync(() => heads(id)),
    open: (id: string, number: number) => Effect.sync(() => opened(id, number)),
    note: (id: string, number: number, opened: Opened) => Effect.sync(() => note(id, number, opened)),
    results: (id: string, from: number, limit: number) => Effect.sync(() => results(id, from, limit))
  }
}

/** What becomes of a list. */
const course = (tasks: Tasks) => {
  const arrange = (id: string, placed: ReadonlyArray<EmailList.Placed>): void => {
    const kept = tasks.get(id)
    if (kept?.state !== "queued") return
    kept.chunks = placed.map(({ emails, lane }) => ({ chunk: EmailTask.fresh(emails), revision: 1, lane }))
    kept.intake = []
    kept.state = "running"
  }
  const end = (id: string, { at, state }: Ended): EmailTask.EmailTask | null => {
    const kept = open(tasks, id)
    if (kept !== null) Object.assign(kept, { state, ended_at: at })
    const found = tasks.get(id)
    return found === undefined ? null : taskOf(found)
  }
  const named = (id: string, lane: number, name: string): string => {
    const names = tasks.get(id)?.names
    if (names !== undefined && !names.has(lane)) names.set(lane, name)
    return names?.get(lane) ?? name
  }
  const charge = (id: string, charged: Credits): Credits => {
    const kept = tasks.get(id)
    return kept === undefined ? charged : (kept.charged ??= charged)
  }
  const waive = (id: string): void => {
    const kept = tasks.get(id)
    if (kept !== undefined) kept.charged = zero
  }
  return {
    arrange: (id: string, placed: ReadonlyArray<EmailList.Placed>) => Effect.sync(() => arrange(id, placed)),
    end: (id: string, ended: Ended) => Effect.sync(() => end(id, ended)),
    named: (id: string, lane: number, name: string) => Effect.sync(() => named(id, lane, name)),
    nameOf: (id: string, lane: number) => Effect.sync(() => tasks.get(id)?.names.get(lane) ?? null),
    charge: (id: string, charged: Credits) => Effect.sync(() => charge(id, charged)),
    waive: (id: string) => Effect.sync(() => waive(id))
  }
}

const make = (suppression: Suppression.Suppression["Service"]): EmailTasks["Service"] => {
  const tasks: Tasks = new Map()
  return {
    ...chunks(tasks),
    ...course(tasks),
    put: (ordered, emails, kept_until) =>
      Effect.map(shown(suppression)(emails), (intake) => {
        if (tasks.has(ordered.id)) return
        const fresh = { chunks: [], names: new Map<number, string>(), ended_at: null, charged: null }
        tasks.set(ordered.id, { ordered, kept_until, intake, state: "queued", ...fresh })
      }),
    find: (id) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const kept = tasks.get(id)
        return kept === undefined || kept.kept_until <= now ? null : taskOf(kept)
      }),
    intake: (id) => Effect.sync(() => tasks.get(id)?.intake ?? []),
    erase: (handles) =>
      Effect.sync(() => [...tasks.values()].reduce((sum, kept) => sum + forget(kept, new Set(handles)), 0)),
    remove: (id) => Effect.sync(() => void tasks.delete(id)),
    sweep: Effect.map(Clock.currentTimeMillis, (now) => {
      const over = [...tasks].filter(([, { kept_until }]) => kept_until <= now)
      for (const [id] of over) tasks.delete(id)
      return over.length
    })
  }
}

export const layer: Layer.Layer<EmailTasks, never, Suppression.Suppression> = Layer.effect(
  EmailTasks,
  Effect.map(Suppression.Suppression, make)
)
