/** Files as people have them, read from the disk. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Format } from "./Format.ts"
import * as Input from "./Input.ts"

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lading-rows-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const read = Effect.fnUntraced(function* (content: string | Uint8Array, format: Format = "csv") {
  const path = join(folder, "file")
  yield* Effect.promise(() => writeFile(path, content))
  const place = { path, format, delimiter: yield* Input.delimiter(path, format) }
  const survey = yield* Input.survey(place)
  const rows = yield* Stream.runCollect(Input.rows(place, survey))
  assert.strictEqual(rows.length, survey.rows)
  return { ...survey, all: rows.map(({ cells, line }) => ({ cells, line })) }
})

const refused = (content: string | Uint8Array, format: Format = "csv") =>
  Effect.map(Effect.flip(read(content, format)), ({ line, problem }) => ({ line, problem }))

describe("a CSV file", () => {
  it.effect("has quoted line breaks, CRLF, a mark, semicolons and blank lines, and every row knows its line", () =>
    Effect.gen(function* () {
      const file = yield* read('\ufeffname;"do;main"\r\n"a\r\nb";x.example\r\n\r\n"say ""so""";\r\n')
      assert.isTrue(file.marked)
      assert.deepStrictEqual(file.header, ["name", "do;main"])
      assert.deepStrictEqual(file.all, [
        { line: 2, cells: ["a\r\nb", "x.example"] },
        { line: 5, cells: ['say "so"', ""] }
      ])
    })
  )

  it.effect("is split by the delimiter that its header uses most", () =>
    Effect.gen(function* () {
      for (const delimiter of [",", ";", "\t", "|"]) {
        const { header } = yield* read(["domain", '"a,b;c"', "d"].join(delimiter))
        assert.deepStrictEqual(header, ["domain", "a,b;c", "d"])
      }
      assert.deepStrictEqual((yield* read("domain\na.example\n")).header, ["domain"])
    })
  )

  it.effect("is refused where a row is broken, naming its line", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refused('a,b\n1,"2\n2"\n"3,4\n5,6\n'), {
        line: 4,
        problem: "a quote in the row that begins here is never closed"
      })
      const ragged = yield* refused("a,b\n1,2\n3\n4,5,6\n")
      assert.strictEqual(ragged.line, 3)
      assert.include(ragged.problem, "the header has 2 cells, this row has another number of them")
      assert.include(ragged.problem, "2 such rows, on lines 3, 4")
      const long = yield* refused(`a,b\n1,"${"x\n".repeat(600_000)}`)
      assert.deepStrictEqual([long.line, long.problem.includes("longer than 1 MiB")], [2, true])
    })
  )

  it.effect("is refused where it is empty, missing, or not UTF-8", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* refused("")).problem, "it is empty")
      assert.include((yield* refused(Uint8Array.of(100, 10, 0xfc, 10))).problem, "it is not UTF-8")
      const missing = yield* Effect.flip(Input.delimiter(join(folder, "none"), "csv"))
      assert.strictEqual(missing.problem, "there is no such file")
    })
  )

  it.effect("keeps letters whole that stand where two pieces of the file meet", () =>
    Effect.gen(function* () {
      const name = "å".repeat(40_000)
      const { all } = yield* read(`x,name\n1,${name}\n`)
      assert.strictEqual(all[0]?.cells[1], name)
    })
  )
})

describe("a file of JSON Lines", () => {
  it.effect("has every key of any row as a column, and is split at line feeds only", () =>
    Effect.gen(function* () {
      const file = yield* read('{"domain":"a.example"}\n\n{"note":"x\u2028y","n":[1]}\r\n', "jsonl")
      assert.deepStrictEqual(file.header, ["domain", "note", "n"])
      assert.deepStrictEqual(file.all, [
        { line: 1, cells: ["a.example", "", ""] },
        { line: 3, cells: ["", "x\u2028y", "[1]"] }
      ])
    })
  )

  it.effect("is refused where a line is no object, naming it", () =>
    Effect.gen(function* () {
      for (const wrong of ["[1]", "{", "null"]) {
        assert.deepStrictEqual(yield* refused(`{"a":1}\n${wrong}\n`, "jsonl"), {
          line: 2,
          problem: "expected one JSON object"
        })
      }
    })
  )
})
