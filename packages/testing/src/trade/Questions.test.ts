import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Trade from "./index.ts"

const generated = [...Trade.make({ records: 1500, months: 30 }).stream()]
const [first, ...more] = generated
const subject: Trade.Subject = {
  records: [first!.record, ...more.map(({ record }) => record)],
  trader_ids: [
    Trade.idOf(first!.importer),
    ...generated.flatMap(({ exporter, importer }) => [Trade.idOf(importer), Trade.idOf(exporter)])
  ]
}
const questions = Trade.questions(subject, 180)

/** Whether an answer says nothing. */
const isEmpty = (answer: unknown): boolean => /^(null|\[\]|.*"(?:list|points)":\[\],.*)$/.test(JSON.stringify(answer))

describe("questions", () => {
  it("are the same for the same seed, of every kind, and others for another", () => {
    const names = questions.map(({ name }) => name)
    assert.deepStrictEqual(
      Trade.questions(subject, 180).map(({ name }) => name),
      names
    )
    assert.notDeepEqual(
      Trade.questions(subject, 180, 2).map(({ name }) => name),
      names
    )
    assert.strictEqual(new Set(names.map((name) => name.split(" ")[0])).size, 20)
  })

  it.effect("mostly ask for what is there", () =>
    Effect.gen(function* () {
      const store = Trade.store(generated)
      const answers = yield* Effect.forEach(questions, ({ ask }) => ask(store))
      assert.isTrue(
        answers.filter((answer) => !isEmpty(answer)).length > 60,
        `${answers.filter((one) => !isEmpty(one)).length}`
      )
      assert.isTrue(answers.some(isEmpty))
    })
  )

  it.effect("are answered alike whatever the order in which the records came", () =>
    Effect.gen(function* () {
      const [there, back] = [Trade.store(generated), Trade.store(generated.toReversed())]
      for (const { ask, name } of questions) {
        assert.isNull(Trade.difference(yield* ask(back), yield* ask(there)), name)
      }
    })
  )

  it.effect("tell apart stores that differ in one record", () =>
    Effect.gen(function* () {
      const [whole, less] = [Trade.store(generated), Trade.store(generated.slice(1))]
      let different = 0
      for (const { ask } of questions) {
        const [a, b] = [yield* ask(whole), yield* ask(less)]
        if (Trade.difference(a, b) !== null) different++
      }
      assert.isTrue(different > 5, `${different}`)
    })
  )

  it("find the difference between answers, and none where sums were added in another order", () => {
    const [a, b] = [
      { list: [{ sum: 0.1 + 0.2 + 0.3 }], next: null },
      { list: [{ sum: 0.3 + 0.2 + 0.1 }], next: null }
    ]
    assert.isNull(Trade.difference(a, b))
    assert.strictEqual(Trade.difference(a, { ...b, list: [{ sum: 0.61 }] }), ".list.0.sum")
    assert.strictEqual(Trade.difference(a, { ...b, list: [] }), ".list.0")
    assert.strictEqual(Trade.difference(a, { ...b, next: 0 }), ".next")
    assert.strictEqual(Trade.difference([], {}), "")
  })
})
