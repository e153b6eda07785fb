import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as Column from "./Column.ts"

const find = (header: ReadonlyArray<string>, columns?: string) =>
  Column.find({ header, rows: 1, digest: "", marked: false }, Option.fromUndefinedOr(columns))

describe("the column of addresses", () => {
  const headers: ReadonlyArray<readonly [header: ReadonlyArray<string>, place: number, columns?: string]> = [
    [["name", "E-Mail"], 1],
    [["Email Address", "name"], 0],
    [["emailAddress", "mail"], 0],
    [["mail", "work"], 0],
    [["Contact"], 0],
    [["email", "Work, direct"], 1, 'email="Work, direct"']
  ]
  it.effect.each(headers)("of %j is column %i", ([header, place, columns]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* find(header, columns), { place, header, bare: false })
    })
  )

  it.effect("is the one that holds an address, where the first row is none of names", () =>
    Effect.gen(function* () {
      const found = yield* find(["Mara", "mara@acme.example"])
      assert.deepStrictEqual(found, { place: 1, header: ["column_1", "email"], bare: true })
      assert.include(Column.told(found), "column 2; the first row is one of them")
    })
  )

  it.effect("is refused where nobody can know it", () =>
    Effect.gen(function* () {
      const problem = (...asked: Parameters<typeof find>) =>
        Effect.map(Effect.flip(find(...asked)), ({ problem }) => problem)
      assert.include(yield* problem(["id", "name"]), 'found "id", "name"; expected one named email')
      assert.include(yield* problem(["email"], "email=Work"), 'there is no column "Work"; found "email"')
      assert.include(yield* problem(["email"], "domain=email"), "--columns: expected e.g. email=Work")
    })
  )
})
