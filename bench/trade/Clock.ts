/** An engine that notes how long each kind of statement takes: inserts by their table, others by their first words. */
import type { Engine } from "@lading/clickhouse"
import { Effect } from "effect"

type Service = Engine.Engine["Service"]
type Statement = Parameters<Service["run"]>[0]

/** Seconds, and how many statements. */
export interface Step {
  readonly step: string
  readonly seconds: number
  readonly statements: number
}

/** As it is written; values are `?`. */
const textOf = ({ parts, texts }: Statement): string =>
  texts
    .map((text, index) => {
      const part = parts[index]
      if (part === undefined) return text
      return text + (part._tag === "Statement" ? textOf(part) : "?")
    })
    .join("")

const stepOf = (statement: Statement): string => {
  const words = textOf(statement).trim().split(/\s+/)
  const from = words.findIndex((word) => word.toUpperCase() === "FROM")
  if (words[0] === "SELECT") return `read ${words[from + 1] ?? ""}`
  return words[0] === "ALTER" ? words.slice(2, 4).join(" ").toLowerCase() : `into ${words[2] ?? ""}`
}

export interface Clock {
  readonly engine: Service
  /** What was noted since the last time, the longest first. */
  readonly take: () => ReadonlyArray<Step>
}

export const around = (engine: Service): Clock => {
  let steps = new Map<string, { seconds: number; statements: number }>()
  const noted = <A, E, R>(step: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const begun = performance.now()
      const note = Effect.sync(() => {
        const known = steps.get(step) ?? { seconds: 0, statements: 0 }
        known.seconds += (performance.now() - begun) / 1000
        known.statements += 1
        steps.set(step, known)
      })
      return Effect.ensuring(effect, note)
    })
  return {
    engine: {
      ...engine,
      unbounded: (schema, statement) => noted(stepOf(statement), engine.unbounded(schema, statement)),
      run: (statement) => noted(stepOf(statement), engine.run(statement)),
      insert: (table, columns, lines) => noted(`insert ${table}`, engine.insert(table, columns, lines))
    },
    take: () => {
      const taken = [...steps].map(([step, noted]) => ({ step, ...noted })).toSorted((a, b) => b.seconds - a.seconds)
      steps = new Map()
      return taken
    }
  }
}
