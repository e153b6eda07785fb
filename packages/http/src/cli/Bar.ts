/** How far something is, on the error output: a bar on a terminal, a line now and then elsewhere. */
import { Effect, Schedule, type Scope } from "effect"

export interface Words<State> {
  readonly line: (state: State) => string
  /** No longer than the terminal is wide; 0 is one that does not tell. */
  readonly bar: (state: State, columns: number) => string
}

const width = 20

/** A bar of which this share (0 to 1) is full, and the text behind it. */
export const drawn = (share: number, text: string, columns: number): string => {
  const full = Math.floor(share * width)
  return `[${"#".repeat(full)}${".".repeat(width - full)}] ${text}`.slice(0, (columns === 0 ? 80 : columns) - 1)
}

const write = (text: string) => Effect.sync(() => void process.stderr.write(text))

/** Takes the bar away, so that other lines stand alone. */
const clear = "\r\u001b[2K"

/** Shows it until the scope closes. */
export const show =
  <State>({ bar, line }: Words<State>, quiet: boolean) =>
  (state: Effect.Effect<State>): Effect.Effect<void, never, Scope.Scope> => {
    if (quiet) return Effect.void
    if (!process.stderr.isTTY) {
      const told = Effect.flatMap(state, (now) => write(`${line(now)}\n`))
      return Effect.asVoid(Effect.forkScoped(Effect.schedule(told, Schedule.spaced("5 seconds"))))
    }
    const drawn = Effect.flatMap(state, (now) => write(`${clear}${bar(now, process.stderr.columns)}`))
    return Effect.acquireRelease(Effect.void, () => write(clear)).pipe(
      Effect.andThen(Effect.forkScoped(Effect.repeat(drawn, Schedule.spaced("200 millis")))),
      Effect.asVoid
    )
  }
