import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { write } from "../fixtures/files.ts"
import * as Csv from "./Csv.ts"
import { type Row, start } from "./Table.ts"

const signs = Schema.Array(Schema.Literals(['"', ",", "\n", "a", "é", "漢", " ", ";", "\t"])).check(
  Schema.isMaxLength(8)
)
const rows = Arbitrary.schema(
  Schema.Array(Schema.Tuple([signs, signs, signs])).check(Schema.isMinLength(1), Schema.isMaxLength(30))
)

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const dialect: Csv.Dialect = { delimiter: ",", quote: '"', encoding: "utf-8", columns: null }

const read = Effect.fnUntraced(function* (file: string) {
  const table = yield* Csv.open(dialect)(file, start)
  const found: Array<Row> = []
  const lines: Array<number> = []
  for (;;) {
    const sheet = yield* table.read
    if (sheet === null) return { found, lines }
    for (const [index, row] of sheet.rows.entries()) {
      found.push(row)
      lines.push(sheet.lineOf(index))
    }
    assert.deepStrictEqual(sheet.rejected, [])
  }
})

describe("Csv", () => {
  it.effect.prop(
    "reads back whatever is written in quotes, and knows where it stands",
    [rows],
    ([some]) =>
      Effect.gen(function* () {
        const cells = some.map((row) => row.map((cell) => cell.join("")))
        const text = ["a,b,c", ...cells.map((row) => row.map(quoted).join(","))].join("\n")
        const expected: Array<number> = []
        let line = 2
        for (const row of cells) {
          expected.push(line)
          line += 1 + row.join("").split("\n").length - 1
        }
        // Once as it is, once many times behind itself, so that rows lie across blocks.
        const long = `${text}\n${"x,y,z\n".repeat(180_000)}${text.slice(text.indexOf("\n") + 1)}`
        const [short = "", across = ""] = yield* write({ "a.csv": text, "b.csv": long })
        const one = yield* read(short)
        assert.deepStrictEqual(one.found, cells)
        assert.deepStrictEqual(one.lines, expected)
        const two = yield* read(across)
        assert.strictEqual(two.found.length, 2 * cells.length + 180_000)
        assert.deepStrictEqual(two.found.slice(cells.length + 180_000), cells)
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 30 } }
  )
})
