import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Directory from "./Directory.ts"

interface Filter {
  readonly words: ReadonlyArray<string>
  readonly text: string | null
  readonly span: Directory.Span | null
}

const none: Filter = { words: [], text: null, span: null }

const search = (filter: Filter, cursor: string | null = null, limit = 2): Directory.Search<Filter> => ({
  filter,
  limit,
  cursor
})

describe("asked", () => {
  it("names the filters that say something", () => {
    assert.deepStrictEqual(Directory.asked(none), [])
    assert.deepStrictEqual(Directory.asked({ words: ["a"], text: "b", span: { min: null, max: 3 } }), [
      "words",
      "text",
      "span"
    ])
    assert.deepStrictEqual(Directory.asked({ words: [], text: " ", span: { min: null, max: null } }), [])
  })

  it("is covered when it is anything at all, and the vendor has every filter of it", () => {
    assert.isFalse(Directory.covers<Filter>({ words: "exact" }, none))
    assert.isTrue(Directory.covers<Filter>({ words: "wide" }, { ...none, words: ["a"] }))
    assert.isFalse(Directory.covers<Filter>({ words: "exact" }, { ...none, words: ["a"], text: "b" }))
  })
})

describe("a cursor", () => {
  const filter = { ...none, words: ["a"] }

  it.effect("gives the position back to the search that it is of, and to no other", () =>
    Effect.gen(function* () {
      const cursor = Directory.cursor("one", search(filter), "token/+=$ü")
      assert.match(cursor, /^[\w-]+$/)
      assert.isNull(yield* Directory.position("one", search(filter)))
      assert.strictEqual(yield* Directory.position("one", search(filter, cursor)), "token/+=$ü")
      for (const other of [
        Directory.position("two", search(filter, cursor)),
        Directory.position("one", search({ ...filter, text: "b" }, cursor)),
        Directory.position("one", search(filter, cursor, 3))
      ]) {
        assert.strictEqual((yield* Effect.flip(other))._tag, "InvalidInput")
      }
    })
  )

  it.effect("is refused where nobody made it", () =>
    Effect.gen(function* () {
      const made = Directory.cursor("one", search(filter), 3)
      for (const text of ["", "x", "bnVsbA", "WzEsMl0", made.slice(1), `${made}AA`, "\u0000", "ü"]) {
        const error = yield* Effect.flip(Directory.position("one", search(filter, text)))
        assert.strictEqual(error._tag, "InvalidInput", text)
      }
    })
  )
})

it("costs a page for the hits on it, a block that was begun whole", () => {
  const page = { units: 1, records: null, unit: "credit" }
  assert.deepStrictEqual(
    [0, 1, 100].map((hits) => Directory.price(page, hits)),
    [1, 1, 1]
  )
  const each = { units: 0.5, records: 1, unit: "credit" }
  assert.deepStrictEqual(
    [0, 1, 7].map((hits) => Directory.price(each, hits)),
    [0, 0.5, 3.5]
  )
  const block = { units: 1, records: 10, unit: "credit" }
  assert.deepStrictEqual(
    [0, 1, 10, 11].map((hits) => Directory.price(block, hits)),
    [0, 1, 1, 2]
  )
})
