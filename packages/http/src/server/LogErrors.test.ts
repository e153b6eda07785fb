import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as LogErrors from "./LogErrors.ts"

const marker = "mara.marker@acme.example"

const failing = Effect.sync(() => JSON.parse(`{"email": ${marker}}`))

const linesOf = (wrap: (logger: Logger.Logger<unknown, string>) => Logger.Logger<unknown, string>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.map(wrap(Logger.formatJson), (line) => void lines.push(line))
    yield* failing.pipe(
      Effect.catchCause((cause) => Effect.logError("request failed", cause)),
      Effect.andThen(Effect.logError("does not answer", new TypeError(marker))),
      Effect.andThen(Effect.logInfo("request", { status: 200 })),
      Effect.provide(Logger.layer([logger]))
    )
    return lines
  })

describe("LogErrors", () => {
  it.effect("an error is its name and where it came from, without its message, and all else is as it was", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf(LogErrors.withoutMessages)
      assert.lengthOf(lines, 3)
      for (const line of lines) assert.notInclude(line, "marker")
      assert.match(lines[0] ?? "", /SyntaxError.*LogErrors\.test/)
      assert.match(lines[1] ?? "", /TypeError.*LogErrors\.test/)
      assert.deepStrictEqual(JSON.parse(lines[2] ?? "").message, ["request", { status: 200 }])
    })
  )

  it.effect("the messages are there where the operator wants them", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf((logger) => logger)
      assert.include(lines.join("\n"), "marker")
    })
  )
})
