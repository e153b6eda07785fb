/**
 * Hedged requests: one source after the other, and where the present one is later than its own p95 the next one is started
 * beside it. At most two calls are in the air: the late one and its hedge.
 *
 * Both prices are set aside before the hedge starts, or it does not start. Whoever has answered is booked, each as what it
 * is. When an answer makes the other call needless that call is given up: interrupted, and charged only where its vendor
 * charges every call and has been asked.
 *
 * Gotcha: endings are given back in the order of the plan, whatever order the answers came in.
 */
import { Clock, Effect, Exit, Fiber } from "effect"
import type * as Ending from "./Ending.ts"
import type { Step } from "./Plan.ts"
import type { Operation } from "./Source.ts"

/** A call in the air. */
export interface InAir<Name extends Operation> {
  readonly step: Step<Name>
  /** When it began, epoch milliseconds. */
  readonly began: number
  /** When it is late, epoch milliseconds; `null` where nobody can say. */
  readonly lateAt: number | null
  /** Waits for the answer, within the time of the step. */
  readonly wait: Effect.Effect<Ending.StepResult<Name>>
  /** The answer that came since, where one has. */
  readonly landed: () => Ending.StepResult<Name> | null
  /** Whether the vendor has the question. */
  readonly asked: () => boolean
  /** Ends the call, unless others wait for it. */
  readonly leave: Effect.Effect<void>
}

/** What a hedged run does with its steps. */
export interface Steps<Name extends Operation> {
  readonly all: ReadonlyArray<Step<Name>>
  /** Why a step need not be asked after those that have ended; its ending. */
  readonly needless: (step: Step<Name>, endings: ReadonlyArray<Ending.Ending>) => Ending.Ending | null
  /** The ending of a step whose answer is kept. */
  readonly kept: (index: number) => Effect.Effect<Ending.Ending> | null
  /** Sets its worst price aside. */
  readonly reserve: (step: Step<Name>) => boolean
  readonly cutOff: (step: Step<Name>) => Ending.Ending
  /** Asks its vendor; an ending where there is no time left. Does not wait. */
  readonly begin: (step: Step<Name>, index: number) => Effect.Effect<InAir<Name> | Ending.Ending>
  /** Puts on the tab what it came to. */
  readonly end: (call: InAir<Name>, result: Ending.StepResult<Name>) => Effect.Effect<Ending.Ending>
}

/** A source that was late, and the one that was started beside it. */
export interface Hedge {
  readonly source: string
  readonly by: string
}

export interface Ended {
  readonly endings: ReadonlyArray<Ending.Ending>
  readonly hedged: ReadonlyArray<Hedge>
}

interface Waiting<Name extends Operation> {
  readonly call: InAir<Name>
  readonly fiber: Fiber.Fiber<Ending.StepResult<Name>>
}

/** What goes on in a run. */
interface State<Name extends Operation> {
  /** The first step that has not begun. */
  next: number
  /** In the order in which they began. */
  air: ReadonlyArray<Waiting<Name>>
  /** The budget does not cover the next step beside the one in the air. */
  tight: boolean
  readonly endings: Map<string, Ending.Ending>
  readonly hedged: Array<Hedge>
}

const ended = <Name extends Operation>({ endings }: State<Name>) => [...endings.values()]

const note = <Name extends Operation>(state: State<Name>, ending: Ending.Ending) => {
  state.endings.set(ending.source, ending)
}

/** Books a call that is over, and takes it out of the air. */
const land = <Name extends Operation>(
  steps: Steps<Name>,
  state: State<Name>,
  one: Waiting<Name>,
  result: Ending.StepResult<Name>
) => {
  state.air = state.air.filter((other) => other !== one)
  state.tight = false
  return Effect.map(
    steps.end(one.call, result).pipe(Effect.tap(Effect.andThen(Fiber.interrupt(one.fiber), one.call.leave))),
    (ending) => note(state, ending)
  )
}

/** Books whoever has answered, in the order of the plan. */
const landAll = <Name extends Operation>(steps: Steps<Name>, state: State<Name>) =>
  Effect.forEach(
    state.air,
    (one) => {
      const result = resultOf(one)
      return result === null ? Effect.void : land(steps, state, one, result)
    },
    { discard: true }
  )

const resultOf = <Name extends Operation>({ call, fiber }: Waiting<Name>): Ending.StepResult<Name> | null => {
  const exit = fiber.pollUnsafe()
  return exit?._tag === "Success" ? exit.value : call.landed()
}

/** Ends the run the way a call has ended that has neither an answer nor an error: interrupted, or with a defect. */
const raise = <Name extends Operation>({ air }: State<Name>): Effect.Effect<void> => {
  for (const { fiber } of air) {
    const exit = fiber.pollUnsafe()
    if (exit !== undefined && Exit.isFailure(exit)) return Effect.failCause(exit.cause)
  }
  return Effect.void
}

/** Gives up what is in the air and needed no more. */
const giveUp = <Name extends Operation>(steps: Steps<Name>, state: State<Name>) =>
  Effect.forEach(
    state.air,
    (one) =>
      steps.needless(one.call.step, ended(state)) === null
        ? Effect.void
        : land(steps, state, one, one.call.landed() ?? { _tag: "Abandoned", asked: one.call.asked() }),
    { discard: true }
  )

/** Whether the next step may begin: nothing is in the air, or one call that is late. */
const mayBegin = <Name extends Operation>({ air, tight }: State<Name>, now: number): boolean => {
  const [first, second] = air
  if (first === undefined) return true
  return second === undefined && !tight && first.call.lateAt !== null && now >= first.call.lateAt
}

/** Ends the next step without a call, or begins it. */
const advance = Effect.fnUntraced(function* <Name extends Operation>(steps: Steps<Name>, state: State<Name>) {
  const { next } = state
  const step = steps.all[next]
  if (step === undefined) return
  const free = steps.needless(step, ended(state)) ?? (yield* steps.kept(next) ?? Effect.succeed(null))
  const late = state.air[0]
  if (free === null && !steps.reserve(step)) {
    if (late !== undefined) {
      state.tight = true
      return
    }
    state.next++
    return note(state, steps.cutOff(step))
  }
  state.next++
  const begun = free ?? (yield* steps.begin(step, next))
  if ("verdict" in begun) return note(state, begun)
  state.air = [...state.air, { call: begun, fiber: yield* Effect.forkChild(Effect.interruptible(begun.wait)) }]
  if (late !== undefined) state.hedged.push({ source: late.call.step.source, by: step.source })
})

/** Until somebody answers, or the one in the air is late. */
const wait = <Name extends Operation>({ air, next, tight }: State<Name>, steps: Steps<Name>, now: number) => {
  const [first, second] = air
  const alarm =
    first === undefined || second !== undefined || tight || first.call.lateAt === null || next >= steps.all.length
      ? []
      : [Effect.sleep(Math.max(0, first.call.lateAt - now))]
  return Effect.raceAllFirst([...air.map(({ fiber }) => Effect.asVoid(Fiber.await(fiber))), ...alarm])
}

/** Runs the steps. When the caller leaves in between, whoever has answered by then is booked all the same. */
export const run = <Name extends Operation>(steps: Steps<Name>): Effect.Effect<Ended> =>
  Effect.uninterruptibleMask((restore) => {
    const state: State<Name> = { next: 0, air: [], tight: false, endings: new Map(), hedged: [] }
    const turn = Effect.gen(function* () {
      yield* landAll(steps, state)
      yield* raise(state)
      yield* giveUp(steps, state)
      const now = yield* Clock.currentTimeMillis
      if (state.next < steps.all.length && mayBegin(state, now)) return yield* advance(steps, state)
      if (state.air.length === 0) return
      yield* restore(wait(state, steps, now))
      // Who answers at the same moment has answered too.
      yield* Effect.yieldNow
    })
    const loop = Effect.whileLoop({
      while: () => state.next < steps.all.length || state.air.length > 0,
      body: () => turn,
      step: () => {}
    })
    const leave = Effect.suspend(() => Effect.forEach(state.air, ({ call }) => call.leave, { discard: true }))
    return loop.pipe(
      Effect.onInterrupt(() => landAll(steps, state)),
      Effect.ensuring(leave),
      Effect.map(() => ({
        endings: steps.all.flatMap(({ source }) => state.endings.get(source) ?? []),
        hedged: state.hedged
      }))
    )
  })
